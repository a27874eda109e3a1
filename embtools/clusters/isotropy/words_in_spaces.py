"""An analogy of the visitor in several spaces."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from embtools.clusters.isotropy.population import Population
from embtools.spaces.space import Space
from embtools.vectors import unit

Spaces = Mapping[str, Space]
"""Spaces by name: "raw", "processed", …"""


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
