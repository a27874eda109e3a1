"""The teacher's room in a session: its code and its key, which the teacher's browser keeps over a reload."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from embtools.rooms import codes, opening, store
from embtools.rooms.room import Room
from embtools.rooms.store import Unavailable
from embtools.ui import state

_OWN, _GONE = "room-own", "room-gone"  # session keys: "CODE key" of the open room, and of the last one that was closed
_BOARD = "room-board"  # session key: the page that shows the room on the projector
_COMPONENT = "room-key"
_SCRIPT = (Path(__file__).parent / "key.js").read_text(encoding="utf-8")


def exchange() -> None:
    """Give the browser the key of the open room, or take the one that it has kept; called once on each page."""
    session = st.session_state
    held = session.get(_COMPONENT, {}).get("held")
    component = st.components.v2.component("room-key", html="<span></span>", js=_SCRIPT)
    if not session.get(_OWN) and isinstance(held, str):
        known, _, page = held[:200].rpartition(" ")
        if known != session.get(_GONE):
            session[_OWN if _room(known) else _GONE] = known
            session.setdefault(_BOARD, page)
    own = session.get(_OWN)
    # With the page that shows the room: a projector must not show BERT's answer because it was reloaded.
    data = {"keep": f"{own} {board()}"} if own else {"drop": session.get(_GONE)}
    component(key=_COMPONENT, data=data, on_held_change=lambda: None)


def board() -> str:
    """Return the page on which the room is shown instead of the page itself, "" if none."""
    return str(st.session_state.get(_BOARD) or "")


def set_board(page: str) -> None:
    """Show the room instead of this page; "" for none."""
    state.drop_note()
    st.session_state[_BOARD] = page


def held() -> bool:
    """Return whether the visitor is the teacher of a room, as far as the session knows."""
    return bool(st.session_state.get(_OWN))


def code() -> str:
    """Return the code of the teacher's room as far as the session knows, "" if there is none."""
    return _parts(st.session_state.get(_OWN) or "")[0]


def room() -> Room | None:
    """Return the teacher's room; None if there is none, or it has ended. Raises `Unavailable` if nobody knows."""
    own = st.session_state.get(_OWN)
    if not own:
        return None
    stored = _find(own)
    if stored is None:
        forget()
    return stored


def reached() -> Room | None:
    """Return the teacher's room; None also if nobody knows whether it has ended."""
    try:
        return room()
    except Unavailable:
        return None


def open_room(page: str) -> None:
    """Open a room that hands out a page, and keep its key."""
    state.drop_note()
    opened, key = store.opened(opening.store(), page=page)
    st.session_state[_OWN] = f"{opened.code} {key}"


def change(act: Callable[..., object], *arguments: object) -> None:
    """Call `act(store, code, key, *arguments)` for the teacher's room."""
    state.drop_note()
    code, key = _parts(st.session_state.get(_OWN) or "")
    act(opening.store(), code, key, *arguments)


def move() -> None:
    """Give the teacher's room another code."""
    code, key = _parts(st.session_state.get(_OWN) or "")
    moved = store.move(opening.store(), code, key)
    st.session_state[_OWN] = f"{moved.code} {key}"


def forget() -> None:
    """Forget the room, also in the browser."""
    st.session_state.pop(_BOARD, None)
    st.session_state[_GONE] = st.session_state.pop(_OWN, None)


def _room(own: str) -> bool:
    try:
        return _find(own) is not None
    except Unavailable:  # it may come back
        return True


def _find(own: str) -> Room | None:
    code, key = _parts(own)
    return store.owned(opening.store(), code, key) if code else None


def _parts(own: str) -> tuple[str, str]:
    code, _, key = own[:200].partition(" ")
    return codes.read_code(code), key
