"""Presenter mode without a browser: the list of steps in the address and in the menu."""

import json
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.ui import presenter
from embtools.ui.presenter import MOST, STEPS


def test_steps_are_written_and_read_in_their_order():
    steps = ("pairs?pairs_number=many", "", "bias", "?guess=Italy", "pairs?pairs_number=many")
    assert STEPS.read(STEPS.write(steps)) == steps


@pytest.mark.parametrize("step", ["//evil.example", "javascript:alert(1)", "Bias", "bias?a b", "x" * 3_000])
def test_what_is_no_page_of_this_app_is_no_step(step):
    assert STEPS.read(["pairs", step]) == ("pairs",)


@given(st.lists(st.text(max_size=50), max_size=40))
def test_any_address_gives_a_list_that_can_be_shown(parts):
    read = STEPS.read(parts)
    assert len(read) <= MOST and STEPS.read(STEPS.write(read)) == read
    assert not [step for step in read if ":" in step.partition("?")[0] or step.startswith(("/", "."))]


def names(at) -> list[str]:
    """The steps in the menu, as they are written."""
    return [b.label.replace("\\", "") for b in at.button if (b.key or "").startswith("present-go-")]


def renamed(at, number: int, name: str):
    at.press(f"present-edit-{number}")
    return at.put(f"present-name-{number}", name)


def test_pages_are_added_moved_removed_and_shown(visit):
    at = visit("similarity", similarity_tab="odd", similarity_odd="red, green, king", open=["presentation"])
    at.press("present-add")
    at.put("similarity_odd", "red, green, queen").press("present-add")
    first, second = (parse_qs(step.partition("?")[2])["similarity_odd"] for step in at.session_state["steps"])
    assert (first, second) == (["red, green, king"], ["red, green, queen"])
    assert [name.partition("›")[0] for name in names(at)] == ["1. Similarity ", "2. Similarity "]
    assert not [step for step in at.session_state["steps"] if "steps=" in step]  # no list within a list
    assert not [step for step in at.session_state["steps"] if "open=" in step]  # nor what is open in the menu
    at.press("present-arrow_upward-1")
    assert "queen" in at.session_state["steps"][0]
    at.press("present-arrow_downward-0")
    assert "king" in at.session_state["steps"][0]
    at.press("present-arrow_upward-1").press("present-close-0")
    assert len(at.session_state["steps"]) == 1 and "king" in at.session_state["steps"][0]
    at.press("present-start")
    assert "true" in at.test.query_params["present"] and at.test.query_params["steps"]
    at.links_to_itself()


def test_a_page_is_added_as_a_part_that_was_drawn_alone_has_left_it(visit):
    at = visit("similarity", similarity_tab="odd", open=["presentation", "lesson-draft"])
    for button, key in (("present-add", "steps"), ("draft-add", "lesson-added")):
        at.session_state["state-parameters"] = {"similarity": {"similarity_odd": ["a, b, c"]}}
        assert at.press(button).session_state[key][-1] == "similarity?similarity_odd=a%2C+b%2C+c"
    at.session_state["state-parameters"] = {"similarity": {"similarity_odd": ["a, b, c" * 400]}}
    assert at.press("present-add").problems == [f"⚠ {presenter._NO_ROOM}"] and len(names(at)) == 1


def test_every_page_has_the_same_list(visit):
    at = visit("similarity", similarity_tab="odd", steps=["bias", "pairs"])
    (home, *links) = [link.proto.query_string for link in at.get("page_link")]
    assert all(parse_qs(link)["steps"] == ["bias", "pairs"] for link in (home, *links))


def test_without_a_presentation_nothing_is_sent(visit):
    assert not [
        html for html in visit("similarity", similarity_tab="odd").get("html") if "font-size: 130%" in html.proto.body
    ]
    shown = visit("similarity", similarity_tab="odd", present="1")
    assert [html for html in shown.get("html") if "font-size: 130%" in html.proto.body]


def test_a_room_hands_out_no_presentation(visit):
    assert presenter.own("a=1&present=true&step=3&steps=bias&b=%3C") == "a=1&b=%3C"


def test_no_step_is_added_that_does_not_fit_into_the_address(visit):
    long = [f"bias?bias_text={letter * 1_400}" for letter in "abc"]
    at = visit("similarity", similarity_tab="odd", similarity_odd="red, green, king", open=["presentation"], steps=long)
    assert len(names(at)) == 3 and not at.says("would become too long")
    at.put("similarity_odd", ", ".join(f"word{n}" for n in range(12)) + ", " + "x" * 300)
    assert at.says("This page cannot be added, because the address would become too long.")
    assert at.test.button(key="present-add").disabled


def test_the_browser_keeps_the_list_for_a_link_that_has_none(visit):
    stored = {"held": {"at": 1.0, "text": json.dumps(["bias", "no page", 3])}}
    at = visit("about", open=["presentation"])
    at.session_state["stored-presentation"] = stored
    assert at.run().session_state["steps"] == ("bias",) and at.test.query_params["steps"]
    at.press("present-close-0")
    assert at.run().session_state["steps"] == ()  # not taken a second time
    of_a_link = visit("about", steps=["similarity"])  # the list of somebody else
    of_a_link.session_state["stored-presentation"] = stored
    assert of_a_link.run().session_state["steps"] == ("similarity",)


NASTY = "**Why** <b>x</b>&steps=bias \u202e"


@pytest.mark.slow
def test_a_step_gets_a_name_that_is_part_of_the_address(visit):
    at = renamed(visit("pairs", open=["presentation"], steps=["bias", "pairs?pairs_first=Rome"]), 1, NASTY)
    assert (
        names(at) == ["1. Bias › Groups in a sentence", "2. **Why** <b>x</b>&steps=bias \ufffd"]
        and len(at.session_state["steps"]) == 2
    )
    assert at.query_params["steps"] == list(at.session_state["steps"]) and "present-name-1" not in at.session_state
    again = visit("about", open=["presentation"], steps=at.query_params["steps"])
    assert names(again) == names(at)
    shown = visit("pairs", present="1", step="2", steps=at.query_params["steps"])
    assert "step_name" not in shown.query_params
    assert names(renamed(again, 1, " "))[1] == "2. Pairs › Next sentence: Rome"
    assert again.session_state["steps"][1] == "pairs?pairs_first=Rome"


def test_a_name_for_which_the_address_has_no_room_is_refused(visit):
    steps = [f"bias?bias_text={letter * 1_480}" for letter in "abc"]
    at = renamed(visit("bias", open=["presentation"], steps=steps), 0, "ω" * 60)
    assert list(at.session_state["steps"]) == steps
    assert at.problems == ["⚠ The address has no room for this name. Choose a shorter one."]


def test_a_step_is_opened_by_a_click_on_this_page_and_on_another(visit):
    steps = ["similarity?similarity_tab=odd&similarity_odd=red,+sea,+sky&step_name=Rain", "pairs?pairs_tab=similarity"]
    at = visit("similarity", open=["presentation"], steps=steps, similarity_tab="nearest", similarity_word="red")
    at.press("present-go-0")
    assert (at.session_state["similarity_odd"], at.query_params["similarity_tab"]) == ("red, sea, sky", "odd")
    assert "similarity_word" not in at.query_params and "step_name" not in at.query_params  # as if the step was opened
    assert at.query_params["steps"] == steps and names(at)[0] == "1. Rain"
    at.press("present-go-1")
    assert at.query_params["pairs_tab"] == "similarity" and at.query_params["steps"] == steps and len(names(at)) == 2


def test_the_list_is_saved_as_a_file_and_opened_again(visit):
    steps = ("bias?step_name=A", "", "pairs?pairs_first=%3Cb%3E")
    at = visit("similarity", similarity_tab="odd", open=["presentation"], steps=steps)
    name, data = at._offered()["present-save"]
    assert name == "presentation.json"
    other = visit("pairs", open=["presentation"], steps=["layers"])
    other.session_state["presentation-file-popover"] = True
    other.run().field("presentation-file").set_value((name, data.encode(), "application/json"))
    other.run()
    assert other.session_state["steps"] == steps and other.query_params["steps"] == list(steps)
    assert names(other) == names(at) and other.says("Read: 3 steps.")
    other.press("present-close-0")
    assert other.session_state["steps"] == steps[1:]  # it is the visitor's own list now


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"[" * 10_000, b"\xff\xfe", b'["//x.example", 3]', json.dumps([f"bias?x={'x' * 1_900}"] * 3).encode()],
)
def test_a_file_that_is_no_list_is_refused(data):
    with pytest.raises(ValueError, match="of this file is too long|This file has no list of steps"):
        presenter._opened(data)


def test_a_file_opens_the_steps_that_are_pages_and_no_others():
    assert presenter._opened(b'["bias", "//evil.example", "pairs?a=1"]') == {"steps": ("bias", "pairs?a=1")}
