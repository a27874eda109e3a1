"""The wordings of the sentences that are made by rules about the relations of the Evidence page, as a word list.

    python -m training.sentences.wordings

The page marks sentences that are similar to them. Run the command again when a wording is changed, but leave out
wordings that the bundled model has not read.
"""

import sys
from pathlib import Path

import pandas as pd

from embtools import wordlists
from training.sentences import capitals, colours, countries, glosses, opposites, places

A, B = "{a}", "{b}"
_FILE = Path(wordlists.__file__).with_name("training_wordings.csv")


def wordings() -> pd.DataFrame:
    """Return the wordings that the bundled model has read, with {a} and {b} for the words of a pair: relation, wording.

    >>> wordings().iloc[0].tolist()
    ['capital', '{b} has its capital in {a}.']
    """
    found = {
        "capital": [*capitals.sentences(B, A), *places.wordings(B, A)],
        "language": _of(countries.sentences(A, "Arabic (official)"), {"Arabic": B}),
        "continent": _of(countries.sentences(A, "Africa, north of Angola"), {"Africa": B, ", north of Angola": ""}),
        "young": _of(glosses.relations("lamb", "young sheep", {"sheep"}), {"lamb": B, "sheep": A}),
        "opposite": opposites.sentences(A, B),
        "colour": colours.sentences(A, B),
        "kind": _of(glosses.relations("sparrow", "any small bird", {"bird"}), {"sparrow": A, "bird": B}),
    }
    rows = [(relation, wording) for relation, sentences in found.items() for wording in dict.fromkeys(sentences)]
    return pd.DataFrame(rows, columns=["relation", "wording"])


def _of(sentences: list[str], words: dict[str, str]) -> list[str]:
    """Return sentences about example words as wordings."""
    for word, placeholder in words.items():
        sentences = [sentence.replace(word, placeholder) for sentence in sentences]
    return sentences


def main() -> int:
    """Write the word list and return the exit status."""
    wordings().to_csv(_FILE, index=False)
    print(f"{len(wordings())} wordings are in {_FILE}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
