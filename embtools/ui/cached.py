"""Caches that all visitors share: models, and results and figures up to a number of bytes.

The key of a result is the name of the function, the checksum of the model and the arguments: words, numbers, tuples and
frozen dataclasses of them, never arrays. Results are shared, not copied, so callers must not change them.
"""

import dataclasses
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from embtools import memory
from embtools.models.catalogue import BUNDLED, entry
from embtools.progress import Progress
from embtools.spaces.of_model import in_space
from embtools.spaces.space import Space
from embtools.ui import host

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from embtools.models.embedding_model import EmbeddingModel

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
        return in_space(model(name.model), space=name.space)
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
    _checksums[name] = loaded.checksum  # reads all weights: better while loading than during a visitor's first query
    host.settle()
    _opened.add(name)
    return loaded


def checksum(name: str) -> str:
    """The checksum of a model and of its processed space, if any; loads a model that was never in memory."""
    own = plain(name)
    if own not in _checksums:
        _checksums[own] = model(own).checksum
    return memory.checksum_of_view(_checksums[own], repr(name.space)) if isinstance(name, InSpace) else _checksums[own]


def compute(
    function: Callable[..., T], name: str, /, *arguments: Any, progress: Progress | None = None, **named: Any
) -> T:
    """Return `function(*arguments, model=<the model of that name>, **named)`, cached by its arguments.

    The function is a pure function of embtools. Arguments without a name belong to its parameters in their order,
    `model` and `progress` left out. Identical calls at the same time are computed once. A ValueError is passed on and
    not cached. `progress` is passed to the function and is not part of the cache key.
    """
    given = memory.by_name(function, arguments, named)
    return memory.call(function, given, checksum=checksum(name), model=lambda: model(name), progress=progress)


def derive(function: Callable[..., T], value: Any, asked: tuple[Any, ...], *arguments: Any) -> T:
    """Return `function(value, *arguments)`, cached by the arguments and by `asked`, the query that gave the value.

    For calculations that are fast compared with the one that gave the value, but too slow to repeat on every rerun.
    """
    return memory.derived(function, value, asked, arguments)


def known(function: Callable[..., Any], model: str, *arguments: Any, **named: Any) -> bool:
    """Return whether the result of `compute` is already in the cache."""
    if plain(model) not in _checksums:
        return False
    return memory.known(function, memory.by_name(function, arguments, named), checksum=checksum(model))


def figure(draw: Callable[..., "go.Figure"], *arguments: Any, **named: Any) -> "go.Figure":
    """Return the figure `draw(*arguments, **named)` in the colours of the visitor's theme, cached by its content.

    Building and validating a figure costs more than anything else in a rerun.
    """
    asked = {"draw": draw, "arguments": arguments, "named": tuple(sorted(named.items()))}
    return memory.call(_drawn, {**asked, "dark": st.context.theme.type == "dark"}).figure


def clear() -> None:
    """Empty all caches, for tests."""
    memory.forget()
    st.cache_resource.clear()
    _opened.clear()
    _checksums.clear()


_checksums: dict[str, str] = {}  # of the models that were in memory, by name


@dataclasses.dataclass(frozen=True, eq=False)
class _Drawn:
    """A figure in the colours of a page, and what a browser gets of it: made once, not at each rerun."""

    figure: "go.Figure"
    sent: dict[str, Any]


def _drawn(
    draw: Callable[..., "go.Figure"], arguments: tuple[Any, ...], named: tuple[tuple[str, Any], ...], dark: bool
) -> _Drawn:
    from embtools.charts.style import sent

    drawn = draw(*arguments, **dict(named))
    dictionary = sent(drawn, dark)
    drawn.to_dict = lambda: dictionary
    return _Drawn(drawn, dictionary)
