"""The corpus folders that this server offers, opened once: they never change."""

from functools import lru_cache

from embtools.occurrences.folder.offered import offered
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.space import AS_IS


def names() -> tuple[str, ...]:
    """The names that visitors choose from."""
    return tuple(offered())


def opened(name: str) -> CorpusFolder | None:
    """The folder of that name; None where none is offered under it. ValueError for one that cannot be opened."""
    uri = offered().get(name)
    return None if uri is None else _open(uri)


def name_of(folder: CorpusFolder) -> str:
    """The name under which a folder is offered."""
    return next((name for name, uri in offered().items() if uri == folder.uri), "a folder")


def code(folder: CorpusFolder) -> str:
    """The folder as Python, in its space; where it is, only the host knows."""
    seen = "" if folder.space == AS_IS else f".seen({folder.space.code})"
    return f"folder = CorpusFolder.open({name_of(folder)!r}){seen}  # where the folder is"


@lru_cache(maxsize=16)
def _open(uri: str) -> CorpusFolder:
    return CorpusFolder.open(uri)  # never changed: a new encoding is a new folder
