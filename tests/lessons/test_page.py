"""The Lessons page without a browser: guess, answer, reason; files and links from outside."""

import random
import string
from dataclasses import replace
from urllib.parse import parse_qs

import hypothesis.strategies as some
import pytest
from hypothesis import given

from embtools import fill_mask
from embtools.lessons import markdown
from embtools.lessons.bundled import lessons
from embtools.lessons.lesson import Choice, Lesson, LessonProblem, Step
from embtools.lessons.markdown import parse, write
from embtools.ui import draft, menu, panels
from embtools.ui import page as ui_page
from embtools.ui.lessons import opened, shown_panel

NASTY = '**b** <b>x</b> ![y](http://example.org/z.png) <img src=x onerror="alert(1)"> :red[z] $x$'
ROME = "Rome is the capital of [MASK]."


def own(*steps: Step, title: str = "Title", notes: str = "") -> dict[str, str]:
    """The parameters of a link to a lesson from outside."""
    return {"lesson": "own", "lesson_code": markdown.encode(Lesson(title, 5, "", notes, steps))}


def asks(text: str = "What?", shows: str = "arithmetic?arithmetic_edits=", answer: str = "top") -> Step:
    return Step(text, text, shows, text, answer, (Choice("italy", "Italy"), Choice("*", text)), text, text)


# A lesson of the app


def test_the_list_opens_a_lesson_and_a_guess_reveals_the_real_panel(page, bundled):
    at = page()
    assert at.header[0].value == "Eleven lessons of 12 to 15 minutes"
    at.press("open-rome")
    assert not at.charts and at.says("Step 1 of 7", "Fill the gap")
    top = fill_mask(ROME, bundled, k=1)["token"][0]
    assert top == "italy" and not at.says("You guessed", "Remember")
    at.press("France")
    assert at.says("You guessed: France. The answer is: Italy.", "BERT answers italy (99%).") and len(at.charts) == 1
    assert at.says(f"Remember: {lessons()['rome'].steps[0].point}", "The bars are probabilities.")
    assert not at.problems
    at.press("Italy")
    assert at.says("You guessed it: Italy.")
    at.press("next")
    assert at.says("Step 2 of 7") and not at.charts and not at.says("You guessed")
    at.press("previous")
    assert at.says("You guessed it: Italy.")
    at.links_to_itself()


def test_the_address_holds_lesson_step_guesses_and_changes_but_not_the_state_of_the_step(page):
    at = page(lesson="rome", lesson_step=2, lesson_guesses="ab")
    assert {key for key in at.query_params if key.startswith("arithmetic")} == set()
    assert at.field("arithmetic_edits").value == "rome = rome - italy + france"
    at.put("arithmetic_strength", 0.5)
    assert at.query_params["arithmetic_strength"] == "0.5"
    at.links_to_itself()
    assert at.says("You guessed it: France.")  # the answer is that of the step, whatever the visitor changes
    at.press("next")
    assert "arithmetic_strength" not in at.query_params and at.query_params["lesson_step"] == "3"
    at.press("All lessons")
    assert not {key for key in at.query_params if key.startswith(("lesson", "arithmetic"))}


def test_the_last_step_counts_the_right_guesses(page):
    at = page(**own(asks(), asks("Second?"), Step("No question", "", "", "", "", (), "", "")))
    at.press("guess-1-0").press("next").press("guess-2-1").press("next")
    assert at.says("This was the last step. You made 2 of 2 guesses, and 1 was right.")
    assert "This was the last step." in page(**own(Step("No question"))).texts
    steps = lessons()["rome"].steps
    at = page(lesson="rome", lesson_step=len(steps), lesson_guesses="a" * len(steps))
    assert at.says("in this visit, 0 of 1 was right.")
    assert at.charts and not at.problems


@pytest.mark.slow("chance-1-The answer is: 50% to 89% (71%).")
@pytest.mark.parametrize(
    ("lesson", "step", "text"),
    [
        ("chance", 1, "The answer is: 50% to 89% (71%)."),
        ("senses", 4, "The answer is: Not at all (up to 0.6); the value is 0.41."),
        ("senses", 5, "You guessed it: Very well (0.9 or more); the value is 1.00."),
    ],
)
def test_the_answer_agrees_with_the_number_that_is_displayed(page, lesson, step, text):
    at = page(lesson=lesson, lesson_step=step, lesson_guesses="c" * 8)
    assert not at.problems and at.says(text)


def test_copied_code_is_that_of_the_panel(page, bundled):
    at = page(lesson="rome", lesson_step=2, lesson_guesses="-a")
    copied = at.copied(bundled)
    assert copied.answers.headline in copied.printed
    assert "edited_answers" not in page(lesson="rome", lesson_step=2).copied(bundled).code


def test_another_model_has_other_answers(page, lend, tiny):
    lend(tiny)
    at = page(lesson="rome", lesson_guesses="a")
    top = fill_mask(ROME, tiny, k=1)["token"][0]
    assert top not in ("italy", "france", "greece")
    assert at.says(f"You guessed: Italy. The answer is: Another word ({top}).")


def test_two_models_are_compared_inside_a_lesson(page, second, worded):
    second(worded)
    at = page(lesson="senses", lesson_step=4, lesson_guesses="aaaaaa", compare="distilbert/distilbert-base-uncased")
    assert not at.problems and any(chart.alt.startswith("DistilBERT: ") for chart in at.charts)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"lesson": "unknown"}, "There is no lesson of this name"),
        ({"lesson": "own", "lesson_code": "broken"}, "This link is incomplete or damaged"),
        ({"lesson": "file-12345678"}, "Open the file again"),
    ],
)
def test_a_lesson_that_cannot_be_opened_says_why_above_the_list(page, query, sentence):
    at = page(**query)
    assert at.says(sentence, "Eleven lessons") and len(at.problems) == 1


@pytest.mark.parametrize("step", ["99", "1e400"])
def test_an_odd_step_or_odd_guesses_open_the_lesson(page, step):
    at = page(lesson="rome", lesson_step=step, lesson_guesses=f"<{step}>f")
    assert not at.problems and at.says("Change Rome")


# For teachers


def test_a_teacher_gets_notes_a_link_without_guesses_and_worksheets(page, monkeypatch):
    at = page(lesson="rome", lesson_step=2, lesson_guesses="ab", steps=["bias", "pairs"], step=1)
    at.test.session_state["lesson-teacher"] = True
    at.run()
    assert at.says("Goal.", "Link for pupils")
    link = next(block.value for block in at.test.code if "lesson=rome" in block.value)
    assert "guesses" not in link and "step" not in link
    labels = [button.proto.label for button in at.get("download_button")]
    assert {"Worksheet", "Lesson as a file"} <= set(labels) and "Solutions" not in labels
    at.test.session_state["lesson-teacher"] = True
    at.press("lesson-solve")
    at.test.session_state["lesson-teacher"] = True
    assert "Solutions" in [button.proto.label for button in at.run().get("download_button")]


def test_the_link_for_pupils_hides_notes_solutions_and_rooms(page):
    at = page(lesson="rome")
    at.test.session_state["lesson-teacher"] = True
    at.run()
    link = next(block.value for block in at.test.code if "lesson=rome" in block.value)
    query = {key: parts[-1] for key, parts in parse_qs(link.partition("?")[2]).items()}
    assert query.pop("lesson_pupil") == "true"

    def tools(at):
        return {block.proto.popover.label for block in at.get("popover")}

    assert {"For teachers", "Room"} <= tools(page(lesson="rome"))
    pupil = page(**query, lesson_pupil=True)
    assert pupil.says("Fill the gap") and not tools(pupil) & {"For teachers", "Room"}
    pupil.test.session_state["lesson-teacher"] = True  # as if it had been open
    assert not pupil.run().says("Goal.")
    pupil.press("Italy")
    assert pupil.says("You guessed it: Italy.") and "lesson_pupil" in pupil.query_params
    pupil.press("All lessons").press("open-king")
    assert not tools(pupil) & {"For teachers", "Room"}  # the next lesson too


def given_to_pupils(at) -> tuple[str, dict[str, str]]:
    """The link for pupils under For teachers, and its parameters."""
    at.test.session_state["lesson-teacher"] = True
    at.run()
    link = next(block.value for block in at.test.code if "lesson_pupil=true" in block.value)
    return link, {key: parts[-1] for key, parts in parse_qs(link.partition("?")[2]).items()}


def test_the_link_for_pupils_does_not_contain_the_notes_of_an_own_lesson(page):
    at = page(**own(asks(), notes="Secret notes."))
    at.test.session_state["share-link"] = True
    assert at.test.run() and at.says("⚠ This link contains your notes.")
    _, query = given_to_pupils(at)
    assert at.says("Secret notes.", "does not contain your notes", "can read them earlier", "what is under Link")
    given = markdown.decode(query["lesson_code"])
    assert given == Lesson("Title", 5, "", "", (asks(),))  # all but the notes: the texts are shown after a guess
    query.pop("lesson_pupil")  # a pupil who wants to be a teacher
    curious = page(**query)
    curious.test.session_state["lesson-teacher"] = True
    assert curious.run().says("What?", "Link for pupils") and not curious.says("Secret notes.")
    assert curious.problems == []


def long_lesson(notes: str, steps: int = 8) -> Lesson:
    """A lesson of letters that cannot be compressed; with eight steps it is too long for a link without its notes, too."""
    letters = random.Random(0)
    texts = ("".join(letters.choices(string.ascii_lowercase, k=2_900)) for _ in range(steps))
    return Lesson("Long", 5, "", notes, tuple(Step(f"Step {n}", text) for n, text in enumerate(texts)))


def open_file(at, lesson):
    at.test.get("file_uploader")[0].set_value(("long.md", write(lesson).encode(), "text/markdown"))
    return at.run()


def test_pupils_get_a_file_without_notes_if_the_lesson_is_too_long_for_a_link(page):
    at = open_file(page(), long_lesson("Secret notes."))
    assert at.query_params["lesson"].startswith("file-") and "lesson_code" not in at.query_params
    assert {"Save as a file", "File for pupils"} & set(offered(at)) == {"File for pupils"}
    _, query = given_to_pupils(at)
    assert query == {"lesson_pupil": "true"} and at.says("Secret notes.", "too long for a link")
    name, data = offered(at)["File for pupils"]
    assert parse(data) == long_lesson("") and name == "long-pupils.md"
    assert parse(offered(at)["Lesson as a file"][1]).notes == "Secret notes."
    pupil = open_file(page(lesson_pupil=True), parse(data))
    assert pupil.says("Long", "Step 1 of 8") and "For teachers" not in {
        b.proto.popover.label for b in pupil.get("popover")
    }


def test_a_bookmark_of_a_file_goes_on_where_it_was_when_the_file_is_opened_again(page):
    at = open_file(page(), long_lesson("")).press("next").press("next")
    again = page(**at.query_params)
    assert again.says("Open the file again") and open_file(again, long_lesson("")).says("Step 3 of 8")


def test_a_lesson_whose_notes_are_too_long_for_a_link_is_given_to_pupils_as_a_link(page):
    notes = "".join(random.Random(1).choices(string.ascii_lowercase, k=2_900))
    at = open_file(page(), long_lesson(notes, steps=2))
    assert at.query_params["lesson"].startswith("file-")
    _, query = given_to_pupils(at)
    assert markdown.decode(query["lesson_code"]).notes == "" and "File for pupils" not in offered(at)
    assert page(**query).says("Long", "Step 1 of 2")


def offered(at) -> dict[str, tuple[str, str]]:
    """The files of the popover for teachers: label → name and content."""
    at.test.session_state["lesson-teacher"] = True
    kept = {name: data for key, (name, data) in at._offered().items() if key.startswith("lesson-")}
    labels = {"-pupils.md": "File for pupils", "-solutions.html": "Solutions", ".html": "Worksheet"}
    return {
        next((label for end, label in labels.items() if n.endswith(end)), "Lesson as a file"): (n, d)
        for n, d in kept.items()
    }


# Lessons from outside


def test_texts_from_outside_are_shown_as_they_are(page):
    at = page(**own(asks(NASTY), title=NASTY, notes=NASTY), lesson_guesses="a").press("answer-1")
    assert not at.problems and at.says("You guessed it: Italy.")
    assert not [each.value for each in at.test.markdown if "http://example.org" in each.value]
    assert {each.value.count("<img") for each in at.get("html") if hasattr(each, "value")} <= {0}
    shown = [text.value for text in at.test.text if NASTY in text.value]
    assert len(shown) >= 3  # before, after and point
    for heading in (*at.test.title, *at.test.header, *at.test.subheader):
        if "example" in heading.value:
            assert "\\*\\*b" in heading.value and "\\<img" in heading.value.replace("<", "<")


def test_a_link_to_a_lesson_from_outside_computes_no_answer(page, monkeypatch):
    calls = []
    original = shown_panel.reading_of
    monkeypatch.setattr(shown_panel, "reading_of", lambda *named: calls.append(1) or original(*named))
    link = own(asks(), asks())
    at = page(**link, lesson_guesses="aa")
    calls.clear()  # a lesson is checked when it is opened
    at.run()
    assert not calls and not at.says("You guessed")
    at.press("answer-1")
    assert calls and at.says("You guessed it: Italy.")
    at.press("next")
    assert not at.says("You guessed") and [each for each in at.test.button if each.label == "Compute the answer"]
    at.press("Italy")  # a press on a choice reveals the answer
    assert at.says("You guessed it: Italy.")


@pytest.mark.parametrize(
    ("shows", "sentence"),
    [
        ("http://example.org/arithmetic", "There is no page"),
        ("lessons", "There is no page"),
        ("arithmetic?arithmetic_tab=nothing", "has no tab"),
        ("arithmetic?model=other", "has no field “model”"),
        ("pairs?pairs_question=x", "has no field"),
        ("arithmetic?arithmetic_strength=99", "field “arithmetic_strength” of the page “arithmetic” cannot be “99”"),
        ("arithmetic?" + "&".join(f"a{i}=1" for i in range(100)), "more than 60 parameters"),
    ],
)
def test_only_panels_and_their_fields_can_be_shown(shows, sentence):
    with pytest.raises(LessonProblem, match=f"^Line 12: .*{sentence}"):
        shown_panel.of(shows, 12)


PAGES = [each.name for each in menu.PAGES]
PART = some.one_of(
    some.text(max_size=20), some.sampled_from([*PAGES, "arithmetic_text", "arithmetic_tab", "model", "open", "run"])
)


@given(PART, some.lists(some.tuples(PART, PART), max_size=4))
def test_any_address_sets_only_fields_of_its_panel_to_allowed_values(name, pairs):
    shows = f"{name}?{'&'.join(f'{key}={value}' for key, value in pairs)}"
    try:
        panel = shown_panel.of(shows)
    except LessonProblem:
        return
    assert panel.page.name in PAGES and panel.module is panels.of(panel.page.name)[panel.tab]
    assert set(panel.values) == {field.key for field in panel.module.FIELDS}
    assert shown_panel.of(panel.address).values == panel.values


def test_a_question_needs_a_reading_of_its_panel_and_fitting_choices():
    panel = shown_panel.of("pairs")
    comma = Choice("..50", "Little"), Choice("50,5..", "Much")
    for answer, sentence, choices in (
        ("top", "has no answer “top”", comma),
        ("unlike-random", "[yes] or [no]", comma),
        ("probability", "a range", comma),
        ("probability", "a range", comma[1:] * 2),
    ):
        with pytest.raises(LessonProblem) as problem:
            shown_panel.reading_of(replace(asks(shows="pairs", answer=answer), choices=choices), panel)
        assert sentence in str(problem.value)


# Writing


def test_mistakes_in_the_form_and_in_the_text_are_reported(page):
    at = page(lessons_tab="write").press("lesson-add")
    assert at.says("The title of a step is empty.")
    at.put("lesson_text", draft.STARTER.replace("answer: top", "answer: nothing"))
    assert at.says("Line 9: This panel has no answer “nothing”. It has: top, before,")
    assert not [button for button in at.button if button.key == "lesson-open"]
    at.put("lesson_text", draft.STARTER.replace("question:", "hidden: until step 9\nquestion:"))
    assert at.says("because step 9 is not a later step") and [each for each in at.button if each.key == "lesson-open"]


def test_a_wrong_file_is_reported_with_its_line(page):
    at = page()
    at.test.get("file_uploader")[0].set_value(("bad.md", b"---\ntitle: x\nmagic: y\n---\n", "text/markdown"))
    at.run()
    assert len(at.problems) == 1 and at.problems[0].startswith("⚠ Line 3: ")


def test_the_fields_of_the_page_do_not_collide_with_those_of_panels():
    own_keys = {field.key for field in (*opened.FIELDS, *ui_page.COMMON)}
    for name in PAGES:
        for panel in panels.of(name).values():
            assert not own_keys & {field.key for field in panel.FIELDS}
