"""Questions to a class about what a tab shows: proposed by its panel, asked from the page or from the popover."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from embtools.messages import counted
from embtools.rooms import opening, store
from embtools.rooms.question import Ask, Question, typed
from embtools.rooms.room import Room
from embtools.ui import guess_first, presenter, texts
from embtools.ui.rooms import key
from embtools.ui.shown import Models

_ABOUT = "room-asked-about"  # session key: what the open question is about, see `guess_first.subject`
_PROBLEM = "room-asking-problem"  # session key: why the question could not be asked


@dataclass(frozen=True)
class Proposal:
    """A question that a panel proposes, and what asks it with other choices."""

    question: Question
    ask: Ask


def proposal(panel: Any, models: Models) -> Proposal | None:
    """Return the question that a panel proposes for what its fields hold, or None; raises ValueError if it cannot be
    asked now."""
    if not hasattr(panel, "question"):
        return None
    ask: Ask = panel.question(models)
    return Proposal(ask(()), ask)


def question(panel: Any, models: Models) -> Question | None:
    """Return the question that a panel proposes for what its fields hold; None if it has none, cannot ask it now, or
    needs more time than a page may wait for."""
    if _takes_time(panel):
        return None
    try:
        proposed = proposal(panel, models)
    except ValueError:  # the panel itself says what is wrong with its fields
        return None
    return proposed.question if proposed else None


def made(context: str, text: str, choices: Sequence[str], proposed: Proposal | None) -> Question:
    """Return the question as typed, with the answer if a panel proposed it; raises ValueError as `Question` does."""
    own = Question(text, typed(choices), context=context)
    if proposed is None:
        return own
    return replace(proposed.ask(own.choices), text=own.text, context=own.context)


def ask(page: str, question: Question, *, address: str) -> None:
    """Ask the class, and show the room on this page instead of the results, or raise ValueError; phones get the
    `address` of the page with the answer when that is revealed."""
    before, answered, _ = open_question()
    if before and answered:  # its answers are kept among the results of the room
        key.change(store.reveal, before.number)
    key.change(store.ask, question)
    try:
        key.change(store.hand_out, address)
    except store.Unavailable:
        raise
    except ValueError:  # too long; the page of an earlier question would be the wrong one
        key.change(store.hand_out, "")
    st.session_state[_ABOUT] = guess_first.subject()
    key.set_board(page)


def revealed() -> None:
    """Let the class see the results about the question that was asked last."""
    if about := st.session_state.pop(_ABOUT, ()):
        guess_first.show(about)


def waiting(page: str, panel: Any, models: Models) -> None:
    """While the results of a tab wait for the class, draw the question that it proposes, with a button that asks it."""
    if not guess_first.for_class():
        return
    guess_first.asks_above()
    asked, (before, answered, _) = question(panel, models), open_question()
    now = before.question if before else None
    with st.container(key="room-waits", border=True, gap="small"):
        if shown := now or asked:
            st.text(shown.context)
            st.subheader(texts.plain(shown.text), anchor=False)
        if now:
            st.text(f"The class is answering this question: {counted(answered, 'answer')} so far.")
        st.text("Your room is open, so the results stay hidden until the class has answered.")
        if _takes_time(panel):
            st.text("Open “Room” above to see a question for the class. It takes some seconds.")
        with st.container(horizontal=True, gap="small"):
            back(page)
            if asked and not (now and now.asks_as(asked)):
                st.button(
                    "Ask about this page instead" if now else "Ask the class",
                    type="secondary" if now else "primary",
                    icon=":material/send:",
                    key="room-ask-here",
                    on_click=_ask,
                    args=(page, asked),
                    help=f"Ends the question above, and asks: {texts.plain(asked.text)}" if now else None,
                )
            st.button(
                "Show the results",
                icon=":material/visibility:",
                key="room-show-here",
                on_click=_show,
                args=(guess_first.subject(),),
            )
        if problem := st.session_state.pop(_PROBLEM, ""):
            texts.problem(problem)


def open_question() -> tuple[Room | None, int, int]:
    """Return the room with a question that the class is answering, the numbers of answers and of phones; or None."""
    try:
        room = key.room()
        if room is None or room.question is None or not room.is_open:
            return None, 0, 0
        answered = sum(opening.store().counts(room.code, room.number).values())
        # Those who answered before a new code was chosen may not have joined again.
        return room, answered, max(answered, opening.store().people(room.code))
    except store.Unavailable:
        return None, 0, 0


def back(page: str) -> None:
    """Draw the button that leads to the question that the class is answering, if there is one."""
    room, answered, people = open_question()
    if room:
        st.button(
            f"Back to the question ({answered} of {people})",
            type="primary",
            icon=":material/co_present:",
            key="room-back-here",
            on_click=key.set_board,
            args=(page,),
        )


def again(question: Question) -> str:
    """Return what asking a question would do to the answers that the class has given to it already; "" if none."""
    room = key.reached()
    if room is None or room.question is None or not room.question.asks_as(question):
        return ""
    answered = open_question()[1] if room.is_open else sum(room.results[-1])
    if not answered:
        return ""
    return (
        f"The class has answered this question already ({counted(answered, 'answer')}). If you ask it again, everybody"
        " must answer once more. The answers so far stay in the table of results."
    )


def _show(about: tuple[Any, ...]) -> None:
    """Show the results; if the class is answering the question about them, it sees them too."""
    try:
        room = key.room()
        if room is not None and room.is_open and st.session_state.get(_ABOUT) == about:
            key.change(store.reveal, room.number)
    except ValueError as error:
        st.session_state[_PROBLEM] = str(error)
        return
    guess_first.show(about)


def _ask(page: str, question: Question) -> None:
    try:
        ask(page, question, address=presenter.current(page))
    except ValueError as error:
        st.session_state[_PROBLEM] = str(error)


def _takes_time(panel: Any) -> bool:
    return bool(getattr(panel, "QUESTION_TAKES_TIME", False))
