"""The corpus folders that this server offers; each is opened once, because folders never change."""

from functools import lru_cache
from typing import Any

import streamlit as st

from embtools.occurrences.folder.location import Location, offered
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.ui.shown import Models


def names() -> tuple[str, ...]:
    """Return the names that visitors choose from."""
    return tuple(offered())


def opened(name: str) -> CorpusFolder | None:
    """Return the folder of that name, or None if there is none; raises ValueError if it cannot be opened."""
    uri = offered().get(name)
    try:
        return None if uri is None else _open(uri)
    except ValueError as error:  # visitors need not know where the host stores it
        raise ValueError(str(error).replace(Location(str(uri)).shown, name)) from error


def name_of(folder: CorpusFolder) -> str:
    """Return the name under which a folder is offered."""
    return next((name for name, uri in offered().items() if uri == folder.uri), "a folder")


def models_of(source: Any, models: Models) -> Models:
    """Return the models that vectors from this source are shown for: for a folder the first one, with the reason."""
    if not isinstance(source, CorpusFolder) or len(models) == 1:
        return models
    if models[1].change.edits:
        st.caption("A folder was encoded without the carried edit, so this tab shows it without the edit.")
        return models[:1]
    st.caption(
        f"A folder belongs to the model that encoded it. To compare {models[0].title} with {models[1].title}, the same"
        f" text must be encoded with {models[1].title}, too, into a folder of its own."
    )
    return models[:1]


@lru_cache(maxsize=16)  # folders never change: a new encoding is a new folder
def _open(uri: str) -> CorpusFolder:
    return CorpusFolder.open(uri)  # its words stay open; its sentences, vectors and spaces are in the common cache
