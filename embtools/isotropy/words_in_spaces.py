"""The visitor's own words in several spaces: cosines within groups, a map, an analogy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.isotropy.population import Population
from embtools.limits import enough
from embtools.messages import column_name, quoted
from embtools.spaces.controls import group_finding, separation
from embtools.spaces.space import Space
from embtools.vectors import Array, check_finite, cosine, unit
from embtools.words.groups import Groups

MAX_WORDS = 60
Spaces = Mapping[str, Space]
"""Spaces by name: "raw", "processed", …"""


@dataclass(frozen=True, eq=False)
class Grouped:
    """Words in groups, in several spaces.

    words, groups  m words and the group of each
    left_out       words that the population does not have
    cosines        (m, m) by space
    maps         (m, 2) by space: the first two principal components, rotated to match the first space
    explained           share of the variance that these show, by space
    table          space, auc (pairs from one group against pairs from two), within, between (mean cosines)
    pairs          first, second, same_group, and one column of cosines per space; the largest change first
    """

    words: tuple[str, ...]
    groups: tuple[str, ...]
    left_out: tuple[str, ...]
    cosines: dict[str, Array]
    maps: dict[str, Array]
    explained: dict[str, float]
    table: pd.DataFrame
    pairs: pd.DataFrame

    @property
    def headline(self) -> str:
        """How often two words of one group are more similar than two of different groups, before and after."""
        return group_finding(self.table)

    def map(self, space: str) -> pd.DataFrame:
        """Frame of `map_table`."""
        return map_table(self, space)


def compare_groups(source: Population, groups: Groups, spaces: Spaces) -> Grouped:
    """Compare words in groups in each space; words that do not occur are left out."""
    enough(spaces, "spaces")
    listed = [(name, word) for name, words in groups for word in words]
    if len(listed) > MAX_WORDS:
        raise ValueError(
            f"There are {len(listed):,} words, but at most {MAX_WORDS:,} can be compared. Remove"
            f" {len(listed) - MAX_WORDS:,}."
        )
    there = [(name, word) for name, word in listed if word in source.numbers]
    left_out = tuple(word for _, word in listed if word not in source.numbers)
    if len(there) < 3:
        count = f"Only {len(there)}" if there else "None"
        raise ValueError(
            f"{count} of these words can be found in {source.where}, but at least three are needed. Add others."
        )
    names, words = (tuple(each) for each in zip(*there, strict=True))
    numbers = [source.numbers[word] for word in words]
    labels = np.unique(names, return_inverse=True)[1]
    cosines: dict[str, Array] = {}
    maps: dict[str, Array] = {}
    explained: dict[str, float] = {}
    table = []
    for name, space in spaces.items():
        rows = source.of(numbers, source.fit(space))
        cosines[name] = cosine(rows, rows)
        own, explained[name] = plane(rows)
        maps[name] = rotated(own, next(iter(maps.values()), own))
        auc, within, between = separation(rows, labels)
        table.append({"space": name, "auc": auc, "within": within, "between": between})
    i, j = np.triu_indices(len(words), 1)
    pairs = pd.DataFrame(
        {
            "first": [words[n] for n in i],
            "second": [words[n] for n in j],
            "same_group": labels[i] == labels[j],
            **{column_name(name): values[i, j] for name, values in cosines.items()},
        }
    )
    change = (pairs.iloc[:, 4] - pairs.iloc[:, 3]).abs() if len(cosines) > 1 else -pairs.iloc[:, 3]
    pairs = pairs.iloc[np.argsort(-change.to_numpy(), kind="stable")].reset_index(drop=True)
    return Grouped(words, names, left_out, cosines, maps, explained, pd.DataFrame(table), pairs)


def map_table(result: Grouped, space: str) -> pd.DataFrame:
    """Map of one space as a frame."""
    if space not in result.maps:
        raise ValueError(f"There is no space {quoted(space)}. Choose one of: {', '.join(result.maps)}.")
    return pd.DataFrame(
        {"word": result.words, "group": result.groups, **dict(zip("xy", result.maps[space].T, strict=True))}
    )


def plane(rows: Array) -> tuple[NDArray[np.float64], float]:
    """First two principal components of unit vectors (m, d): coordinates (m, 2), and their share of the variance.

    The signs are fixed: the entry of each component that is furthest from zero is positive.
    """
    enough(rows, "vectors")
    check_finite(rows)
    centred = unit(rows.astype(np.float64))
    centred = centred - centred.mean(0)
    left, lengths, right = np.linalg.svd(centred, full_matrices=False)
    furthest = np.take_along_axis(right, np.abs(right).argmax(1)[:, None], 1)[:2, 0]
    total = float(np.square(lengths).sum())
    return left[:, :2] * lengths[:2] * np.sign(furthest), float(np.square(lengths[:2]).sum() / total) if total else 0.0


def rotated(points: Array, towards: Array) -> NDArray[np.float64]:
    """Points (m, 2) rotated and reflected to match other points as closely as possible; no distance changes.

    Orthogonal Procrustes (Schönemann 1966). A principal component has no sign, so the same map could otherwise appear
    upside down in another space.

    >>> rotated(np.array([[0.0, 1.0], [0.0, -1.0]]), np.array([[2.0, 0.0], [-2.0, 0.0]])).round(3).tolist()
    [[1.0, 0.0], [-1.0, 0.0]]
    """
    check_finite(points, towards)
    left, _, right = np.linalg.svd(points.T @ towards)
    return points @ (left @ right)


def analogy_ranks(source: Population, words: Sequence[str], spaces: Spaces) -> pd.DataFrame:
    """Rank of the fourth of four words for "a is to b as c is to …" in each space.

    The method is 3CosAdd without the first three words.
    """
    if len(words) != 4:
        raise ValueError("Enter four words, separated by commas, such as man, king, woman, queen.")
    a, b, c, expected = (source.number(word) for word in words)
    if expected in (a, b, c):
        raise ValueError(
            "The fourth word repeats one of the first three, which are excluded as answers. Choose another word."
        )
    allowed = source.answers.copy()
    allowed[[a, b, c]], allowed[expected] = False, True
    result = []
    for name, space in spaces.items():
        rows = unit(source.means(source.fit(space).apply(source.vectors), source.owner))
        queries = np.stack([rows[b] - rows[a] + rows[c], rows[b], rows[c]])
        scores = np.where(allowed, queries @ rows.T, -np.inf)
        ranks = (scores > scores[:, expected, None]).sum(1) + 1
        result.append((name, source.words[int(scores[0].argmax())], *ranks.tolist()))
    return pd.DataFrame(result, columns=["space", "answer", "rank", "rank_by_b", "rank_by_c"])
