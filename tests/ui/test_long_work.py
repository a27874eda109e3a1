"""Long work asks first, for one question, and a press becomes part of the address."""

from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from embtools.ui import long_work, shown
from embtools.ui.shown import Model
from tests.visit import empty_caches, texts


def script() -> None:
    """A button for work that takes some seconds, about a number."""
    import streamlit as st

    from embtools.ui import long_work

    number = st.number_input("n", value=4)
    if long_work.requested("long", "Work for long", st.number_input("seconds", value=1.0), number):
        st.text("long work")


def test_long_work_waits_for_a_press_that_counts_for_its_question() -> None:
    test = AppTest.from_function(script, default_timeout=30).run()
    assert "long work" in texts(test)
    test.number_input[1].set_value(60.0).run()
    assert "long work" not in texts(test)
    test.button[0].click().run().run()
    assert "long work" in texts(test)  # also in the run after the press
    test.number_input[0].set_value(6).run()
    assert "long work" not in texts(test)


def test_the_time_of_a_second_model_grows_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(shown._FACTS, "bundled", SimpleNamespace(parameters=10))
    monkeypatch.setitem(shown._FACTS, "large", SimpleNamespace(parameters=40))
    one, large, unknown = (Model(name) for name in ("bundled", "large", "never opened"))
    assert long_work.of_all(3.0, (one,)) == 3.0 and long_work.of_all(3.0, (one, large)) == 15.0
    assert long_work.of_all(3.0, (one, unknown)) == 6.0


def test_optional_work_waits_behind_a_plain_button_even_if_it_is_short() -> None:
    def quiet() -> None:
        import streamlit as st

        from embtools.ui import long_work, state

        state.enter("x", ())
        for seconds in (1.0, 12.0):
            if long_work.requested(f"quiet-{seconds:.0f}", "Compute", seconds, "what", unasked=False):
                st.text(f"done {seconds:.0f}")

    test = AppTest.from_function(quiet, default_timeout=30).run()
    assert texts(test) == [] and [button.proto.type for button in test.button] == ["tertiary"] * 2
    assert [button.help for button in test.button] == ["About a second on this server.", ""]
    assert [caption.value for caption in test.caption] == ["About 12 seconds on this server."]
    test.button[0].click().run()
    assert texts(test) == ["done 1"] and len(test.button) == 1
    linked = AppTest.from_function(quiet, default_timeout=30)
    linked.query_params["run"] = ["quiet-1", "quiet-12"]
    assert texts(linked.run()) == ["done 1"]  # a link shows the short result


@pytest.mark.slow
def test_what_a_button_has_started_is_part_of_the_address(visit, cold, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """The link shows a short result at once, and says of a long one how long it takes."""
    monkeypatch.setattr(long_work, "AT_ONCE", 0.0)
    at = visit("pairs", pairs_number="many")
    assert not at.charts and "run" not in at.test.query_params
    at.press("Score 40 pairs")
    assert at.charts and at.test.query_params["run"] == "pairs-many"
    empty_caches()
    again = visit("pairs", **at.test.query_params)
    assert not again.charts and again.says("The link that you opened shows this result.")
    assert again.press("Score 40 pairs").charts
    empty_caches()
    monkeypatch.setattr(long_work, "AT_ONCE", 4.0)
    assert visit("pairs", **at.test.query_params).charts


@pytest.mark.slow
def test_another_query_leaves_the_address_without_the_result(visit, cold, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(long_work, "AT_ONCE", 0.0)
    at = visit("bias", bias_tab="occupations").press("Score the occupations")
    assert at.test.query_params["run"] == "bias-occupations"
    at.put("bias_first", "king")
    assert "run" not in at.test.query_params and not at.charts
