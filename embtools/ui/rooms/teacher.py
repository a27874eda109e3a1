"""The popover of a room on every page: open one, hand out the page, ask the class."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from zlib import crc32

import streamlit as st

from embtools.rooms import opening, store
from embtools.rooms.codes import shown as written
from embtools.rooms.question import MOST_CHOICE, MOST_CHOICES, MOST_TEXT, Question, typed
from embtools.rooms.rates import Rate, sender_of
from embtools.rooms.room import Room
from embtools.ui import presenter, running, texts
from embtools.ui.call import Call
from embtools.ui.rooms import key
from embtools.ui.shown import Model, Models

_PROBLEM = "room-problem"  # session key: why the last press did nothing
_OPENED = Rate(burst=30, per_second=60 / 3600)
"""Rooms that may be opened from one address: a school with many teachers has one."""


def popover(page: str, panel: Any, models: Models) -> None:
    """Draw the popover; it is filled when it is opened."""
    opened = st.popover("Room", icon=":material/groups:", key="room", on_change="rerun")
    if not opened.open:
        return
    with opened:
        try:
            room = key.room()
            _offer(page) if room is None else _use(room, page, panel, models)
        except store.Unavailable as error:
            texts.problem(error)
        if problem := st.session_state.pop(_PROBLEM, ""):
            texts.problem(problem)


def _offer(page: str) -> None:
    st.caption(
        "In a room, a class joins with phones, without names or accounts. Phones can open this page, or answer a"
        " question before you show what BERT answers. A room closes after three hours. Then its questions and answers"
        " are deleted."
    )
    st.button(
        "Open a room", type="primary", icon=":material/meeting_room:", key="room-open", on_click=_open, args=(page,)
    )


def _use(room: Room, page: str, panel: Any, models: Models) -> None:
    people = opening.store().people(room.code)
    st.text(f"Room {written(room.code)}: {people} {'phone' if people == 1 else 'phones'}")
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Show on the projector", key="room-show", icon=":material/co_present:", on_click=key.set_board, args=(page,)
        )
        st.button("Hand out this page", key="room-hand-out", on_click=_hand_out, args=(presenter.current(page),))
        st.button("Close the room", key="room-close", on_click=_close)
    if room.page == presenter.current(page):
        st.caption("Phones in the room have a link to this page as it is now.")
    elif room.page:
        st.caption("Phones in the room have a link to another page, or to other settings of this page.")
    st.subheader("Ask the class", anchor=False)
    _ask_form(page, _proposal(panel, models))


def _proposal(panel: Any, models: Models) -> tuple[Call, Model, Question] | None:
    """Return the question that the panel proposes, with its query; None if it has none or cannot ask it now."""
    if not hasattr(panel, "question"):
        return None
    try:
        query, model = panel.question(models)
        return query, model, running.run(query, model)
    except ValueError as error:
        texts.problem(error)
        return None


def _ask_form(page: str, proposal: tuple[Call, Model, Question] | None) -> None:
    question = proposal[2] if proposal else None
    # Another proposal gets fields of its own, so that it replaces what was typed for the last one.
    own = f"{crc32(repr(question).encode()):08x}"
    names = [f"room-text-{own}", *(f"room-choice-{number}-{own}" for number in range(1, MOST_CHOICES + 1))]
    values = [question.text, *question.choices] if question else []
    if not question:
        st.caption("This tab proposes no question. Write your own. The class then sees no answer from BERT.")
    for number, name in enumerate(names):
        st.session_state.setdefault(name, values[number] if number < len(values) else "")
        if number == 0:
            st.text_area("Question", max_chars=MOST_TEXT, key=name, height=80)
        else:
            st.text_input(f"Choice {number}", max_chars=MOST_CHOICE, key=name)
    st.button(
        "Ask",
        type="primary",
        key=f"room-ask-{own}",
        icon=":material/send:",
        on_click=_ask,
        args=(page, proposal[:2] if proposal else None, names),
        help="Phones in the room get the question. The projector shows it without BERT's answer until you reveal it.",
    )


def made(text: str, choices: Sequence[str], proposal: tuple[Call, Model] | None) -> Question:
    """Return the question as typed, with BERT's answer if a panel proposed it; raises ValueError as `Question` does."""
    own = Question(text, typed(choices))
    if proposal is None:
        return own
    query, model = proposal
    answered: Question = running.run(query.but(choices=own.choices), model)
    return replace(answered, text=own.text)


def _open(page: str) -> None:
    sender = sender_of(str(st.context.ip_address or ""))
    try:
        if not _OPENED.allows(sender):
            raise ValueError("Too many rooms were opened from your network. Try again in a few minutes.")
        key.open_room(presenter.current(page))
    except ValueError as error:
        st.session_state[_PROBLEM] = str(error)


def _try(act: Any, *arguments: Any) -> bool:
    """Change the room; return whether that was possible, and keep the reason if it was not."""
    try:
        key.change(act, *arguments)
    except ValueError as error:
        st.session_state[_PROBLEM] = str(error)
        return False
    return True


def _hand_out(address: str) -> None:
    _try(store.hand_out, address)


def _close() -> None:
    if _try(store.close):  # otherwise the room is still open, and only its key can close it
        key.forget()


def _ask(page: str, proposal: tuple[Call, Model] | None, names: Sequence[str]) -> None:
    text, *choices = (str(st.session_state.get(name) or "") for name in names)
    try:
        key.change(store.ask, made(text, choices, proposal))
    except ValueError as error:
        st.session_state[_PROBLEM] = str(error)
        return
    key.set_board(page)
