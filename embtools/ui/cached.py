"""The one cached boundary: a model's name and plain values in, arrays and frames out.

Arrays never go in: Streamlit hashes large ones from a sample and would return the wrong answer. Figures are the
exception: the small frames they are drawn from are read whole, and large figures are drawn anew.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from embtools.models.catalogue import BUNDLED, entry
from embtools.ui import host

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from embtools.models.embedding_model import EmbeddingModel

host.prepare()  # whoever draws comes through here, before anything has imported torch or scikit-learn
SMALL = 5_000
"""Figures of more rows are not kept: they would fill the memory, and Streamlit hashes only a sample of long frames."""

Progress = Callable[[float], None]
T = TypeVar("T")


@st.cache_resource(max_entries=2, show_spinner="Loading the model …")
def model(name: str = BUNDLED) -> "EmbeddingModel":
    """The shared, read-only model of that name; ValueError for a name that is not in the catalogue."""
    from embtools.models.loading import load_model

    loaded = load_model(entry(name).name)
    host.settle()
    return loaded


def compute(
    function: Callable[..., T], model: str, *arguments: Any, progress: Progress | None = None, **named: Any
) -> T:
    """`function(*arguments, model=<the model of that name>, **named)`, remembered by what it was asked.

    The function is a pure one of embtools; its arguments are names, words, numbers and tuples of them. A ValueError
    is passed on and not remembered. `progress` is handed to the function, and is no part of what is remembered.
    """
    return _remembered(f"{function.__module__}.{function.__qualname__}", model, arguments, named, function, progress)


# The largest results (maps of the whole vocabulary) are 2 MB: at most some 300 MB in all.
@st.cache_data(max_entries=128, show_spinner=False)
def _remembered(
    name: str,
    model_name: str,
    arguments: tuple[Any, ...],
    named: dict[str, Any],
    _function: Callable[..., Any],
    _progress: Progress | None,
) -> Any:
    extra = {} if _progress is None else {"progress": _progress}
    return _function(*arguments, model=model(model_name), **named, **extra)


def figure(draw: Callable[..., "go.Figure"], *arguments: Any, **named: Any) -> "go.Figure":
    """The figure `draw(*arguments, **named)`, remembered by the content of its frames. It is shared: never change it.

    Building and validating a figure costs more than all else that a rerun does.
    """
    if any(len(a) > SMALL for a in (*arguments, *named.values()) if hasattr(a, "__len__")):
        return draw(*arguments, **named)
    return _drawn(f"{draw.__module__}.{draw.__qualname__}", arguments, named, draw)


@st.cache_resource(max_entries=128, show_spinner=False)
def _drawn(
    name: str, arguments: tuple[Any, ...], named: dict[str, Any], _draw: Callable[..., "go.Figure"]
) -> "go.Figure":
    return _draw(*arguments, **named)
