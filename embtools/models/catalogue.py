"""The catalogue of models. A public host loads only models that are listed here.

The setting EMBTOOLS_MODELS replaces the list with names and folders, separated by commas.
"""

import json
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

from embtools import settings
from embtools.messages import quoted

BUNDLED = "bundled"
WEIGHTS = "model.safetensors"
_CONFIGURATION = "config.json"
MAX_LAYERS = 48  # limit for opened models: pages have a field for each layer; the largest model in the catalogue has 24


@dataclass(frozen=True)
class Entry:
    """One model: its name in links, its title, the size of its download in MB, its licence, and a note.

    `reads` is the language of its training texts, "" if nobody has said it; `source` its name on the Hugging Face hub,
    or its folder. `confirmed` says whether its weights are known to be available as safetensors; no others are read.
    """

    name: str
    title: str
    megabytes: int
    licence: str
    note: str
    reads: str = "English"
    confirmed: bool = True
    folder: str = ""

    @property
    def source(self) -> str:
        return self.folder or self.name


KNOWN = {
    entry.name: entry
    for entry in (
        Entry(BUNDLED, "Pocket BERT", 46, "Apache-2.0", "It comes with the app and starts at once."),
        Entry(
            "google-bert/bert-base-uncased", "BERT base", 440, "Apache-2.0",
            "Two of the articles behind this app use this model.",
        ),
        Entry(
            "google-bert/bert-large-uncased", "BERT large", 1345, "Apache-2.0", "It has 24 layers.",
        ),
        Entry(
            "google-bert/bert-base-cased", "BERT base, cased", 436, "Apache-2.0",
            "It distinguishes Rome from rome.",
        ),
        Entry(
            "google-bert/bert-base-multilingual-cased", "BERT base, 104 languages", 714, "Apache-2.0",
            "It has one vocabulary of 119,547 tokens for 104 languages.",
            reads="104 languages",
        ),
        Entry(
            "google-bert/bert-base-german-cased", "BERT base, German", 439, "MIT",
            "It distinguishes capital and small letters.",
            reads="German",
        ),
        Entry(
            "google/bert_uncased_L-12_H-128_A-2", "BERT of 128 dimensions", 26, "Apache-2.0",
            "It has 12 small layers; “Operations on contextual word embeddings” uses it.",
            confirmed=False,
        ),
        Entry(
            "distilbert/distilbert-base-uncased", "DistilBERT", 268, "Apache-2.0",
            "It has 6 layers, no segment ids and no next-sentence head.",
        ),
    )
}  # fmt: skip


def offered(setting: str = "", *, offline: bool = False) -> dict[str, Entry]:
    """Return the models of a setting like "google-bert/bert-base-uncased, /models/mine", by default all known ones, the
    bundled model first; offline, only those that need no download.

    >>> list(offered("distilbert/distilbert-base-uncased"))
    ['bundled', 'distilbert/distilbert-base-uncased']
    """
    names = [part for part in (piece.strip() for piece in setting.split(",")) if part]
    listed = {BUNDLED: KNOWN[BUNDLED]} if names else dict(KNOWN)
    for name in names:
        chosen = KNOWN.get(name) or _of_folder(name)
        if chosen.folder and chosen.name in listed:
            raise ValueError(f"EMBTOOLS_MODELS names two folders {quoted(chosen.name, 80)}. Rename one of them.")
        listed[chosen.name] = chosen
    return {name: entry for name, entry in listed.items() if not offline or is_here(entry)}


def is_here(chosen: Entry) -> bool:
    """Return whether a model needs no download: the bundled one, a folder, or one that was downloaded before."""
    from huggingface_hub import try_to_load_from_cache

    if chosen.name == BUNDLED or chosen.folder:
        return True
    return isinstance(try_to_load_from_cache(chosen.source, WEIGHTS), str)


@lru_cache(64)
def dimensions(name: str) -> int | None:
    """Return how many numbers an embedding of a model has, from its configuration; None if this is not on this machine.

    >>> dimensions("bundled")
    384
    """
    from huggingface_hub import try_to_load_from_cache

    chosen = CATALOGUE[name]
    here = {BUNDLED: Path(__file__).parents[1] / "bundled"}.get(name, Path(chosen.folder) if chosen.folder else None)
    path = here / _CONFIGURATION if here else try_to_load_from_cache(chosen.source, _CONFIGURATION)
    try:
        read = json.loads(Path(path).read_text(encoding="utf-8")) if path else {}
    except (OSError, TypeError, ValueError):
        return None
    size = read.get("hidden_size", read.get("dim"))  # DistilBERT calls it dim
    return size if isinstance(size, int) else None


def _of_folder(name: str) -> Entry:
    folder = Path(name)
    try:
        exists = folder.is_dir()
    except (OSError, ValueError):  # too long for a path, or with a character that no path has
        exists = False
    if not exists:
        close = get_close_matches(name, KNOWN, n=1)
        advice = f"Did you mean {close[0]}?" if close else "Correct the name."
        raise ValueError(
            f"EMBTOOLS_MODELS names {quoted(name, 80)}, which is neither a known model nor a folder. {advice}"
        )
    megabytes = max(1, sum(path.stat().st_size for path in folder.glob("*.safetensors")) // 10**6)
    return Entry(folder.name, folder.name, megabytes, "your own", "A folder on this server.", reads="", folder=name)


CATALOGUE = offered(settings.current().models, offline=settings.current().offline)


def entry(name: str) -> Entry:
    """Return the catalogue's entry of that name; raises ValueError that suggests a similar name, or what to correct.

    >>> entry("bundled").megabytes
    46
    """
    if name not in CATALOGUE:
        close = [each for each in get_close_matches(name, CATALOGUE, n=1, cutoff=0.4) if each != BUNDLED]
        advice = f"Did you mean {close[0]}?" if close else f"Correct the path, or use {BUNDLED}."
        raise ValueError(f"There is no model {quoted(name, 80)} in the catalogue, and no such folder. {advice}")
    return CATALOGUE[name]
