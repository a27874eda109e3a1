"""One's own words before and after: their neighbours, their cosines in groups, a map, the odd one out, an analogy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.isotropy.population import Population
from embtools.isotropy.tasks import separation
from embtools.limits import enough, within
from embtools.messages import quoted
from embtools.spaces.space import Space
from embtools.vectors import Array, check_finite, cosine, top_k, unit
from embtools.words.groups import Groups

MAX_WORDS = 60
MAX_NEIGHBOURS = 50
Spaces = Mapping[str, Space]
"""Spaces by what they are called: "raw", "processed", …"""


@dataclass(frozen=True, eq=False)
class Grouped:
    """Words in groups, in several spaces.

    words, groups  m words and the group of each;  left_out: words that the population does not have
    cosines        by space (m, m)
    places, kept   by space (m, 2), the plane of PCA, turned towards the first one; its share of the variance
    table          space, auc (pairs of one group against pairs of two), within, between (mean cosines)
    pairs          first, second, same group, and a column of cosines for each space; the largest change first
    """

    words: tuple[str, ...]
    groups: tuple[str, ...]
    left_out: tuple[str, ...]
    cosines: dict[str, Array]
    places: dict[str, Array]
    kept: dict[str, float]
    table: pd.DataFrame
    pairs: pd.DataFrame


def neighbours(source: Population, word: str, spaces: Spaces, k: int = 10) -> pd.DataFrame:
    """The k nearest words of a word in each space: rank, and for each space its word and its cosine.

    Whole words only; a word of the text stands in the mean of its occurrences. Raises ValueError for k out of range,
    a word that is not there, and as `spaces.fitting.fit` does.
    """
    within(k, MAX_NEIGHBOURS, "neighbours")
    number = source.number(word)
    columns: dict[str, object] = {"rank": np.arange(1, k + 1)}
    allowed = source.answers.copy()
    allowed[number] = False
    for name, space in spaces.items():
        rows = source.means(source.fit(space).apply(source.vectors), source.owner)
        near = np.where(allowed, cosine(rows[number], rows)[0], -np.inf)
        best = top_k(near, k)
        columns |= {name: [source.words[i] for i in best], f"{name} cosine": near[best]}
    return pd.DataFrame(columns)


def grouped(source: Population, groups: Groups, spaces: Spaces) -> Grouped:
    """Words in groups in each space. Words that are not there are left out.

    Raises ValueError for more than MAX_WORDS, and for fewer than three that are there.
    """
    enough(spaces, "spaces")
    listed = [(name, word) for name, words in groups for word in words]
    if len(listed) > MAX_WORDS:
        raise ValueError(
            f"There are {len(listed)} words; at most {MAX_WORDS} are drawn. Take {len(listed) - MAX_WORDS} away."
        )
    there = [(name, word) for name, word in listed if word in source.numbers]
    left_out = tuple(word for _, word in listed if word not in source.numbers)
    if len(there) < 3:
        raise ValueError(
            f"Of these words {len(there)} stand in {source.where}; at least three are compared. Add others."
        )
    names, words = (tuple(column) for column in zip(*there, strict=True))
    numbers = [source.numbers[word] for word in words]
    labels = np.unique(names, return_inverse=True)[1]
    cosines: dict[str, Array] = {}
    places: dict[str, Array] = {}
    kept: dict[str, float] = {}
    table = []
    for name, space in spaces.items():
        rows = source.of(numbers, source.fit(space))
        cosines[name] = cosine(rows, rows)
        own, kept[name] = plane(rows)
        places[name] = turned(own, next(iter(places.values()), own))
        auc, within, between = separation(rows, labels)
        table.append({"space": name, "auc": auc, "within": within, "between": between})
    i, j = np.triu_indices(len(words), 1)
    pairs = pd.DataFrame(
        {
            "first": [words[n] for n in i],
            "second": [words[n] for n in j],
            "same group": labels[i] == labels[j],
            **{name: values[i, j] for name, values in cosines.items()},
        }
    )
    change = (pairs.iloc[:, 4] - pairs.iloc[:, 3]).abs() if len(cosines) > 1 else -pairs.iloc[:, 3]
    pairs = pairs.iloc[np.argsort(-change.to_numpy(), kind="stable")].reset_index(drop=True)
    return Grouped(words, names, left_out, cosines, places, kept, pd.DataFrame(table), pairs)


def places_table(found: Grouped, space: str) -> pd.DataFrame:
    """The map of one space as a frame: word, group, x, y."""
    if space not in found.places:
        raise ValueError(f"There is no space {quoted(space)}. Choose one of: {', '.join(found.places)}.")
    return pd.DataFrame(
        {"word": found.words, "group": found.groups, **dict(zip("xy", found.places[space].T, strict=True))}
    )


def plane(rows: Array) -> tuple[NDArray[np.float64], float]:
    """The directions of (m, d) vectors in the plane of their first two principal components, and its share of variance.

    The signs are fixed: the entry furthest from zero of each component is positive.
    """
    enough(rows, "vectors")
    check_finite(rows)
    centred = unit(rows.astype(np.float64))
    centred = centred - centred.mean(0)
    left, lengths, right = np.linalg.svd(centred, full_matrices=False)
    furthest = np.take_along_axis(right, np.abs(right).argmax(1)[:, None], 1)[:2, 0]
    total = float(np.square(lengths).sum())
    return left[:, :2] * lengths[:2] * np.sign(furthest), float(np.square(lengths[:2]).sum() / total) if total else 0.0


def turned(places: Array, towards: Array) -> NDArray[np.float64]:
    """Places (m, 2) turned and mirrored to lie as near as can be to others: no distance changes.

    Orthogonal Procrustes (Schönemann 1966). A principal component has no sign: without this the same picture may stand
    on its head in another space.

    >>> turned(np.array([[0.0, 1.0], [0.0, -1.0]]), np.array([[2.0, 0.0], [-2.0, 0.0]])).round(3).tolist()
    [[1.0, 0.0], [-1.0, 0.0]]
    """
    check_finite(places, towards)
    left, _, right = np.linalg.svd(places.T @ towards)
    return places @ (left @ right)


def odd_one_out(source: Population, words: Sequence[str], spaces: Spaces) -> pd.DataFrame:
    """Which of three words or more fits least in each space: word, and for each space its mean cosine with the others.

    The least of a column is the odd one there. Raises ValueError for fewer than three different words, or too many.
    """
    numbers = [source.number(word) for word in words]
    if not 3 <= len(set(numbers)) == len(numbers) <= MAX_WORDS:
        raise ValueError(f"Write 3 to {MAX_WORDS} different words between commas; one of them is the odd one out.")
    frame = pd.DataFrame({"word": [source.words[n] for n in numbers]})
    for name, space in spaces.items():
        rows = source.of(numbers, source.fit(space))
        values = cosine(rows, rows).astype(np.float64)
        frame[name] = (values.sum(1) - np.diag(values)) / (len(numbers) - 1)
    return frame


def own_analogy(source: Population, words: Sequence[str], spaces: Spaces) -> pd.DataFrame:
    """Where the fourth of four words stands for "a is to b as c is to …": space, answer, rank, by_b, by_c.

    3CosAdd, the three words left out; by_b and by_c are its ranks by nearness to b or to c alone, without arithmetic
    (Linzen 2016). Raises ValueError for another number of words, and words that are not there.
    """
    if len(words) != 4:
        raise ValueError("Write four words between commas, such as man, king, woman, queen.")
    a, b, c, expected = (source.number(word) for word in words)
    if expected in (a, b, c):
        raise ValueError("The fourth word is one of the first three, which cannot answer. Choose another.")
    allowed = source.answers.copy()
    allowed[[a, b, c]], allowed[expected] = False, True
    found = []
    for name, space in spaces.items():
        rows = unit(source.means(source.fit(space).apply(source.vectors), source.owner))
        queries = np.stack([rows[b] - rows[a] + rows[c], rows[b], rows[c]])
        scores = np.where(allowed, queries @ rows.T, -np.inf)
        ranks = (scores > scores[:, expected, None]).sum(1) + 1
        found.append((name, source.words[int(scores[0].argmax())], *ranks.tolist()))
    return pd.DataFrame(found, columns=["space", "answer", "rank", "by_b", "by_c"])
