"""Queries: the last good answer stays, what was stopped waits, long work asks first."""

from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from embtools.progress import Progress, silent
from embtools.ui import running, shown, stoppable
from embtools.ui.shown import Model
from tests.visit import empty_caches


def double(number: str, text: str = "", progress: Progress = silent) -> int:
    progress(0.5)
    if int(number) < 0:
        raise ValueError(f"{number} is below zero. Use another.")
    return 2 * int(number)


def script() -> None:
    """A panel that doubles a number, and a button for long work."""
    import streamlit as st

    from embtools.ui import running
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
            st.text(f"result {value} {answer.stale}")
    if st.button("stop"):
        running.stop(query, models[0])
    if running.requested("long", "Work for long", st.number_input("seconds", value=1.0), number):
        st.text("long work")


def page() -> AppTest:
    empty_caches()
    return AppTest.from_function(script, default_timeout=30).run()


def texts(test: AppTest) -> list[str]:
    assert not test.exception
    return [text.value for text in test.text]


def press(test: AppTest, label: str) -> AppTest:
    next(button for button in test.button if button.label == label).click()
    return test.run()


def test_an_earlier_answer_is_only_shown_if_it_is_about_the_same_text() -> None:
    test = page()
    test.text_input(key="text").set_value("other").run()
    assert texts(test)[0] == "result 8 False"
    test.number_input[0].set_value(-1).run()
    assert "Showing the previous result, for: 4 | other" in texts(test)
    test.text_input(key="text").set_value("third").run()
    assert not any("result" in text for text in texts(test))


def test_a_good_query_is_answered() -> None:
    assert texts(page()) == ["result 8 False", "long work"]


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
    assert texts(test) == [message, "Showing the previous result, for: 1", "result 2 True", "long work"]
    test.number_input[1].set_value(-2).run()
    assert texts(test) == [message, "long work"]


def test_long_work_waits_for_a_press_that_counts_for_its_question() -> None:
    test = page()
    test.number_input[2].set_value(60.0).run()
    assert "long work" not in texts(test)
    press(test, "Work for long")
    assert "long work" in texts(test)
    test.run()
    assert "long work" in texts(test)
    test.number_input[0].set_value(6).run()
    assert "long work" not in texts(test)


def test_the_time_of_a_second_model_grows_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(shown._FACTS, "bundled", SimpleNamespace(parameters=10))
    monkeypatch.setitem(shown._FACTS, "large", SimpleNamespace(parameters=40))
    one, large, unknown = (Model(name) for name in ("bundled", "large", "never opened"))
    assert running.of_all(3.0, (one,)) == 3.0 and running.of_all(3.0, (one, large)) == 15.0
    assert running.of_all(3.0, (one, unknown)) == 6.0


def test_what_was_stopped_waits_for_a_button() -> None:
    test = page()
    press(test, "stop").run()
    for _ in range(2):
        assert texts(test)[0] == "⚠ Doubling was stopped. Run it again, or change the settings."
        test.run()
    assert texts(press(test, "Run again"))[0] == "result 8 False"


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
