"""Single points of a map: find them by name, and see their neighbours in the space the map was made from."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.clusters.points import Points
from embtools.clusters.view import View, prepared
from embtools.clusters.view import check as check_view
from embtools.limits import same_count, within
from embtools.messages import quoted
from embtools.neighbours import MAX_NEIGHBOURS, neighbours

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_PICKED = 100  # a point's neighbours in the vocabulary take a row of 30,000 cosines
MAX_PATTERNS, MAX_LETTERS = 20, 200


def nearest(picked: Sequence[str], points: Points, drawn: pd.DataFrame, view: View, k: int = 5) -> pd.DataFrame:
    """The k nearest other points of some points, in the space behind the map: a row each.

    Columns: word, neighbour, group (of the neighbour), cosine (or distance: by the view's metric, after its centring
    and normalising), on_map (which of the word's neighbours it is on the map, by the places x, y[, z] of `drawn`; 1 is
    the nearest). Raises ValueError for a word that is not on the map, for more than 100 of them, and for k out of
    range.
    """
    from sklearn.metrics import pairwise_distances

    check_view(view)
    same_count(points=points, places=drawn)
    rows = _rows(picked, points, k)
    vectors = prepared(points.vectors, points.is_word, view)
    places = drawn[[axis for axis in "xyz" if axis in drawn]].to_numpy()
    column, sign, zero = ("cosine", -1, 1) if view.metric == "cosine" else ("distance", 1, 0)
    if not rows:
        return pd.DataFrame(columns=["word", "neighbour", column, "group", "on_map"])
    frames = []
    distances = pairwise_distances(vectors[rows], vectors, metric=view.metric)
    away = pairwise_distances(places[rows], places)
    for row, here, there in zip(rows, distances, away, strict=True):
        here[row] = there[row] = np.inf
        best = np.argsort(here, kind="stable")[: min(k, len(points) - 1)]
        others = points.frame.iloc[best]
        frames.append(
            pd.DataFrame(
                {
                    "word": points.frame["word"].iloc[row],
                    "neighbour": others["word"].to_numpy(),
                    column: zero + sign * here[best],
                    "group": others["group"].to_numpy(),
                    "on_map": [int((there < there[other]).sum()) + 1 for other in best],
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def nearest_in_vocabulary(
    picked: Sequence[str], points: Points, view: View, model: "EmbeddingModel", k: int = 5
) -> pd.DataFrame:
    """The k nearest word pieces of some points, without the point itself: word, neighbour, cosine (or distance).

    By the view's metric, on the vectors as they are: for static embeddings, since a hidden state does not lie among
    the rows of the matrix. Raises ValueError as `nearest` does, and for vectors from a sentence.
    """
    if points.words.template:
        raise ValueError("Hidden states have no neighbours in the vocabulary. Choose static embeddings.")
    rows = _rows(picked, points, k)
    column = "cosine" if view.metric == "cosine" else "distance"
    columns = ["word", "neighbour", column]
    if not rows:
        return pd.DataFrame(columns=columns)
    found = []
    for row, frame in zip(rows, neighbours(points.vectors[rows], model, k + 1, metric=view.metric), strict=True):
        word = points.frame["word"].iloc[row]
        own = model.pieces(word) if points.frame["kind"].iloc[row] == "word" else ()
        others = frame[[(token,) != own for token in frame["token"]]].head(k)
        found.append(others.assign(word=word).rename(columns={"token": "neighbour"})[columns])
    return pd.concat(found, ignore_index=True)


def search(words: Sequence[str], text: str) -> list[int]:
    """Positions of the words that hold the text; * and ? are wildcards for the whole word, a comma means "or".

    Raises ValueError for more than 20 patterns, or 200 characters.

    >>> search(["london", "lyon", "rome"], "on"), search(["london", "lyon", "rome"], "l?on, rom*")
    ([0, 1], [1, 2])
    """
    if len(text) > MAX_LETTERS:
        raise ValueError(f"The search has {len(text):,} characters; at most {MAX_LETTERS} are read. Shorten it.")
    wanted = [p.strip().lower() for p in text.split(",") if p.strip()]
    if len(wanted) > MAX_PATTERNS:
        raise ValueError(f"The search has {len(wanted)} parts; at most {MAX_PATTERNS} are looked for. Take some away.")
    # Wildcards, not regular expressions: a visitor's expression could keep the server busy for ever.
    patterns = [p if set(p) & set("*?") else f"*{p}*" for p in (w.replace("[", "[[]") for w in wanted)]
    return [i for i, word in enumerate(words) if any(fnmatchcase(word.lower(), p) for p in patterns)]


def _rows(picked: Sequence[str], points: Points, k: int) -> list[int]:
    """The rows of points by their words."""
    if len(picked) > MAX_PICKED:
        raise ValueError(f"{len(picked):,} points were picked; at most {MAX_PICKED} are looked at. Pick fewer.")
    within(k, MAX_NEIGHBOURS - 1, "neighbours")
    index = {word: i for i, word in enumerate(points.frame["word"])}
    if missing := [word for word in picked if word not in index]:
        raise ValueError(f"{quoted(missing[0])} is not on the map. Pick one of its {len(index):,} points.")
    return [index[word] for word in picked]
