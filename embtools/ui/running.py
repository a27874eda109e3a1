"""Long jobs: `cached.call` with a bar and a stop that appear when it takes a moment, and leave nothing behind."""

import contextvars
import time
from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from embtools.ui import cached

PATIENCE = 0.3  # seconds before the bar appears: a quicker answer should not flicker
T = TypeVar("T")


def long_call(
    function: Callable[..., T],
    model: str,
    *arguments: Any,
    label: str,
    stop: Callable[[], None] | None = None,
    **named: Any,
) -> T:
    """`cached.call` of a function that takes `progress`; `stop` is what a press of the stop button does first.

    A press also ends the running script, so that the job itself ends at its next report of progress. Never call
    this inside a fragment: Streamlit lets a press there wait until the script has ended.
    """
    place, began = st.empty(), time.monotonic()
    bars: list[Any] = []
    # Inside a remembered function Streamlit would record the bar for replay, and fail: draw it from out here.
    outside = contextvars.copy_context()

    def draw(done: float) -> None:
        if not bars:
            with place.container(horizontal=True, vertical_alignment="center"):
                if stop:
                    key = f"stop-{label}-{hash((model, arguments, tuple(sorted(named.items()))))}"
                    st.button("Stop", icon=":material/stop:", on_click=stop, key=key)
                bars.append(st.progress(0.0))
        bars[0].progress(min(done, 1.0), f"{label} … {done:.0%}")

    def tell(done: float) -> None:
        if time.monotonic() - began > PATIENCE:
            outside.run(draw, done)

    try:
        return cached.call(function, model, *arguments, progress=tell, **named)
    finally:
        place.empty()
