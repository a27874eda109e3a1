"""Caches that all visitors share: models, and results and figures up to a number of bytes.

The key of a result is the name of the function and its arguments: a model's name, words, numbers, tuples and frozen
dataclasses of them, never arrays. Results are shared, not copied, so callers must not change them.
"""

import dataclasses
import sys
import threading
import weakref
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pandas as pd
import streamlit as st
from cachetools import LRUCache, cached
from cachetools.keys import hashkey

from embtools.models.catalogue import BUNDLED, entry
from embtools.progress import Progress
from embtools.spaces import of_model
from embtools.spaces.of_model import in_space
from embtools.spaces.space import Space
from embtools.ui import host

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from embtools.models.embedding_model import EmbeddingModel

MOST_RESULTS, MOST_DERIVED, MOST_FIGURES = 120_000_000, 20_000_000, 40_000_000  # bytes
T = TypeVar("T")


class InSpace(str):
    """The name of a model together with a processed space for its static embeddings; it is part of cache keys."""

    model: str
    space: Space

    def __new__(cls, model: str, space: Space) -> "InSpace":
        name = super().__new__(cls, f"{model}, {space!r}")
        name.model, name.space = model, space
        return name


def plain(name: str) -> str:
    """Return the name of a model without its space."""
    return name.model if isinstance(name, InSpace) else name


def model(name: str = BUNDLED) -> "EmbeddingModel":
    """Return the shared, read-only model of that name; raises ValueError if it cannot be loaded.

    The bundled model stays in memory. Of the others only the last one used does: it is dropped before another one is
    loaded. For an `InSpace`, the model is returned in its processed space.
    """
    if isinstance(name, InSpace):
        return in_space(model(name.model), name.space)
    if name == BUNDLED:
        return _bundled()
    with _alone:
        if _last != [name]:
            _other.clear()
            _last[:] = [name]
        return _other(name)


@st.cache_resource(show_spinner="Loading the model …")
def _bundled() -> "EmbeddingModel":
    return _load(BUNDLED)


@st.cache_resource(show_spinner="Loading the model …")
def _other(name: str) -> "EmbeddingModel":
    return _load(entry(name).name)


_alone, _last = threading.Lock(), [""]
_opened: set[str] = set()


def opened(name: str) -> bool:
    """Return whether this model has been loaded before, so that it is known to work."""
    return name in _opened


def at_hand(name: str) -> bool:
    """Return whether a model is in memory now."""
    return name in _opened and (name == BUNDLED or _last == [name])


def _load(name: str) -> "EmbeddingModel":
    from embtools.models.loading import load_model

    loaded = load_model(name)
    host.settle()
    _opened.add(name)
    return loaded


def compute(
    function: Callable[..., T], model: str, *arguments: Any, progress: Progress | None = None, **named: Any
) -> T:
    """Return `function(*arguments, model=<the model of that name>, **named)`, cached by its arguments.

    The function is a pure function of embtools. Identical calls at the same time are computed once. A ValueError is
    passed on and not cached. `progress` is passed to the function and is not part of the cache key.
    """
    return _computed(function, model, arguments, tuple(sorted(named.items())), progress).value


def derive(function: Callable[..., T], value: Any, asked: tuple[Any, ...], *arguments: Any) -> T:
    """Return `function(value, *arguments)`, cached by the arguments and by `asked`, the query that gave the value.

    For calculations that are fast compared with the one that gave the value, but too slow to repeat on every rerun.
    """
    return _derived(function, value, asked, arguments).value


def known(function: Callable[..., Any], model: str, *arguments: Any, **named: Any) -> bool:
    """Return whether the result of `compute` is already in the cache."""
    return _key(function, model, arguments, tuple(sorted(named.items()))) in _computed.cache


def figure(draw: Callable[..., "go.Figure"], *arguments: Any, **named: Any) -> "go.Figure":
    """Return the figure `draw(*arguments, **named)` in the colours of the visitor's theme, cached by its content.

    Building and validating a figure costs more than anything else in a rerun.
    """
    return _drawn(draw, arguments, tuple(sorted(named.items())), st.context.theme.type == "dark")


def clear() -> None:
    """Empty all caches, for tests."""
    from embtools.occurrences import encoding

    encoding.forget()
    of_model.forget()
    st.cache_resource.clear()
    _opened.clear()
    for remembered in (_computed, _derived, _drawn):
        remembered.cache.clear()


def size(value: Any) -> int:
    """Return roughly how many bytes a result takes: its arrays, frames and texts, and 8 for each other value.

    >>> size((np.zeros(1000, np.float32), "ab"))
    4107
    """
    if value is None or isinstance(value, (int, float)):
        return 8
    if isinstance(value, str):
        return sys.getsizeof(value)
    if isinstance(value, (tuple, list)):
        return 56 + sum(map(size, value))
    if isinstance(value, (dict, Mapping)):
        return 64 + sum(map(size, value)) + sum(map(size, value.values()))
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, pd.DataFrame):
        return int(value.memory_usage(deep=True).sum())
    if isinstance(value, (pd.Series, pd.Index)):
        return int(value.memory_usage(deep=True))
    if dataclasses.is_dataclass(value):
        return 56 + sum(size(getattr(value, field.name)) for field in dataclasses.fields(value))
    if hasattr(value, "to_plotly_json"):
        return 64 + 2 * size(value.to_dict())  # its own values, and the copy that is sent to browsers
    return 8


def _key(function: Callable[..., Any], *asked: Any) -> Any:
    return hashkey(f"{function.__module__}.{function.__qualname__}", *asked)


def _content(value: Any) -> Any:
    """Return a hashable value that is equal for frames, arrays and dataclasses of equal content."""
    if isinstance(value, pd.DataFrame):
        return _frame_content(value)
    if isinstance(value, (pd.Series, pd.Index)):
        return value.name, pd.util.hash_pandas_object(value).to_numpy().tobytes()
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    if isinstance(value, Mapping):
        return tuple((key, _content(part)) for key, part in value.items())
    if isinstance(value, (tuple, list)):
        return tuple(_content(part) for part in value)
    if dataclasses.is_dataclass(value):
        return type(value), tuple(_content(getattr(value, field.name)) for field in dataclasses.fields(value))
    return value


def _frame_content(frame: pd.DataFrame) -> Any:
    """Return the content of a frame; it is computed once for each frame, because nobody changes a result."""
    name = id(frame)
    known = _contents.get(name)
    if known is not None and known[0]() is frame:
        return known[1]

    def gone(_: object) -> None:
        _contents.pop(name, None)

    content = tuple(frame.columns), tuple(frame.dtypes), pd.util.hash_pandas_object(frame).to_numpy().tobytes()
    _contents[name] = weakref.ref(frame, gone), content
    return content


_contents: dict[int, tuple[weakref.ref[pd.DataFrame], Any]] = {}  # of the frames that still exist, by id()


@dataclasses.dataclass(frozen=True)
class _Kept:
    """A result with its arguments, because a long text takes memory even if the result is a single number."""

    value: Any
    asked: tuple[Any, ...]


# A condition rather than a lock, so that calls with other arguments do not wait.
@cached(
    LRUCache(MOST_RESULTS, getsizeof=size),
    key=lambda function, model_name, arguments, named, progress: _key(function, model_name, arguments, named),
    condition=threading.Condition(),
)
def _computed(
    function: Callable[..., Any],
    model_name: str,
    arguments: tuple[Any, ...],
    named: tuple[tuple[str, Any], ...],
    progress: Progress | None,
) -> _Kept:
    extra = {} if progress is None else {"progress": progress}
    return _Kept(function(*arguments, model=model(model_name), **dict(named), **extra), (arguments, named))


@cached(
    LRUCache(MOST_DERIVED, getsizeof=size),
    key=lambda function, value, asked, arguments: _key(function, asked, arguments),
    condition=threading.Condition(),
)
def _derived(function: Callable[..., Any], value: Any, asked: tuple[Any, ...], arguments: tuple[Any, ...]) -> _Kept:
    return _Kept(function(value, *arguments), (asked, arguments))


@cached(
    LRUCache(MOST_FIGURES, getsizeof=size),
    key=lambda draw, arguments, named, dark: _key(draw, _content(arguments), _content(named), dark),
    condition=threading.Condition(),
)
def _drawn(
    draw: Callable[..., "go.Figure"], arguments: tuple[Any, ...], named: tuple[tuple[str, Any], ...], dark: bool
) -> "go.Figure":
    from embtools.charts.style import sent

    drawn = draw(*arguments, **dict(named))
    serialised = sent(drawn, dark)  # as a browser gets it: made once, not at each rerun
    drawn.to_dict = lambda: serialised
    return drawn
