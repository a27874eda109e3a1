"""A trained probe applied to a new sentence: the labels it predicts for each word, or for the sentence."""

import re
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.limits import enough
from embtools.probing.features import Features, read_features
from embtools.probing.items import Item, Items
from embtools.statistics.probe import STRENGTH, fit
from embtools.words.occurrences import pieces_of, positions

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_WORDS = 60
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def predict_labels(
    sentence: str,
    model: "EmbeddingModel",
    *,
    items: Items,
    features: Features,
    combination: str,
    pooling: str,
    strength: float = STRENGTH,
) -> pd.DataFrame:
    """Return the label probabilities of a probe trained on all items for each word of a sentence, or for the sentence.

    Words that this model cannot find in the sentence are left out.
    """
    enough(items, "items", least=2)
    if items[0].word:
        every = words(sentence)
        if len(every) > MAX_WORDS:
            raise ValueError(f"The sentence has {len(every):,} words, but at most {MAX_WORDS} are allowed. Shorten it.")
        tokens = model.tokenize(sentence)["token"].tolist()
        new = [Item(sentence, "", word, n) for word, n in every if _occurs(word, n, tokens, model)]
        if not new:
            raise ValueError("The sentence has no word that this model knows. Write another one.")
    else:
        new = [Item(sentence, "")]
    probe = fit(features.of(combination), [item.label for item in items], strength=strength)
    vectors = read_features(tuple(new), model, pooling=pooling).of(combination)
    probabilities = probe.predict_proba(np.asarray(vectors, np.float64))
    rows = [
        (item.word, item.occurrence, str(label), float(probability))
        for item, row in zip(new, probabilities, strict=True)
        for label, probability in zip(probe.classes_, row, strict=True)
    ]
    return pd.DataFrame(rows, columns=["word", "occurrence", "label", "probability"])


def words(sentence: str) -> list[tuple[str, int]]:
    """Return the words of a sentence, each with the number of its occurrence.

    >>> words("The end, the end.")
    [('The', 1), ('end', 1), ('the', 2), ('end', 2)]
    """
    counts: dict[str, int] = {}
    result = []
    for word in _WORD.findall(sentence):
        key = word.casefold()
        counts[key] = counts.get(key, 0) + 1
        result.append((word, counts[key]))
    return result


def _occurs(word: str, occurrence: int, tokens: list[str], model: "EmbeddingModel") -> bool:
    """Return whether a word occurs at least this number of times among the tokens."""
    try:
        return occurrence <= len(positions(tokens, pieces_of(word, model)))
    except ValueError:
        return False
