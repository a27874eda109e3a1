"""The popover of a room on every page: open one, hand out the page, ask the class."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import streamlit as st

from embtools.messages import counted
from embtools.rooms import opening, store
from embtools.rooms.codes import shown as written
from embtools.rooms.question import MOST_CHOICES
from embtools.rooms.rates import Rate, sender_of
from embtools.rooms.room import Room
from embtools.ui import guess_first, presenter, running, texts
from embtools.ui.rooms import asking, key
from embtools.ui.rooms.asking import Proposal
from embtools.ui.shown import Models

_STYLE = f"<style>{Path(__file__).with_name('room.css').read_text(encoding='utf-8')}</style>"
PROBLEM = "room-problem"  # session key: why the last press did nothing
_AGAIN = "room-again-warned"  # session key: the warning that was shown before a question is asked again
_CLOSING = "room-closing"  # session key: the code of the room that the teacher is asked about
_MOST_TYPED = 5_000  # characters; a field drops a longer paste without a word, and a question names its own limit
_OPENED = Rate(burst=30, per_second=60 / 3600)
"""Rooms that may be opened from one address: a school with many teachers has one."""


def popover(
    page: str, panel: Any, models: Models, *, address: str | None = None, hint: str = "This tab proposes no question."
) -> None:
    """Draw the popover, filled when opened, with the question of `panel` or the `hint`; phones get the page `address`,
    by default the page as it is now."""
    opened = st.popover("Room", icon=":material/groups:", key="room", on_change="rerun")
    if not opened.open:
        return
    address = presenter.current(page) if address is None else address
    with opened:
        try:
            room = key.room()
            # A page that answers its own question to the class is handed out with the answer, not before.
            handed_out = "" if getattr(panel, "ASKED_ABOUT", ()) else address
            _offer(page, handed_out) if room is None else _use(room, page, address, panel, models, hint)
        except store.Unavailable as error:
            texts.problem(error)
        problem()


def corner() -> None:
    """Draw the code of the room at the top of a page, for those who join late; nothing without a room."""
    key.reached()  # forgets a room that has ended, before the page hides its results from a class
    if code := key.code():
        st.html(f'{_STYLE}<div class="room-corner">Room <b>{written(code)}</b></div>', width="content")


def _offer(page: str, address: str) -> None:
    st.caption(
        "A room lets a class take part on their phones, without names or accounts. Students can open this page, or"
        " answer a question before you show what BERT answers. A room closes after three hours; its questions and"
        " answers are then deleted."
    )
    st.button(
        "Open a room",
        type="primary",
        icon=":material/meeting_room:",
        key="room-open",
        on_click=open_room,
        args=(page, address),
        help="Shows the room's code, so that you can project it. Results that the class is asked to guess stay"
        " hidden until you show them.",
    )


def problem() -> None:
    """Say why the last press did nothing."""
    if why := st.session_state.pop(PROBLEM, ""):
        texts.problem(why)


def _use(room: Room, page: str, address: str, panel: Any, models: Models, hint: str) -> None:
    people = opening.store().people(room.code)
    st.text(f"Room {written(room.code)}: {counted(people, 'phone')}")
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Show on the projector", key="room-show", icon=":material/co_present:", on_click=key.set_board, args=(page,)
        )
        st.button(
            "Hand out this page",
            key="room-hand-out",
            on_click=attempt,
            args=(key.change, store.hand_out, address),
            disabled=not address,
        )
        st.button("Close the room", key="room-close", on_click=_close_or_confirm, args=(room.code,))
    if people and st.session_state.get(_CLOSING) == room.code:
        _confirm(people)
    if room.page:
        which = "this page" if room.page == address else "another page, or this page with other settings"
        st.caption(f"{'After Reveal, phones' if room.is_open else 'Phones'} can open {which}.")
    if not address:
        st.caption("This lesson cannot be handed out, because it is too long for a link.")
    st.subheader("Ask the class", anchor=False)
    _ask_form(page, address, running.attempt(lambda: asking.proposal(panel, models)), hint)


def _ask_form(page: str, address: str, proposed: Proposal | None, hint: str) -> None:
    question = proposed.question if proposed else None
    # Another proposal gets fields of its own, so that it replaces what was typed for the last one.
    own = f"{crc32(repr(question).encode()):08x}"
    parts = ("context", "text", *(f"choice-{number}" for number in range(1, MOST_CHOICES + 1)))
    names = [f"room-{part}-{own}" for part in parts]
    values = [question.context, question.text, *question.choices] if question else []
    if not question:
        st.caption(f"{hint} Write your own. The class then sees no answer.")
    for number, name in enumerate(names):
        st.session_state.setdefault(name, values[number] if number < len(values) else "")
        if number < 2:
            label = ("Text before the question", "Question")[number]
            st.text_area(label, max_chars=_MOST_TYPED, key=name, height=80, persist_state="session")
        else:
            st.text_input(f"Choice {number - 1}", max_chars=_MOST_TYPED, key=name, persist_state="session")
    if question:
        st.toggle(
            f"With {question.whose.replace('The', 'the')}",
            True,
            key=f"room-answer-{own}",
            persist_state="session",
            help="When you reveal the result, the class also sees the answer to the question that this tab proposes."
            " Switch it off for a question of your own.",
        )
    problem()  # above the button, because what is below it is not visible without scrolling
    st.button(
        "Ask",
        type="primary",
        key=f"room-ask-{own}",
        icon=":material/send:",
        on_click=_ask,
        args=(page, address, proposed, names, f"room-answer-{own}"),
        help="Phones in the room get the question. The projector shows it without the answer until you reveal it.",
    )


def open_room(page: str, address: str) -> None:
    """Open a room that hands out an address and show it on this page: the callback of a button."""
    sender = sender_of(str(st.context.ip_address or ""))
    try:
        if not _OPENED.allows(sender):
            raise ValueError("Too many rooms were opened from your network. Try again in a few minutes.")
        key.open_room(address)
        guess_first.hide()
        key.set_board(page)
    except ValueError as error:
        st.session_state[PROBLEM] = str(error)


def attempt(act: Callable[..., object], *arguments: object) -> None:
    """Change the room, and keep the reason if that is not possible."""
    try:
        act(*arguments)
    except ValueError as error:
        st.session_state[PROBLEM] = str(error)


def _close_or_confirm(code: str) -> None:
    """Close a room that is empty; with phones in it, a slip would end the lesson of a class."""
    try:
        joined = opening.store().people(code)
    except store.Unavailable:
        joined = 0  # closing says why it is not possible
    if joined:
        st.session_state[_CLOSING] = code
    else:
        _close()


def _confirm(people: int) -> None:
    st.text(f"{counted(people, 'phone')} would leave the room, and its questions and answers would be deleted.")
    with st.container(horizontal=True, gap="small"):
        st.button("Close it for everyone", key="room-close-now", on_click=_close)
        st.button("Keep it open", key="room-keep", on_click=lambda: st.session_state.pop(_CLOSING, None))


def _close() -> None:
    attempt(key.change, store.close)
    if PROBLEM not in st.session_state:  # otherwise the room is still open, and only its key can close it
        key.forget()


def _ask(page: str, address: str, proposed: Proposal | None, names: Sequence[str], answer: str) -> None:
    context, text, *choices = (str(st.session_state.get(name) or "") for name in names)
    try:
        made = asking.made(context, text, choices, proposed if st.session_state.get(answer, True) else None)
        warning = asking.again(made)
        if warning and st.session_state.get(_AGAIN) != warning:
            st.session_state[_AGAIN] = warning
            raise ValueError(f"{warning} Press Ask once more to do so.")
        st.session_state.pop(_AGAIN, None)
        asking.ask(page, made, address=address)
        for name in (*names, answer):  # the next question begins with what the tab proposes
            st.session_state.pop(name, None)
    except ValueError as error:
        st.session_state[PROBLEM] = str(error)
