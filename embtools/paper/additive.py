"""Claim A7, the conclusion of "BERT Embedding Math": search and edits with the same sums, over many capitals."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.arithmetic.analogy_runs import (
    ALLOWED,
    COS_ADD,
    EXCLUDED,
    INPUTS,
    METHODS,
    NEAREST_C,
    Items,
    candidates,
    ranks_of,
)
from embtools.evidence.batteries import battery
from embtools.evidence.findings import PHRASES
from embtools.evidence.rates import EDIT, EFFICACY, PARAPHRASE
from embtools.evidence.result import Battery
from embtools.mask_filling.cases import plan
from embtools.mask_filling.experiments import Cases
from embtools.mask_filling.relations import EDIT as FORMULA
from embtools.mask_filling.relations import relation
from embtools.messages import counted
from embtools.paper.conditions import below, positive
from embtools.paper.measured import Interval, Measure, Measured
from embtools.progress import Progress, part, silent
from embtools.statistics.crossed import crossed_mean, crossed_share
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

PAIRS, OTHERS = 40, 5
"""As in the first battery of the Evidence page."""
_MARGIN = 0.1
WIDE = 0.5  # an interval of a rate from which nothing can be told
_KEPT, _EXCLUDED, _ALONE = "kept", "excluded", "alone"


def additive(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of A7: how often sums of vectors work in a search, and how often as an edit."""
    run = many_capitals(model, progress=part(progress, 0, 0.9))
    result = _searches(run, model)
    edit, best = run.rate(EFFICACY, EDIT), run.strongest
    assert best is not None  # the battery has controls
    strongest = str(best["condition"])
    rates = {name: Interval(*crossed_share(*_tables(result, result[name]))) for name in (_KEPT, _EXCLUDED, _ALONE)}
    rates |= {
        "edit": _of_row(edit), "control": _of_row(best),
        "paraphrase": _of_row(run.rate(PARAPHRASE, EDIT)),
        "paraphrase control": _of_row(run.rate(PARAPHRASE, strongest)),
    }  # fmt: skip
    differences = {
        "search": Interval(*_mean(result, result[_KEPT] - result["changed"], run.seed)),
        "sum": Interval(*_mean(result, result[_EXCLUDED] - result[_ALONE], run.seed)),
        "edit": Interval(*_against(run, EFFICACY, strongest)),
        "paraphrase": Interval(*_against(run, PARAPHRASE, strongest)),
    }
    progress(1.0)
    return judge_additive(rates, differences, len(result), result["a"].nunique(), PHRASES[strongest])


def judge_additive(
    rates: dict[str, Interval], differences: dict[str, Interval], cases: int, capitals: int, control: str
) -> Measured:
    """Judge A7."""
    r = rates
    return Measured(
        f"{cases} cases with {capitals} capitals were tested. The word nearest to a sum such as Rome − Italy + France"
        f" is the capital of the new country in {r['kept']} of the cases, and in {r['excluded']} if the formula's own"
        f" words are excluded; the word nearest to the new country alone is this capital in {r['alone']}. As an edit,"
        f" the same sum makes the new country the answer in {r['edit']}; the strongest control, {control}, in"
        f" {r['control']}. In another wording, these rates are {r['paraphrase']} and {r['paraphrase control']}.",
        (
            below(
                "The sum cannot be used for search: with all words allowed, it finds the capital less often than the"
                " edit changes the answer.",
                differences["search"].low,
                differences["search"].high,
                0.0,
                evidence=f"{r['kept']} and {r['edit']}; difference {differences['search'].points}.",
            ),
            below(
                "Even if the formula's own words are excluded, searching with the sum finds the capital at most 10"
                " percentage points more often than searching with the new country alone.",
                differences["sum"].low,
                differences["sum"].high,
                _MARGIN,
                evidence=f"{r['excluded']} and {r['alone']}; difference {differences['sum'].points}.",
            ),
            positive(
                "The sum can be used for modifying: the edit changes the answer more often than its strongest control.",
                differences["edit"].low,
                differences["edit"].high,
                evidence=f"{r['edit']} and {r['control']}; difference {differences['edit'].points}.",
            ),
            positive(
                "The model processes it consistently: in another wording, too, the edit does better than this control.",
                differences["paraphrase"].low,
                differences["paraphrase"].high,
                evidence=f"{r['paraphrase']} and {r['paraphrase control']}; difference"
                f" {differences['paraphrase'].points}.",
            ),
        ),
    )


def many_capitals(model: "EmbeddingModel", *, progress: Progress = silent) -> Battery:
    """Return the first battery of the Evidence page."""
    chosen = relation("capital")
    cases = Cases("capital", FORMULA, chosen.sentences[:2], chosen.must_stay[:1], others=OTHERS, first=PAIRS)
    return battery(cases, model, progress=progress)


def many_continents(model: "EmbeddingModel", *, progress: Progress = silent) -> Battery:
    """Return a battery that moves countries to other continents."""
    cases = Cases("continent", FORMULA, relation("continent").sentences[:1], others=3, first=PAIRS)
    return battery(cases, model, progress=progress)


def over_many(run: Battery) -> str:
    """Return the efficacy of a battery next to its strongest control as a sentence, and a second one if the interval is
    too wide to tell the rate."""
    row, best = run.rate(EFFICACY, EDIT), run.strongest
    edit, new = _of_row(row), run.cases["c"].nunique()
    words, n = run.cases["a"].nunique(), int(run.rate(EFFICACY, EDIT)["n"])
    text = f"Such an edit (scope “input”) was tried in {n} cases with {words} words. It changes the answer in {edit}"
    if best is not None:
        text += f"; the strongest control, {PHRASES[str(best['condition'])]}, does so in {_of_row(best)}"
    if row["high"] - row["low"] <= WIDE:
        return f"{text}."
    added = f"{counted(new, 'different word')} {'was' if new == 1 else 'were'} added"
    return f"{text}. Only {added}, which is too few to estimate this rate."


def _searches(run: Battery, model: "EmbeddingModel") -> pd.DataFrame:
    """Return the cases of the edit with the results of the search for the capital of c (0 or 1)."""
    rows = run.cases[(run.cases["measure"] == EFFICACY) & (run.cases["condition"] == EDIT) & ~run.cases["already"]]
    known = plan(relation("capital").pairs, model).pairs
    ids = {pair.a: (pair.a_id, pair.b_id) for pair in known}
    capitals = {pair.b: pair.a_id for pair in known}
    # b is to a as c is to its capital: the sum is a − b + c.
    quads = np.array(
        [(ids[a][1], ids[a][0], model.token_id(c), capitals[c]) for a, c in zip(rows["a"], rows["c"], strict=True)]
    )
    items = Items(quads, np.zeros((len(quads), 2), np.intp), ((),) * len(quads))
    words = np.union1d(candidates([items], model), np.flatnonzero(model.whole_words))
    ranks = ranks_of(items, words, vectors=model.matrix[words]).ranks
    columns = {
        _KEPT: (COS_ADD, ALLOWED), _EXCLUDED: (COS_ADD, EXCLUDED), _ALONE: (NEAREST_C, EXCLUDED),
    }  # fmt: skip
    first = {
        name: (ranks[:, METHODS.index(method), INPUTS.index(inputs)] == 1).astype(float)
        for name, (method, inputs) in columns.items()
    }
    return rows[["a", "c"]].assign(changed=rows["changed"].to_numpy(float), **first)


def _tables(rows: pd.DataFrame, values: pd.Series) -> tuple[Array, Array]:
    """Return the sums of values and the numbers of cases by a and c."""
    a, c = (pd.factorize(rows[name])[0] for name in ("a", "c"))
    shape = int(a.max()) + 1, int(c.max()) + 1
    sums, counts = np.zeros(shape), np.zeros(shape, int)
    np.add.at(sums, (a, c), values.to_numpy(float))
    np.add.at(counts, (a, c), 1)
    return sums, counts


def _mean(rows: pd.DataFrame, values: pd.Series, seed: int) -> tuple[float, float, float]:
    return crossed_mean(*_tables(rows, values), seed=seed)


def _against(run: Battery, measure: str, control: str) -> tuple[float, float, float]:
    """Return by how much the edit changes the answer more often than a control, in the same cases."""
    cases = run.cases[(run.cases["measure"] == measure) & ~run.cases["already"]]
    keys = ["a", "c", "sentence"]
    parts = [cases[cases["condition"] == name].set_index(keys)["changed"].astype(float) for name in (EDIT, control)]
    rows = (parts[0] - parts[1]).dropna().rename("difference").reset_index()
    return _mean(rows, rows["difference"], run.seed)


def _of_row(row: pd.Series) -> Interval:
    return Interval(float(row["rate"]), float(row["low"]), float(row["high"]))


def _capitals(model: "EmbeddingModel", *, progress: Progress = silent) -> str:
    return over_many(many_capitals(model, progress=progress))


def _continents(model: "EmbeddingModel", *, progress: Progress = silent) -> str:
    return over_many(many_continents(model, progress=progress))


MEASURES: dict[str, Measure] = {"A7": additive}
MANY = {"A2": _capitals, "A3": _continents}
"""How often the edit of a claim about a single word works for many words, by id of the claim."""
