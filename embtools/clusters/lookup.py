"""Single points of a map: search by name, and nearest neighbours in the space behind the map."""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from embtools.clusters import points as clusters_points
from embtools.clusters.maps import word_map
from embtools.clusters.points import Points, Words
from embtools.clusters.view import DEFAULT_VIEW, View, prepared
from embtools.clusters.view import check as check_view
from embtools.limits import within
from embtools.messages import quoted, shortened
from embtools.neighbours import MAX_NEIGHBOURS, neighbours

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_PICKED = 100  # the neighbours of one point in the vocabulary take 30,000 cosines
MAX_PATTERNS, MAX_LETTERS = 20, 200
_OF_LETTERS = re.compile(r"(?<!\\)(?:\\\\)*\\[bBwW]")
"""Signs of regular expressions that RE2 decides by the letters a to z."""
_MEMORY = 1 << 20  # bytes that a regular expression may take


def nearest(
    picked: Sequence[str], model: "EmbeddingModel", *, words: Words, view: View = DEFAULT_VIEW, k: int = 5
) -> pd.DataFrame:
    """The k nearest other points of some points in the space behind the map of `words`, one row per neighbour.

    Parameters
    ----------
    picked : sequence of str
        At most 100 points of the map.
    model : EmbeddingModel
    words : Words
        The words of the map.
    view : View
        The settings of the map. The neighbours are found by its metric, after its centring and normalising.
    k : int, default 5
        Number of neighbours of each point.

    Returns
    -------
    DataFrame
        Columns: word, neighbour, cosine or distance, group (of the neighbour), rank_on_map (rank of the neighbour among
        the word's neighbours by the positions on the map; 1 is the nearest).

    Raises
    ------
    ValueError
        As `word_map` does, for a word that is not on the map, for more than 100 words, and for k out of range.
    """
    from sklearn.metrics import pairwise_distances

    drawn, points = word_map(words, model, view=view).points, clusters_points.read(words, model)
    rows = _rows(picked, points, k)
    vectors = prepared(points.vectors, points.is_word, view)
    places = drawn[[axis for axis in "xyz" if axis in drawn]].to_numpy()
    column, sign, zero = ("cosine", -1, 1) if view.metric == "cosine" else ("distance", 1, 0)
    if not rows:
        return pd.DataFrame(columns=["word", "neighbour", column, "group", "rank_on_map"])
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
                    "rank_on_map": [int((there < there[other]).sum()) + 1 for other in best],
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def nearest_in_vocabulary(
    picked: Sequence[str], model: "EmbeddingModel", *, words: Words, view: View = DEFAULT_VIEW, k: int = 5
) -> pd.DataFrame:
    """The k tokens of the vocabulary nearest to some points of `words`, without the points themselves.

    Uses the view's metric on the vectors without centring or normalising.

    Parameters
    ----------
    picked : sequence of str
        At most 100 points of the map.
    model : EmbeddingModel
    words : Words
        The words of the map. Only static embeddings: hidden states cannot be compared with the rows of the embedding
        matrix.
    view : View
        Its metric is used.
    k : int, default 5
        Number of tokens for each point.

    Returns
    -------
    DataFrame
        Columns: word, neighbour, and cosine or distance.

    Raises
    ------
    ValueError
        As `nearest` does, and for vectors from a sentence.
    """
    check_view(view)
    if words.template:
        raise ValueError("Hidden states cannot be compared with the vocabulary. Choose static embeddings.")
    points = clusters_points.read(words, model)
    rows = _rows(picked, points, k)
    column = "cosine" if view.metric == "cosine" else "distance"
    columns = ["word", "neighbour", column]
    if not rows:
        return pd.DataFrame(columns=columns)
    found = []
    for row, frame in zip(rows, neighbours(points.vectors[rows], model, k=k + 1, metric=view.metric), strict=True):
        word = points.frame["word"].iloc[row]
        own = model.pieces(word) if points.frame["kind"].iloc[row] == "word" else ()
        others = frame[[(token,) != own for token in frame["token"]]].head(k)
        found.append(others.assign(word=word).rename(columns={"token": "neighbour"})[columns])
    return pd.concat(found, ignore_index=True)


def matches(text: str, model: "EmbeddingModel", *, words: Words) -> tuple[str, ...]:
    """The points of a map whose names contain a text.

    Parameters
    ----------
    text : str
        At most 20 patterns, separated by commas, and 200 characters. In a pattern for a whole name, * stands for any
        characters and ? for one. Between slashes, a regular expression.
    model : EmbeddingModel
    words : Words
        The words of the map.

    Returns
    -------
    tuple of str
        The words and formulas, in the order of the map.

    Raises
    ------
    ValueError
        As `word_map` does for the words, for too many patterns or characters, and for a regular expression with a
        mistake.
    """
    names = clusters_points.read(words, model).frame["word"].tolist()
    return tuple(names[row] for row in search(names, text))


def search(words: Sequence[str], text: str) -> list[int]:
    """The indices of the words that contain a text, with wildcards * and ? for the whole word, a comma for "or", and
    /…/ for a regular expression.

    >>> search(["london", "lyon", "rome"], "on"), search(["london", "lyon", "rome"], "l?on, rom*")
    ([0, 1], [1, 2])
    >>> search(["london", "lyon", "rome"], "/^[lr].{3}$/")
    [1, 2]
    """
    if len(text) > MAX_LETTERS:
        raise ValueError(f"The search has {len(text):,} characters; at most {MAX_LETTERS} are allowed. Shorten it.")
    if (expression := text.strip())[:1] == "/" == expression[-1:] and len(expression) > 2:
        found, foreign = _expression(expression[1:-1]), next((word for word in words if not word.isascii()), "")
        if foreign and _OF_LETTERS.search(expression):
            raise ValueError(
                f"\\b, \\B, \\w and \\W know English letters only, but one word is {quoted(foreign)}. Use ^ or $ for"
                " its beginning or end, or leave out the slashes."
            )
        return [i for i, word in enumerate(words) if found.search(word)]
    wanted = [p.strip().lower() for p in text.split(",") if p.strip()]
    if len(wanted) > MAX_PATTERNS:
        raise ValueError(f"The search has {len(wanted)} parts; at most {MAX_PATTERNS} are allowed. Remove some.")
    patterns = [p if set(p) & set("*?") else f"*{p}*" for p in (w.replace("[", "[[]") for w in wanted)]
    return [i for i, word in enumerate(words) if any(fnmatchcase(word.lower(), p) for p in patterns)]


def _expression(pattern: str) -> Any:
    """Return a compiled regular expression that ignores case; ValueError if it cannot be read."""
    import re2  # in linear time: with Python's own module, a visitor's expression could keep the server busy forever

    options = re2.Options()
    options.case_sensitive, options.log_errors, options.max_mem = False, False, _MEMORY
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else error.args[0]
        raise ValueError(
            f"The regular expression has a mistake: {shortened(reason, 80)}. Correct it, or leave out the slashes."
        ) from None


def _rows(picked: Sequence[str], points: Points, k: int) -> list[int]:
    """The rows of the selected words."""
    if len(picked) > MAX_PICKED:
        raise ValueError(f"{len(picked):,} points are selected; at most {MAX_PICKED} are allowed. Select fewer.")
    within(k, MAX_NEIGHBOURS - 1, "neighbours")
    index = {word: i for i, word in enumerate(points.frame["word"])}
    if missing := [word for word in picked if word not in index]:
        raise ValueError(f"{quoted(missing[0])} is not on the map. Select one of its {len(index):,} points.")
    return [index[word] for word in picked]
