"""Guess first: a setting that hides the results of a page until the visitor has written down what they expect.

It hides the first results of each tab: headlines, charts, tables and the copied Python. The fields stay visible, and
after the guess everything is shown. The setting is part of the address, the guesses are not: whoever opens the link
makes a guess of their own.
"""

from typing import Any

import streamlit as st

from embtools.ui import state
from embtools.ui.fields import Flag

FIELD = Flag("guess_first")
MOST = 300  # characters of a guess
_GUESSES = "guess-first-guesses"  # session key: guesses by tab
_NOW, _DRAWN = "guess-first-now", "guess-first-drawn"  # the tab that is drawn; whether it has its form already


def begin(tab: str = "") -> None:
    """Note which tab is drawn from now on, also by its fragments; "" for a page without this setting."""
    st.session_state[_NOW] = tab
    st.session_state.pop(_DRAWN, None)


def waiting() -> bool:
    """Return whether the results of the tab that is drawn must wait for the visitor's guess."""
    tab = st.session_state.get(_NOW, "")
    return bool(tab and FIELD.value and not guess())


def guess() -> str:
    """Return the visitor's guess for the tab that is drawn; "" if there is none."""
    return str(st.session_state.get(_GUESSES, {}).get(st.session_state.get(_NOW, ""), ""))


def form() -> None:
    """Draw the form for the guess, once for each tab."""
    if st.session_state.get(_DRAWN) == state.fragment_run():
        return
    st.session_state[_DRAWN] = state.fragment_run()
    tab = st.session_state[_NOW]
    with state.of_the_page(), st.form(f"guess-first-{tab}", width=620):
        key = f"guess-first-text-{tab}"
        st.header("Guess first", anchor=False)
        st.text_input(
            "What do you expect to see?", max_chars=MOST, key=key, placeholder="A word, a number or a sentence"
        )
        pressed = st.form_submit_button("Show the result", type="primary", on_click=_guessed, args=(tab, key))
        if pressed:  # otherwise the guess would be known now
            st.text("⚠ Write down what you expect, then press the button again.")


def note() -> None:
    """Draw the visitor's guess next to the results."""
    if FIELD.value and (text := guess()):
        st.text(f"Your guess: {text}")


def setting() -> None:
    """Draw the switch of the settings."""
    st.toggle(
        "Guess first",
        help="Hides the results of each tab until you have written down what you expect. It is part of the link.",
        **FIELD.widget,
    )


def _guessed(tab: str, key: str) -> None:
    text = str(st.session_state.get(key) or "").strip()[:MOST]
    guesses: dict[str, Any] = st.session_state.get(_GUESSES, {})
    state.put({_GUESSES: guesses | {tab: text}})
