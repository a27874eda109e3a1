"""Analogies in bulk: layers, limits, the frames as those of their parts, and the sentences about them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from embtools import memory
from embtools.charts import evidence as charts
from embtools.evidence.analogy_runs import (
    ALL,
    ALLOWED,
    COS_ADD,
    EXCLUDED,
    INPUTS,
    METHODS,
    NEAREST_C,
    SCORES,
    Ranks,
    relation_tables,
    tables,
)
from embtools.evidence.bulk_analogies import Analogies, Relations, analogies, blocks, effort, two_analogies
from tests.evidence.made import analogies_of


@pytest.fixture(scope="module")
def solved(bundled):  # type: ignore[no-untyped-def]
    return analogies(Relations(("pronoun", "young"), others=2, layers=(3,)), bundled)


def test_every_cell_is_counted(solved) -> None:  # type: ignore[no-untyped-def]
    table = solved.table
    assert len(table) == 3 * 2 * 2 * 5 and solved.layers == ("static", "3")
    assert table["n"].tolist() == [n for _ in range(20) for n in (14, 62, 76)]
    for row in table[table["relation"] != ALL].itertuples():
        r = solved.relations.index(row.relation)
        rank = solved.ranks[solved.layers.index(row.layer)][r].ranks[
            :, METHODS.index(row.method), INPUTS.index(row.inputs)
        ]
        expected = [np.mean(rank <= at) for at in (1, 5, 10)] + [np.mean(1 / rank)]
        assert [row.at_1, row.at_5, row.at_10, row.mrr] == pytest.approx(expected)
        assert row.at_1_low <= row.at_1 <= row.at_1_high and row.mrr_low <= row.mrr <= row.mrr_high
    means = table[table["relation"] != ALL].groupby(["layer", "inputs", "method"])[list(SCORES)].mean()
    every = table[table["relation"] == ALL].set_index(["layer", "inputs", "method"])[list(SCORES)]
    pd.testing.assert_frame_equal(every.sort_index(), means.sort_index())


def test_the_sentences_have_the_numbers_of_the_table(solved) -> None:  # type: ignore[no-untyped-def]
    assert solved.headline == solved.sentence("static", EXCLUDED)
    row = solved.row(ALL, layer="3", inputs=ALLOWED, method="3CosAdd")
    text = solved.sentence("3", ALLOWED)
    assert text.startswith("In layer 3, with the analogy's own words allowed, 3CosAdd finds the expected word in ")
    assert f"{row['at_1']:.0%}" in text or f"{row['at_1']:.1%}" in text
    assert "There are 76 analogies, and " in solved.size
    assert solved.corrected.startswith(
        "In 16 cells (all relations and layers, with and without the analogy's own words), "
    )


def test_failures_are_those_with_a_lower_rank(solved) -> None:  # type: ignore[no-untyped-def]
    cell = {"layer": "static", "inputs": EXCLUDED, "method": "3CosAdd"}
    failures = solved.failures("young", **cell)
    row = solved.row("young", **cell)
    assert len(failures) == round((1 - row["at_1"]) * 62) and failures["rank"].is_monotonic_increasing
    assert (failures["rank"] > 1).all() and (failures["answer"] != failures["expected"]).all()
    assert solved.failed("young", **cell) == f"In {len(failures)} of 62 analogies, the expected word is not first."
    assert solved.failed("pronoun", **cell, at=10**6).startswith("In all 14 analogies")
    with pytest.raises(ValueError, match="There is no 'city' here"):
        solved.failures("city", **cell)


def test_charts_show_the_cells_and_the_layers(solved) -> None:  # type: ignore[no-untyped-def]
    drawn = charts.analogy_cells(solved, "3", ALLOWED, "at_5")
    heat, clicks = drawn.figure.data
    assert heat.z.shape == (3, 5) and len(clicks.customdata) == 15
    for y, x, name in zip(clicks.y, clicks.x, clicks.customdata, strict=True):
        relation, method = name.split("|")
        row = solved.row(relation, layer="3", inputs=ALLOWED, method=method)
        assert heat.z[int(y)][int(x)] == pytest.approx(row["at_5"], abs=1e-6)
    assert "accuracy at 5" in drawn.alt.lower() and len(drawn.frame) == 15
    lines = charts.analogy_layers(solved, EXCLUDED, "mrr").figure
    assert [line.name for line in lines.data] == list(METHODS) and all(list(line.x) == [0, 1] for line in lines.data)
    assert lines.layout.xaxis.ticktext == ("static", "3")


def test_layers_are_thirds_by_default_and_checked(tiny, bundled) -> None:  # type: ignore[no-untyped-def]
    assert Relations(()).layers_of(bundled) == (2, 4, 6) and Relations(()).layers_of(tiny) == (1, 2)
    assert Relations((), layers=(0, 0)).layers_of(bundled) == (0,)
    for layer in (7, -1, True, 1.5):
        with pytest.raises(ValueError, match="There is no layer"):
            Relations((), layers=(layer,)).layers_of(bundled)


def test_what_cannot_be_solved_is_refused(bundled) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="no relation 'city'"):
        analogies(Relations(("city",)), bundled)
    with pytest.raises(ValueError, match="no relations"):
        analogies(Relations(()), bundled)
    with pytest.raises(ValueError, match="other pairs"):
        analogies(Relations(("pronoun",), others=0), bundled)
    more, fewer = Relations(("pronoun", "capital"), others=5), Relations(("pronoun",), others=1)
    assert effort(more, bundled) > effort(fewer, bundled) > 0


def test_the_first_relations_have_the_same_numbers_and_stay_after_a_stop(solved, bundled) -> None:  # type: ignore[no-untyped-def]
    part = analogies(Relations(("pronoun", "young"), others=2, layers=(3,), first=1), bundled)
    assert part.relations == ("pronoun",) and part.candidates == solved.candidates
    expected = solved.table[solved.table["relation"] == "pronoun"].reset_index(drop=True)
    pd.testing.assert_frame_equal(part.table[part.table["relation"] != ALL].reset_index(drop=True), expected)
    for layer, both in zip(part.ranks, solved.ranks, strict=True):
        np.testing.assert_array_equal(layer[0].ranks, both[0].ranks)
    memory.forget()
    asked, recorded = Relations(("young", "pronoun", "young"), others=2, layers=(3,)), []

    def stop(done: float) -> None:
        recorded.append(done)
        if done > 0.8:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        analogies(asked, bundled, progress=stop)
    assert recorded == sorted(recorded) and blocks(asked, bundled).finished(bundled) == 1
    assert blocks(replace(asked, seed=1), bundled).finished(bundled) == 0
    analogies(asked, bundled)
    assert [blocks(replace(asked, first=first), bundled).finished(bundled) for first in (None, 1)] == [2, 1]
    for odd in (0, 3, True, 1.5):
        with pytest.raises(ValueError, match="Choose 1 to 2"):
            analogies(replace(asked, first=odd), bundled)


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
