"""A lesson given to a class: its questions are shown in the teacher's room, and the class's answer becomes the guess."""

import pytest

from embtools import fill_mask
from embtools.lessons import markdown
from embtools.lessons.bundled import lessons
from embtools.lessons.lesson import Choice, Lesson, Step
from tests.lessons.test_page import long_lesson, open_file
from tests.ui.rooms.test_teacher import away, only


def begun(visit, **query):
    """A lesson whose teacher has opened a room and is back at the step."""
    at = visit("lessons", **({"lesson": "rome"} | query))
    at.session_state["room"] = True
    return at.run().press("Open a room").press("Back to the lesson")


def test_a_whole_step_in_a_room(visit, rooms, bundled):
    assert "Ask the class" not in [button.label for button in visit("lessons", lesson="rome").button]
    at = begun(visit, lesson_guesses="-b", lesson_step=1)
    room = only(rooms)
    assert room.page.startswith("lessons?") and "lesson=rome" in room.page and "guesses" not in room.page
    for phone in "abc":
        rooms.join(room.code, phone)
    assert not at.charts and at.says("Fill the gap")
    at.press("Ask the class")
    step, question = lessons()["rome"].steps[0], only(rooms).question
    assert question.text == step.question and list(question.choices) == [choice.text for choice in step.choices]
    assert question.context.startswith(f"{step.title}.\nBERT was trained on sentences with missing words.")
    assert at.says(question.context) and only(rooms).page.endswith("lesson_pupil=true")
    top = fill_mask("Rome is the capital of [MASK].", bundled, k=1)["token"][0]
    assert question.choices[question.picked].casefold() == top and question.shares == () and question.answer == "Italy"
    assert at.says("0 of 3 answered") and not at.charts and not at.says("Remember")
    for phone, choice in (("a", 1), ("b", 1), ("c", 0)):
        rooms.vote(room.code, phone, 1, choice)
    at.press("Reveal")
    assert at.says("BERT's answer: Italy", "3 of 3 answered") and len(at.charts) == 1
    at.press("Show the reason")
    assert at.says(
        "The class's most frequent guess: France. The answer is: Italy.",
        "The class: Italy (1), France (2), Greece (0), Another word (0).",
    )
    assert at.says("Remember", "Step 1 of 7") and at.charts and at.query_params["lesson_guesses"] == "bb"
    at.press("next")
    assert at.says("Step 2 of 7") and not at.says("The class:")


def test_the_lesson_leads_back_to_its_question_and_asks_again_only_after_a_confirmation(visit, rooms):
    at = begun(visit)
    code = only(rooms).code
    assert at.says(f"Room {code[:4]}-{code[4:]}")  # the code stays in sight
    for phone in "abc":
        rooms.join(code, phone)
    at.press("Ask the class")
    rooms.vote(code, "a", 1, 0)
    at.press("Back to the lesson").press("Back to the question (1 of 3)")
    assert at.says("1 of 3 answered") and only(rooms).number == 1
    at.press("Back to the lesson").press("Ask again")
    assert only(rooms).number == 1 and at.says("(1 answer). If you ask it again")
    at.press("Keep the answers")
    assert not at.says("If you ask it again") and only(rooms).number == 1
    at.press("Ask again").press("Ask it again")
    assert only(rooms).number == 2 and only(rooms).results == ((1, 0, 0, 0),) and at.says("0 of 3 answered")
    at.press("Back to the lesson").press("next")
    assert at.says("The class is answering another question: ")
    at.press("Ask this question instead")
    assert only(rooms).question.text == lessons()["rome"].steps[1].question


@pytest.mark.slow
def test_a_figure_waits_for_the_question_whose_answer_it_gives_away(visit):
    at = visit("lessons", lesson="chance", lesson_guesses="a")
    assert not at.charts and at.says("The figure is shown when you have answered step 2", "Remember: A number alone")
    assert visit("lessons", lesson="chance", lesson_guesses="aa").charts
    at = visit("lessons", lesson="rome", lesson_step=2, lesson_guesses="-a")
    styles = [html.proto.body for html in at.get("html") if "lesson-panel" in html.proto.body]
    assert any(":not(.st-key-chart-answers, " in style and "display: none" in style for style in styles)
    assert at.says("The rest of the figure is shown when you have answered step 4")


def test_a_tie_is_no_guess_of_the_class(visit, rooms):
    at = begun(visit)
    code = only(rooms).code
    for phone in "ab":
        rooms.join(code, phone)
    at.press("Ask the class")
    for choice, phone in enumerate("ab"):
        rooms.vote(code, phone, 1, choice)
    at.press("Reveal").press("Show the reason")
    assert at.says("The class was divided. The answer is: Italy.", "The class: Italy (1), France (1)")
    assert not at.says("You guessed")
    at.press("guess-1-2")  # a guess of the teacher after it
    assert at.says("You guessed: Greece. The answer is: Italy.") and not at.says("divided")


def test_the_next_step_can_be_opened_from_the_projector(visit, rooms):
    at = begun(visit)
    code = only(rooms).code
    rooms.join(code, "a")
    at.press("Ask the class")
    rooms.vote(code, "a", 1, 0)
    at.press("Reveal").press("Next step")
    assert at.says("Step 2 of 7") and not at.charts
    at.press("Ask the class")
    assert only(rooms).number == 2 and only(rooms).question.text == lessons()["rome"].steps[1].question
    assert "lesson_step=2" in only(rooms).page  # phones open the step of the question, not the one before


def test_without_answers_of_the_class_nothing_is_guessed(visit, rooms):
    at = begun(visit).press("Ask the class").press("Reveal")
    assert "Show the reason" not in [button.label for button in at.button]
    at.press("Back to the lesson")
    assert "lesson_guesses" not in at.query_params and not at.charts


def test_a_step_from_outside_is_computed_when_the_teacher_asks(visit, rooms):
    step = Step("A", "", "arithmetic?arithmetic_edits=", "What?", "top", (Choice("italy", "It"), Choice("*", "Other")))
    code = markdown.encode(Lesson("Own", 5, "", "", (step, step)))
    at = begun(visit, lesson="own", lesson_code=code)
    assert f"lesson_code={code}" in only(rooms).page
    rooms.join(only(rooms).code, "a")
    at.press("Ask the class")
    rooms.vote(only(rooms).code, "a", 1, 1)
    at.press("Reveal").press("Show the reason")
    assert at.says("The class's most frequent guess: Other. The answer is: It.", "The class: It (0), Other (1).")


def test_a_question_that_does_not_fit_on_a_phone_says_why(visit, rooms):
    choices = tuple(Choice(f"w{n}", f"word {n}") for n in range(6))
    step = Step("A", "", "arithmetic?arithmetic_edits=", "What?", "top", choices)
    at = begun(visit, lesson="own", lesson_code=markdown.encode(Lesson("Own", 5, "", "", (step,))))
    at.press("Ask the class")
    assert at.says("A question needs 2 to 5 choices, but this one has 6.") and only(rooms).number == 0


def test_a_lesson_that_is_too_long_for_a_link_is_not_handed_out(visit, rooms):
    at = open_file(visit("lessons"), long_lesson(""))
    at.session_state["room"] = True
    at.run().press("Open a room").press("Back to the lesson").session_state["room"] = True
    assert at.run().says("cannot be handed out") and not at.says("can open this page")


def test_the_list_of_lessons_is_handed_out_too(visit, rooms):
    at = visit("lessons")
    at.session_state["room"] = True
    at.run().press("Open a room")
    assert at.says("Join with your phone") and only(rooms).page.startswith("lessons")
    assert at.press("Back to the lessons").says("Eleven lessons")


def test_a_lesson_goes_on_while_the_rooms_are_away(visit, rooms, monkeypatch):
    at = begun(visit)

    for name in ("load", "people", "counts"):
        monkeypatch.setattr(rooms, name, away)
    at.press("Ask the class")
    assert at.says("The store is away.", "Fill the gap")
    at.press("Italy")
    assert at.says("You guessed it: Italy.") and at.charts
