"""Intervals and comparisons of analogies: with a known truth, and the sentences about them."""

import numpy as np
import pytest

from embtools.charts import evidence as charts
from embtools.evidence.analogy_runs import ALL, COS_ADD, INPUTS, METHODS, NEAREST_C, Ranks, relation_tables, tables
from embtools.evidence.bulk_analogies import Analogies, two_analogies
from tests.evidence.made import analogies_of


def test_a_method_that_is_always_better_is_clear_after_the_correction() -> None:
    rng = np.random.default_rng(0)
    result = analogies_of({COS_ADD: rng.random((30, 30)) < 0.8, NEAREST_C: rng.random((30, 30)) < 0.2})
    tests = result.tests.query("method == @COS_ADD")
    assert (tests["p_adjusted"] < 0.001).all() and tests["difference"].between(0.5, 0.7).all()
    assert (result.tests["p_adjusted"] >= result.tests["p_value"]).all()
    assert result.corrected == (
        "In 4 cells (all relations and layers, with and without the analogy's own words), 3CosAdd or 3CosMul is"
        " compared with nearness to c alone by its accuracy at 1. After Holm's correction for 4 tests, the arithmetic method is better"
        " in 2 cells and worse in 2. Without the correction, 4 cells would seem to differ."
    )
    static = "static", "static"
    text = two_analogies(result, result, static, "excluded", "at_1", ("A", "B"))
    rate = f"{result.row(ALL, layer='static', inputs='excluded', method=COS_ADD)['at_1']:.0%}"
    assert text.endswith(f"in {rate} of a relation's analogies on average in A and {rate} in B.")
    row = result.row(ALL, layer="static", inputs="excluded", method=COS_ADD)
    assert row["at_10"] == row["at_1"] and row["mrr"] == pytest.approx(row["at_1"] + (1 - row["at_1"]) / 20)


def test_sentences_are_about_the_score_that_is_chosen() -> None:
    """Ranks 3 and 20 in equal parts: nothing is first, half is among the first 5 and the first 10."""
    result = analogies_of({COS_ADD: np.zeros((4, 4), bool)})
    ranks = np.where(np.arange(12)[:, None, None] < 6, 3, 20) * np.ones((1, len(METHODS), len(INPUTS)), np.int32)
    parts = result.items, ((Ranks(ranks, np.zeros_like(ranks)),),)
    frames = tables(("capital",), ("static",), *parts, [relation_tables(parts[0][0], parts[1][0])])
    result = Analogies(("capital",), ("static",), *parts, ("x",), 100, *frames)
    assert "finds the expected word in 0.0% of" in result.sentence("static", "excluded")
    assert result.sentence("static", "allowed", "at_10").startswith(
        "With static embeddings, and with the analogy's own words allowed, 3CosAdd finds the expected word among the first 10"
        " in 50% of a relation's analogies on average (95% interval "
    )
    assert "” finds it among the first 5 in 50%." in result.sentence("static", "excluded", "at_5")
    mean = f"{(1 / 3 + 1 / 20) / 2:.2f}"
    text = result.sentence("static", "excluded", "mrr")
    assert f"3CosAdd has a mean reciprocal rank of {mean} (95%" in text and text.endswith(f"” has {mean}.")
    cells = charts.analogy_cells(result, "static", "excluded", "at_10").alt
    assert cells.endswith(result.sentence("static", "excluded", "at_10"))
    static, names = ("static", "static"), ("A", "B")
    assert two_analogies(result, result, static, "excluded", "at_10", names).endswith(
        "among the first 10 in 50% of a relation's analogies on average in A and 50% in B."
    )
    assert f"3CosAdd's mean reciprocal rank is {mean} in A and {mean} in B." in two_analogies(
        result, result, static, "excluded", "mrr", names
    )
