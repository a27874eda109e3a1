"""The learned dictionaries that can be chosen for a model: those that come with the app, and those of the host."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from embtools import settings
from embtools.decomposition.learned import LearnedDictionary, about_file, read
from embtools.memory import remembered
from embtools.messages import quoted

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

FOLDER = Path(__file__).parents[1] / "bundled"
COMMAND = "python -m embtools.dictionary"


def dictionaries(model: "EmbeddingModel") -> tuple[str, ...]:
    """Return the names of the dictionaries of a model: "layer 3", or "layer 3, wiki" for a file wiki.safetensors.

    A model with edited words has those of its original. Files that cannot be read are left out.
    """
    return names_of(model.original.checksum)


def names_of(checksum: str) -> tuple[str, ...]:
    """Return the names of the dictionaries of the model whose weights have this checksum."""
    return tuple(_named(checksum))


def open_dictionary(name: str, model: "EmbeddingModel") -> LearnedDictionary:
    """Return a dictionary of a model by its name."""
    named = _named(model.original.checksum)
    if not named:
        raise ValueError(
            "This model has no learned dictionary. A dictionary belongs to the model whose states it was learned from."
            f" The host can build one with {COMMAND}."
        )
    if name not in named:
        raise ValueError(
            f"There is no dictionary {quoted(name, 80)} for {model.name}. Choose one of these: {'; '.join(named)}."
        )
    path = named[name]
    found = _read(path, path.stat().st_mtime_ns)
    if found.directions.shape[1] != model.dimensions or not 1 <= found.layer <= model.layers:
        raise ValueError(f"The dictionary {quoted(name, 80)} does not fit this model. Build it again with {COMMAND}.")
    return found


def _named(checksum: str) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for path in files():
        about = _about(path)
        if about.get("weights") != checksum:
            continue
        own = path.parent == FOLDER
        name = f"layer {about['layer']}" if own else f"layer {about['layer']}, {path.stem}"
        found.setdefault(name, path)
    return found


def files() -> tuple[Path, ...]:
    """Return the files of all dictionaries that come with the app or that EMBTOOLS_DICTIONARIES names."""
    given = filter(None, map(str.strip, settings.current().dictionaries.split(",")))
    return (*sorted(FOLDER.glob("dictionary-*.safetensors")), *map(Path, given))


def _about(path: Path) -> dict[str, Any]:
    try:
        return _about_of(path, path.stat().st_mtime_ns)
    except (OSError, ValueError):
        return {}


@lru_cache(maxsize=32)  # only what a file says about itself: a few names and numbers
def _about_of(path: Path, changed: int) -> dict[str, Any]:
    return about_file(path)


@remembered
def _read(path: Path, changed: int) -> LearnedDictionary:
    return read(path)
