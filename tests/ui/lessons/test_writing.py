"""Writing a lesson: steps from pages, the list of steps, other lessons to change, and the text that the browser keeps."""

from functools import partial

import pytest

from embtools.lessons.bundled import lessons
from embtools.lessons.lesson import LessonProblem, Step
from embtools.lessons.markdown import parse, write
from embtools.ui import draft, menu, panels
from embtools.ui.lessons import outline
from tests.ui.test_draft import browser

TITLES = {each.name: each.title for each in menu.PAGES}
ROME = write(lessons()["rome"])


@pytest.fixture(scope="module")
def page(visit):
    return partial(visit, "lessons", lessons_tab="write")


def text(at):
    return at.session_state["lesson_text"]


def titles(at):
    return [step.title for step in parse(text(at)).steps]


def test_pages_become_steps(page):
    at = page()
    at.session_state["lesson-added"] = [
        "pairs?model=bundled&pairs_first=Rome+is+old.&weights=12345678&tables=true",
        "clusters",
    ]
    at.run()
    steps = parse(text(at)).steps  # without the example of the starting text
    assert [step.title for step in steps] == ["Pairs › Next sentence: Rome is old.", "Clusters › Map"]
    assert [step.shows for step in steps] == [
        "pairs?pairs_tab=next&pairs_first=Rome+is+old.",
        "clusters?clusters_tab=map",
    ]
    assert at.says(
        "Added from the pages: “Pairs › Next sentence: Rome is old.”, “Clusters › Map”.",
        "2. Clusters › Map",
        "Steps: 2. Questions: 0.",
    )
    assert not at.session_state["lesson-added"] and not at.problems
    at.session_state["lesson-added"] = ["bias"]
    assert len(parse(text(at.run())).steps) == 3


def test_pages_do_not_replace_a_lesson_of_which_the_browser_has_not_told_yet(visit, monkeypatch):
    stored = {}
    monkeypatch.setattr(draft.browser, "store", lambda name, text, **_: stored.update({name: text}))
    at = visit("pairs", open=["lesson-draft"]).press("draft-add")
    at.test.switch_page("pages/lessons.py")
    at.test.query_params["lessons_tab"] = "write"
    assert titles(at.run()) == ["Pairs › Next sentence"] and stored["lesson-text"] is None
    browser(at, "lesson-text", ROME)
    assert titles(at) == [*(step.title for step in lessons()["rome"].steps), "Pairs › Next sentence"]
    assert stored["lesson-text"] == text(at)


def test_pages_are_added_to_a_text_that_is_not_finished():
    unfinished, sentence = outline.with_pages("---\ntitle: x", ["pairs"], TITLES)
    assert unfinished.startswith("---\ntitle: x\n\n## Pairs › Next sentence\n\nshows: pairs") and "“Pairs" in sentence
    assert outline.with_pages("x", ["nothing?a=1", "lessons"], TITLES) == ("x", "")


def test_steps_are_moved_removed_and_changed(page):
    at = page()
    browser(at, "lesson-text", ROME)
    before = titles(at)
    assert at.says(f"1. {before[0]}", f"{len(before)}. {before[-1]}", "Arithmetic › One sentence, with a question")
    at.press("lesson-arrow_upward-2")
    assert titles(at) == [before[1], before[0], *before[2:]] and at.says("Moved to step 1.")
    at.press("lesson-close-1")
    assert titles(at) == [before[0], *before[2:]] and at.says("Removed step 1.")
    at.press("lesson-edit-2")
    assert at.says("Change step 2") and at.field("lesson_title").value == before[2]
    at.put("lesson_title", "Another title").put("lesson_after", "Because.").press("lesson-add")
    changed = parse(text(at)).steps[1]
    original = lessons()["rome"].steps[2]
    assert (changed.title, changed.after) == ("Another title", "Because.") and at.says("Saved step 2.")
    assert (changed.question, changed.choices, changed.answer) == (original.question, original.choices, original.answer)
    assert at.says("Add a step") and at.field("lesson_title").value == ""
    at.press("lesson-edit-1").press("lesson-cancel")
    assert at.says("Add a step") and titles(at)[0] == before[0]


def test_title_minutes_and_notes_have_fields(page):
    at = page()
    assert at.field("lesson-about-title").value == "My lesson" and at.field("lesson-about-minutes").value == 10
    at.put("lesson-about-title", "Money").put("lesson-about-minutes", 25).put("lesson-about-notes", "Two\nlines")
    lesson = parse(text(at))
    assert (lesson.title, lesson.minutes, lesson.notes) == ("Money", 25, "Two\nlines")
    at.put("lesson-about-title", "x" * 301)
    assert at.says("The title has 301 characters; at most 300 are possible.") and parse(text(at)).title == "Money"
    assert at.field("lesson-about-title").value == "x" * 301
    for name in ("Lessons", "Write a lesson"):  # what was typed stays, and what the lesson has
        at.session_state["lessons_tab"] = name
        at.run()
    at.put("lesson-about-title", "Coins")
    lesson = parse(text(at))
    assert (lesson.title, lesson.minutes, lesson.notes) == ("Coins", 25, "Two\nlines")
    at.put("lesson-about-minutes", 91).press("New lesson")
    assert not at.problems and at.field("lesson-about-minutes").value == 10


def test_the_right_choice_is_marked_by_a_press_and_a_step_without_one_is_saved_only_at_the_second_press(page):
    at = page().put("lesson_link", "arithmetic?arithmetic_text=Rome is the capital of [MASK].&arithmetic_edits=")
    at.put("lesson_title", "Rome").put("lesson_answer", "top").put("lesson_question", "Which country?")
    at.put("lesson_choices", "the country of pizza\nthe country of cheese")
    assert at.says("The answer now: italy", "None of the choices is the answer now. Mark the right one.")
    at.press("lesson-add")
    assert at.says("None of the choices is the answer now (italy).") and len(titles(at)) == 1
    at.press("lesson-mark-1").press("lesson-mark-0")  # a mark moves
    assert at.says("✓ the country of pizza: this is the answer now")
    at.press("lesson-add")
    (_, step) = parse(text(at)).steps
    assert step.choices[0].key == "italy" and step.choices[1].key != "italy"
    at.press("lesson-edit-2").put("lesson_choices", "a\nb").press("lesson-add").press("lesson-add")
    assert [choice.key for choice in parse(text(at)).steps[1].choices] == ["a", "b"]
    at.press("lesson-edit-2").put("lesson_choices", "- a\n- [*] Another").press("lesson-mark-0")
    assert at.field("lesson_choices").value == "[italy] a\n[*] Another"  # which stays right for every other answer


def test_a_saved_lesson_is_opened_to_be_changed_and_the_one_before_comes_back(page):
    at = page().put("lesson_title", "Mine").put("lesson_before", "x").press("lesson-add")
    assert at.says("Added as step 2.", "2. Mine", "text only") and titles(at)[-1] == "Mine"
    mine = text(at)
    uploader = next(field for field in at.test.get("file_uploader") if field.label == "Open a lesson file here")
    uploader.set_value(("rome.md", ROME.encode(), "text/markdown"))
    at.run()
    assert text(at) == ROME
    at.press("Back to the lesson before")
    assert text(at) == mine
    at.press("New lesson")
    assert text(at) == draft.STARTER
    at.press("Back to the lesson before")
    assert text(at) == mine


@pytest.mark.parametrize("data, says", [(b"---\n", "Line 1"), (b"\xff", "UTF-8")])
def test_a_file_that_is_no_lesson_leaves_the_text(page, data, says):
    at = page()
    at.test.get("file_uploader")[0].set_value(("x.md", data, "text/markdown"))
    at.run()
    assert any(says in problem for problem in at.problems) and text(at) == draft.STARTER


def test_a_lesson_of_the_app_is_changed_as_a_copy(visit):
    at = visit("lessons", lesson="rome", lesson_step=3)
    at.session_state["lesson-teacher"] = True
    at.run().press("Change this lesson")
    assert text(at) == ROME and at.says("The lesson", "1. Fill the gap") and "lesson" not in at.query_params
    at.press("lesson-close-7").press("lesson-open")
    assert at.query_params["lesson"] == "own" and at.says("Change Rome", "Step 1 of 6")


def test_the_text_survives_a_new_visit_if_the_browser_has_kept_it(page):
    at = page()
    browser(at, "lesson-text", ROME)
    assert text(at) == ROME
    at.put("lesson_text", draft.STARTER)
    assert text(at.run()) == draft.STARTER  # not taken a second time


def test_a_change_that_is_not_possible_changes_nothing(page):
    at = page()
    with pytest.raises(LessonProblem):
        outline.with_step("no lesson", Step("x"))
    at.put("lesson_link", "http://example.org/x").put("lesson_title", "x").press("lesson-add")
    assert at.says("There is no page “x” with a panel.") and text(at) == draft.STARTER


def test_a_link_may_be_copied_with_line_breaks(page):
    at = page().put("lesson_link", "http://localhost:8501/pairs?pairs_tab=\nsimilarity")
    assert at.says("The step will show: Pairs › Similarity.")


FORMULA, NEXT = "arithmetic?arithmetic_tab=edit", "pairs?pairs_tab=next"


@pytest.mark.slow
def test_the_answer_stays_when_another_link_gives_it_another_label(page):
    """Both panels have a probability, with different labels; a browser sends the label of the panel before."""
    at = page().put("lesson_link", FORMULA).put("lesson_title", "My step").put("lesson_answer", "probability")
    at.put("lesson_question", "How much?").put("lesson_choices", "[..50] Little\n[50..] Much")
    assert at.field("lesson_answer").options == [
        "no question", *(reading.label for reading in panels.of("arithmetic")["edit"].READINGS.values())
    ]  # fmt: skip
    at.put("lesson_link", NEXT)
    assert panels.of("pairs")["next"].READINGS["probability"].label in at.field("lesson_answer").options
    assert at.field("lesson_answer").value == "probability" and at.field("lesson_question").value == "How much?"
    at.press("lesson-add")
    step = parse(text(at)).steps[-1]
    assert (step.answer, step.question, len(step.choices)) == ("probability", "How much?", 2)


def test_a_link_without_that_answer_asks_nothing_and_the_first_link_brings_it_back(page):
    at = page().put("lesson_link", FORMULA).put("lesson_answer", "top").put("lesson_question", "Which word?")
    at.put("lesson_link", NEXT)
    assert at.field("lesson_answer").value == "no question" and not at.says("The answer now:")
    at.put("lesson_link", FORMULA)
    assert at.field("lesson_answer").value == "top" and at.field("lesson_question").value == "Which word?"
