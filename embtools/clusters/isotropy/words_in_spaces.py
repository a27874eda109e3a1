"""The visitor's own words in several spaces: cosines within groups, and an analogy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from embtools.clusters.isotropy import verdict
from embtools.clusters.isotropy.population import Population
from embtools.clusters.isotropy.tasks import separation
from embtools.limits import enough
from embtools.messages import column_name
from embtools.spaces.space import Space
from embtools.vectors import Array, cosine, unit
from embtools.words.groups import Groups

MAX_WORDS = 60
Spaces = Mapping[str, Space]
"""Spaces by name: "raw", "processed", …"""


@dataclass(frozen=True, eq=False)
class Grouped:
    """Words in groups, in several spaces.

    words, groups  m words and the group of each
    left_out       words that the population does not have
    table          space, auc (pairs from one group against pairs from two), within, between (mean cosines)
    pairs          first, second, same_group, and one column of cosines per space; the largest change first
    """

    words: tuple[str, ...]
    groups: tuple[str, ...]
    left_out: tuple[str, ...]
    table: pd.DataFrame
    pairs: pd.DataFrame

    @property
    def headline(self) -> str:
        """How often two words of one group are more similar than two of different groups, before and after."""
        return verdict.group_finding(self.table)


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
    table = []
    for name, space in spaces.items():
        rows = source.of(numbers, source.fit(space))
        cosines[name] = cosine(rows, rows)
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
    return Grouped(words, names, left_out, pd.DataFrame(table), pairs)


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
