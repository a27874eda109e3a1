"""The view of a room for the projector: how to join, the question, how many have answered, and the result."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from embtools.charts import rooms as charts
from embtools.rooms import opening, store
from embtools.rooms.codes import shown as written
from embtools.rooms.room import Room
from embtools.ui import figures, qr, state, texts
from embtools.ui.rooms import asking, key, teacher
from embtools.ui.rooms.routes import PATH

EVERY = 2.0  # seconds between two looks at the answers
_LONG, _CHOICE = (260, 560), 45
"""Characters of what is written smaller, and smallest: question, the text before it, and so many for each choice."""
# Session keys: why the last press did nothing, and the room with its version for which the view was drawn again.
_LAST = "room-board-version"
_SHEET = (Path(__file__).parent / "board.css").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Way:
    """A button that leads from the view back to the page: its label, its icon, and field values that it puts."""

    label: str
    icon: str = "arrow_back"
    values: Mapping[str, Any] = field(default_factory=dict)


BACK = Way("Back to the page")


def is_shown(page: str) -> bool:
    """Return whether this page shows the room; another page ends that."""
    if key.board() not in ("", page):
        key.set_board("")
    return key.board() == page


def address(url: str, page: str, code: str) -> str:
    """Return the address at which phones join, from that of a page in this browser; "" if phones cannot reach it."""
    parts = urlsplit(url)
    root = parts.path.removesuffix("/").removesuffix(page).rstrip("/")
    return qr.for_phones(parts._replace(path=f"{root}/{PATH}/{code}", query="", fragment="").geturl())


def show(page: str, ways: Callable[[Room], Sequence[Way]] = lambda room: (BACK,)) -> None:
    """Draw the view instead of a page; `ways` are the buttons that lead back to it, the most important one first."""
    st.html(f"<style>{_SHEET}</style>")
    with st.container(key="room-board"):
        try:
            room = key.room()
            if room is None:
                _ended(page)
            else:
                _draw(room, page, ways(room))
        except store.Unavailable as error:
            texts.problem(error)
            _leading((BACK,))
        teacher.problem()


def _ended(page: str) -> None:
    st.title("This room has ended", anchor=False)
    st.text(
        "Rooms end after three hours, when they are closed, and when the server that stores them is restarted. Open"
        " another room and let the phones join with its code."
    )
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Open another room",
            type="primary",
            icon=":material/meeting_room:",
            key="room-again",
            on_click=_open_another,
            args=(page,),
        )
        _leading((BACK,))


def _open_another(page: str) -> None:
    key.set_board(page)  # which says why, if none can be opened
    teacher.open_room(page, "")


def _draw(room: Room, page: str, ways: Sequence[Way]) -> None:
    left, right = st.columns([2, 3], gap="large")
    link, question = address(st.context.url or "", page, room.code), room.question
    with left, st.container(key="room-joining"):
        if link:
            st.html(qr.picture(link, f"QR code to join the room: {link}"))
        if question:
            _joining(room, link)
    with right, st.container(key="room-question"):
        if question is None:
            st.html('<h1 class="room-question room-join">Join with your phone</h1>')
            _joining(room, link)
            st.html('<p class="room-line">No name and no account are needed.</p>')
        else:
            length = len(question.context) + len(question.text) + _CHOICE * len(question.choices)
            size = ("", " long", " longest")[sum(length > most for most in _LONG)]
            if question.context:
                st.html(f'<p class="room-context{size}">{escape(question.context)}</p>')
            st.html(f'<h1 class="room-question{size}">{escape(question.text)}</h1>')
        if question and room.is_open:
            choices = "".join(f"<li>{escape(choice)}</li>" for choice in question.choices)
            st.html(f'<ul class="room-choices{size}">{choices}</ul>')
        elif question:
            if question.answer:
                st.html(f'<p class="room-line">{escape(question.whose)}: <b>{escape(question.answer)}</b></p>')
            options = {"table": False}  # below, for all questions
            figures.show(charts.answers, question, room.results[-1], name="room-answers", options=options)
        with st.container(key="room-actions", horizontal=True, vertical_alignment="center", gap="small"):
            if room.is_open:
                st.button(
                    "Reveal",
                    type="primary",
                    icon=":material/visibility:",
                    key="room-reveal",
                    on_click=_reveal,
                    args=(room.number,),
                )
            _leading(ways, primary=bool(question) and not room.is_open)
            _live(room)
    if any(sum(counts) for counts in room.results):
        with figures.expander("room-results", "All questions of this room", ":material/list:") as opened:
            if opened:
                figures.table(room.table(), "Votes for each answer of this room", name="room-results")


def _joining(room: Room, link: str) -> None:
    """Draw the code and the address without it, for those who type, and the buttons that decide who can join."""
    st.html(f'<p class="room-code">{written(room.code)}</p>')
    if link:
        typed = link.partition("://")[2].removesuffix(room.code)
        st.html(f'<p class="room-line">{escape(typed)}</p>')
    else:
        st.text(
            "Phones cannot reach this app at “localhost”, which means this computer alone. If the app runs on a server,"
            " open its public address. If it runs on your computer, start it without --server.address, in a network"
            " that the phones use too."
        )
    with st.container(horizontal=True, gap="small"):
        st.button(
            "New code",
            icon=":material/sync:",
            type="tertiary",
            key="room-move",
            on_click=teacher.attempt,
            args=(key.move,),
            help="If strangers have joined: all phones leave the room and join again with another code. Questions and"
            " results stay; answers to an open question are deleted.",
        )
        st.button(
            "Let phones in" if room.locked else "Lock",
            icon=":material/lock_open:" if room.locked else ":material/lock:",
            type="tertiary",
            key="room-lock",
            on_click=teacher.attempt,
            args=(key.change, store.lock, not room.locked),
            help="A locked room takes no more phones. Those that have joined stay.",
        )


@st.fragment(run_every=EVERY)
def _live(room: Room) -> None:
    """Draw how many have answered; if the room was changed elsewhere, draw all of it again."""
    rooms = opening.store()
    try:
        now = rooms.load(room.code)
        people = rooms.people(room.code)
        answered = (
            sum(rooms.counts(room.code, room.number).values())
            if room.is_open
            else sum(room.results[-1] if room.results else ())
        )
    except store.Unavailable as error:
        texts.problem(error)
        return
    if now is None or now.version != room.version:
        seen = (room.code, now.version if now else -1)
        if st.session_state.get(_LAST) != seen:  # once for each change
            st.session_state[_LAST] = seen
            st.rerun()
        return
    who = "phone is in the room" if people == 1 else "phones are in the room"
    # Those who answered before a new code was chosen may not have joined again.
    line = f"{answered} of {max(answered, people)} answered" if room.number else f"{people} {who}"
    line += " (locked)" if room.locked else ""
    st.html(f'<p class="room-line" role="status"><b>{line}</b></p>')


def _leading(ways: Sequence[Way], *, primary: bool = False) -> None:
    for number, way in enumerate(ways):
        st.button(
            way.label,
            icon=f":material/{way.icon}:",
            type="primary" if primary and not number else "secondary",
            key=f"room-back-{number}",
            on_click=_leave,
            args=(way.values,),
        )


def _leave(values: Mapping[str, Any]) -> None:
    key.set_board("")
    state.put(values)


def _reveal(number: int) -> None:
    teacher.attempt(key.change, store.reveal, number)
    if teacher.PROBLEM not in st.session_state:
        asking.revealed()
