"""The trained probe on a new sentence: what it says of each of its words, or of the whole."""

import re
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.limits import enough
from embtools.probing.features import Features, read_features
from embtools.probing.items import Item, Items
from embtools.probing.probe import STRENGTH, fit
from embtools.words.occurrences import pieces_of, positions

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_WORDS = 60
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def try_on(
    sentence: str,
    items: Items,
    features: Features,
    recipe: str,
    pooling: str,
    model: "EmbeddingModel",
    *,
    strength: float = STRENGTH,
) -> pd.DataFrame:
    """Probabilities that a probe of all items gives the labels of each word of a sentence, or of the sentence.

    Columns: word ("" for a sentence), occurrence, label, probability; a row for each label, in their sorted order.
    Words that this model cannot find in the sentence are left out. Raises ValueError for a sentence without a word,
    with more than 60, or that the model cannot read.
    """
    enough(items, "items", least=2)
    if items[0].word:
        found = words(sentence)
        if len(found) > MAX_WORDS:
            raise ValueError(f"The sentence has {len(found)} words; at most {MAX_WORDS} are read. Shorten it.")
        tokens = model.tokenize(sentence)["token"].tolist()
        asked = [Item(sentence, "", word, n) for word, n in found if _stands(word, n, tokens, model)]
        if not asked:
            raise ValueError("There is no word that this model knows. Write a sentence.")
    else:
        asked = [Item(sentence, "")]
    probe = fit(features.of(recipe), [item.label for item in items], strength)
    vectors = read_features(tuple(asked), pooling, model).of(recipe)
    probabilities = probe.predict_proba(np.asarray(vectors, np.float64))
    rows = [
        (item.word, item.occurrence, str(label), float(probability))
        for item, row in zip(asked, probabilities, strict=True)
        for label, probability in zip(probe.classes_, row, strict=True)
    ]
    return pd.DataFrame(rows, columns=["word", "occurrence", "label", "probability"])


def words(sentence: str) -> list[tuple[str, int]]:
    """The words of a sentence, each with the number of its occurrence.

    >>> words("The end, the end.")
    [('The', 1), ('end', 1), ('the', 2), ('end', 2)]
    """
    seen: dict[str, int] = {}
    found = []
    for word in _WORD.findall(sentence):
        key = word.casefold()
        seen[key] = seen.get(key, 0) + 1
        found.append((word, seen[key]))
    return found


def _stands(word: str, occurrence: int, tokens: list[str], model: "EmbeddingModel") -> bool:
    """Whether the model's pieces of a word stand among the tokens so often."""
    try:
        return occurrence <= len(positions(tokens, pieces_of(word, model)))
    except ValueError:
        return False
