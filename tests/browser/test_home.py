"""Home as a visitor clicks it."""

import re

import pytest
from playwright.sync_api import expect

from embtools import fill_mask
from embtools.arithmetic import controls, verdict
from embtools.mask_filling.edits import Change
from embtools.statistics.percentages import percent


def widths(tab):
    """How wide the bars have grown, as shares of their row."""
    return tab.main.locator(".growing i").evaluate_all("bars => bars.map(b => b.getBoundingClientRect().width)")


ROME, EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"


def says(model, text):
    """BERT's top answer with its probability, as a headline has it."""
    top = fill_mask(text, model, k=1).iloc[0]
    return f"{top['token']} ({percent(top['probability'])})"


@pytest.mark.slow
def test_a_guess_its_answer_and_the_button_that_moves_the_bars(tab, bundled):
    edited = verdict.finding(controls.experiment(ROME, bundled, change=Change.of([EDIT]), k=5))
    edited = edited.replace("italy", "Italy").replace("france", "France").replace("china", "China")
    tab.open().shows("What does BERT answer?").lacks("BERT answers")
    tab.press("Greece").shows(f"BERT answers {says(bundled, ROME).capitalize()}. You guessed Greece.")
    italy, france, _ = widths(tab)
    assert italy > 5 * france
    tab.press("Make Rome French").shows(edited)
    italy, france, _ = widths(tab)
    assert france > 5 * italy
    assert tab.query == {"guess": ["Greece"], "french": ["true"]}
    tab.main.get_by_role("link", name="Could it be chance? See the controls").click()
    tab.settled().shows("Comparison with the controls")
    for text in (edited, "You guessed Greece."):
        tab.back()
        tab.shows(text)
    assert tab.query == {"guess": ["Greece"]}


@pytest.mark.slow
@pytest.mark.parametrize("way", ["menu", "door"])
def test_guess_edit_and_words_survive_the_way_to_another_page_and_back(fresh, way):
    tab = fresh.open().press("Greece").press("Make Rome French").shows("BERT now answers France")
    words = "fruit: apple, pear\nmetals: gold, iron, tin"
    field = tab.page.get_by_label("Groups (one per line)", exact=True)
    field.fill(words)
    with tab.answer():
        field.press("Control+Enter")
    expected = {"guess": ["Greece"], "french": ["true"], "map_words": [words]}
    assert tab.query == expected
    if way == "menu":
        tab.menu("Pairs")  # in a folded group
    else:
        tab.main.get_by_role("link", name="He, she and jobs").click()
        tab.settled()
    assert not tab.page.url.partition("?")[0].endswith("/")
    tab.back()
    tab.shows("BERT now answers France").holds("Groups (one per line)", words)
    assert tab.query == expected
    assert tab.main.locator(".small-map span").all_inner_texts() == ["apple", "pear", "gold", "iron", "tin"]


@pytest.mark.slow
def test_the_first_screen_has_what_leads(fresh, phone):
    """Rome with its button, the map and the moving word on one screen; on a phone they are below each other."""
    fresh.page.set_viewport_size({"width": 1440, "height": 900})
    tab = fresh.open()
    parts = [".st-key-make-french", ".small-map", ".bank-picture", ".st-key-door-learn h2", ".st-key-door-measure h2"]
    tab.above_the_fold(*(tab.main.locator(part) for part in parts))
    game, button = (tab.main.locator(part).bounding_box() for part in (".st-key-game", ".st-key-make-french"))
    assert button["width"] > 0.9 * game["width"] and button["height"] >= 48
    phone.open().fits_the_screen()
    phone.above_the_fold(phone.main.locator(".st-key-make-french"))
    below = [
        ".st-key-game",
        ".st-key-own-words",
        ".st-key-bank",
        ".st-key-door-learn",
        ".st-key-door-explore",
        ".st-key-pages",
    ]
    tops = [phone.main.locator(part).bounding_box()["y"] for part in below]
    assert tops == sorted(tops)


@pytest.mark.slow
def test_the_moving_word_can_be_paused_and_stands_still_for_those_who_want_no_motion(fresh, tab):
    def states(of):
        return of.main.locator(".bank-picture i").evaluate_all(
            "all => all.map(each => [getComputedStyle(each).animationName, getComputedStyle(each).animationPlayState])"
        )

    fresh.page.emulate_media(reduced_motion="no-preference")
    fresh.open()
    assert {state for _, state in states(fresh)} == {"running"}, states(fresh)
    assert all(name.startswith("bank-") for name, _ in states(fresh)), states(fresh)
    fresh.main.get_by_label("Pause").check()
    assert all(state == "paused" for _, state in states(fresh))
    assert {name for name, _ in states(tab.open())} == {"none"}
    tab.main.get_by_role("link", name=re.compile("^Open in Layers")).click()
    tab.settled().shows("Layers")


@pytest.mark.slow
def test_groups_of_the_menu_fold_by_keyboard_and_stay_out_of_the_address(fresh):
    tab = fresh.open("similarity")
    menu = tab.page.locator(".st-key-menu")
    folded = menu.get_by_role("link", name="Pairs")
    expect(menu.get_by_role("link", name="Similarity")).to_be_visible()
    expect(folded).not_to_be_visible()
    before = tab.page.url
    menu.locator("summary").filter(has_text="Inside BERT").focus()
    tab.page.keyboard.press("Enter")
    expect(folded).to_be_visible()
    assert tab.page.url == before
    with tab.answer():
        folded.click()
    expect(folded).to_be_visible()  # the group of the open page
    tab.menu("Home")
    expect(folded).to_be_visible()  # it has been used
    expect(menu.get_by_role("link", name="Corpus")).not_to_be_visible()


@pytest.mark.slow
def test_your_own_sentence_begins_empty_with_the_cursor_in_its_field(fresh, bundled):
    tab = fresh.open(guess="Italy")
    tab.main.get_by_role("link", name="Your sentence with a gap").click()
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
