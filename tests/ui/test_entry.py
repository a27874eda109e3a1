"""Fields without limits in the browser: the server replaces what is outside the limits and says so below the field."""

import ast
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from embtools.ui import panels
from embtools.ui.menu import PAGES

UI = Path(__file__).parents[2] / "embtools" / "ui"


def script() -> None:
    """A page with a text of at most five characters, a number from 1 to 20, and one whose limit is known late."""
    import streamlit as st

    from embtools.ui import entry, state
    from embtools.ui.fields import Number, Text

    text, lines = Text("x_text", "one", 5), Text("x_lines", "", 8)
    number, late = Number("x_n", 4, 1, 20, 1), Number("x_late", 1, 1, 99_999, 1)
    fields = (text, lines, number, late)
    state.enter("x", fields)
    used = f"{text.value}|{lines.value}|{number.value}|{late.value}"  # before the widgets are drawn
    st.button("Reset", on_click=state.put, args=({field.key: field.default for field in fields},))
    entry.text_input("text", **text.widget)
    entry.text_area("lines", **lines.widget)
    entry.number_input("number", **number.widget)
    entry.number_input("late", **late.widget | {"max_value": 12})
    st.text(used)
    st.code(state.query())


@pytest.fixture
def page() -> AppTest:
    return AppTest.from_function(script, default_timeout=30).run()


def used(test: AppTest) -> str:
    assert not test.exception
    return test.text[-1].value


def reasons(test: AppTest) -> list[str]:
    return [caption.value for caption in test.caption]


@pytest.mark.parametrize(("typed", "number"), [(-3, 1), (10_000, 20)])
def test_a_number_outside_its_limits_becomes_the_nearest_and_the_field_says_so(
    page: AppTest, typed: int, number: int
) -> None:
    page.number_input[0].set_value(typed).run()
    assert used(page) == f"one||{number}|1"
    assert page.number_input[0].value == number
    shown = f"{typed}".replace("-", "−")
    assert reasons(page) == [f"{shown} is not possible here, so {number} is used. Choose 1 to 20."]
    assert page.code[-1].value == f"x_n={number}"  # the address says what is on screen
    page.button[0].click().run()
    assert (used(page), reasons(page), page.code[-1].value) == ("one||4|1", [], "")


def test_a_number_above_a_limit_that_is_known_late_is_corrected_before_the_page_is_shown(page: AppTest) -> None:
    page.number_input[1].set_value(9_999).run()
    assert (used(page), page.number_input[1].value) == ("one||4|12", 12)
    assert reasons(page) == ["9999 is not possible here, so 12 is used. Choose 1 to 12."]


def test_the_reason_does_not_come_back_with_the_number(page: AppTest) -> None:
    page.number_input[0].set_value(10_000).run()
    assert reasons(page)
    page.number_input[0].set_value(5).run()
    page.number_input[0].set_value(20).run()
    assert (used(page), reasons(page)) == ("one||20|1", [])


def test_a_long_text_is_cut_and_the_field_says_so_until_it_is_changed(page: AppTest) -> None:
    page.text_input[0].set_value("123456789").run()
    page.text_area[0].set_value("x" * 10).run()
    assert used(page) == "12345|xxxxxxxx|4|1"
    assert reasons(page) == [
        "The text had 9 characters; the first 5 are used.",
        "The text had 10 characters; the first 8 are used.",
    ]
    page.text_input[0].set_value("1234").run()
    assert reasons(page) == ["The text had 10 characters; the first 8 are used."]


def test_fields_are_not_limited_in_the_browser(page: AppTest) -> None:
    assert all(field.proto.max_chars == 0 for field in (*page.text_input, *page.text_area))
    assert not any(field.proto.has_min or field.proto.has_max for field in page.number_input)


def test_every_text_and_number_with_a_field_is_drawn_here() -> None:
    drawn = {"text_input", "text_area", "number_input"}
    for path in UI.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in drawn:
                with_field = any(word.arg is None for word in call.keywords)
                assert not with_field or path.name == "entry.py" or ast.unparse(call.func.value) == "entry", path


def test_every_default_and_every_example_is_inside_the_limits() -> None:
    for panel in (panel for page in PAGES for panel in panels.of(page.name).values()):
        fields = {field.key: field for field in panel.FIELDS}
        offered = panel.examples() if callable(getattr(panel, "examples", None)) else panel.PRESETS
        for values in ({field.key: field.default for field in fields.values()}, *offered.values()):
            for key, value in values.items():
                if key in fields:
                    assert fields[key].allowed(value) == value, (key, value)
