"""The models on offer. A public host loads nothing that is not listed here."""

from dataclasses import dataclass
from difflib import get_close_matches

BUNDLED = "bundled"


@dataclass(frozen=True)
class Entry:
    """One model: its name on the Hugging Face hub, a title for people, download in MB, licence, a word on its use.

    `reads` is the language of the texts that it learnt from.
    """

    name: str
    title: str
    megabytes: int
    licence: str
    note: str
    reads: str = "English"


CATALOGUE = {
    entry.name: entry
    for entry in (
        Entry(BUNDLED, "Pocket BERT (bundled)", 46, "Apache-2.0", "Starts at once, no network needed."),
        Entry(
            "google-bert/bert-base-uncased",
            "BERT base",
            440,
            "Apache-2.0",
            "The model of the texts this app is built on.",
        ),
        Entry(
            "google-bert/bert-large-uncased", "BERT large", 1345, "Apache-2.0", "24 layers; needs about 3 GB of memory."
        ),
        Entry("google-bert/bert-base-cased", "BERT base, cased", 436, "Apache-2.0", "Tells Rome from rome."),
        Entry(
            "google-bert/bert-base-multilingual-cased",
            "BERT base, 104 languages",
            714,
            "Apache-2.0",
            "One vocabulary of 119,547 pieces for 104 languages.",
            reads="104 languages",
        ),
        Entry(
            "distilbert/distilbert-base-uncased",
            "DistilBERT",
            268,
            "Apache-2.0",
            "6 layers, no segments, no next-sentence head.",
        ),
    )
}


def entry(name: str) -> Entry:
    """The catalogue's entry of that name; ValueError naming the nearest one when there is none.

    >>> entry("bundled").megabytes
    46
    """
    if name not in CATALOGUE:
        close = get_close_matches(name, CATALOGUE, n=1, cutoff=0.4) or [BUNDLED]
        raise ValueError(f"There is no model {name[:80]!r} in the catalogue. Did you mean {close[0]}?")
    return CATALOGUE[name]
