"""Pages collected for a lesson: from every page, stored by the browser, and checked when they are read back."""

import json

import pytest

from embtools.ui import draft

pytestmark = pytest.mark.usefixtures("as_shipped")


def browser(at, name, text, at_time=1.0):
    """The browser reports what it has stored."""
    at.session_state[f"stored-{name}"] = {"held": {"at": at_time, "text": text}}
    return at.run()


@pytest.mark.slow
def test_what_was_added_is_listed_and_can_be_removed(visit, monkeypatch):
    at = visit("pairs", open=["lesson-draft"]).press("draft-add")
    at.put("pairs_first", "Rome is old.").press("draft-add")
    assert at.says("1. Pairs › Next sentence", "2. Pairs › Next sentence: Rome is old.")
    at.session_state["lesson-added"] += ["bias"]  # by another tab, after the buttons were drawn
    left, other = at.press("draft-close-0").put("pairs_first", "Rome is not new.").session_state["lesson-added"]
    assert "Rome+is+old." in left and other == "bias" and not at.says("3. ")
    monkeypatch.setattr(draft, "MAX_SHOWS", len(left))  # the page is longer
    assert at.press("draft-add").session_state["lesson-added"] == [left, other]


def test_my_lesson_stays_open_on_the_next_page(visit):
    at = visit("pairs", open=["lesson-draft"])
    at.test.switch_page("pages/clusters.py")
    at.run().press("draft-add")
    assert at.session_state["lesson-added"][0].startswith("clusters")


def test_there_is_room_for_twenty_pages(visit):
    at = visit("pairs", open=["lesson-draft"])
    browser(at, "lesson-pages", json.dumps(["pairs"] * 100))
    assert at.session_state["lesson-added"] == ["pairs"] * 20
    assert next(button for button in at.button if button.key == "draft-add").disabled


def test_the_browser_gives_back_what_was_added_once(visit):
    at = visit("pairs", open=["lesson-draft"])
    browser(at, "lesson-pages", json.dumps(["pairs?pairs_seed=3"]))
    assert at.session_state["lesson-added"] == ["pairs?pairs_seed=3"]
    at.press("draft-close-0")
    assert not at.run().session_state["lesson-added"]  # not taken a second time
    browser(at, "lesson-pages", json.dumps(["bias"]), at_time=2.0)  # from another tab
    assert at.session_state["lesson-added"] == ["bias"]


@pytest.mark.parametrize("stored", ["", "{}", "[1, null]", "[" * 10_000, '["' + "x" * 5_000 + '"]'])
def test_what_is_no_list_of_pages_is_left_out(stored):
    assert draft._read(stored) == []
