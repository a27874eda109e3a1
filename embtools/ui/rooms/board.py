"""The view of a room for the projector: how to join, the question, how many have answered, and the result."""

from html import escape
from urllib.parse import urlsplit

import streamlit as st

from embtools.charts import rooms as charts
from embtools.rooms import opening, store
from embtools.rooms.codes import shown as written
from embtools.rooms.room import Room
from embtools.ui import figures, qr, texts
from embtools.ui.rooms import key
from embtools.ui.rooms.routes import PATH

EVERY = 2.0  # seconds between two looks at the answers
# Session keys: why the last press did nothing, and the room with its version for which the view was drawn again.
_PROBLEM, _LAST = "room-board-problem", "room-board-version"


def is_shown(page: str) -> bool:
    """Return whether this page shows the room; another page ends that."""
    if key.board() not in ("", page):
        key.set_board("")
    return key.board() == page


def address(url: str, page: str, code: str) -> str:
    """Return the address at which phones join, from that of a page in this browser; "" if phones cannot reach it.

    >>> address("https://example.org/bert/pairs", "pairs", "K7QF2MXP")
    'https://example.org/bert/room/K7QF2MXP'
    """
    parts = urlsplit(url)
    root = parts.path.removesuffix("/").removesuffix(page).rstrip("/")
    return qr.for_phones(parts._replace(path=f"{root}/{PATH}/{code}", query="", fragment="").geturl())


def show(page: str) -> None:
    """Draw the view."""
    with st.container(key="room-board"):
        try:
            room = key.room()
            if room is None:
                st.title("Room", anchor=False)
                st.text("This room is closed. Open another one from the page.")
                _back()
            else:
                _draw(room, page)
        except store.Unavailable as error:
            texts.problem(error)
            _back()
        if problem := st.session_state.pop(_PROBLEM, ""):
            texts.problem(problem)


def _draw(room: Room, page: str) -> None:
    left, right = st.columns([2, 3], gap="large")
    with left:
        _joining(room, page)
    with right:
        question = room.question
        if question is None:
            st.html('<h1 class="room-question">Join with your phone</h1>')
            st.html('<p class="room-line">No name and no account are needed.</p>')
            _live(room)
            _back()
            return
        st.html(f'<h1 class="room-question">{escape(question.text)}</h1>')
        if room.is_open:
            choices = "".join(f"<li>{escape(choice)}</li>" for choice in question.choices)
            st.html(f'<ul class="room-choices">{choices}</ul>')
            _live(room)
            with st.container(horizontal=True, gap="small"):
                st.button(
                    "Reveal",
                    type="primary",
                    icon=":material/visibility:",
                    key="room-reveal",
                    on_click=_reveal,
                    args=(room.number,),
                )
                _back()
            return
        if question.answer:
            st.html(f'<p class="room-line">BERT\'s answer: <b>{escape(question.answer)}</b></p>')
        figures.show(charts.answers, question, room.results[-1], name="room-answers")
        _live(room)
        _back()
    if any(sum(counts) for counts in room.results):
        with figures.expander("room-results", "All questions of this room", ":material/list:") as opened:
            if opened:
                figures.table(room.table(), name="room-results")


def _joining(room: Room, page: str) -> None:
    """Draw the QR code, the code and the address without it, for those who type."""
    found = address(st.context.url or "", page, room.code)
    if found:
        st.html(qr.picture(found, f"QR code to join the room: {found}"))
    st.html(f'<p class="room-code">{written(room.code)}</p>')
    if found:
        typed = found.partition("://")[2].removesuffix(room.code)
        st.html(f'<p class="room-line">{escape(typed)}</p>')
    else:
        st.text(
            "Phones cannot reach this app, because it answers only on this computer. Start it without --server.address"
            " on a computer that is connected to a network."
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
    line = f"{answered} of {people} answered" if room.number else f"{people} {who}"
    st.html(f'<p class="room-line" role="status"><b>{line}</b></p>')


def _back() -> None:
    st.button("Back to the page", icon=":material/arrow_back:", key="room-back", on_click=key.set_board, args=("",))


def _reveal(number: int) -> None:
    try:
        key.change(store.reveal, number)
    except ValueError as error:
        st.session_state[_PROBLEM] = str(error)
