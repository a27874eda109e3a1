"""Results that wait: for the visitor's guess, if the setting *Guess first* is on, or for a class while a room is open.

Waiting hides the first results of each tab: headlines, charts, tables and the copied Python. The fields stay visible,
and after the guess everything is shown. A tab whose question for a class is answered at once asks its visitors the same
one, with its choices; on other tabs they write what they expect. The setting is part of the address, the guesses are
not: whoever opens the link makes a guess of their own.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from embtools.rooms.question import Question
from embtools.ui import state
from embtools.ui.fields import Field, Flag
from embtools.ui.rooms import key
from embtools.ui.texts import plain

FIELD = Flag("guess_first")
MOST = 300  # characters of a guess
_GUESSES = "guess-first-guesses"  # session key: guesses by what they are about, see `subject`
_NOW, _DRAWN = "guess-first-now", "guess-first-drawn"  # the tab that is drawn; whether it has its form already
_ABOVE = "guess-first-above"  # session key: what the question for the class above the tab is about, see `subject`
_SHOWN = "guess-first-shown"  # session key: what the class was asked about and may see, see `subject`


@dataclass(frozen=True)
class Tab:
    """A tab whose results may have to wait.

    title      its title
    about      the fields that its question is about; empty if the tab has no question
    propose    returns the question about what the fields hold now; None if there is none that is answered at once
    has_guess  whether its panel asks visitors for a guess itself
    """

    title: str
    about: tuple[Field, ...] = ()
    propose: Callable[[], Question | None] = field(default=lambda: None, compare=False)
    has_guess: bool = False


def begin(tab: Tab | None = None) -> None:
    """Note which tab is drawn from now on, also by its fragments; None for a page whose results never wait."""
    st.session_state[_NOW] = tab
    st.session_state.pop(_DRAWN, None)


def subject() -> tuple[Any, ...]:
    """Return what the tab that is drawn shows results about: its title and the values of the fields in question."""
    tab = _tab()
    return () if tab is None else (tab.title, *(field.value for field in tab.about))


def for_class() -> bool:
    """Return whether the results, which a projector must not show before the class has guessed, wait for a class: until
    the reveal, or until the teacher shows them without a question."""
    tab = _tab()
    return bool(tab and tab.about and key.held() and subject() not in st.session_state.get(_SHOWN, ()))


def show(about: tuple[Any, ...]) -> None:
    """Let the class see the results about this subject from now on."""
    st.session_state[_SHOWN] = (*st.session_state.get(_SHOWN, ()), about)


def asks_above() -> None:
    """Note that a question for the class about what the fields hold is drawn above the tab."""
    st.session_state[_ABOVE] = subject()


def follow() -> None:
    """In a fragment whose fields have changed, draw the page again: the question above the tab is to be about them."""
    if state.fragment_run() != ("", 0) and for_class() and st.session_state.get(_ABOVE) != subject():
        asks_above()  # whatever the page draws, it is drawn once
        st.rerun(scope="app")


def hide() -> None:
    """Hide all results from the class again, because another room was opened."""
    st.session_state.pop(_SHOWN, None)


def waiting() -> bool:
    """Return whether the results of the tab that is drawn must wait."""
    tab = _tab()
    return for_class() or bool(tab and not tab.has_guess and FIELD.value and not guess())


def guess() -> str:
    """Return the visitor's guess about what is drawn; "" if there is none."""
    return str(st.session_state.get(_GUESSES, {}).get(subject(), ""))


def form() -> None:
    """Draw the form for the guess, once for each tab; a class has its question above the tab, see `rooms.asking`."""
    follow()
    tab = _tab()
    if tab is None or for_class() or st.session_state.get(_DRAWN) == state.fragment_run():
        return
    st.session_state[_DRAWN] = state.fragment_run()
    question = tab.propose()
    with state.of_the_page():
        if question:
            _choices(question)
        else:
            _text(tab.title)


def _choices(question: Question) -> None:
    """Draw a button for each choice of the question."""
    st.header("Guess first", anchor=False)
    st.subheader(plain(question.text), anchor=False)
    with st.container(key="guess-first-choices", horizontal=True, gap="small"):
        for number, choice in enumerate(question.choices):
            st.button(
                plain(choice), type="primary", key=f"guess-first-{number}", on_click=_guessed, args=(subject(), choice)
            )


def _text(title: str) -> None:
    """Draw a field in which visitors write what they expect."""
    with st.form(f"guess-first-{title}", width=620):
        text = f"guess-first-text-{title}"
        st.header("Guess first", anchor=False)
        st.text_input(
            "What do you expect to see?", max_chars=MOST, key=text, placeholder="A word, a number or a sentence"
        )
        pressed = st.form_submit_button("Show the result", type="primary", on_click=_written, args=(subject(), text))
        if pressed:  # otherwise the guess would be known now
            st.text("⚠ Write down what you expect, then press the button again.")


def note() -> None:
    """Draw the visitor's guess next to the results, compared with the answer if the guess was a choice."""
    tab = _tab()
    if tab is None or tab.has_guess or not FIELD.value or for_class() or not (text := guess()):
        return
    question = tab.propose()
    if question is None:
        st.text(f"Your guess: {text}")
    elif question.picked is not None and question.choices[question.picked] == text:
        st.text(f"You guessed it: {question.answer}.")
    else:
        st.text(f"You guessed: {text}. {question.whose}: {question.answer}.")


def setting() -> None:
    """Draw the switch of the settings."""
    st.toggle(
        "Guess first",
        help="Hides the results of each tab until you have written down what you expect. It is part of the link.",
        **FIELD.widget,
    )


def _tab() -> Tab | None:
    tab: Tab | None = st.session_state.get(_NOW)
    return tab


def _written(about: tuple[Any, ...], text: str) -> None:
    _guessed(about, str(st.session_state.get(text) or "").strip()[:MOST])


def _guessed(about: tuple[Any, ...], guess: str) -> None:
    guesses: dict[Any, str] = st.session_state.get(_GUESSES, {})
    state.put({_GUESSES: guesses | {about: guess}})
