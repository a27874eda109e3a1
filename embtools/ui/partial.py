"""Long work in parts: partial results while it runs, and after Stop the result of what is finished.

An argument of such a query has a number `first`, which limits it to its first parts; each is cached.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from zlib import crc32

import streamlit as st

from embtools.mask_filling.experiments import Blocks
from embtools.ui import running
from embtools.ui.call import Call
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

EVERY = 2.0  # seconds between partial results
_TIMES = 4  # what runs between two partial results takes at least so many times as long as drawing one
_FINISHED = "finished-parts"


@dataclass(frozen=True)
class Work:
    """How work is divided.

    name      of its widgets
    blocks    returns the work, which knows how many of the first parts are in the cache; it takes the arguments of the
              query, and the model
    draw      draws the result of the first parts; it receives the result, the model, their number, and a unique key
    least     the smallest number of parts that has a result
    """

    name: str
    blocks: Callable[..., Blocks]
    draw: Callable[[Any, Model, int, str], None]
    least: int = 1


def ask(work: Work, name: str, query: Call, models: Models, first: Call, **options: Any) -> tuple[Answer[Any], ...]:
    """Return the answers of `running.ask`, with partial results drawn meanwhile: of stopped work, those of its finished
    parts, with a button to continue."""
    for number, model in enumerate(models):
        if running.was_stopped(query, model) and _stopped_after(work, query, model):
            st.button(
                "Continue" if len(models) == 1 else f"Continue with {model.title}",
                icon=":material/play_arrow:",
                on_click=_resume,
                args=(query, model),
                key=f"{work.name}-continue{number or ''}",
            )
    of_model = partial(_query_of, work, query)
    return running.ask(name, of_model, models, first, watch=partial(_watching, work), **options)


def _query_of(work: Work, query: Call, model: Model) -> Call:
    """Return the query, or that for its finished parts if the visitor has stopped it."""
    done = _stopped_after(work, query, model) if running.was_stopped(query, model) else 0
    return _first(query, done) if done else query


def _first(query: Call, done: int) -> Call:
    name, what = next((name, value) for name, value in query.arguments.items() if hasattr(value, "first"))
    return query.but(**{name: replace(what, first=done)})


def _stopped_after(work: Work, query: Call, model: Model) -> int:
    """Return after how many parts the work was stopped; 0 if these are too few for a result."""
    known = st.session_state.setdefault(_FINISHED, {})
    if (model, query) in known:  # counted once, because that may need a model that is not in memory any more
        return int(known[model, query])
    if (done := _count(work, query, model)) < work.least:
        return 0
    known[model, query] = done
    return done


def _resume(query: Call, model: Model) -> None:
    st.session_state[_FINISHED].pop((model, query), None)
    running.resume(query, model)


def _count(work: Work, query: Call, model: Model) -> int:
    return work.blocks(model=model.open(), **query.arguments).finished(model.open())


@contextmanager
def _watching(work: Work, query: Call, model: Model) -> Iterator[Callable[[float], None]]:
    """Yield a function that draws the result of the finished parts from time to time."""
    container: Any = None
    looked, every, shown = time.monotonic(), EVERY, 0

    def watch(_: float) -> None:
        nonlocal container, looked, every, shown
        if (began := time.monotonic()) - looked < every:
            return
        if (done := _count(work, query, model)) > shown and done >= work.least:
            container = st.empty() if container is None else container  # below the progress bar
            result = _first(query, done)(model.open())
            with container.container():
                work.draw(result, model, done, f"{work.name}-partial-{crc32(repr(model).encode())}-{done}")
            shown = done
        looked = time.monotonic()
        every = max(EVERY, _TIMES * (looked - began))

    try:
        yield watch
    finally:
        if container is not None:
            container.empty()
