"""Long jobs: a stop, and the button that waits after it."""

from streamlit.testing.v1 import AppTest


def page() -> None:
    """A page with one field and one long job."""
    import streamlit as st

    from embtools.arithmetic.candidates import candidates
    from embtools.ui.jobs import stoppable

    words = tuple(st.text_input("Words", "france", key="words").split())
    try:
        found = stoppable("it", candidates, "bundled", "Rome is the capital of [MASK].", words, label="Scoring")
    except ValueError as error:
        st.text(str(error))
        st.stop()
    st.text(f"{len(found)} scored")


def said(test: AppTest) -> str:
    assert not test.exception
    return " ".join(text.value for text in test.text)


def test_a_stopped_job_waits_for_a_button_or_another_question(visit, stop):
    stop("Scoring")
    test = AppTest.from_function(page, default_timeout=60).run()
    assert "It was stopped" in said(test)
    assert "It was stopped" in said(test.run())
    assert "2 scored" in said(test.text_input(key="words").set_value("france italy").run())
    assert "It was stopped" in said(test.text_input(key="words").set_value("france").run())
    assert "1 scored" in said(test.button[0].click().run())
