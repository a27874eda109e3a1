"""Computing results for a page: cached, with a progress bar and a stop button, and a fallback after errors."""

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

PATIENCE = 0.3  # seconds before the bar appears, so that it does not flicker for quick answers
AT_ONCE = 4.0  # seconds; longer work waits for a button
T = TypeVar("T")


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A result with its query; `stale` if the fields now hold another query."""

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
    """Return `function(*asked, model=…, **named)`; after an error, the answer to the last good query or to `first`.

    `name` distinguishes the panels, and each model has its own last good query. An error is shown in `place` (next to
    the field) or here, with suggestions for the field `mends`; or it is passed to `tell`, for fields in a fragment.
    Returns None if even the first example fails, for example if the model does not know its words.
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
    """Return the result of `cached.compute`, with a progress bar and a stop button if the function takes `progress`.

    `meanwhile` is called once, when the bar appears, and draws what can be shown until the result is there.

    The stop button also ends the running script, so that the function ends at its next report of progress. Stopped
    work raises ValueError until a button starts it again or the query changes. Streamlit delays a button of a fragment
    until the script has ended. So the stop button belongs to the whole page, and a fragment that runs alone starts a
    full run for work that takes time.
    """
    if "progress" not in inspect.signature(function).parameters:
        return cached.compute(function, model, *arguments, **named)
    key, question = f"stopped-{name}", repr((model, arguments, named))
    if st.session_state.get(key) == question:
        # A callback, because a button whose return value is used stays on the page while the work is done.
        st.button("Run again", icon=":material/play_arrow:", key=f"{key}-again", on_click=_put, args=(key, None))
        raise ValueError(f"{label} was stopped. Run it again, or change the settings.")
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
                # The key contains the query: after an error, the last good query may be computed in the same run.
                own = f"{key}-stop-{crc32(question.encode())}"
                st.button("Stop", icon=":material/stop:", on_click=stop, key=own)
                bars.append(st.progress(0.0))
        bars[0].progress(min(done, 1.0), f"{label} … {done:.0%}{left(done, time.monotonic() - began)}")

    try:
        return cached.compute(function, model, *arguments, progress=tell, **named)
    finally:
        place.empty()


def left(done: float, passed: float) -> str:
    """Return how long the work will still take, as soon as an estimate is possible and useful.

    >>> left(0.25, 5.0), left(0.9, 5.0), left(0.01, 5.0)
    (', about 15 s left', '', '')
    """
    seconds = passed * (1 - done) / max(done, 1e-6)
    return f", about {seconds:.0f} s left" if done > 0.03 and seconds > 2 else ""


def on_request(name: str, what: str, seconds: float, question: Any = None, *, unasked: bool = True) -> bool:
    """Return whether work of about this many seconds may begin: at once if it is short, otherwise after a button.

    A press counts for this query only, and becomes part of the address. For a visitor who opens such a link, short work
    begins at once; longer work waits for the visitor's own press next to the time that it takes, so that no link can
    make a server work for minutes. If `unasked` is false, short work waits too, for a less prominent button that names
    the time in its help.
    """
    key, question = f"requested-{name}", repr(question)
    if (unasked and seconds <= AT_ONCE) or st.session_state.get(key) == question:
        return True
    linked = name in state.RUN.value and key not in st.session_state
    if linked and seconds <= AT_ONCE:
        st.session_state[key] = question
        return True
    if name in state.RUN.value and not linked:  # pressed for another query
        state.RUN.mend(tuple(other for other in state.RUN.value if other != name))
    arguments: dict[str, Any] = {"on_click": _request, "args": (name, key, question)}
    kind: Literal["primary", "tertiary"] = "primary" if unasked else "tertiary"
    tip = _lasting(seconds)
    long = unasked or seconds > AT_ONCE
    arguments["help"] = None if long else tip
    st.button(what, icon=":material/play_arrow:", type=kind, key=f"{key}-button", **arguments)
    if long:
        st.caption(f"{tip} The link that you opened shows this result." if linked else tip)
    return False


def _request(name: str, key: str, question: str) -> None:
    others = tuple(other for other in state.RUN.value if other != name)
    state.put({key: question, state.RUN.key: (*others, name)})


def _lasting(seconds: float) -> str:
    """Return how long the work will take, for the text at its button.

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
    """A container for a result; if the fields now hold another query, it is dimmed and says which query it answers."""
    with st.container(key=f"{'stale' if answer.stale else 'fresh'}-{name}"):
        if answer.stale:
            st.text(f"Showing the previous result, for: {says}" if says else "Showing the previous result.")
        yield
