"""The models on offer. A public host loads nothing that is not listed here.

The variable EMBTOOLS_MODELS narrows the list, or adds folders to it: names and folders, parted by commas.
"""

import os
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from embtools.messages import quoted

BUNDLED = "bundled"
MAX_LAYERS = 48  # of a model that is opened: pages have a field for each depth; the deepest on offer has 24


@dataclass(frozen=True)
class Entry:
    """One model: its name in links, a title for people, download in MB, licence, a word on its use.

    `reads` is the language of the texts that it learnt from, `source` its name on the Hugging Face hub, or its folder.
    `confirmed` tells whether its weights are known to be there as safetensors, the only format that is read.
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


def offered(setting: str = "") -> dict[str, Entry]:
    """The models that a setting like "google-bert/bert-base-uncased, /models/mine" names, the bundled one first.

    Without one, all that are known. A folder is offered under its own name. Raises ValueError for what is neither a
    known name nor a folder, and for two folders of one name.

    >>> list(offered("distilbert/distilbert-base-uncased"))
    ['bundled', 'distilbert/distilbert-base-uncased']
    """
    names = [part for part in (piece.strip() for piece in setting.split(",")) if part]
    if not names:
        return dict(KNOWN)
    found = {BUNDLED: KNOWN[BUNDLED]}
    for name in names:
        chosen = KNOWN.get(name) or _of_folder(name)
        if chosen.folder and chosen.name in found:
            raise ValueError(f"EMBTOOLS_MODELS names two folders {quoted(chosen.name, 80)}. Rename one of them.")
        found[chosen.name] = chosen
    return found


def _of_folder(name: str) -> Entry:
    folder = Path(name)
    try:
        there = folder.is_dir()
    except (OSError, ValueError):  # too long for a path, or with a sign that no path has
        there = False
    if not there:
        raise ValueError(
            f"EMBTOOLS_MODELS names {quoted(name, 80)}, which is neither a known model nor a folder. Correct the name."
        )
    megabytes = sum(path.stat().st_size for path in folder.glob("*.safetensors")) // 10**6
    return Entry(folder.name, folder.name, max(1, megabytes), "your own", "A folder on this server.", folder=name)


CATALOGUE = offered(os.environ.get("EMBTOOLS_MODELS", ""))


def entry(name: str) -> Entry:
    """The catalogue's entry of that name; ValueError naming the nearest one when there is none.

    >>> entry("bundled").megabytes
    46
    """
    if name not in CATALOGUE:
        close = get_close_matches(name, CATALOGUE, n=1, cutoff=0.4) or [BUNDLED]
        raise ValueError(f"There is no model {quoted(name, 80)} in the catalogue. Did you mean {close[0]}?")
    return CATALOGUE[name]
