"""Long jobs: `cached.compute` with a bar and a stop that appear when it takes a moment, and leave nothing behind."""

import contextvars
import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from embtools.models.catalogue import BUNDLED
from embtools.ui import cached, page

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
    """`cached.compute` of a function that takes `progress`; `stop` is what a press of the stop button does first.

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
        return cached.compute(function, model, *arguments, progress=tell, **named)
    finally:
        place.empty()


RUN = "bias_run"  # in the address by hand: a button cannot be bound


def asks_first(model: str, what: str) -> bool:
    """Whether a long run still waits for its button: the bundled model starts at once, a large one when asked."""
    state = st.query_params.get(RUN, "1" if model == BUNDLED else "0")
    if state == "1":
        return False
    st.button(what, icon=":material/play_arrow:", type="primary", on_click=_set_run, args=("1",))
    st.caption("Seconds with Pocket BERT, up to a minute or two with a large model.")
    return True


def requested_call(function: Callable[..., T], model: str, *arguments: Any, label: str, **named: Any) -> T:
    """`long_call` whose stop puts the button of `asks_first` back."""
    return long_call(function, model, *arguments, label=label, stop=lambda: _set_run("0"), **named)


def _set_run(state: str) -> None:
    st.query_params[RUN] = state


def stoppable(name: str, function: Callable[..., T], model: str, *arguments: Any, label: str, **named: Any) -> T:
    """`long_call` with a stop. What was stopped waits for a button as long as the same is asked: ValueError."""
    key, question = f"stopped-{name}", repr((model, arguments, named))
    if st.session_state.get(key) == question:
        if not st.button("Begin again", icon=":material/play_arrow:", key=f"{key}-again"):
            raise ValueError(f"It was stopped: {label}. Begin again, or ask something else.")
        del st.session_state[key]
    stop = partial(page.set_state, {key: question})
    return long_call(function, model, *arguments, label=label, stop=stop, **named)
