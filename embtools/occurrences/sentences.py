"""How similar a sentence is to every sentence of a corpus: by meaning, and by shared words."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from embtools.limits import enough
from embtools.vectors import Array


@dataclass(frozen=True, eq=False)
class ComparedSentences:
    """A sentence compared with n sentences of a corpus; the sentence itself is left out.

    numbers  (n,) their numbers in the corpus
    meaning  (n,) cosines of the mean vectors
    shared   (n,) cosines of the word counts, weighted by rarity (tf-idf), which use no meaning
    """

    numbers: NDArray[np.intp]
    meaning: Array
    shared: Array


def shared_words(sentence: str, sentences: Sequence[str]) -> Array:
    """The cosine (n,) between the words of a sentence and those of n others, each word weighted by its rarity (tf-idf).

    >>> shared_words("A king.", ["the king", "the queen"]).round(2).tolist()
    [0.43, 0.0]
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    enough(sentences, "sentences")
    counted = TfidfVectorizer(token_pattern=r"(?u)\w+").fit_transform([sentence, *sentences])
    found: Array = (counted[1:] @ counted[0].T).toarray()[:, 0]
    return found
