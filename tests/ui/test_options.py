"""Options whose labels depend on a result: each keeps its own label, and what is chosen is always an option."""

import pytest
from streamlit.testing.v1 import AppTest

SCRIPT = """
import streamlit as st
from embtools.ui import options, state
from embtools.ui.fields import Choice, Numbers, Text

TEXT, WORD, SEVERAL = Text("t", "a cat, a dog"), Choice("w", "1"), Numbers("s", (2,))
state.enter("", (TEXT, WORD, SEVERAL))
st.text_input("Text", **TEXT.widget)
words = dict(enumerate(TEXT.value.split()))
options.choose(st.selectbox, "Word", WORD.key, {str(n): f"{n} {word}" for n, word in words.items()}, WORD.value)
options.choose(st.pills, "Several", SEVERAL.key, words, SEVERAL.value, selection_mode="multi")
options.choose(st.pills, "Press", "press", words, None, lambda n: state.put({TEXT.key: f"{TEXT.value} {n}"}))
"""


@pytest.fixture
def at() -> AppTest:
    return AppTest.from_string(SCRIPT, default_timeout=30).run()


def test_the_choice_is_the_fields_also_after_its_label_has_changed(at):
    at.selectbox[0].set_value("3").run()
    assert at.session_state["w"] == "3" and at.query_params["w"] in ("3", ["3"])
    key = at.selectbox[0].key
    at.text_input[0].set_value("one bird, one fish").run()
    assert at.selectbox[0].key != key  # an old label from the browser would reach a widget that is gone
    assert at.session_state["w"] == at.selectbox[0].value == "3" and at.selectbox[0].options[3] == "3 fish"
    at.selectbox[0].set_value("0").run()
    assert at.session_state["w"] == "0"


def test_a_choice_that_is_no_longer_offered_is_not_shown(at):
    at.session_state["w"], at.session_state["s"] = "9", [1, 9]
    at.run()
    assert at.selectbox[0].value is None and at.get("button_group")[0].value == [1]


def test_equal_labels_are_different_options(at):
    """`a` stands there twice: a press on the first may not choose the second."""
    several = at.get("button_group")[0]
    assert [label.replace("\u2060", "") for label in several.options] == ["a", "cat,", "a", "dog"]
    assert len(set(several.options)) == 4 and several.value == [2]
    several.set_value([0]).run()
    assert at.session_state["s"] == [0]


def test_another_taker_gets_what_is_pressed(at):
    at.get("button_group")[1].set_value(1).run()
    assert at.session_state["t"] == "a cat, a dog 1" and at.get("button_group")[1].value is None
