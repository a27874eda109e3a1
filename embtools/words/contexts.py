"""How similarly words are used in a text: which words stand near them.

    python -m embtools.words.contexts simplewiki.txt.xz

This writes the word list `colour_uses`, which compares every two colour words of the list `colours`.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.documents import read_documents
from embtools.limits import enough
from embtools.messages import quoted
from embtools.vectors import Array, cosine

WINDOW, COMMON = 2, 5_000
"""Words on each side that count as near, and the number of near words that are compared, the most frequent ones."""
_FILE = Path(wordlists.__file__).with_name("colour_uses.csv")
_WORD = re.compile(r"[^\W\d_]+")


def uses(lines: Iterable[str], words: Sequence[str], *, window: int = WINDOW, common: int = COMMON) -> Array:
    """Return how strongly each word is associated with its near words: (n, k), positive pointwise mutual information
    (Bullinaria and Levy 2007, "Extracting semantic representations from word co-occurrence statistics").
    """
    enough(words, "words", least=2)
    near: dict[str, Counter[str]] = {word: Counter() for word in words}
    every: Counter[str] = Counter()
    for line in lines:
        tokens = _WORD.findall(line.lower())
        every.update(tokens)
        for i, token in enumerate(tokens):
            if token in near:
                near[token].update(tokens[max(i - window, 0) : i] + tokens[i + 1 : i + 1 + window])
    for word in words:
        if not near[word]:
            raise ValueError(f"The text does not contain {quoted(word)}. Leave it out, or use a longer text.")
    columns = [word for word, _ in sum(near.values(), Counter()).most_common(common)]
    counts = np.array([[near[word][column] for column in columns] for word in words], np.float64)
    own = np.array([sum(near[word].values()) for word in words], np.float64)
    expected = np.array([every[column] for column in columns], np.float64) / sum(every.values())
    with np.errstate(divide="ignore"):
        found = np.log(counts / own[:, None] / expected)
    return np.asarray(np.maximum(found, 0))


def similarities(lines: Iterable[str], words: Sequence[str]) -> pd.DataFrame:
    """Return the cosine of the `uses` of every two words: first, second, similarity. Raises ValueError as `uses`."""
    rows = uses(lines, words)
    values = cosine(rows, rows)
    pairs = [(words[i], words[j], round(float(values[i, j]), 4)) for i, j in combinations(range(len(words)), 2)]
    return pd.DataFrame(pairs, columns=["first", "second", "similarity"])


def main(arguments: list[str] | None = None) -> int:
    """Write the word list from text files and return the exit status."""
    files = [Path(name) for name in (sys.argv[1:] if arguments is None else arguments)]
    if not files:
        print(__doc__, file=sys.stderr)
        return 1

    lines = (line for path in files for document in read_documents(path) for line in document)
    try:
        frame = similarities(lines, tuple(wordlists.load("colours")["colour"]))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    frame.to_csv(_FILE, index=False)
    print(f"{len(frame)} pairs are in {_FILE}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
