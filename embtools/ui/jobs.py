"""Asking for results: remembered, with a bar and a stop where it takes time, and nothing lost to a slip or a stop."""

import inspect
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar
from zlib import crc32

import streamlit as st

from embtools.ui import cached, state, texts, warm
from embtools.ui.fields import Text

PATIENCE = 0.3  # seconds before the bar appears: a quicker answer should not flicker
AT_ONCE = 4.0  # seconds: work that takes longer waits for a button
T = TypeVar("T")


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A result and the question that it answers; `stale` where that is not what the fields ask for now."""

    asked: tuple[Any, ...]
    value: T
    stale: bool


def ask(
    name: str,
    function: Callable[..., T],
    model: str,
    asked: tuple[Any, ...],
    first: tuple[Any, ...],
    *,
    label: str = "Computing",
    place: Any = None,
    mends: Text | None = None,
    tell: Callable[[Exception], None] | None = None,
    **named: Any,
) -> Answer[T] | None:
    """`function(*asked, model=…, **named)`; after an error the answer to the last good question, or to the `first`.

    `name` keeps the panels apart, and each model has its own last good question. An error is shown in `place` (beside
    the field) or here, with words that may have been meant in the field `mends`, or handed to `tell`, for fields that
    stand in a fragment; when even the first example fails, as
    with a model that does not know its words, the panel ends there: None.
    """
    key = f"good-{name}-{model}"
    try:
        answer = Answer(asked, run(name, function, model, *asked, label=label, **named), False)
    except ValueError as error:
        if tell is not None:
            tell(error)
        else:
            with place if place is not None else st.container():
                texts.problem(error, mends)
        for last in (st.session_state.get(key), first):
            if last is not None and last != asked:
                try:
                    return Answer(last, run(name, function, model, *last, label=label, **named), True)
                except ValueError:
                    continue
        return None
    st.session_state[key] = asked
    return answer


def run(
    name: str,
    function: Callable[..., T],
    model: str,
    *arguments: Any,
    label: str,
    meanwhile: Callable[[], None] = lambda: None,
    **named: Any,
) -> T:
    """`cached.compute`, with a bar and a stop if the function takes `progress` and time.

    `meanwhile` draws, once, what can be looked at until then: when the bar appears.

    A press on the stop also ends the running script, so that the job itself ends at its next report of progress; what
    was stopped waits for a button as long as the same is asked: ValueError. Streamlit lets a press in a fragment wait
    until the script has ended: so the stop belongs to the whole page, and a fragment that runs alone hands a job that
    takes time to a run of the whole page.
    """
    if "progress" not in inspect.signature(function).parameters:
        return cached.compute(function, model, *arguments, **named)
    key, question = f"stopped-{name}", repr((model, arguments, named))
    if st.session_state.get(key) == question:
        # By a callback: a button that is asked whether it was pressed stays on the page while the work is done.
        st.button("Begin again", icon=":material/play_arrow:", key=f"{key}-again", on_click=_put, args=(key, None))
        raise ValueError(f"It was stopped: {label}. Begin again, or ask something else.")
    place, began = st.empty(), time.monotonic()
    bars: list[Any] = []

    def stop() -> None:
        st.session_state[key] = question

    def tell(done: float) -> None:
        warm.somebody_waits()
        if time.monotonic() - began <= PATIENCE:
            return
        if state.alone():
            st.rerun()
        if not bars:
            meanwhile()
            with state.of_the_page(), place.container(horizontal=True, vertical_alignment="center"):
                # A key of the question: an earlier good one may be computed in the same run, after an error in this.
                own = f"{key}-stop-{crc32(question.encode())}"
                st.button("Stop", icon=":material/stop:", on_click=stop, key=own)
                bars.append(st.progress(0.0))
        bars[0].progress(min(done, 1.0), f"{label} … {done:.0%}{_left(done, time.monotonic() - began)}")

    try:
        return cached.compute(function, model, *arguments, progress=tell, **named)
    finally:
        place.empty()


def _left(done: float, passed: float) -> str:
    """How long a job will take yet, once that can be told and is worth telling.

    >>> _left(0.25, 5.0), _left(0.9, 5.0), _left(0.01, 5.0)
    (', about 15 s left', '', '')
    """
    seconds = passed * (1 - done) / max(done, 1e-6)
    return f", about {seconds:.0f} s left" if done > 0.03 and seconds > 2 else ""


def on_request(name: str, what: str, seconds: float, question: Any = None, *, unasked: bool = True) -> bool:
    """Whether work of about so many seconds may begin: at once if it is short, else after a press on its button.

    The press counts for this question in this session alone: no link can make a server work for minutes. Not `unasked`:
    short work waits for a press too, on a button that stands back and keeps how long it takes for its help.
    """
    key, question = f"requested-{name}", repr(question)
    if (unasked and seconds <= AT_ONCE) or st.session_state.get(key) == question:
        return True
    arguments: dict[str, Any] = {"on_click": _put, "args": (key, question)}
    kind: Literal["primary", "tertiary"] = "primary" if unasked else "tertiary"
    tip = _lasting(seconds)
    long = unasked or seconds > AT_ONCE
    arguments["help"] = None if long else tip
    st.button(what, icon=":material/play_arrow:", type=kind, key=f"{key}-button", **arguments)
    if long:
        st.caption(tip)
    return False


def _lasting(seconds: float) -> str:
    """How long work will take, as a button says it.

    >>> _lasting(0.3), _lasting(12.0), _lasting(200.0)
    ('About a second on this server.', 'About 12 seconds on this server.', 'About 3 minutes.')
    """
    if seconds < 1.5:
        return "About a second on this server."
    return f"About {seconds:.0f} seconds on this server." if seconds < 90 else f"About {seconds / 60:.0f} minutes."


def _put(key: str, value: str | None) -> None:
    st.session_state[key] = value


@contextmanager
def results(answer: Answer[Any], name: str, says: str = "") -> Iterator[None]:
    """A place for what an answer shows: dimmed, and headed by its question, where the fields now ask another."""
    with st.container(key=f"{'stale' if answer.stale else 'fresh'}-{name}"):
        if answer.stale:
            st.text(f"Still the answer to: {says}" if says else "Still the answer to the last question.")
        yield
