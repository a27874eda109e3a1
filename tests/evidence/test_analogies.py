"""Analogies in bulk as a function: layers, limits, and that the frames are those of their parts."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from embtools import memory
from embtools.charts import evidence as charts
from embtools.evidence.analogy_runs import ALL, ALLOWED, EXCLUDED, INPUTS, METHODS, SCORES
from embtools.evidence.bulk_analogies import Relations, analogies, blocks, effort


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
