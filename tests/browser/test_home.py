"""Home as a visitor clicks it."""

import re

import pytest
from playwright.sync_api import expect

from embtools import fill_mask
from embtools.arithmetic import controls, verdict
from embtools.mask_filling.edits import Change
from embtools.statistics.percentages import percent
from embtools.ui.menu import PAGES


def widths(tab):
    """How wide the bars have grown, as shares of their row."""
    return tab.main.locator(".growing i").evaluate_all("bars => bars.map(b => b.getBoundingClientRect().width)")


ROME, EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"


def says(model, text):
    """BERT's top answer with its probability, as a headline has it."""
    top = fill_mask(text, model, k=1).iloc[0]
    return f"{top['token']} ({percent(top['probability'])})"


@pytest.mark.slow
def test_a_guess_its_answer_and_the_switch_that_moves_the_bars(tab, bundled):
    edited = verdict.finding(controls.experiment(ROME, bundled, change=Change.of([EDIT]), k=5))
    edited = edited.replace("italy", "Italy").replace("france", "France").replace("china", "China")
    tab.open().shows("What does BERT answer?").lacks("BERT answers")
    tab.press("Greece").shows(f"BERT answers {says(bundled, ROME).capitalize()}. You guessed Greece.")
    italy, france, _ = widths(tab)
    assert italy > 5 * france
    with tab.answer():
        tab.main.get_by_text("Make Rome French").click()
    tab.shows(edited)
    italy, france, _ = widths(tab)
    assert france > 5 * italy
    assert tab.query == {"guess": ["Greece"], "french": ["true"]}
    tab.main.get_by_role("link", name="Could it be chance? See the controls").click()
    tab.settled().shows("Comparison with the controls")
    for text in (edited, "What does BERT answer? Tap your guess."):
        tab.back()
        tab.shows(text)
    assert tab.query == {}


@pytest.mark.slow
def test_your_own_sentence_begins_empty_with_the_cursor_in_its_field(fresh, bundled):
    tab = fresh.open(guess="Italy")
    tab.main.get_by_role("link", name="Try your own sentence").click()
    field = (
        tab.settled()
        .holds("Sentence with [MASK] or ___", "")
        .page.get_by_label("Sentence with [MASK] or ___", exact=True)
    )
    tab.shows("Type a sentence with a missing word").holds("Edits (one per line)", "").lacks("Showing the p")
    expect(field).to_be_focused()
    with tab.answer():
        tab.page.keyboard.type("Amazon is a ___.")
        tab.page.keyboard.press("Enter")
    tab.shows(f"BERT answers {says(bundled, 'Amazon is a [MASK].')}.")
    assert tab.query | {"weights": []} == {
        "arithmetic_text": ["Amazon is a ___."],
        "arithmetic_edits": [""],
        "weights": [],
    }


@pytest.mark.slow("1280-4", "1440-3")
@pytest.mark.parametrize(("width", "rows"), [(1440, 3), (1280, 4), (820, 6), (390, 9)])
def test_no_card_is_left_alone_in_the_last_row(visitor, server, width, rows):
    tab = visitor(server, viewport={"width": width, "height": 900}).open().shows("What does BERT answer?")
    boxes = tab.main.locator('[class*="st-key-card-"]').evaluate_all(
        "all => all.map(e => e.parentElement.getBoundingClientRect()).map(b => [Math.round(b.top), b.left, b.right, b.width])"
    )
    lines = {top: [box for box in boxes if box[0] == top] for top in dict.fromkeys(box[0] for box in boxes)}
    counts = [len(line) for line in lines.values()]
    assert len(boxes) == len(PAGES) and len(counts) == rows
    assert max(counts) - min(counts) <= 1 and counts[-1] == max(counts)
    left, right = boxes[0][1], max(box[2] for box in boxes)
    for line in lines.values():  # each row is filled, by cards of one width
        assert (line[0][1], line[-1][2]) == (pytest.approx(left, abs=2), pytest.approx(right, abs=2))
        assert line[0][3] == pytest.approx(line[-1][3], abs=2)
    tab.fits_the_screen()


@pytest.mark.slow
def test_a_card_is_a_link_as_a_whole(tab):
    tab.open()
    with tab.answer():
        tab.main.locator(".st-key-card-arithmetic").click()
    assert "/arithmetic" in tab.page.url
    tab.shows("BERT now answers")


def test_the_pictures_of_the_cards_exist_and_are_described(tab):
    pictures = tab.open().main.locator(".st-key-cards img")
    expect(pictures.first).to_have_attribute("alt", re.compile("Three answers to choose from"))
    expect(pictures.nth(1)).to_have_attribute("alt", re.compile("Pairs of bars"))
    assert pictures.evaluate_all("all => all.every(i => i.complete && i.naturalWidth > 0)")
