"""The corpus folders that this server offers; each is opened once, because folders never change."""

from functools import lru_cache

from embtools.occurrences.folder.offered import offered
from embtools.occurrences.folder.reading import CorpusFolder


def names() -> tuple[str, ...]:
    """Return the names that visitors choose from."""
    return tuple(offered())


def opened(name: str) -> CorpusFolder | None:
    """Return the folder of that name, or None if there is none; raises ValueError if it cannot be opened."""
    uri = offered().get(name)
    return None if uri is None else _open(uri)


def name_of(folder: CorpusFolder) -> str:
    """Return the name under which a folder is offered."""
    return next((name for name, uri in offered().items() if uri == folder.uri), "a folder")


@lru_cache(maxsize=16)
def _open(uri: str) -> CorpusFolder:
    return CorpusFolder.open(uri)  # folders never change: a new encoding is a new folder
