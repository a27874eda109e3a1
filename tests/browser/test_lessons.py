"""A lesson in the browser: by keyboard, on a phone, and its worksheets on one page of paper."""

import re

import pytest
from playwright.sync_api import expect

from embtools.lessons.bundled import lessons
from embtools.lessons.worksheet import html
from tests.browser.tab import LONG, box
from tests.browser.test_first_sight import findings
from tests.conftest import slow_after


def focus(tab, name):
    """Press Tab until the button of that name has the focus."""
    button = tab.main.get_by_role("button", name=name, exact=True)
    for _ in range(60):
        tab.page.keyboard.press("Tab")
        if button.evaluate("e => e === document.activeElement"):
            return
    raise AssertionError(f"The focus never reached {name}.")


PARTS_OF_THE_PAGE = ".st-key-lesson-panel :is(input, textarea, [role=tab], [role=combobox], summary)"
SEEN = "all => all.map(each => each.getBoundingClientRect()).filter(box => box.width && box.height).length"


@pytest.mark.slow
def test_a_lesson_by_keyboard_with_back_and_forward(fresh):
    tab = fresh.open("lessons").shows("Eleven lessons")
    for name, shown in (
        ("Change Rome", "Step 1 of 7"),
        ("France", "You guessed: France. The answer is: Italy."),
        ("Next step", "Step 2 of 7"),
        ("France", "You guessed it: France."),
    ):
        tab.main.get_by_role("heading").first.click()  # the focus begins at the top of the page
        focus(tab, name)
        with tab.answer():
            tab.page.keyboard.press("Enter")
        tab.shows(shown)
    # The headline and the controls would give away the answers of steps 3 and 4.
    tab.shows("The rest of the figure is shown when you have answered step 4").lacks("BERT now answers france")
    expect(tab.page.locator(".st-key-chart-controls")).not_to_be_visible()
    expect(tab.page.locator(".st-key-chart-answers")).to_be_visible()
    tab.asks(lesson="rome", lesson_guesses="bb")
    for shown, gone in (  # a question stays when its answer goes, so both are waited for
        ("What is BERT's top answer after this edit?", "You guessed"),
        ("You guessed: France. The answer is: Italy.", "Step 2 of 7"),
        ("Step 1 of 7", "You guessed"),
    ):
        tab.back()
        tab.lacks(gone)
        tab.shows(shown)
    tab.back()
    tab.shows("Eleven lessons")


@pytest.mark.slow
def test_a_lesson_on_a_phone(phone):
    phone.open("lessons").fits_the_screen()
    phone.open("lessons", lesson="numbers", lesson_step=3).fits_the_screen()
    question = phone.main.get_by_role("button", name="carrot", exact=True)
    phone.above_the_fold(question)
    with phone.answer():
        phone.main.get_by_role("button", name="dog", exact=True).tap()
    phone.shows("You guessed it: dog.").fits_the_screen()
    phone.above_the_fold(phone.main.locator(".st-key-verdict"))
    expect(phone.plots.first).to_be_visible()
    for key, step in (("rome", 1), ("senses", 4), ("jobs", 3), ("chance", 2), ("probe", 1)):
        phone.open("lessons", lesson=key, lesson_step=step, lesson_guesses="aaaaaaaa")
        phone.above_the_fold(phone.main.locator(".st-key-lesson h3"), phone.main.locator(".st-key-verdict"))
        expect(phone.plots.first).to_be_in_viewport(ratio=0.5)  # question and figure at once
        before, plot = box(phone.main.locator(".st-key-lesson-before")), box(phone.plots.first)
        assert before["y"] > plot["y"]  # it was read before the guess
        assert not phone.main.locator(PARTS_OF_THE_PAGE).evaluate_all(SEEN)
    with phone.answer():
        phone.main.get_by_role("link", name=re.compile("^Open the page: ")).click()
    assert "/concepts" in phone.page.url


@pytest.mark.slow
def test_a_lesson_is_collected_from_pages_and_survives_a_reload(fresh):
    tab = fresh.open("pairs", pairs_first="Rome is old.", open="lesson-draft")
    with tab.answer():
        tab.page.get_by_role("button", name="Add to my lesson").click()
    other = tab.page.context.new_page()  # another tab of the same browser
    other.goto(f"{tab.server}/clusters?open=lesson-draft")
    expect(other.get_by_text("1. Pairs › Next sentence: Rome is old.")).to_be_visible(timeout=LONG)
    other.get_by_role("button", name="Add to my lesson").click()
    expect(other.get_by_text("2. Clusters")).to_be_visible(timeout=LONG)
    expect(tab.page.get_by_text("2. Clusters")).to_be_visible(timeout=LONG)
    with tab.answer():
        tab.page.get_by_role("link", name="Write the lesson").click()
    tab.shows(
        "Added from the pages: “Pairs › Next sentence: Rome is old.”, “Clusters › Map”.", "Steps: 2. Questions: 0."
    )
    expect(other.get_by_text("2. Clusters")).to_have_count(0)

    # The form with a question, whose answers are named after the panel of the link.
    with tab.answer():
        tab.page.locator(".st-key-lesson-edit-1 button").click()
    tab.pick("Answer", "Probability that the second sentence follows").shows("The answer now:")
    tab.fill("Question", "How much?")
    assert not findings(tab.page)
    tab.fill("Link to what the step shows", "arithmetic?arithmetic_tab=edit")
    tab.shows("The step will show: Arithmetic › One sentence.").holds("Question", "How much?")
    tab.press("Cancel")

    tab.page.reload()
    tab.shows("1. Pairs › Next sentence: Rome is old.", "2. Clusters")
    field = tab.page.get_by_label("The lesson as text", exact=True)
    field.fill(field.input_value().replace("title: My lesson", "title: Rome"))
    with tab.answer():
        field.press("Control+Enter")
    tab.page.reload()
    tab.holds("The lesson as text", re.compile("title: Rome"))
    tab.page.get_by_role("button", name="Open the lesson").click()
    tab.shows("Rome", "Step 1 of 2")


@pytest.mark.thorough("rome", "numbers", "king")
@pytest.mark.slow
@pytest.mark.parametrize("key", slow_after(4, [(key,) for key in lessons()]))
def test_each_step_shows_its_chart_next_to_the_text(projector, key):
    """On the smaller projector, the class sees the whole chart, the reason and the button of the next step at once."""
    count = len(lessons()[key].steps)
    projector.open("lessons", lesson=key, lesson_step=1, lesson_guesses="a" * count)
    for number in range(1, count + 1):
        if number > 1:  # twice as fast as opening the address of the step
            projector.press("Next step")
        projector.shows(f"Step {number} of {count}")
        projector.above_the_fold(
            projector.plots.first,
            projector.main.locator(".st-key-lesson-steps"),
            projector.main.locator(".st-key-point"),
        )
        projector.fits_the_screen()
        text, chart = box(projector.main.locator(".st-key-lesson")), box(projector.plots.first)
        assert chart["x"] >= text["x"] + text["width"], number
        expect(projector.main.locator(".st-key-lesson h3")).to_be_in_viewport(ratio=1)
        assert not projector.main.locator(PARTS_OF_THE_PAGE).evaluate_all(SEEN), number


@pytest.mark.parametrize("solved", [False, True], ids=["worksheet", "solutions"])
def test_every_worksheet_is_one_page(browser, solved):
    page = browser.new_page()
    for name, lesson in lessons().items():
        solutions = dict.fromkeys(range(len(lesson.steps)), (0, "Answer: a computed answer of usual length"))
        page.set_content(
            html(lesson, address="http://127.0.0.1:8501/lessons?lesson=x", solutions=solutions if solved else None)
        )
        pages = len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))
        assert pages == 1, name
    page.close()
