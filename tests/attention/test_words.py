"""What words attend to: words of a text, shares, heads and rollout against the network, with an edit and a control; and the charts."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.attention import attended, heads
from embtools.attention.attended import AttendedWords, attend
from embtools.attention.reading import (
    BEFORE,
    CONTROL,
    default_source,
    default_target,
    matched,
    read,
    read_all,
    shares,
)
from embtools.charts import attention as charts
from embtools.mask_filling.edits import Change
from embtools.models.attention import rollout
from tests.drawn import HOSTILE

TEXT = "The king is unable, the bank is a river."


def test_words_join_their_tokens_and_are_numbered(tiny) -> None:
    reading = read(TEXT, tiny)
    assert reading.words == (
        "[CLS]", "the", "king", "is", "unable", ",", "the (2)", "bank", "is (2)", "a", "river", ".", "[SEP]",
    )  # fmt: skip
    assert reading.special.tolist() == [True, *[False] * 11, True]
    assert reading.positions(["unable"]) == [4, 5]
    assert [reading.tokens["token"][i] for i in (4, 5)] == ["un", "##able"]


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_shares_are_the_networks_attention_added_up_by_words(name, request, eager) -> None:
    model = request.getfixturevalue(name)
    reading = read("the king", model, second="unable, a bank")
    right = eager(model, reading.tokens)
    found = shares(reading, model, source=["unable", "king"])
    rows = right[:, :, [*reading.positions(["king"]), *reading.positions(["unable"])]].mean(2)
    for number, word in enumerate(reading.words):
        np.testing.assert_allclose(found[..., number], rows[..., reading.positions([word])].sum(-1), atol=1e-5)
    np.testing.assert_allclose(found.sum(-1), 1, atol=1e-5)


def test_an_edit_replaces_the_embedding_of_its_word(tiny) -> None:
    ids = tiny.tokenize("rome is red")["id"].to_numpy()
    inputs = tiny.matrix[ids]
    inputs[ids == tiny.ids["rome"]] = tiny.vector("rome") - tiny.vector("italy")
    found = read("rome is red", tiny, change=Change.of(["rome = rome - italy"]))
    np.testing.assert_allclose(found.states, tiny.encode(inputs[None])[:, 0], atol=1e-6)


def test_rollout_multiplies_the_layers(bundled, eager) -> None:
    """Abnar & Zuidema's recursion, one token and one layer at a time."""
    reading = read(TEXT, bundled)
    weights = eager(bundled, reading.tokens).mean(1)
    t = len(reading.tokens)
    flow = [[float(i == j) for j in range(t)] for i in range(t)]
    for layer in weights:
        flow = [
            [
                0.5 * flow[i][j] + 0.5 * sum(float(layer[i, k]) * flow[k][j] for k in range(t))
                for j in range(t)
            ]
            for i in range(t)
        ]  # fmt: skip
    found = rollout(reading.states, bundled)
    np.testing.assert_allclose(found, flow, atol=1e-5)
    np.testing.assert_allclose(found.sum(1), 1, atol=1e-5)


@given(st.lists(st.sampled_from(["the", "king", "unable", "rome", "!"]), min_size=1, max_size=12))
def test_every_token_belongs_to_one_word_and_nothing_is_lost(tiny, words) -> None:
    reading = read(" ".join(words), tiny)
    assert len(reading.words) == len(set(reading.words)) == len(words) + 2
    positions = [position for word in reading.words for position in reading.positions([word])]
    assert positions == list(range(len(reading.tokens)))


def test_an_edit_of_a_word_that_is_not_in_the_text_is_refused_without_advice_that_does_not_help(tiny) -> None:
    """Attention has no choice of the scope, so the message does not name one."""
    with pytest.raises(ValueError, match="'queen' is not in .*, so editing its input changes nothing") as raised:
        read_all("the king", tiny, edits=["queen = king"])
    assert "tied" not in str(raised.value)


def test_default_words_are_a_pronoun_and_a_noun_before_it(bundled) -> None:
    reading = read("Yesterday she saw a big dog.", bundled)
    assert default_source(reading) == "she"
    assert default_source(read("A big dog barked!", bundled)) == "barked"
    assert default_source(read("!", bundled)) == "[CLS]"
    assert default_target(reading, bundled, source=["she"]) == "yesterday"
    for text in ("The dog chased the cat because it was hungry.", "My dog barked, so it was fed by the man."):
        found = read(text, bundled)
        assert default_target(found, bundled, source=["it"]) in ("dog", "cat")
    assert default_target(read("!", bundled), bundled, source=["[CLS]"]) == "!"


def test_combined_heads_are_means_of_the_networks_attention(tiny, eager) -> None:
    reading = read(TEXT, tiny)
    given = shares(reading, tiny, source=["king"])
    right = reading.to_words(eager(tiny, reading.tokens)[:, :, 2])
    for chosen, row in (("2.1", right[1, 0]), ("layer 1", right[0].mean(0)), (heads.ALL, right.mean((0, 1)))):
        found = heads.combined(reading, tiny, given=given, source=["king"], heads=chosen)
        np.testing.assert_allclose(found, row, atol=1e-5)


@pytest.mark.parametrize("unknown", ["3.1", "1.3", "layer 3"])
def test_heads_that_the_model_does_not_have_are_refused(unknown) -> None:
    with pytest.raises(ValueError, match="Choose a layer from 1 to 2 and a head from 1 to 2"):
        heads.single_head(unknown, 2, 2)


TIRED, WIDE = (f"The animal didn't cross the street because it was too {word}." for word in ("tired", "wide"))


@pytest.fixture(scope="module")
def readings(bundled):
    return read_all(TIRED, bundled, control=WIDE)


@pytest.fixture(scope="module")
def found(readings, bundled):
    return attend(readings, bundled, source=["it"], target=["animal"], heads=heads.STRONGEST)


def test_the_cells_are_the_networks_attention_from_it_to_animal(found, readings, bundled, eager) -> None:
    for reading, column in ((readings.now, "share"), (readings.control, CONTROL)):
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
    for chosen, row in ((heads.ALL, right.mean((0, 1))), (heads.ROLLOUT, rolled)):
        shown = attend(readings, bundled, source=["it"], target=["animal"], heads=chosen)
        np.testing.assert_allclose(shown.words["share"], row, atol=1e-5)
        assert shown.heads == chosen


def test_a_control_sentence_of_the_same_length_is_matched_by_position_others_by_name(bundled) -> None:
    other = read_all(TIRED, bundled, control="It was too tired, the animal.")
    shown = attend(other, bundled, source=["it"], target=["animal"], heads="4.2").words.set_index("word")[CONTROL]
    assert shown[["cross", "because"]].isna().all() and shown[["it", "animal", "tired"]].notna().all()
    other = read_all(TIRED, bundled, control="He slept.")
    without = attend(other, bundled, source=["it"], target=["animal"], heads="4.2")
    assert CONTROL not in without.words and without.control
    frames = attended.attended_words("The dog barks.", bundled, source=["[CLS]"], target=["[SEP]"], control="Hello")
    assert "In the control sentence, the share is" in frames.headline and "gains most" not in frames.limits
    lacking = read_all(TIRED, bundled, control="The animal slept because it was tired.")
    two = attend(lacking, bundled, source=["it"], target=["animal"], versus=["street"], heads="4.2")
    there = attend(lacking, bundled, source=["it"], target=["animal"], heads="4.2").headline.rpartition(" is ")[2]
    assert two.headline.endswith(f"In the control sentence, the share of “animal” is {there}") and there != "0.0%."
    assert "The control sentence does not contain “street”." in two.limits
    for source, target in ((["it"], ["animal", "street"]), (["it", "street"], ["animal"]), (["street"], ["street"])):
        both = attend(lacking, bundled, source=source, target=target, heads="4.2")
        assert "control" not in both.headline and both.limits.endswith("contain “street”, so it cannot be compared.")
    same = matched(read(TIRED, bundled), read(WIDE, bundled))
    assert same["tired"] == "wide" and same["the (2)"] == "the (2)"


def test_an_edited_sentence_is_compared_with_the_unedited_one(bundled) -> None:
    def to(word, text, **named):
        return attend(read_all(text, bundled, **named), bundled, source=["it"], target=[word, "street"], heads="5.4")

    edited, plain = to("animal", TIRED, edits=["animal = dog"]), to("animal", TIRED)
    np.testing.assert_allclose(edited.words[BEFORE], plain.words["share"], atol=1e-6)
    np.testing.assert_allclose(edited.cells[BEFORE], plain.cells["share"], atol=1e-6)
    dog = to("dog", TIRED.replace("animal", "dog"))
    np.testing.assert_allclose(edited.cells["share"], dog.cells["share"], atol=1e-5)


# Two targets


@pytest.fixture(scope="module")
def two(readings, bundled):
    return attend(readings, bundled, source=["it"], target=["animal"], heads=heads.STRONGEST, versus=["street"])


def test_two_targets_are_compared_in_every_head(two, readings, bundled, eager) -> None:
    tokens = readings.now.tokens["token"].tolist()
    right = eager(bundled, readings.now.tokens)[:, :, tokens.index("it")]
    for column, word in (("share", "animal"), (attended.VERSUS, "street")):
        np.testing.assert_allclose(two.cells[column], right[:, :, tokens.index(word)].ravel(), atol=1e-5)
    both = right[:, :, tokens.index("animal")] + right[:, :, tokens.index("street")]
    layer, head = np.unravel_index(both.argmax(), both.shape)
    assert two.heads == f"{layer + 1}.{head + 1}" and two.versus == ("street",)
    alone = attend(readings, bundled, source=["it"], target=["animal"], heads=heads.STRONGEST)
    assert attended.VERSUS not in alone.cells


def test_a_word_in_both_targets_and_an_unreadable_control_are_named(readings, bundled) -> None:
    with pytest.raises(ValueError, match="'animal' is in both targets. Choose different words."):
        attend(readings, bundled, source=["it"], target=["animal", "street"], heads="5.4", versus=["animal"])
    with pytest.raises(ValueError, match="control sentence cannot be read.*Shorten it"):
        read_all(TIRED, bundled, control="very " * 600)


def test_both_targets_are_drawn_side_by_side_on_one_scale(two) -> None:
    figure = charts.head_cells(two).figure
    left, marks, right, others = figure.data
    np.testing.assert_allclose(left.z.ravel(), two.cells["share"], atol=1e-6)
    np.testing.assert_allclose(right.z.ravel(), two.cells[attended.VERSUS], atol=1e-6)
    scales = figure.layout.coloraxis1.cmax, figure.layout.coloraxis2.cmax
    assert scales[0] == scales[1] == pytest.approx(two.cells[["share", attended.VERSUS]].max().max(), abs=1e-6)
    assert list(marks.customdata) == list(others.customdata) and right.x[0] == left.x[-1] + 2
    number = list(marks.customdata).index("4.2")
    assert (marks.y[number], marks.x[number]) == (3, 1) and "layer 4, head 2: " in marks.text[number]
    titles = charts.head_cells(replace(two, versus=(HOSTILE,))).figure.layout.annotations
    assert titles[0].text == "to <b>animal</b>" and HOSTILE not in titles[1].text
    bars = charts.word_bars(two).figure.data[0]
    shapes = dict(zip(bars.customdata, bars.marker.pattern.shape, strict=True))
    assert shapes["animal"] == "/" and shapes["street"] == "x" and shapes["it"] == ""


# Charts


def test_bars_are_the_shares_in_reading_order(found) -> None:
    figure = charts.word_bars(found).figure
    bars, marks = figure.data
    np.testing.assert_allclose(bars.x, found.words["share"], atol=1e-6)
    np.testing.assert_allclose(marks.x, found.words[CONTROL], atol=1e-6)
    assert list(bars.customdata) == found.words["word"].tolist()
    assert [bool(shape) for shape in bars.marker.pattern.shape] == (found.words["word"] == "animal").tolist()
    hidden = charts.word_bars(found, hide_special=True).figure.data[0]
    assert "[CLS]" not in hidden.customdata and len(hidden.x) == len(bars.x) - 2


def test_in_a_long_text_the_words_with_most_attention_have_bars(bundled) -> None:
    text = " ".join(f"{word} is a city." for word in ("rome", "paris", "london", "berlin", "madrid", "vienna", "oslo"))
    shown = attend(read_all(text, bundled), bundled, source=["rome"], target=["oslo"], heads=heads.ALL)
    words = list(charts.word_bars(shown).figure.data[0].customdata)
    most = shown.words.nlargest(charts.MOST_BARS, "share")["word"]
    assert set(words) == {*most, "oslo"}
    assert words == [word for word in shown.words["word"] if word in words]


# A whole query


def test_a_query_gives_what_its_steps_give(found, bundled) -> None:
    whole = attended.attended_words(TIRED, bundled, source=["it"], target=["animal"], control=WIDE)
    pd.testing.assert_frame_equal(whole.words, found.words)
    pd.testing.assert_frame_equal(whole.cells, found.cells)
    assert (whole.headline, whole.heads, whole.control) == (found.headline, found.heads, found.control)


def test_words_can_be_given_by_number(bundled, tiny_cased) -> None:
    """A model that distinguishes capitals calls the first word of a sentence by another name."""
    by_name = attended.attended_words(TIRED, bundled, source=["It"], target=["The (2)"])
    numbers = read(TIRED, bundled).numbers(["it", "the (2)"])
    by_number = attended.attended_words(TIRED, bundled, source=["it", numbers[0]], target=np.array(numbers[1:]))
    pd.testing.assert_frame_equal(by_name.cells, by_number.cells)
    assert by_number.target == ("the (2)",) and by_number.source == ("it",)  # once
    cased = attended.attended_words("Rome is the capital.", tiny_cased, source=[1], target=[3])
    assert (cased.source, cased.target) == (("Rome",), ("the",))
    for wrong, said in ((7, "has words 0 to 6. Choose among them"), ("ROME", "'ROME' is not in the sentence")):
        with pytest.raises(ValueError, match=said):
            attended.attended_words("Rome is the capital.", tiny_cased, source=[wrong], target=[3])


# Sentences


def made(chosen: str = "1.2", **columns: list[float]) -> AttendedWords:
    words = pd.DataFrame(
        {
            "word": ["[CLS]", "the", "dog", "it", "[SEP]"],
            "special": [True, False, False, False, True],
            "share": [0.3, 0.05, 0.5, 0.1, 0.05],
            **columns,
        }
    )
    cells = pd.DataFrame({"layer": [1, 1, 2, 2], "head": [1, 2, 1, 2], "share": [0.1, 0.5, 0.2, 0.0]})
    return AttendedWords(("it",), ("dog",), chosen, words, cells, ("[CLS]", "the", "cat", "it", "[SEP]"))


def against(result: AttendedWords) -> AttendedWords:
    """Return the same result with a second target."""
    cells = result.cells.assign(**{attended.VERSUS: [0.2, 0.05, 0.1, 0.0]})
    return replace(result, cells=cells, versus=("the",))


def test_the_headline_names_the_head_and_what_was_replaced() -> None:
    plain = made()
    assert plain.headline == "In layer 1, head 2, “it” gives “dog” 50% of its attention."
    control = made(**{CONTROL: [0.3, 0.4, 0.1, 0.1, 0.1]})
    assert control.headline.endswith(" of its attention. With “cat” instead of “dog”, the share is 10%.")
    edited = made(**{BEFORE: [0.3, 0.4, 0.034, 0.1, 0.1]})
    assert edited.headline.endswith(" of its attention. Before the edit, the share was 3.4%.")
    several = replace(plain, source=("it", "the"), target=("dog", "[SEP]"))
    assert several.headline == (
        "In layer 1, head 2, “it” and “the” give “dog” and “[SEP]” together 55% of their attention."
    )


@pytest.mark.parametrize(
    "chosen, beginning",
    [
        (heads.ALL, "Averaged over all heads, “it” gives"),
        ("layer 2", "Averaged over the heads of layer 2, “it” gives"),
        (heads.ROLLOUT, "By rollout over all layers, 50% of “it” comes from “dog”."),
    ],
)
def test_several_heads_are_named(chosen: str, beginning: str) -> None:
    assert made(chosen).headline.startswith(beginning)


def test_limits_of_the_headline_are_counted() -> None:
    text = made(**{CONTROL: [0.2, 0.05, 0.05, 0.6, 0.1]}).limits
    assert "A random head gives “dog” 20% (mean of all 4 heads)." in text
    assert "The strongest of 4 heads is strong partly by chance." in text
    assert (
        "Of all other words, “the” (5.0%) gets the most. “it” gives itself 10%. [CLS] and [SEP] together get 35%."
        in text
    )
    assert text.endswith("In the control sentence, “it” gains most (from 10% to 60%), not counting [CLS] and [SEP].")
    assert "1 of 4 heads gives it more." in made("2.1").limits
    assert "A random head" not in made(heads.ALL).limits


def test_a_missing_control_is_named() -> None:
    """Your own sentence begins without a control sentence."""
    alone = replace(made(), control=())
    assert alone.limits.endswith(
        "There is no control sentence. To add one, write the same sentence with one word changed."
    )
    assert "There is no control" not in made(**{CONTROL: [0.2, 0.05, 0.05, 0.6, 0.1]}).limits
    without = made().limits  # the control sentence was read, but the attending word is not in it
    assert without.endswith("The control sentence does not contain “it”, so it cannot be compared.")


def test_two_targets_are_named_in_one_sentence_with_one_head() -> None:
    two = against(made(**{CONTROL: [0.3, 0.4, 0.1, 0.1, 0.1]}))
    assert two.headline == (
        "In layer 1, head 2, “it” gives “dog” 50% and “the” 5.0% of its attention. With “cat” instead of “dog”, the"
        " shares are 10% and 40%."
    )
    rolled = against(made(heads.ROLLOUT)).headline
    assert rolled == "By rollout over all layers, 50% of “it” comes from “dog” and 5.0% from “the”."
    text = two.limits
    assert "A random head gives “dog” 20% and “the” 8.8% (mean of all 4 heads)." in text
    assert "In 2 of all 4 heads “dog” gets more than “the”; in 1 it gets less." in text
    assert "The strongest of 4 heads is strong partly by chance." in text  # 0.5 + 0.05, for both together
    assert "1 of 4 heads gives both targets together more." in against(made("1.1")).limits
    alts = charts.head_cells(two).alt
    assert alts.count("Heatmap of 4 heads. Attention to") == 2
    assert "Attention to “the” is highest in layer 1, head 1 (20%)" in alts


def test_alt_texts_name_the_largest_and_no_bar_that_is_hidden() -> None:
    assert "Most goes to dog 50%, [CLS] 30%, it 10%." in charts.word_bars(made()).alt
    assert charts.head_cells(made()).alt == (
        "Heatmap of 4 heads. Attention to “dog” is highest in layer 1, head 2 (50%) and lowest in layer 2, head 2 (0.0%);"
        " the mean is 20%."
    )
    hidden = charts.word_bars(made(), hide_special=True).alt
    assert "to 3 words. Most goes to dog 50%, it 10%, the 5.0%." in hidden
    assert hidden.endswith("[CLS] and [SEP], which are not shown, get 35%.")
