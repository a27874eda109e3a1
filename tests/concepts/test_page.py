"""The tabs about directions without a browser."""

import pandas as pd
import pytest

from embtools.concepts import groups
from embtools.concepts.direction import find_direction
from embtools.concepts.erasing import erase, sweep
from embtools.concepts.groups import lists
from embtools.concepts.steering import steer
from embtools.spaces.two_groups import LOGISTIC
from embtools.ui import fields
from embtools.ui.concepts import erase as erase_panel
from embtools.ui.concepts import groups as shared
from embtools.ui.concepts import steer as steer_panel
from tests.columns import unlisted
from tests.concepts.lists import BAD, FIRST_SENTENCES, GOOD, SECOND_SENTENCES

pytestmark = pytest.mark.usefixtures("short_fixed_text")
FIRST, SECOND = fields.words(shared.BAD), fields.words(shared.GOOD)
SHORT = {"concepts_first": ", ".join(BAD), "concepts_second": ", ".join(GOOD)}
ANSWERS = {
    "first_answers": fields.words(steer_panel.ONE.default),
    "second_answers": fields.words(steer_panel.OTHER.default),
}
DIRECTION, ERASE, STEER = ({"concepts_tab": tab} for tab in ("direction", "erase", "steer"))


def explained(at) -> bool:
    """Whether docs/columns.md has every column of every table."""
    return bool(at.named_tables) and not any(unlisted(name, each.columns) for name, each in at.named_tables.items())


def printed(copied, frame) -> bool:
    return any(frame.equals(value) for value in copied.frames)


@pytest.mark.slow
def test_groups_can_be_chosen_from_the_lists_of_other_pages(page):
    at = page(**DIRECTION).unfold("concepts-settings")
    (listed,) = [field for field in at.test.selectbox if field.label == "Groups from a list"]
    assert listed.value is None
    before = at.finding
    listed.set_value("flowers and insects").run()
    first, second = lists()["flowers and insects"]
    assert at.query_params["concepts_first"] == ", ".join(first) and not at.problems
    assert at.finding != before
    at.put("concepts_first", ", ".join(first[1:]))
    (listed,) = [field for field in at.test.selectbox if field.label == "Groups from a list"]
    assert listed.value is None and at.query_params["concepts_second"] == ", ".join(second)


@pytest.mark.slow
def test_fields_change_the_direction(page, bundled):
    at = page(concepts_layer="2", concepts_method="logistic", concepts_text="", **SHORT, **DIRECTION)
    found = find_direction(BAD, GOOD, bundled, layer=2, method=LOGISTIC)
    assert at.finding == found.headline and at.says(found.mistakes) and len(at.charts) == 2 and not at.problems
    pd.testing.assert_frame_equal(at.table("accuracy", "shuffled_95"), found.layers)
    at.prints_what_it_shows(bundled)


SENTENCES = {"concepts_source": "sentences"}
FEW = {
    "concepts_first_sentences": "\n".join(FIRST_SENTENCES),
    "concepts_second_sentences": "\n".join(SECOND_SENTENCES),
}


@pytest.mark.slow
def test_sentences_are_a_source_of_a_direction(page, bundled):
    at = page(**SENTENCES, **DIRECTION)
    first, second = (fields.lines(each) for each in (shared.PRESENT, shared.PAST))
    assert len(first) == len(second) == 24
    text = "The hotel was dirty, but the food was delicious."
    found = find_direction(first, second, bundled, layer=4, template=groups.WHOLE, text=text)
    assert at.finding == found.headline and "held-out sentences" in at.finding
    assert at.says(found.mistakes) and not at.problems and explained(at)
    pd.testing.assert_frame_equal(at.table("sentence", "score"), found.words)
    at.prints_what_it_shows(bundled)
    at.unfold("concepts-settings")
    assert not any(field.label == "Groups from a list" for field in at.test.selectbox)


@pytest.mark.thorough
def test_sentences_are_erased_and_steered(page, bundled):
    at = page(concepts_rounds="2", **SENTENCES, **FEW, **ERASE)
    found = erase(
        FIRST_SENTENCES, SECOND_SENTENCES, bundled, layer=4, text=erase_panel.TEXT.default, rounds=2,
        template=groups.WHOLE,
    )  # fmt: skip
    assert at.finding == found.headline and at.says(found.guarantee) and not at.problems
    pd.testing.assert_frame_equal(at.table("method", "accuracy_fitted"), found.methods)
    assert printed(at.links_to_itself().copied(bundled), found.methods)
    at = page(concepts_random="5", **SENTENCES, **FEW, **STEER)
    texts = steer_panel._lines(steer_panel.TEXT.default)
    sides = {"first": FIRST_SENTENCES, "second": SECOND_SENTENCES, "template": groups.WHOLE}
    steered = steer(texts, bundled, **sides, layer=4, draws=5, **ANSWERS)
    request = "The answers “bad, terrible …” and “good, great …” were made for other groups. Write answers that fit"
    assert at.says(request) and not at.says(steered.headline) and not at.problems
    assert printed(at.links_to_itself().copied(bundled), steered.strengths)
    at.put("concepts_other", "was")
    assert "over “bad, terrible …”" in at.finding and not at.says(request)


@pytest.mark.slow
def test_erasure_shows_what_is_left_and_what_it_costs(page, bundled):
    at = page(concepts_rounds="3", concepts_other_property="tense", **SHORT, **ERASE)
    found = erase(BAD, GOOD, bundled, layer=4, text=erase_panel.TEXT.default, rounds=3, other="tense")
    assert at.finding == found.headline and at.says(found.guarantee, found.costs, found.answer) and explained(at)
    assert at.says(f"masked words in {found.text}, with")
    assert len(at.charts) == 3
    assert not at.problems
    pd.testing.assert_frame_equal(at.table("method", "accuracy_fitted"), found.methods)
    pd.testing.assert_frame_equal(at.table("probability_before", "probability_after"), found.answers)
    copied = at.links_to_itself().copied(bundled)
    assert printed(copied, found.methods) and printed(copied, found.answers)


@pytest.mark.thorough
def test_layer_and_method_are_chosen_on_one_half_and_reported_on_the_other(page, bundled):
    at = page(open="concepts-sweep", concepts_rounds="1", **ERASE)
    if not any("accuracy_before" in table.columns for table in at.named_tables.values()):  # it takes long, so it waits
        at = at.press("requested-concepts-sweep-button")
    found = sweep(FIRST, SECOND, bundled, rounds=1)
    assert at.says(found.rule) and not at.problems and explained(at)
    assert [each.value.replace("\\", "") for each in at.header][1:] == [found.headline]
    pd.testing.assert_frame_equal(at.table("accuracy_before", "chosen"), found.choices)
    copied = at.links_to_itself().copied(bundled)
    assert printed(copied, found.choices) and printed(copied, found.reported)
    few = page(open="concepts-sweep", concepts_rounds="1", **SHORT, **ERASE)
    assert "One of the groups has 10 items. To choose layer and method" in few.problems[0]


def test_trying_everything_waits_for_its_button_if_it_takes_long(page, cold, monkeypatch):
    monkeypatch.setattr("embtools.concepts.erasing.seconds", lambda *_: 60.0)
    at = page(open="concepts-sweep", concepts_seed="3", concepts_rounds="1", **ERASE)
    assert any(each.label == "Try all layers and methods" for each in at.test.button)
    assert "chosen" not in {name for table in at.named_tables.values() for name in table.columns}


@pytest.mark.slow
def test_steering_shows_the_odds_over_the_strength(page, bundled):
    texts = ("Your idea is [MASK].", "The film was [MASK].")
    at = page(concepts_sentences="Your idea is ___.\nThe film was [MASK].\nYour idea is ___.", **SHORT, **STEER)
    found = steer(texts, bundled, first=BAD, second=GOOD, layer=4, **ANSWERS)
    assert at.finding == found.headline and at.says(found.comparison) and not at.problems and explained(at)
    pd.testing.assert_frame_equal(at.table("strength", "change"), found.strengths)
    top = at.table("sentence", "plus_1").set_index("sentence")
    for row in found.sentences[found.sentences["strength"] == 1].itertuples():
        assert top.loc[row.sentence, "plus_1"] == row.top_answer
    assert at.says(found.fluency.finding)
    pd.testing.assert_frame_equal(at.table("fluency", "random_fluency"), found.fluency.curve)
    pd.testing.assert_frame_equal(at.table("breaks_at"), found.fluency.breaks)
    assert len(at.charts) == 3
    copied = at.links_to_itself().copied(bundled)
    frames = found.strengths, found.sentences, found.fluency.curve, found.fluency.breaks
    assert all(printed(copied, frame) for frame in frames)


@pytest.mark.slow
def test_steering_at_one_word(page, bundled):
    texts = ("Your idea is [MASK].", "The film was [MASK].")
    query = {"concepts_where": "word", "concepts_random": "5", "concepts_sentences": "\n".join(texts)}
    at = page(concepts_words="film, idea", **query, **SHORT, **STEER)
    arguments = {"first": BAD, "second": GOOD, "layer": 4, "draws": 5, "where": "one word", "words": ("film", "idea")}
    found = steer(texts, bundled, **arguments, **ANSWERS)
    assert at.finding == found.headline and "one word (“film, idea”)" in at.finding and not at.problems
    pd.testing.assert_frame_equal(at.table("strength", "change"), found.strengths)
    assert printed(at.links_to_itself().copied(bundled), found.strengths)
    assert "none of these words: film" in at.put("concepts_words", "film").problems[0]
    assert "list of words is empty" in at.put("concepts_words", "").problems[0]


@pytest.mark.thorough
def test_the_page_says_which_word_was_masked_and_which_mask_is_used(page):
    nothing_new = {"concepts_first": "bad, good"}  # an error: the first example is shown
    for tab, key in ((ERASE, "concepts_masked"), (STEER, "concepts_sentences")):
        at = page(**{key: "no mask here"}, **tab, **nothing_new)
        assert at.says("The sentence has no mask, so its last word, “here”, was masked.")
        assert at.put(key, "[MASK] is ___.").says("has 2 masks")
        assert not at.put(key, "It is [MASK].").says("only the first") and not at.says("was masked")


@pytest.mark.slow
def test_a_problem_with_the_answers_is_shown_below_their_fields(page):
    def order(at):
        return [getattr(each, "label", None) or getattr(each, "value", "") for each in at.test.main]

    seen = order(page(concepts_other="bad", **STEER))
    (problem,) = [number for number, text in enumerate(seen) if str(text).startswith("⚠")]
    assert "'bad' is in both" in seen[problem] and seen.index("Second answers") < problem
    seen = order(page(concepts_first="bad", **STEER))  # not about the answers
    (problem,) = [number for number, text in enumerate(seen) if str(text).startswith("⚠")]
    assert problem < seen.index("First answers")
