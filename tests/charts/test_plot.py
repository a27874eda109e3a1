"""The grammar of charts: where marks are, their intervals, hover texts and clicks, and the axes of several models."""

import numpy as np
import pandas as pd
import pytest

from embtools.charts.axes import SIGNED, Axis, Look, Names, Shades
from embtools.charts.plot import Plot, marking, spread
from embtools.charts.style import BLUE, GREEN
from tests.drawn import HOSTILE, shows_no_markup

FRAME = pd.DataFrame(
    {
        "word": ["b", "a", "b"],
        "rate": [0.5, 0.25, 1.0],
        "low": [0.4, 0.2, 0.5],
        "high": [0.7, np.nan, 1.0],
        "n": [1, 2, 3],
    }
)
LOOK = Look("edit", BLUE, "diamond", "dash")
ROWS = Plot(FRAME, "alt", Axis("rate", hover=".0%"), Names(["a", "b"], "word"))


def test_dots_are_in_the_rows_of_their_names_with_their_intervals() -> None:
    (marks,) = ROWS.dots("rate", "word", LOOK, ends=("low", "high"), shift=0.25).figure.data
    assert list(marks.x) == [0.5, 0.25, 1] and list(marks.y) == [1.25, 0.25, 1.25]
    np.testing.assert_allclose(marks.error_x.array, [0.2, np.nan, 0], atol=1e-6)
    np.testing.assert_allclose(marks.error_x.arrayminus, [0.1, 0.05, 0.5], atol=1e-6)
    assert (marks.marker.color, marks.marker.symbol, marks.name) == (BLUE, "diamond", "edit")
    columns = Plot(FRAME, "alt", Names(["a", "b"]), Axis()).dots("word", "rate", LOOK, ends=("low", "high"), shift=0.25)
    (upright,) = columns.figure.data
    assert list(upright.x) == [1.25, 0.25, 1.25] and upright.error_x.array is None
    np.testing.assert_allclose(upright.error_y.array, marks.error_x.array)


def test_hover_texts_name_columns_and_clicks_choose_the_first() -> None:
    hover = "{word}: {x} ({low} to {high:.1f}), {n}<extra>{name}</extra>"
    (marks,) = ROWS.dots("rate", "word", LOOK, ends=("low", "high"), hover=hover, click="n").figure.data
    interval, rest = " (%{customdata[2]:.0%} to %{customdata[3]:.1f})", ", %{customdata[4]}<extra>edit</extra>"
    known = interval, "", interval  # plotly would write the ends of an unknown one as 0
    assert marks.hovertemplate == tuple(f"%{{customdata[1]}}: %{{x:.0%}}{each}{rest}" for each in known)
    assert list(marks.customdata[0]) == [1, "b", 0.4, 0.7, 1]
    (usual,) = ROWS.dots("rate", "word", LOOK).figure.data
    assert usual.hovertemplate == "edit: %{x:.0%}<extra></extra>" and usual.customdata is None
    (clicked,) = ROWS.dots("rate", "word", LOOK, click="n").figure.data
    assert list(clicked.customdata) == [1, 2, 3]


def test_a_long_text_is_hovered_in_lines() -> None:
    rows = FRAME.assign(text=f"one {HOSTILE} three four")
    (marks,) = ROWS.dots("rate", "word", LOOK, rows=rows, hover="{text:9/3}: {x}").figure.data
    assert marks.hovertemplate == "%{customdata[0]}: %{x:.0%}<extra></extra>"
    assert set(marks.customdata[:, 0]) == {"one &lt;img<br>src=x&gt;<br>three …"}
    (whole,) = ROWS.dots("rate", "word", LOOK, rows=rows, hover="{text:9/}").figure.data
    assert whole.customdata[0][0].endswith("<br>three<br>four")


def test_marks_have_their_own_sizes_and_colours_and_some_have_their_text() -> None:
    rows, colours = FRAME.set_index("n"), [BLUE, GREEN, BLUE]
    plot = ROWS.dots("rate", "word", LOOK, rows=rows, text="word", spots={2: "top left"}, size=7, colours=colours)
    (marks,) = plot.figure.data
    assert list(marks.text) == ["", "a", ""] and marks.textposition[1] == "top left" and marks.mode == "markers+text"
    assert marks.marker.size == 7 and list(marks.marker.color) == colours
    (bars,) = ROWS.bars("rate", "word", LOOK, colours=colours).figure.data
    assert list(bars.marker.color) == colours


def test_hollow_marks_have_an_outline() -> None:
    (marks,) = ROWS.dots("rate", "word", LOOK, filled=[True, False, True]).figure.data
    assert list(marks.marker.symbol) == ["diamond", "diamond-open", "diamond"] and marks.marker.line.width == 2


def test_bands_are_below_all_lines_and_go_with_them() -> None:
    plot = Plot(FRAME, "alt", y=Axis(hover=".1f"))
    for name, colour in (("one", BLUE), ("two", GREEN)):
        plot = plot.lines("n", "rate", Look(name, colour), rows=FRAME.dropna(), band=("low", "high"))
    traces = plot.figure.data
    assert [trace.fill for trace in traces] == ["toself", "toself", None, None]
    assert list(traces[0].x) == [1, 3, 3, 1] and list(traces[0].y) == pytest.approx([0.7, 1, 0.5, 0.4])
    assert [trace.legendgroup for trace in traces] == ["one", "two"] * 2
    assert "%{y:.1f} (%{customdata[0]:.1f} to %{customdata[1]:.1f})" in traces[2].hovertemplate


def test_bars_begin_at_zero_and_go_to_the_right_of_names() -> None:
    (right,) = ROWS.bars("rate", "word", LOOK, hatched=[True, False, True], text="word").figure.data
    assert (
        right.orientation == "h"
        and list(right.marker.pattern.shape) == ["/", "", "/"]
        and list(right.text) == list("bab")
    )
    upright = Plot(FRAME, "alt").bars("n", "rate", LOOK, hatched=True, ends=("low", "high"))
    np.testing.assert_allclose(upright.figure.data[0].error_y.array, [0.2, np.nan, 0], atol=1e-6)
    assert upright.figure.data[0].orientation == "v" and upright.figure.data[0].marker.pattern.shape == "/"
    assert upright.beside(upright).figure.layout.yaxis.range == pytest.approx((-0.05, 1.05))


def test_cells_can_be_clicked_where_something_is() -> None:
    values = np.array([[1.0, np.nan], [-3.0, 2.0]])
    plot = Plot(FRAME, "alt", Names("xy"), Names("ab")).cells(
        values,
        SIGNED,
        text=lambda row, column: f"{values[row, column]:.0f}",
        hover=lambda row, column: f"row {row}, column {column}",
        click=lambda row, column: None if np.isnan(values[row, column]) else f"{row}|{column}",
    )
    heat, marks = plot.figure.data
    assert heat.text == (["1", "nan"], ["-3", "2"]) and heat.hoverinfo == "skip"
    assert list(marks.customdata) == ["0|0", "1|0", "1|1"] and list(marks.text) == [
        "row 0, column 0",
        "row 1, column 0",
        "row 1, column 1",
    ]
    assert list(marks.x) == [0, 0, 1] and list(marks.y) == [0, 1, 1]
    titled = ROWS.cells(values, Shades(((0, "white"), (1, BLUE)), Axis("cosine", range=(0, 1)), bar=True))
    assert titled.figure.layout.coloraxis.colorbar.title.text == "cosine" and titled.figure.layout.coloraxis.showscale
    scale = plot.figure.layout.coloraxis1
    assert not scale.showscale
    assert (scale.cmin, scale.cmax) == (-3, 3) and plot.figure.layout.xaxis.fixedrange
    assert {look.marker.opacity for look in (marks, marks.selected, marks.unselected)} == {0} and not marks.showlegend
    assert ":nth-child(3) {" in marking(".chart", 2)
    (alone,) = ROWS.cells(values, hover=lambda row, column: f"{row} {column}").figure.data
    assert alone.hovertemplate and list(alone.hovertext[1]) == ["1 0", "1 1"]


def test_charts_beside_each_other_have_the_same_axes_and_colours() -> None:
    one, two = (
        Plot(FRAME, "alt", Axis(room=(0, 0.1)), Names(["a", "b"]), legend=False)
        .dots("rate", "word", LOOK, rows=FRAME.assign(rate=factor * FRAME["rate"]), ends=("low", "high"))
        .rule(x=-1)
        .cells(np.array([[factor]]), SIGNED)
        for factor in (1.0, 4.0)
    )
    assert one.figure.layout.xaxis.range is None and one.figure.layout.coloraxis1.cmax == 1
    both = one.beside(two).figure.layout, two.beside(one).figure.layout
    for layout in both:
        assert layout.xaxis.range == pytest.approx((-1, 4.5)) and layout.coloraxis1.cmax == 4
        assert layout.yaxis.range == (1.5, -0.5)
    fixed = Plot(FRAME, "alt", Axis(range=(0, 1))).dots("rate", "rate", LOOK)
    least = Plot(FRAME, "alt", Axis(least=(-7,), room=(0, 0))).dots("rate", "rate", LOOK)
    assert fixed.beside(least).figure.layout.xaxis.range == (0, 1)
    assert least.beside(fixed).figure.layout.xaxis.range == (-7, 1)
    own = Plot(FRAME, "alt", Axis(shared=False), Axis()).dots("rate", "rate", LOOK).beside(least).figure.layout
    assert own.xaxis.range is None and own.yaxis.range is not None


def test_long_intervals_do_not_move_an_axis_and_bars_need_no_room_at_zero() -> None:
    axis = Axis(fit=True, room=(0.1, 0.1), bare_zero=True, farthest=(-1, 2))
    above, below = (
        Plot(FRAME, "alt", axis, ROWS.y).bars(
            "rate", "word", LOOK, rows=FRAME.assign(low=low, high=9.0), ends=("low", "high")
        )
        for low in (0.0, -9.0)
    )
    assert above.figure.layout.xaxis.range == pytest.approx((0, 2.2))
    assert (
        below.figure.layout.xaxis.range == above.beside(below).figure.layout.xaxis.range == pytest.approx((-1.3, 2.3))
    )
    assert list(below.figure.data[0].error_x.array) == [8.5, 8.75, 8]


def test_a_rule_says_its_text_at_its_end() -> None:
    layout = ROWS.rule("chance", x=0.5).rule("before", y=1, note={"xanchor": "left"}).figure.layout
    line, level = layout.shapes
    assert (line.x0, line.x1, line.y0, line.y1, line.yref) == (0.5, 0.5, 0, 1, "y domain")
    assert (level.y0, level.y1, level.x0, level.x1, level.xref) == (1, 1, 0, 1, "x domain")
    chance, before = layout.annotations
    assert (chance.text, chance.x, chance.y, chance.xanchor) == ("chance", 0.5, 0, "left")
    assert (before.text, before.x, before.y, before.xanchor) == ("before", 1, 1, "left")


def test_segments_and_entries_are_in_the_legend_and_rings_are_not() -> None:
    plot = Plot(FRAME, "alt", y=Axis(hover=".0%")).lines("n", "rate", LOOK).segment(Look("guess"), (0, 9), (0.5, 0.5))
    line, guess, ring, entry = plot.ring(1, 0.5).entry("✓ changed", BLUE).figure.data
    assert guess.hovertemplate == "guess: %{y:.0%}<extra></extra>" and list(guess.x) == [0, 9]
    assert ring.showlegend is False and (entry.name, entry.showlegend) == ("✓ changed", True) and line.name == "edit"


def test_saved_pictures_have_the_titles_that_the_screen_does_not_show() -> None:
    assert ROWS.figure.layout.meta["titles"] == {"yaxis": "word"} and ROWS.figure.layout.xaxis.title.text == "rate"


def test_there_is_room_for_labels_titles_and_a_legend() -> None:
    one = ROWS.dots("rate", "word", LOOK)
    more = Plot(FRAME, "alt", Axis("rate"), Names(["a", "b" * 20], "word")).dots("rate", "word", LOOK, rows=FRAME[1:2])
    assert more.figure.layout.margin.l > one.figure.layout.margin.l + 100
    assert one.dots("low", "word", Look("low")).figure.layout.margin.b > one.figure.layout.margin.b
    assert one.figure.layout.height == 166 and Plot(FRAME, "", height=90).figure.layout.height == 90


def test_what_visitors_type_is_escaped() -> None:
    rows = pd.DataFrame({"word": [HOSTILE], "rate": [1.0], "n": [0]})
    plot = Plot(rows, "", Axis(), Names([HOSTILE])).dots(
        "rate", "word", Look(HOSTILE), hover="{word} {name}", text="word"
    )
    plot = plot.bars("rate", "word", Look(HOSTILE), text="word", hover="{word}")
    assert shows_no_markup(plot.lines("rate", "word", Look(HOSTILE)).figure)


def test_a_spread_is_even_and_always_the_same() -> None:
    shifts = spread(200)
    assert np.array_equal(shifts, spread(200)) and shifts.min() >= -0.5 and shifts.max() < 0.5
    assert np.histogram(shifts, 10, (-0.5, 0.5))[0].min() >= 18
