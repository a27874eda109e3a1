"""Short groups of words for the tests, and vectors of two groups."""

import numpy as np

from embtools.wordlists import load

BAD = ("bad", "terrible", "awful", "horrible", "ugly", "nasty", "worthless", "stupid", "miserable", "cruel")
GOOD = ("good", "great", "excellent", "wonderful", "beautiful", "nice", "perfect", "brilliant", "lovely", "kind")
FIRST_SENTENCES, SECOND_SENTENCES = (
    tuple(load("labelled_sentences").query("label == @tense")["sentence"][:10]) for tense in ("present", "past")
)
MALE = ("he", "man", "boy", "king", "prince", "father", "son", "brother", "uncle", "husband")
FEMALE = ("she", "woman", "girl", "queen", "princess", "mother", "daughter", "sister", "aunt", "wife")


def cloud(n=30, d=4, apart=1.0):  # type: ignore[no-untyped-def]
    """Random vectors (n, d) of two groups, and which are of the second."""
    second = np.arange(n) % 3 > 0
    return np.random.default_rng(0).standard_normal((n, d)) + apart * second[:, None], second
