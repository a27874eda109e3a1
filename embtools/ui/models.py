"""The model that the pages ask: chosen in the menu's settings, asked for before it is downloaded, loaded once."""

import threading
from collections.abc import Callable

import streamlit as st
from cachetools import TTLCache

from embtools.models.catalogue import BUNDLED, CATALOGUE
from embtools.ui import cached
from embtools.ui.fields import Choice
from embtools.ui.texts import problem

MODEL = Choice("model", BUNDLED, tuple(CATALOGUE))
_FAILED: TTLCache[str, str] = TTLCache(maxsize=16, ttl=600)
"""Why a model could not be loaded, "" where that is over. It is asked again after ten minutes, or on a press, and not
at every rerun."""

_ALONE = threading.Lock()  # a cache of cachetools is changed when it is read, too


def forget() -> None:
    """Forget what could not be loaded: for tests."""
    with _ALONE:
        _FAILED.clear()


def _failed(name: str, reason: str | None = None) -> str:
    """Why a model could not be loaded, "" where it could; with a reason, remember that one for all visitors."""
    with _ALONE:
        if reason is not None:
            _FAILED[name] = reason
        return _FAILED.get(name, "")


def picker() -> None:
    """The field for the model, with its size, licence and language."""
    st.selectbox(
        "Model",
        help="Larger models are downloaded from the Hugging Face hub at first use.",
        format_func=lambda name: CATALOGUE[name].title,
        **MODEL.widget,
    )
    st.caption(described(MODEL.value))


def described(name: str) -> str:
    """Size, licence and a word on the use of a model; says when its weights may be missing."""
    chosen = CATALOGUE[name]
    doubt = "" if chosen.confirmed else " Its weights may be missing as safetensors, the only format read here."
    return f"{chosen.megabytes:,} MB, {chosen.licence}; reads {chosen.reads}. {chosen.note}{doubt}"


def loaded(name: str) -> str:
    """Load a model; returns the name of the one in use.

    What is not on this server yet waits for a press. Until then, and when it cannot be loaded, the page says why, and
    the bundled model answers.
    """
    if name == BUNDLED or not ready(name, "Until then Pocket BERT answers."):
        cached.model(BUNDLED)
        return BUNDLED
    return name


def ready(name: str, meanwhile: str = "", *, now: bool = True, before: Callable[[], None] = lambda: None) -> bool:
    """Whether a model can be asked; else the page says here why it cannot yet, and what happens `meanwhile`.

    It is loaded `now`, or, if it could be loaded before, when it is asked something that is not remembered: of two
    large models only one is in memory. `before` is called when the loading begins.
    """
    from embtools.models.loading import is_here

    if not now and cached.opened(name):
        return True
    if reason := _failed(name):
        problem(reason)
        if not st.button("Try again", icon=":material/refresh:", key=f"again-{name}"):
            return False
        _failed(name, "")
    try:
        if not is_here(name) and not _fetched(name, meanwhile):
            return False
        before()
        cached.model(name)
    except ValueError as error:
        _failed(name, str(error))
        problem(error)
        return False
    return True


def _fetched(name: str, meanwhile: str) -> bool:
    """Ask before a download, then show how far it is. Any press on the page stops it; asked again it goes on."""
    from embtools.models.loading import fetch

    title = CATALOGUE[name].title
    place = st.empty()
    with place.container(border=True, key=f"download-{name}"):
        st.text(f"{title} is not on this server yet. {described(name)} {meanwhile}".strip())
        label = f"Download {CATALOGUE[name].megabytes:,} MB"
        if not st.button(label, icon=":material/download:", type="primary", key=f"fetch-{name}"):
            return False
        st.button("Stop", icon=":material/stop:", key=f"download-stop-{name}")
        bar = st.progress(0.0)

        def tell(done: float) -> None:
            bar.progress(done, f"Downloading {title} … {done:.0%}")

        fetch(name, tell)
    place.empty()
    return True
