"""Charts of the Arithmetic page against the numbers that they show."""

import numpy as np
import pandas as pd
import pytest

from embtools.arithmetic import controls, later_edits, nearest_tokens
from embtools.arithmetic.effects import EDIT
from embtools.arithmetic.formula import FormulaVectors
from embtools.arithmetic.later_edits import EditsByLayer
from embtools.arithmetic.logit_lens import LOGIT_LENS, TUNED_LENS, both_lenses
from embtools.arithmetic.many import ManyResults
from embtools.arithmetic.strength import strength_curve
from embtools.charts import arithmetic as charts
from embtools.charts.style import AFTER, BEFORE
from embtools.mask_filling.controls import CONTROLS
from embtools.mask_filling.edits import Change
from tests.arithmetic.test_many import TWELVE, table
from tests.drawn import HOSTILE, shows_no_markup

ROME = "Rome is the capital of [MASK]."
CHANGE = Change.of(("rome = rome - italy + france",))


@pytest.fixture(scope="module")
def found(bundled):  # type: ignore[no-untyped-def]
    return controls.experiment(ROME, bundled, change=CHANGE, k=5)


# One sentence


def test_the_bars_show_each_word_before_and_after(found):
    rows = controls.leading(found.answers, 5, 1)
    drawn = charts.answers(rows, True, found.answers)
    after, before = drawn.figure.data
    assert (after.name, before.name) == ("after", "before") and drawn.frame is found.answers
    np.testing.assert_allclose(before.x, rows["probability_before"], rtol=1e-6)
    np.testing.assert_allclose(after.x, rows["probability_after"], rtol=1e-6)
    assert before.marker.pattern.shape == "/" and not after.marker.pattern.shape  # not by colour alone
    first, best = (rows.loc[rows[f"rank_{run}"].idxmin()] for run in ("before", "after"))
    top = f"is {first['token']} ({first['probability_before']:.1%}) before the edit and {best['token']} ("
    assert f"{top}{best['probability_after']:.1%}, was {best['probability_before']:.1%}) after it." in drawn.alt
    alone = charts.answers(rows, False)
    (bar,) = alone.figure.data
    assert bar.name == "probability" and f"The top answer is {best['token']} (" in alone.alt and alone.frame is rows


def test_labels_of_two_bars_differ_if_the_bars_do():
    rows = pd.DataFrame({
        "token": ["music", HOSTILE, "rare"], "probability_before": [0.1649, 0.05, 0.001], "probability_after": [0.1652, 0.05, 0.002],
        "rank_before": [1, 2, 3], "rank_after": [1, 2, 3],
    })  # fmt: skip
    drawn = charts.answers(rows, True)
    after, before = drawn.figure.data
    assert list(before.text) == ["16.49%", "5.0%", ""] and list(after.text) == ["16.52%", "5.0%", ""]
    assert [exact for _, exact in after.customdata] == ["16.52%", "5.0%", "0.2%"]
    assert "The top answer is music (16.49%) before the edit and music (16.52%, was 16.49%) after it." in drawn.alt
    lines = pd.DataFrame({"control": ["added only"], "mean": [0.2025], "lowest": 0.01, "highest": 0.3, "draws": 1})
    drawn = charts.comparison(lines.assign(description="?"), HOSTILE, 0.2014)  # and those of a control and the formula
    bar, _, texts = drawn.figure.data
    assert list(bar.text) == ["20.1%"] and texts.text[0].strip() == "20.3%" and shows_no_markup(drawn.figure)
    assert "the whole formula: 20.1%. With each control: added only 20.3%" in drawn.alt


def test_the_comparison_has_the_whole_formula_and_each_control(found):
    lines = found.summary.assign(description=found.summary["control"].map(CONTROLS))
    drawn = charts.comparison(lines, "france", 0.85)
    bar, marks, texts = drawn.figure.data
    assert drawn.y.names == [charts.WHOLE, *lines["control"]] and list(bar.x) == [0.85] and drawn.frame is lines
    np.testing.assert_allclose(marks.x, lines["mean"], rtol=1e-6)
    # With the digits of the sentences next to it, and right of the axis, where no line crosses them.
    numbers = [text.strip() for text in texts.text]
    assert numbers == ["6.0%", "3.5%", "93% (max 98%)", "0.2%", "3.7% (max 16%)"] and set(texts.x) == {1.0}
    assert drawn.alt.startswith("Probability of france with the whole formula: 85.0%. With each control: added only ")
    for line in lines.itertuples():
        assert f"{line.control} {line.mean:.1%}" in drawn.alt
        assert f"{line.mean:.1%} on average and {line.highest:.1%} at most" in drawn.alt or line.draws == 1


@pytest.mark.parametrize("column", ["probability", "log_odds"])
def test_the_strength_curve_has_one_line_per_word_and_marks_the_current_strength(tiny, column):
    points = strength_curve(ROME, tiny, change=CHANGE, words=("france", "italy"), steps=3)
    drawn = charts.strength_curve(points, column, 0.7)
    france, italy = drawn.figure.data
    assert (france.name, italy.name) == ("france", "italy") and france.line.dash != italy.line.dash
    np.testing.assert_allclose(italy.y, points[column][3:], rtol=1e-5)
    assert drawn.figure.layout.shapes[0].x0 == 0.7
    assert drawn.alt.startswith(f"Probabilities at strengths 0, 1 and 2: france {points['probability'][0]:.1%}, ")


def test_both_lenses_are_next_to_each_other_with_a_line_for_each_word_and_run(bundled):
    points = both_lenses(ROME, bundled, change=CHANGE, words=("france", "italy"))
    drawn = charts.lenses(points)
    data, layout = drawn.figure.data, drawn.figure.layout
    assert [line.xaxis for line in data] == ["x"] * 4 + ["x2"] * 4
    for left, right in zip(data[:4], data[4:], strict=True):
        assert left.name == right.name and left.line == right.line
        word, run = left.name.split(", ")
        assert (left.marker.symbol == "circle") == (run == "edited")
        for line, name in ((left, LOGIT_LENS), (right, TUNED_LENS)):
            same = points[(points["token"] == word) & (points["run"] == run) & (points["lens"] == name)]
            np.testing.assert_allclose(line.y, same["probability"], rtol=1e-5)
    assert [each.text for each in layout.annotations] == ["<b>Logit lens</b>", "<b>Tuned lens</b>"]
    firsts = points.drop_duplicates(["lens", "run", "layer"])
    for (lens, run), answers in firsts.groupby(["lens", "run"])["top_answer"]:
        assert f"{lens.capitalize()}, {run}: {', '.join(answers)}." in drawn.alt


def test_edits_in_later_layers_have_one_line_per_run_with_the_numbers_of_the_summary(tiny):
    runs = later_edits.layer_edits(ROME, tiny, change=CHANGE, word="france", templates=("the river {word}.",), draws=2)
    lines, drawn = later_edits.summary(runs), charts.layer_edits(EditsByLayer(runs, HOSTILE))
    pd.testing.assert_frame_equal(drawn.frame, lines)
    assert [trace.name for trace in drawn.figure.data] == list(dict.fromkeys(lines["run"]))
    for trace in drawn.figure.data:
        same = lines[lines["run"] == trace.name]
        np.testing.assert_allclose(trace.y, same["probability"], rtol=1e-5)
        assert [not s.endswith("open") for s in trace.marker.symbol] == [t > 0.5 for t in same["changed"]]
    assert shows_no_markup(drawn.figure) and drawn.alt.startswith(f"Probability of {HOSTILE}")


# Formulas


def test_neighbours_are_drawn_with_the_nearest_on_top_and_the_formulas_own_words_hatched():
    near = pd.DataFrame({"rank": [1, 2], "token": ["king", HOSTILE], "cosine": [0.9, 0.5]})
    drawn = charts.neighbours(near, ("King", "man"))
    (bar,) = drawn.figure.data
    assert drawn.y.names == ["king", HOSTILE] and list(bar.x) == pytest.approx([0.9, 0.5])
    assert list(bar.marker.pattern.shape) == ["/", ""] and list(bar.marker.color) == [BEFORE, AFTER]
    assert list(bar.text) == ["0.90", "0.50"] and drawn.frame is near and shows_no_markup(drawn.figure)
    (far,) = charts.neighbours(near.rename(columns={"cosine": "distance"}), ()).figure.data
    assert set(far.marker.pattern.shape) == {""} and "distance" in far.hovertemplate


def test_the_arrows_of_an_analogy_are_a_parallelogram(tiny):
    frame, shares = nearest_tokens.word_map("king - man + woman", tiny)
    drawn = charts.word_map(frame, shares, {"king": 1, "man": -1, "woman": 1})
    assert drawn.alt.endswith(f"The nearest other word is {frame['label'].iloc[-1]}.")
    at = frame.set_index("label")[["x", "y"]]
    arrows = [((a.ax, a.ay), (a.x, a.y), a.arrowwidth) for a in drawn.figure.layout.annotations]
    (man, king, _), (woman, result, _) = (arrow for arrow in arrows if arrow[2] == 2)
    for place, name in ((man, "man"), (king, "king"), (woman, "woman"), (result, "king - man + woman")):
        assert place == pytest.approx(tuple(at.loc[name]), abs=1e-6)
    assert len(arrows) == 4
    plain = charts.word_map(frame, shares, None).figure
    assert [(a.x, a.y) for a in plain.layout.annotations] == [pytest.approx(result)] * 3


def test_the_labels_of_neighbouring_words_do_not_overlap():
    frame = pd.DataFrame(
        {"label": ["man", "king", "king - man", HOSTILE], "kind": ["word", "word", "result", "nearest"],
         "x": [0.0, 1.0, 2.0, 1.02], "y": [0.0, 1.0, 0.0, 1.02]}
    )  # fmt: skip
    figure = charts.word_map(frame, (0.6, 0.3), None).figure
    spots = {text: spot for group in figure.data for text, spot in zip(group.text, group.textposition, strict=True)}
    assert spots["king"] != spots["&lt;img src=x&gt;"] and set(spots) == {"man", "king", "result", "&lt;img src=x&gt;"}
    assert shows_no_markup(figure)


def test_the_strips_show_the_vectors_and_their_alt_text_names_the_largest_components():
    rows = {"a" * 40: np.array([0.1, -0.5, 0.0, 0.2]), HOSTILE: np.zeros(4)}
    numbers = pd.DataFrame({"vector": ["a"] * 2 + ["b"], "dimension": [1, 3, 0], "value": [-0.5, 0.2, 0.0]})
    drawn = charts.vector_strips(FormulaVectors(rows, numbers))
    np.testing.assert_allclose(drawn.figure.data[0].z, np.stack([*rows.values()]))
    colours = drawn.figure.layout.coloraxis
    assert colours.cmin == -colours.cmax and drawn.y.labels[0] == "a" * 27 + "…"
    assert shows_no_markup(drawn.figure) and drawn.frame is numbers
    assert drawn.alt.endswith("a: 1 (−0.50), 3 (+0.20); b: 0 (0.00).") and drawn.alt.startswith("2 vectors as strips")
    assert charts.vector_strips(FormulaVectors(rows, numbers.head(2))).alt.startswith("1 vector as strips of colour. ")


# Many sentences


def test_the_effects_have_one_dot_per_sentence_and_the_means_with_their_intervals():
    runs = {EDIT: TWELVE, "added only": [x + 0.4 for x in TWELVE]}
    result = ManyResults(pd.DataFrame(), pd.concat([table(runs), table(runs, "he")]))
    drawn, summary = charts.effects(result), result.summary
    assert drawn.frame is result.effects
    marks, means, others = drawn.figure.data
    np.testing.assert_allclose(marks.x, TWELVE * 2, rtol=1e-6)
    assert len(set(zip(marks.x, marks.y, strict=True))) == 24  # equal values do not cover each other
    for trace, run in ((means, EDIT), (others, "added only")):
        lines = summary[summary["run"] == run]
        np.testing.assert_allclose(trace.x, lines["mean"], rtol=1e-6)
    names, places = drawn.figure.layout.yaxis.ticktext, drawn.figure.layout.yaxis.tickvals
    assert list(names) == ["<b>she</b>", "added only", "<b>he</b>", "added only"]
    assert list(means.y) == [places[0], places[2]] and list(others.y) == [places[1], places[3]]
    for target, y in (("she", marks.y[:12]), ("he", marks.y[12:])):  # each mark is nearest to its own strip
        own = places[names.index(f"<b>{target}</b>")]
        assert all(min(places, key=lambda place: abs(place - each)) == own for each in y)
    assert "each word and run. she, edit: +1.07; she, added only: +1.47; he, edit:" in drawn.alt


def test_what_was_typed_is_no_markup_in_the_effects():
    found = table({EDIT: [0.5]}, "<b>").assign(sentence="<i>x</i> [MASK]")
    marks, mean = charts.effects(ManyResults(pd.DataFrame(), found)).figure.data  # without controls
    assert "<i>" not in marks.customdata[0] and mean.name == "edit: mean" and " to " not in mean.hovertemplate
    assert charts.effects(ManyResults(pd.DataFrame(), found)).figure.layout.yaxis.ticktext == ("<b>&lt;b&gt;</b>",)
