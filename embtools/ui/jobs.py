"""Computing results for a page: cached, with a progress bar and a stop button, and a fallback after errors."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

from embtools.progress import Progress
from embtools.ui import cached, stoppable, texts
from embtools.ui.fields import Text

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


def run(name: str, function: Callable[..., T], model: str, *arguments: Any, label: str, **named: Any) -> T:
    """Return the result of `cached.compute`, with a progress bar and Stop if the function takes `progress`."""
    if "progress" not in inspect.signature(function).parameters:
        return cached.compute(function, model, *arguments, **named)

    def work(progress: Progress) -> T:
        return cached.compute(function, model, *arguments, progress=progress, **named)

    return stoppable.run(f"stopped-{name}", repr((model, arguments, named)), label, work)


@contextmanager
def results(answer: Answer[Any], name: str, says: str = "") -> Iterator[None]:
    """A container for a result; if the fields now hold another query, it is dimmed and says which query it answers."""
    with st.container(key=f"{'stale' if answer.stale else 'fresh'}-{name}"):
        if answer.stale:
            st.text(f"Showing the previous result, for: {says}" if says else "Showing the previous result.")
        yield
