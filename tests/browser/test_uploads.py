"""A file that cannot be read: the page says why next to the field, where it is visible, until a good file comes.

Then a popover with the field closes, because it covers the results, which are also in the address.
"""

from itertools import cycle

import pytest
from playwright.sync_api import expect

BAD = {"name": "words.csv", "mimeType": "text/csv", "buffer": b"%PDF-1.7 words"}
PLACES = {  # page → its address, what opens the field, a good file, and a part of its result
    "arithmetic": (
        {"arithmetic_tab": "many"},
        "Upload a table",
        b"sentence,edits\nRome is the capital of [MASK].,rome = rome - italy + france\n",
        "in 1 of 1 sentence.",
    ),
    "clusters": (
        {},
        "Upload a table",
        b"word,group\nred,colour\nblue,colour\ngreen,colour\ndog,animal\ncat,animal\n",
        "5 points",
    ),
    "corpus": (
        {"corpus_source": "Your text", "open": "own-text"},
        "",
        b"The bank was open. The bank was steep.\n",
        "7 occurrences",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "look"), list(zip(PLACES, cycle(["tab", "phone"]))))
def test_an_upload_error_is_shown_next_to_its_field_and_a_good_file_is_answered(request, name, look):
    tab = request.getfixturevalue(look)
    query, opener, good, shown = PLACES[name]
    tab.open(name, **query)
    if opener:
        with tab.answer():
            tab.main.get_by_text(opener, exact=True).click()
    field = tab.page.get_by_test_id("stFileUploader").locator("visible=true")
    with tab.answer():
        field.locator("input").set_input_files(BAD)
    # What is read aloud repeats the problem a moment later.
    problem = tab.page.locator(":text('⚠'):not(.read-aloud)").locator("visible=true")
    expect(problem).to_have_count(1)
    problem.scroll_into_view_if_needed()
    assert problem.evaluate(
        """element => {
            const box = element.getBoundingClientRect();
            return element.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
        }"""
    ), "something covers it"
    above, below = field.bounding_box(), problem.bounding_box()
    assert 0 <= below["y"] - above["y"] - above["height"] < 60 and abs(below["x"] - above["x"]) < 60
    with tab.answer():
        field.locator("input").set_input_files({**BAD, "buffer": good})
    expect(problem).to_have_count(0)
    if opener:
        expect(field).to_have_count(0)
    tab.shows(shown)
    tab.follow(tab.page.url).shows(shown)
