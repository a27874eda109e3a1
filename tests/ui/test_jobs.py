"""Asking for results: the last good one stays, what was stopped waits, long work asks first."""

import pytest
from streamlit.testing.v1 import AppTest

from embtools.ui import cached, running, stoppable
from tests.visit import empty_caches


@pytest.fixture(autouse=True)
def _model_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The script below exchanges `cached.model` for all: it is given back after each test."""
    monkeypatch.setattr(cached, "model", cached.model)
    monkeypatch.setattr(cached, "checksum", cached.checksum)


def script() -> None:
    """A panel that doubles a number; a stop is pressed for the visitor when the field says so."""
    import streamlit as st

    from embtools.ui import cached, jobs, running

    cached.model = cached.checksum = lambda name: name  # type: ignore[assignment]

    def double(number: int, *, model: str, progress=None) -> int:  # type: ignore[no-untyped-def]
        if number < 0:
            raise ValueError(f"{number} is below zero. Use another.")
        return 2 * number

    asked = st.number_input("n", value=4)
    answer = jobs.ask("double", double, "bundled", (asked,), (1,), label="Doubling")
    if answer:
        with jobs.results(answer, "double", f"n = {answer.asked[0]}"):
            st.text(f"result {answer.value} {answer.stale}")
    if running.requested("long", "Work for long", st.number_input("seconds", value=1.0), asked):
        st.text("long work")


def page() -> AppTest:
    return AppTest.from_function(script, default_timeout=30).run()


def texts(test: AppTest) -> list[str]:
    assert not test.exception
    return [text.value for text in test.text]


def test_a_good_question_is_answered() -> None:
    assert texts(page()) == ["result 8 False", "long work"]


def test_after_an_error_the_last_good_answer_stays_and_says_what_it_answers() -> None:
    test = page()
    test.number_input[0].set_value(-3).run()
    assert texts(test)[:3] == [
        "⚠ -3 is below zero. Use another.",
        "Showing the previous result, for: n = 4",
        "result 8 True",
    ]
    test.number_input[0].set_value(5).run()
    assert texts(test)[0] == "result 10 False"


def test_an_error_that_took_time_and_an_earlier_answer_that_takes_time_both_have_their_bar(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def slow() -> None:
        import streamlit as st

        from embtools.ui import cached, jobs

        cached.model = cached.checksum = lambda name: name  # type: ignore[assignment]

        def double(number: int, *, model: str, progress) -> int:  # type: ignore[no-untyped-def]
            progress(0.5)
            if number < 0:
                raise ValueError(f"{number} is below zero. Use another.")
            return 2 * number

        answer = jobs.ask("slow", double, "bundled", (-1,), (3,), label="Doubling")
        st.text(f"result {answer.value if answer else None}")

    monkeypatch.setattr(stoppable, "PATIENCE", -1.0)
    test = AppTest.from_function(slow, default_timeout=30).run()
    assert texts(test)[-1] == "result 6"


def test_without_a_last_good_answer_the_first_example_is_shown() -> None:
    def broken() -> None:
        import streamlit as st

        from embtools.ui import cached, jobs

        cached.model = cached.checksum = lambda name: name  # type: ignore[assignment]

        def fail(number: int, *, model: str) -> int:
            if number < 0:
                raise ValueError("no")
            return number

        answer = jobs.ask("first", fail, "bundled", (-1,), (st.number_input("first", value=7),))
        st.text(str(answer and (answer.value, answer.stale)))

    test = AppTest.from_function(broken, default_timeout=30).run()
    assert texts(test) == ["⚠ no", "(7, True)"]
    test.number_input[0].set_value(-1).run()
    assert texts(test) == ["⚠ no", "None"]


def test_long_work_waits_for_a_press_that_counts_for_its_question() -> None:
    test = page()
    test.number_input[1].set_value(60.0).run()
    assert "long work" not in texts(test)
    test.button[0].click().run()
    assert "long work" in texts(test)
    test.run()
    assert "long work" in texts(test)
    test.number_input[0].set_value(6).run()
    assert "long work" not in texts(test)


def test_what_was_stopped_waits_for_a_button() -> None:
    def stopped() -> None:
        import streamlit as st

        from embtools.ui import cached, jobs

        cached.model = cached.checksum = lambda name: name  # type: ignore[assignment]

        def work(number: int, *, model: str, progress=None) -> int:  # type: ignore[no-untyped-def]
            return number

        if st.button("stop"):
            st.session_state["stopped-work"] = repr(("bundled", (3,), {}))
        try:
            st.text(str(jobs.run("work", work, "bundled", 3, label="Working")))
        except ValueError as error:
            st.text(str(error))

    test = AppTest.from_function(stopped, default_timeout=30).run()
    assert texts(test) == ["3"]
    test.button[0].click().run()
    assert "Working was stopped." in texts(test)[0]
    test.run()
    assert "Working was stopped." in texts(test)[0]
    next(button for button in test.button if button.label == "Run again").click().run()
    assert texts(test) == ["3"]


def test_what_may_wait_is_asked_for_quietly_even_where_it_is_short() -> None:
    def quiet() -> None:
        import streamlit as st

        from embtools.ui import running

        for seconds in (1.0, 12.0):
            if running.requested(f"quiet-{seconds:.0f}", "Compute", seconds, "what", unasked=False):
                st.text(f"done {seconds:.0f}")

    test = AppTest.from_function(quiet, default_timeout=30).run()
    assert texts(test) == [] and [button.proto.type for button in test.button] == ["tertiary"] * 2
    assert [button.help for button in test.button] == ["About a second on this server.", ""]
    assert [caption.value for caption in test.caption] == ["About 12 seconds on this server."]
    test.button[0].click().run()
    assert texts(test) == ["done 1"] and len(test.button) == 1


MANY = {"pairs_tab": "many"}


def test_what_a_button_has_started_is_part_of_the_address(visit, cold, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """Whoever opens the link sees it at once if it is short, and is told how long it takes if it is not."""
    monkeypatch.setattr(running, "AT_ONCE", 0.0)
    at = visit("pairs", **MANY)
    assert not at.charts and "run" not in at.test.query_params
    at.press("Score 40 pairs")
    assert at.charts and at.test.query_params["run"] == "pairs-many"
    empty_caches()
    again = visit("pairs", **at.test.query_params)
    assert not again.charts and again.says("The link that you opened shows this result.")
    assert again.press("Score 40 pairs").charts
    empty_caches()
    monkeypatch.setattr(running, "AT_ONCE", 4.0)
    assert visit("pairs", **at.test.query_params).charts


def test_another_query_leaves_the_address_without_the_result(visit, cold, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(running, "AT_ONCE", 0.0)
    at = visit("bias", bias_tab="occupations").press("Score the occupations")
    assert at.test.query_params["run"] == "bias-occupations"
    at.put("bias_first", "king")
    assert "run" not in at.test.query_params and not at.charts


def test_a_short_result_that_waits_for_its_button_is_shown_by_the_link(visit, cold) -> None:  # type: ignore[no-untyped-def]
    query = visit("paper").press("requested-paper-A2-button").test.query_params
    assert query["run"] == "paper-A2"
    again = visit("paper", **query)
    assert not any(button.key == "requested-paper-A2-button" for button in again.button)
