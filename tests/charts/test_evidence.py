"""Charts of the Evidence page: all cases of a battery. The other ones are tested next to their numbers."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from embtools.charts.evidence import cases
from embtools.evidence.result import STATES
from tests.drawn import HOSTILE, shows_no_markup
from tests.evidence.made import line, made

WORDS = ("Rome", "Italy"), ("Paris", "France"), ("Berlin", "Germany"), ("Madrid", "Spain")


@pytest.fixture
def found():  # type: ignore[no-untyped-def]
    """Four words, each with two of the four countries."""
    lands = [b for _, b in WORDS]
    lines = [
        line(a, b, lands[(n + k) % 4], (n + k) % 3 > 0, correct=n != 1, already=n == 3 and k == 2)
        for n, (a, b) in enumerate(WORDS)
        for k in (1, 2)
    ]
    return made(*lines, must_stay=(), pairs=4)


def test_the_grid_has_a_cell_and_a_mark_per_case(found) -> None:  # type: ignore[no-untyped-def]
    drawn = cases(found)
    heat, clicks, *legend = drawn.figure.data
    grid = found.grid
    assert sorted(clicks.customdata) == sorted(grid["a"] + "|" + grid["b"] + "|" + grid["c"])
    assert np.isfinite(heat.z).sum() == len(grid) == 8 and drawn.frame is grid and "8 cases of 4 words" in drawn.alt
    for x, y, name in zip(clicks.x, clicks.y, clicks.customdata, strict=True):
        row = grid[grid["a"] + "|" + grid["b"] + "|" + grid["c"] == name].iloc[0]
        assert heat.z[int(y)][int(x)] == STATES.index(row["state"])
        assert found.by_word["a"].iloc[int(y)] == row["a"]
    assert {trace.name[2:] for trace in legend} == set(grid["state"])
    few = cases(found, most=2)
    assert len(few.figure.data[0].z) == 2 and few.frame is grid
    assert "The 2 words for which the edit works least often are shown" in few.alt


def test_a_tested_combination_has_its_column_and_others_have_the_name_in_the_cell(found) -> None:  # type: ignore[no-untyped-def]
    edit = found.cases["condition"] == "edit"
    spread = found.cases[edit & (found.cases["measure"] == "efficacy")]
    dense = spread.assign(c=["east", "west"] * 4, changed=[False, True] * 4, already=False, correct=True)
    crossed = cases(replace(found, cases=dense)).figure
    assert crossed.layout.xaxis.ticktext == ("east", "west")  # the new word that fails most is on the left
    assert [[text[:1] for text in row] for row in crossed.data[0].text] == [["✗", "✓"]] * 4
    spread = spread.assign(c=[f"c{n}" for n in range(len(spread))])
    compact = cases(replace(found, cases=spread)).figure
    assert not compact.layout.xaxis.visible and any("c3" in text for row in compact.data[0].text for text in row)


def test_many_words_are_bars(found) -> None:  # type: ignore[no-untyped-def]
    many = pd.concat([found.cases.assign(a=found.cases["a"] + str(n)) for n in range(30)], ignore_index=True)
    large = cases(replace(found, cases=many), most=None)
    heights = np.sum([bar.y for bar in large.figure.data], axis=0)
    assert {bar.type for bar in large.figure.data} == {"bar"}
    np.testing.assert_allclose(heights, np.ones(120), rtol=1e-6)
    names = [name for bar in large.figure.data for name, _ in bar.customdata if name]
    assert set(names) <= set(many["a"] + "|" + many["b"] + "|" + many["c"])


def test_what_visitors_type_is_escaped() -> None:
    for count in (1, 90):
        lines = [line(f"{HOSTILE}{n}", "b", c, True) for n in range(count) for c in (HOSTILE, "d")]
        figure = cases(made(*lines, must_stay=()), most=None).figure
        assert shows_no_markup(figure.update_traces(customdata=None))  # which no label and no hover text shows
