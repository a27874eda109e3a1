"""Queries: the last good answer stays, what was stopped waits."""

import ast
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from embtools.progress import Progress, silent
from embtools.ui import running, stoppable
from tests.visit import empty_caches, press, texts


def double(number: str, text: str = "", progress: Progress = silent) -> int:
    progress(0.5)
    if int(number) < 0:
        raise ValueError(f"{number} is below zero. Use another.")
    return 2 * int(number)


def script() -> None:
    """A panel that doubles a number."""
    import streamlit as st

    from embtools.ui import running, stoppable
    from embtools.ui.call import Call
    from embtools.ui.shown import Model
    from tests.ui.test_running import double

    number = str(st.number_input("n", value=int(st.query_params.get("n", 4))))
    first = str(st.number_input("first", value=1))
    models = (Model("bundled"),)
    query = Call(double, number=number, text=st.session_state.get("text", ""))
    within = {"text": text} if (text := st.text_input("text", key="text")) else None
    for answer in running.ask(
        "double", query, models, Call(double, number=first), label="Doubling", within=within, prints=None
    ):
        with answer.shown() as value:
            st.text(f"result {value} {bool(answer.stale)}")
    if st.button("stop"):
        stoppable.note(running._stopped(query), running._identity(query, models[0]))


def page() -> AppTest:
    empty_caches()
    return AppTest.from_function(script, default_timeout=30).run()


def test_an_earlier_answer_is_only_shown_if_it_is_about_the_same_text() -> None:
    test = page()
    test.text_input(key="text").set_value("other").run()
    assert texts(test)[0] == "result 8 False"
    test.number_input[0].set_value(-1).run()
    assert "Showing the previous result, for: 4 | other" in texts(test)
    test.text_input(key="text").set_value("third").run()
    assert not any("result" in text for text in texts(test))


def test_after_an_error_the_last_good_answer_stays_and_says_what_it_answers() -> None:
    test = page()
    test.number_input[0].set_value(-3).run()
    assert texts(test)[:3] == [
        "⚠ -3 is below zero. Use another.",
        "Showing the previous result, for: 4",
        "result 8 True",
    ]
    test.number_input[0].set_value(5).run()
    assert texts(test)[0] == "result 10 False"


def test_an_error_that_took_time_and_an_earlier_answer_that_takes_time_both_have_their_bar(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stoppable, "PATIENCE", -1.0)
    test = page()
    empty_caches()
    test.number_input[0].set_value(-1).run()
    assert "result 8 True" in texts(test)


def test_without_a_last_good_answer_the_first_example_is_shown() -> None:
    empty_caches()
    test = AppTest.from_function(script, default_timeout=30)
    test.query_params["n"] = "-1"
    test.run()
    message = "⚠ -1 is below zero. Use another."
    assert texts(test) == [message, "Showing the page's example, for: 1", "result 2 True"]
    test.number_input[1].set_value(-2).run()
    assert texts(test) == [message]


def test_what_was_stopped_waits_for_a_button() -> None:
    test = page()
    press(test, "stop").run()
    for _ in range(2):
        assert texts(test)[0] == "⚠ Doubling was stopped. Run it again, or change the settings."
        test.run()
    assert texts(press(test, "Run again"))[0] == "result 8 False"


def attempts() -> None:
    """A panel that reads a field into a container above it."""
    import streamlit as st

    from embtools.ui import running

    problems = st.container()
    text = st.text_input("Number", key="text", value="4")
    st.text(f"read {running.attempt(lambda: int(text), problems)}")
    st.text(f"read {running.attempt(lambda: int(text) + 1)}")


def test_what_cannot_be_read_is_reported_in_its_container_or_here() -> None:
    at = AppTest.from_function(attempts, default_timeout=20).run()
    assert [each.value for each in at.text] == ["read 4", "read 5"]
    at.text_input[0].set_value("four").run()
    wrong = "⚠ invalid literal for int() with base 10: 'four'"
    assert [each.value for each in at.text] == [wrong, "read None", wrong, "read None"]


# A reason why these show an error in another way.
ELSEWHERE = {
    "running.py": "has the one helper, and names the second model in front of its errors",
    "carried.py": "says which model is shown without the edit",
    "corpora/source.py": "says which text is used until then",
    "models.py": "ends the run without the bundled model",
    "uploads.py": "shows what is wrong with a file below its uploader, until another file is chosen",
    "home/word_search.py": "offers another page for an unknown word only",
    "rooms/board.py": "also leads back to the page if rooms cannot be reached",
    "rooms/teacher.py": "only expects that rooms cannot be reached",
}


def test_panels_report_what_is_wrong_with_their_fields_in_one_way() -> None:
    """Not by a `try` of their own: `running.ask`, `detail` and `attempt` show errors next to the field."""
    folder = Path(running.__file__).parent
    found = {
        str(path.relative_to(folder))
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler) and re.search(r"(?<!_)\bproblem\(", ast.unparse(node))
    }
    assert found == set(ELSEWHERE)
