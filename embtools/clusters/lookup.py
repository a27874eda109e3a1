"""Single points of a map: find them by name, and see their neighbours in the space the map was made from."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.clusters import points as clusters_points
from embtools.clusters.points import Words
from embtools.clusters.view import View, prepared
from embtools.neighbours import MAX_NEIGHBOURS, neighbours

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_PICKED = 100  # a point's neighbours in the vocabulary take a row of 30,000 cosines


def nearest(picked: Sequence[str], words: Words, view: View, model: "EmbeddingModel", k: int = 5) -> pd.DataFrame:
    """The neighbours in the original space of some points of a map: word, group, nearest_here[, nearest_in_vocabulary].

    `nearest_here`: the k nearest of the other points, by the view's metric after its centring and normalising.
    `nearest_in_vocabulary` (static embeddings only): the k nearest word pieces by the same metric, on the vectors as
    they are, without the word itself. Raises ValueError for a word that is not on the map, for more than 100 of them,
    and for k out of range.
    """
    from sklearn.metrics import pairwise_distances

    if len(picked) > MAX_PICKED:
        raise ValueError(f"{len(picked):,} points were picked; at most {MAX_PICKED} are looked at. Pick fewer.")
    if not 1 <= k < MAX_NEIGHBOURS:
        raise ValueError(f"{k} neighbours were asked for; choose 1 to {MAX_NEIGHBOURS - 1}.")
    points, raw, _ = clusters_points.vectors(words, model)
    index = {word: i for i, word in enumerate(points["word"])}
    if missing := [word for word in picked if word not in index]:
        raise ValueError(f"'{missing[0][:60]}' is not on the map. Pick one of its {len(index):,} points.")
    rows = [index[word] for word in picked]
    vectors = prepared(raw, (points["kind"] == "word").to_numpy(), view)
    frame = points.loc[rows, ["word", "group"]].reset_index(drop=True)
    if not rows:
        return frame.assign(nearest_here=[])
    distances = pairwise_distances(vectors[rows], vectors, metric=view.metric)
    distances[np.arange(len(rows)), rows] = np.inf
    best = np.argsort(distances, axis=1, kind="stable")[:, : min(k, len(points) - 1)]
    shown = 1 - distances if view.metric == "cosine" else distances
    frame["nearest_here"] = [_listed(points["word"].iloc[b], s[b]) for b, s in zip(best, shown, strict=True)]
    if not words.template:
        found = neighbours(raw[rows], model, k + 1, metric=view.metric)
        own = [model.pieces(points["word"][row]) if points["kind"][row] == "word" else () for row in rows]
        others = (f[[(token,) != pieces for token in f["token"]]].head(k) for f, pieces in zip(found, own, strict=True))
        frame["nearest_in_vocabulary"] = [_listed(f["token"], f.iloc[:, 2]) for f in others]
    return frame


def search(words: Sequence[str], pattern: str) -> list[int]:
    """Positions of the words that hold the pattern; * and ? are wildcards for the whole word, a comma means "or".

    >>> search(["london", "lyon", "rome"], "on"), search(["london", "lyon", "rome"], "l?on, rom*")
    ([0, 1], [1, 2])
    """
    # Wildcards, not regular expressions: a visitor's expression could keep the server busy for ever.
    wanted = [p.strip().lower() for p in pattern[:200].split(",") if p.strip()]
    patterns = [p if set(p) & set("*?") else f"*{p}*" for p in (w.replace("[", "[[]") for w in wanted)]
    return [i for i, word in enumerate(words) if any(fnmatchcase(word.lower(), p) for p in patterns)]


def _listed(words: Iterable[str], values: Iterable[float]) -> str:
    return ", ".join(f"{w} {v:.2f}" for w, v in zip(words, values, strict=True))
