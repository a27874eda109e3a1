"""What words attend to, compared with the network, with an edit and with a control sentence; and the charts."""

import numpy as np
import pytest

from embtools.attention import attended_words
from embtools.attention.attended_words import attend, read_all
from embtools.attention.reading import read, rollout
from embtools.charts.attention import attended_words as charts
from embtools.mask_filling.edits import Change
from tests.drawn import HOSTILE, shows_no_markup

TIRED, WIDE = (f"The animal didn't cross the street because it was too {word}." for word in ("tired", "wide"))


@pytest.fixture(scope="module")
def readings(bundled):
    return read_all(TIRED, bundled, control=WIDE)


@pytest.fixture(scope="module")
def found(readings, bundled):
    return attend(readings, bundled, source=["it"], target=["animal"], heads=attended_words.STRONGEST)


def test_the_cells_are_the_networks_attention_from_it_to_animal(found, readings, bundled, eager) -> None:
    for reading, column in ((readings.now, "share"), (readings.control, attended_words.CONTROL)):
        tokens = reading.tokens["token"].tolist()
        right = eager(bundled, reading.tokens)[:, :, tokens.index("it"), tokens.index("animal")]
        np.testing.assert_allclose(found.cells[column], right.ravel(), atol=1e-5)
    assert found.cells[["layer", "head"]].iloc[13].tolist() == [2, 2]


def test_the_strongest_head_is_the_one_shown(found, readings, bundled, eager) -> None:
    best = found.cells.loc[found.cells["share"].idxmax()]
    assert found.heads == f"{best['layer']:.0f}.{best['head']:.0f}"
    row = eager(bundled, readings.now.tokens)[int(best["layer"]) - 1, int(best["head"]) - 1, 10]
    np.testing.assert_allclose(found.words["share"], row, atol=1e-5)


def test_several_heads_give_means_and_rollout_its_row(readings, bundled, eager) -> None:
    right = eager(bundled, readings.now.tokens)[:, :, 10]
    rolled = rollout(readings.now.states, bundled)[10]
    for heads, row in (
        (attended_words.ALL, right.mean((0, 1))),
        ("layer 3", right[2].mean(0)),
        (attended_words.ROLLOUT, rolled),
    ):
        shown = attend(readings, bundled, source=["it"], target=["animal"], heads=heads)
        np.testing.assert_allclose(shown.words["share"], row, atol=1e-5)
        assert shown.heads == heads


def test_a_control_sentence_of_the_same_length_is_matched_by_position_others_by_name(bundled) -> None:
    other = read_all(TIRED, bundled, control="It was too tired, the animal.")
    shown = attend(other, bundled, source=["it"], target=["animal"], heads="4.2").words.set_index("word")[
        attended_words.CONTROL
    ]
    assert shown[["cross", "because"]].isna().all() and shown[["it", "animal", "tired"]].notna().all()
    without = attend(
        read_all(TIRED, bundled, control="He slept."), bundled, source=["it"], target=["animal"], heads="4.2"
    )
    assert attended_words.CONTROL not in without.words and without.control
    same = attended_words.matched(read(TIRED, bundled), read(WIDE, bundled))
    assert same["tired"] == "wide" and same["the (2)"] == "the (2)"


def test_an_edited_sentence_is_compared_with_the_unedited_one(bundled) -> None:
    edited = attend(
        read_all(TIRED, bundled, change=Change.of(["animal = dog"])),
        bundled,
        source=["it"],
        target=["animal", "street"],
        heads="5.4",
    )
    plain = attend(read_all(TIRED, bundled), bundled, source=["it"], target=["animal", "street"], heads="5.4")
    np.testing.assert_allclose(edited.words[attended_words.BEFORE], plain.words["share"], atol=1e-6)
    np.testing.assert_allclose(edited.cells[attended_words.BEFORE], plain.cells["share"], atol=1e-6)
    dog = attend(
        read_all(TIRED.replace("animal", "dog"), bundled), bundled, source=["it"], target=["dog", "street"], heads="5.4"
    )
    np.testing.assert_allclose(edited.cells["share"], dog.cells["share"], atol=1e-5)


def test_default_words_are_a_pronoun_and_a_noun_before_it(bundled) -> None:
    reading = read("Yesterday she saw a big dog.", bundled)
    assert attended_words.default_source(reading) == "she"
    assert attended_words.default_source(read("A big dog barked!", bundled)) == "barked"
    assert attended_words.default_source(read("!", bundled)) == "[CLS]"
    assert attended_words.default_target(reading, bundled, source=["she"]) == "yesterday"
    for text in ("The dog chased the cat because it was hungry.", "My dog barked, so it was fed by the man."):
        found = read(text, bundled)
        assert attended_words.default_target(found, bundled, source=["it"]) in ("dog", "cat")
    assert attended_words.default_target(read("!", bundled), bundled, source=["[CLS]"]) == "!"


# Two targets


@pytest.fixture(scope="module")
def two(readings, bundled):
    return attend(
        readings, bundled, source=["it"], target=["animal"], heads=attended_words.STRONGEST, versus=["street"]
    )


def test_two_targets_are_compared_in_every_head(two, readings, bundled, eager) -> None:
    tokens = readings.now.tokens["token"].tolist()
    right = eager(bundled, readings.now.tokens)[:, :, tokens.index("it")]
    for column, word in (("share", "animal"), (attended_words.VERSUS, "street")):
        np.testing.assert_allclose(two.cells[column], right[:, :, tokens.index(word)].ravel(), atol=1e-5)
    both = right[:, :, tokens.index("animal")] + right[:, :, tokens.index("street")]
    layer, head = np.unravel_index(both.argmax(), both.shape)
    assert two.heads == f"{layer + 1}.{head + 1}" and two.versus == ("street",)
    assert (
        attended_words.VERSUS
        not in attend(readings, bundled, source=["it"], target=["animal"], heads=attended_words.STRONGEST).cells
    )


def test_a_word_cannot_be_both_targets(readings, bundled) -> None:
    with pytest.raises(ValueError, match="'animal' is in both targets. Choose different words."):
        attend(readings, bundled, source=["it"], target=["animal", "street"], heads="5.4", versus=["animal"])
    with pytest.raises(ValueError, match="not in the sentence"):
        attend(readings, bundled, source=["it"], target=["animal"], heads="5.4", versus=["unicorn"])


def test_both_targets_are_drawn_side_by_side_on_one_scale(two) -> None:
    left, marks, right, others = charts.overviews(two.cells, ("animal", "street")).data
    np.testing.assert_allclose(left.z.ravel(), two.cells["share"], atol=1e-6)
    np.testing.assert_allclose(right.z.ravel(), two.cells[attended_words.VERSUS], atol=1e-6)
    assert left.zmax == right.zmax == pytest.approx(two.cells[["share", attended_words.VERSUS]].max().max(), abs=1e-6)
    assert (left.xaxis, right.xaxis) == ("x", "x2") and list(marks.customdata) == list(others.customdata)
    titles = charts.overviews(two.cells, ("animal", HOSTILE)).layout.annotations
    assert titles[0].text == "to <b>animal</b>" and HOSTILE not in titles[1].text
    bars = charts.shares(two.words, two.target, versus=two.versus).data[0]
    shapes = dict(zip(bars.customdata, bars.marker.pattern.shape, strict=True))
    assert shapes["animal"] == "/" and shapes["street"] == "x" and shapes["it"] == ""


@pytest.mark.parametrize("heads", ["9.1", "1.13", "layer 7", "0.1", "<b>", ""])
def test_unknown_heads_are_refused(heads, readings, bundled) -> None:
    with pytest.raises(ValueError, match="Choose a layer from 1 to 6 and a head from 1 to 12"):
        attend(readings, bundled, source=["it"], target=["animal"], heads=heads)


def test_a_control_that_cannot_be_read_is_named(bundled) -> None:
    with pytest.raises(ValueError, match="control sentence cannot be read.*Shorten it"):
        read_all(TIRED, bundled, control="very " * 600)


# Charts


def test_bars_are_the_shares_in_reading_order(found) -> None:
    figure = charts.shares(found.words, found.target)
    bars, marks = figure.data
    np.testing.assert_allclose(bars.x, found.words["share"], atol=1e-6)
    np.testing.assert_allclose(marks.x, found.words[attended_words.CONTROL], atol=1e-6)
    assert list(bars.customdata) == found.words["word"].tolist()
    assert [bool(shape) for shape in bars.marker.pattern.shape] == (found.words["word"] == "animal").tolist()
    hidden = charts.shares(found.words, found.target, hide_special=True).data[0]
    assert "[CLS]" not in hidden.customdata and len(hidden.x) == len(bars.x) - 2


def test_in_a_long_text_the_words_with_most_attention_have_bars(bundled) -> None:
    text = " ".join(f"{word} is a city." for word in ("rome", "paris", "london", "berlin", "madrid", "vienna", "oslo"))
    shown = attend(read_all(text, bundled), bundled, source=["rome"], target=["oslo"], heads=attended_words.ALL)
    words = list(charts.shares(shown.words, shown.target).data[0].customdata)
    most = shown.words.nlargest(charts.MOST, "share")["word"]
    assert set(words) == {*most, "oslo"}
    assert words == [word for word in shown.words["word"] if word in words]


def test_the_overview_has_a_cell_and_a_mark_for_every_head(found) -> None:
    heat, marks = charts.overview(found.cells).data
    np.testing.assert_allclose(heat.z.ravel(), found.cells["share"], atol=1e-6)
    number = list(marks.customdata).index("4.2")
    assert (marks.y[number], marks.x[number]) == (4, 2)
    assert f":nth-child({number + 1})" in charts.marking(".x", number)


def test_a_visitors_text_is_never_markup(found) -> None:
    words = found.words.assign(word=[HOSTILE, *found.words["word"][1:]])
    figure = charts.shares(words, (HOSTILE,))
    figure.update_traces(customdata=None)  # never drawn
    assert shows_no_markup(figure)
