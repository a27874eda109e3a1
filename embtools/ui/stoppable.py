"""Work that takes time: a progress bar, a button that stops it, and one that runs stopped work again."""

import time
from collections.abc import Callable
from typing import Any, TypeVar
from zlib import crc32

import streamlit as st

from embtools.progress import Progress
from embtools.ui import state, warm

PATIENCE = 0.3  # seconds before the bar appears, so that it does not flicker for quick answers
T = TypeVar("T")


class Stopped(ValueError):
    """The visitor has stopped this work; a button starts it again."""


def run(key: str, identity: str, label: str, work: Callable[[Progress], T]) -> T:
    """Return `work(progress)`, with a progress bar and Stop if it takes time; stopped work, whose `identity` is in this
    session `key`, raises `Stopped` until a button starts it again."""
    own = crc32(identity.encode())  # in the keys of buttons, because a page can show several works of one kind
    if identity in st.session_state.get(key, ()):
        # A callback, because a button whose return value is used stays on the page while the work is done.
        again = f"{key}-again-{own}"
        st.button("Run again", icon=":material/play_arrow:", key=again, on_click=forget, args=(key, identity))
        raise Stopped(f"{label} was stopped. Run it again, or change the settings.")
    slot, began = st.empty(), time.monotonic()
    bars: list[Any] = []

    def progress(done: float) -> None:
        warm.somebody_waits()
        if time.monotonic() - began <= PATIENCE:
            return
        # Stop ends this script. Streamlit delays a button of a fragment until then, so Stop belongs to the whole page.
        if state.alone():
            st.rerun()
        if not bars:
            with state.of_the_page(), slot.container(horizontal=True, vertical_alignment="center"):
                stop = f"{key}-stop-{own}"
                st.button("Stop", icon=":material/stop:", key=stop, on_click=note, args=(key, identity))
                bars.append(st.progress(0.0))
        bars[0].progress(min(done, 1.0), f"{label} … {done:.0%}{left(done, time.monotonic() - began)}")

    try:
        return work(progress)
    finally:
        slot.empty()


def left(done: float, passed: float) -> str:
    """Return how long the work will still take, as soon as an estimate is possible and useful."""
    seconds = passed * (1 - done) / max(done, 1e-6)
    return f", about {seconds:.0f} s left" if done > 0.03 and seconds > 2 else ""


def note(key: str, identity: str) -> None:
    """Note that the work of this identity was stopped."""
    st.session_state[key] = (*st.session_state.get(key, ()), identity)


def forget(key: str, identity: str) -> None:
    """Forget that the work of this identity was stopped, so that it runs again."""
    st.session_state[key] = tuple(other for other in st.session_state[key] if other != identity)
