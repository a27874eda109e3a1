"""The models of this server, which all visitors share."""

import threading
from typing import TYPE_CHECKING

import streamlit as st

from embtools import memory
from embtools.models.catalogue import BUNDLED, entry
from embtools.ui import host

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def model(name: str = BUNDLED) -> "EmbeddingModel":
    """Return the shared, read-only model of that name, of which the bundled and the last other one stay in memory;
    raises ValueError if it cannot be loaded."""
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
    _ = loaded.checksum  # reads all weights: better while loading than during a visitor's first query
    host.settle()
    _opened.add(name)
    return loaded


def clear(*, results: bool = True) -> None:
    """Empty all caches, or those of models only, for tests."""
    if results:
        memory.forget()
    st.cache_resource.clear()
    _opened.clear()
