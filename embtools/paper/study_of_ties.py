"""The study "Rome is more closely tied to Italy than Pakistan to Asia": all capitals and all countries."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import seeds
from embtools.mask_filling.cases import Pair, plan
from embtools.mask_filling.relations import relation
from embtools.paper.study_result import COLUMNS, Study, interval
from embtools.progress import Progress, silent
from embtools.statistics.crossed import crossed_mean, crossed_resamples
from embtools.statistics.decimals import decimal
from embtools.statistics.reporting import few
from embtools.vectors import Array, cosine

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

SENTENCE = "Rome has a semantically stronger relation to Italy than Pakistan does to Asia."
OWN_CAPITAL, OTHER_CAPITAL, OWN_CONTINENT, OTHER_CONTINENT, COSINES, EXCESSES = ROWS = (
    "a capital and its country", "a capital and another country", "a country and its continent",
    "a country and another continent", "capital–country minus country–continent",
    "this difference minus that of other pairs",
)  # fmt: skip


def ties(model: "EmbeddingModel", *, seed: int = 0, progress: Progress = silent) -> Study:
    """Compare the cosines of capitals and their countries with those of countries and their continents, and both with
    other partners, because a cosine also depends on how common the words are."""
    capital, continent = (_Cosines(plan(relation(key).pairs, model).pairs, model) for key in ("capital", "continent"))
    progress(0.5)
    first, second = seeds(seed, 2)
    own, other = zip(capital.draws(first), continent.draws(second), strict=True)
    rows = [
        (OWN_CAPITAL, *capital.mean(True, first)), (OTHER_CAPITAL, *capital.mean(False, first)),
        (OWN_CONTINENT, *continent.mean(True, second)), (OTHER_CONTINENT, *continent.mean(False, second)),
    ]  # fmt: skip
    values = [row[1] for row in rows]
    n = capital.count + continent.count
    rows.append((COSINES, *_difference(values[0] - values[2], own[0], own[1]), n))
    excess = values[0] - values[1] - (values[2] - values[3])
    rows.append((EXCESSES, *_difference(excess, own[0] - other[0], own[1] - other[1]), n))
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    items = pd.concat([capital.frame("capital"), continent.frame("continent")], ignore_index=True)
    progress(1.0)
    notes = (
        f"The study uses the static embeddings of {capital.count} capitals with their countries, and of"
        f" {continent.count} countries with {continent.partners} continents; all names are single tokens. For the"
        " intervals, both kinds of words are draws from more words.",
        few({"continents": continent.partners}),
    )
    main = ("Capital–country minus country–continent", *rows[4][1:4])
    return Study("ties", SENTENCE, "A3", "cosine", _headline(frame), frame, items, notes, main, (COSINES, EXCESSES))


class _Cosines:
    """The cosines of the words a and b of a relation: which belong together, and which do not."""

    def __init__(self, pairs: tuple[Pair, ...], model: "EmbeddingModel") -> None:
        self.pairs = pairs
        ids = sorted({pair.b_id for pair in pairs})
        self.values = cosine(
            model.matrix[[pair.a_id for pair in pairs]].astype(np.float64), model.matrix[ids].astype(np.float64)
        )
        self.own = np.array([[pair.b_id == i for i in ids] for pair in pairs])
        self.other = np.array([[i in {c for _, c in pair.others} for i in ids] for pair in pairs])
        self.count, self.partners = len(pairs), len(ids)

    def mean(self, own: bool, seed: int) -> tuple[float, float, float, int]:
        """Mean cosine of right or other partners, with its interval and the number of cosines."""
        counts = (self.own if own else self.other).astype(int)
        return *crossed_mean(self.values * counts, counts, seed=seed), int(counts.sum())

    def draws(self, seed: int) -> tuple[Array, Array]:
        """Mean cosines of right and of other partners in the same resamples of words."""
        both = [part.astype(int) for part in (self.own, self.other)]
        found = [crossed_resamples((self.values * part)[:, :, None], part, seed=seed)[:, 0] for part in both]
        least = min(map(len, found))
        return found[0][:least], found[1][:least]

    def frame(self, name: str) -> pd.DataFrame:
        """One row per word: relation, a, b, cosine, others (mean cosine of the same word and other partners)."""
        others = (self.values * self.other).sum(axis=1) / self.other.sum(axis=1)
        rows = [(name, pair.a, pair.b, float(self.values[i][self.own[i]][0])) for i, pair in enumerate(self.pairs)]
        return pd.DataFrame(rows, columns=["relation", "a", "b", "cosine"]).assign(others=others)


def _difference(value: float, one: Array, other: Array) -> tuple[float, float, float]:
    least = min(len(one), len(other))
    low, high = np.quantile(one[:least] - other[:least], [0.025, 0.975])
    return value, float(low), float(high)


def _headline(rows: pd.DataFrame) -> str:
    table = rows.set_index("quantity")
    difference, excess = (interval(*table.loc[name, ["value", "low", "high"]]) for name in (COSINES, EXCESSES))
    return (
        f"The mean cosine is {decimal(table.loc[OWN_CAPITAL, 'value'])} for a capital and its country and"
        f" {decimal(table.loc[OWN_CONTINENT, 'value'])} for a country and its continent, a difference of {difference}."
        " After the mean"
        f" cosines with other countries and continents are subtracted, the difference is {excess}."
    )
