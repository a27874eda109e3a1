"""Guess first: nothing of a result is on the page before the guess, and everything after it."""

import pytest

from embtools.mask_filling.edits import Change
from embtools.mask_filling.guesses import mask_question
from embtools.ui import cached, menu, panels

pytestmark = pytest.mark.usefixtures("as_shipped")

TABS = [(each.name, tab) for each in menu.IDEAS for tab in panels.of(each.name)]
OWN_GUESS = ("similarity", "odd")  # a game that asks for a guess itself
ASKS = [
    ("arithmetic", "edit"),
    ("pairs", "next"),
    ("bias", "groups"),
    ("tracing", "map"),
    ("tracing", "components"),
]  # tabs whose question has choices
LABEL, BUTTON = "What do you expect to see?", "Show the result"


def write(at, text):  # type: ignore[no-untyped-def]
    """Write a guess and press the button."""
    (field,) = [field for field in at.text_input if field.label == LABEL]
    field.set_value(text)
    return at.press(BUTTON)


@pytest.mark.parametrize(("name", "tab"), TABS)
def test_every_tab_hides_its_results_and_shows_its_fields(visit, name: str, tab: str) -> None:  # type: ignore[no-untyped-def]
    at = visit(name, **{f"{name}_tab": tab}, guess_first=True)
    assert not at.charts and not at.tables and not at.problems
    forms = [field for field in at.text_input if field.label == LABEL]
    if (name, tab) == OWN_GUESS:
        assert not forms and at.header[0].value == "Which word does not belong?"
    elif (name, tab) in ASKS:
        assert not forms and [each.value for each in at.header] == ["Guess first"]
        assert len([button for button in at.button if (button.key or "").startswith("guess-first-")]) >= 3
    else:
        assert len(forms) == 1 and [each.value for each in at.header] == ["Guess first"]


def test_a_guess_shows_the_result_next_to_it(visit, bundled) -> None:  # type: ignore[no-untyped-def]
    plain = visit("pairs", pairs_tab="similarity")
    at = visit("pairs", pairs_tab="similarity", guess_first=True)
    assert "print(" not in at.copied(bundled).code
    at = visit("pairs", pairs_tab="similarity", guess_first=True)
    fields = {field.label for field in at.text_input} - {LABEL}
    assert fields == {field.label for field in plain.text_input}
    write(at, "  ")
    assert not at.charts and at.says("Write down what you expect, then press the button again.")
    write(at, "**more** than <b>50%</b>")
    assert "Your guess: **more** than <b>50%</b>" in [text.value for text in at.test.text]
    assert [each.value for each in at.header] == [each.value for each in plain.header]
    assert [chart.alt for chart in at.charts] == [chart.alt for chart in plain.charts]
    assert at.copied(cached.model()).printed


def test_a_choice_is_compared_with_berts_answer(visit, bundled) -> None:  # type: ignore[no-untyped-def]
    asked = mask_question("Rome is the capital of [MASK].", bundled, change=Change.of(["rome = rome - italy + france"]))
    at = visit("arithmetic", guess_first=True)
    assert at.says(asked.text) and not at.says(asked.answer)
    others = [choice for choice in asked.choices if choice != asked.choices[asked.picked]]
    at.press(others[0])
    assert at.charts and at.says(f"You guessed: {others[0]}. BERT's answer: {asked.answer}.")
    at.put("arithmetic_edits", "")  # another question needs another guess
    before = mask_question("Rome is the capital of [MASK].", bundled)
    assert not at.charts and at.says(before.text)
    at.press(before.choices[before.picked])
    assert at.charts and at.says(f"You guessed it: {before.answer}.")
    at.put("arithmetic_edits", "rome = rome - italy + france")
    assert at.charts and at.says(f"You guessed: {others[0]}.")  # the guess about the first question is still known


def test_what_the_app_concludes_is_not_called_an_answer_of_bert(visit) -> None:  # type: ignore[no-untyped-def]
    at = visit("tracing", tracing_tab="components", guess_first=True)
    at.press("guess-first-0")
    assert at.says("The answer: ") or at.says("You guessed it: ")
    assert not at.says("BERT's answer")


def test_a_query_that_cannot_be_asked_takes_a_written_guess(visit) -> None:  # type: ignore[no-untyped-def]
    at = visit("arithmetic", guess_first=True, arithmetic_edits="rome = xqzzy")
    (problem,) = at.problems
    assert "'xqzzy' is not a single token" in problem and not at.charts
    assert [field.label for field in at.text_input].count(LABEL) == 1
    assert not [button for button in at.button if (button.key or "").startswith("guess-first-")]


def test_each_tab_has_its_own_guess_and_the_address_has_none(visit) -> None:  # type: ignore[no-untyped-def]
    at = write(visit("pairs", pairs_tab="similarity", guess_first=True), "More than half")
    assert at.charts and at.query_params["guess_first"] == "true"
    assert not any("More than half" in str(value) for value in at.query_params.values())
    again = visit("pairs", **at.test.query_params)
    assert not again.charts and not again.says("More than half")


def test_the_switch_is_off_at_first_and_in_the_settings(visit) -> None:  # type: ignore[no-untyped-def]
    at = visit("pairs").unfold("settings")
    assert at.charts and at.field("guess_first").value is False
    at.put("guess_first", True)
    assert not at.charts and at.query_params["guess_first"] == "true"
    at.put("guess_first", False)
    assert at.charts and "guess_first" not in at.query_params


def test_home_and_lessons_have_guesses_of_their_own(visit) -> None:  # type: ignore[no-untyped-def]
    assert visit("", guess_first=True).says("Tap your guess")
    at = visit("lessons", guess_first=True, lesson="rome", lesson_guesses="a")
    assert at.charts and not [field for field in at.text_input if field.label == LABEL]
