"""What probes are trained on (labelled items, read in every layer and layer combination), and a probe on a sentence."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.concepts.items import TASKS, Item, Items, built_in, read_items
from embtools.layer_combinations import (
    SENTENCE_POOLINGS,
    WORD_POOLINGS,
    check_combination,
    combination_names,
    combine,
    pool,
)
from embtools.limits import enough
from embtools.mask_filling.typed_input import WITH_HYPHENS
from embtools.memory import remembered
from embtools.messages import quoted, shortened
from embtools.progress import Progress, silent
from embtools.statistics.probe import NEVER, STRENGTH, fit
from embtools.vectors import Array
from embtools.words.occurrences import occurrence_of, pieces_of, positions
from embtools.written import Listed

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_PIECES = 30_000  # of all sentences together
MAX_WORDS = 60
_FIT = 6e-6  # seconds to read and fit one number of one item's vectors


@dataclass(frozen=True)
class Features:
    """The vectors of n items in r layer combinations: combinations (r names), vectors (r arrays (n, d) or (n, 4 d))."""

    combinations: tuple[str, ...]
    vectors: tuple[Array, ...]

    def of(self, combination: str) -> Array:
        """Return the vectors (n, d) of a layer combination; ValueError for an unknown one."""
        check_combination(combination, self.combinations)
        return self.vectors[self.combinations.index(combination)]


def poolings(items: Items) -> tuple[str, ...]:
    """Return the poolings that fit the items, those of words or those of sentences; the usual one first."""
    enough(items, "items")
    return WORD_POOLINGS[::-1] if items[0].word else (SENTENCE_POOLINGS[1], SENTENCE_POOLINGS[0], SENTENCE_POOLINGS[2])


def read_features(items: Items, model: "EmbeddingModel", *, pooling: str, progress: Progress = silent) -> Features:
    """Return the vectors of items in every layer and layer combination of a model, with one pooling."""
    if pooling not in poolings(items):
        fitting = ", ".join(poolings(items))
        raise ValueError(f"The pooling {quoted(pooling)} does not fit these items. Choose one of: {fitting}.")
    sentences = list(dict.fromkeys(item.sentence for item in items))
    tokens = {}
    for sentence in sentences:
        try:
            tokens[sentence] = model.tokenize(sentence)["token"].tolist()
        except ValueError as error:
            raise ValueError(f"“{shortened(sentence)}”: {error}") from error
    total = sum(map(len, tokens.values()))
    if total > MAX_PIECES:
        raise ValueError(
            f"The sentences have {total:,} tokens together, but at most {MAX_PIECES:,} are allowed. Remove some."
        )
    where = [
        occurrence_of(
            *(item.word, model), occurrence=item.occurrence, sentence=item.sentence, tokens=tokens[item.sentence]
        )
        if item.word
        else ()
        for item in items
    ]
    of: dict[str, list[int]] = {}
    for number, item in enumerate(items):
        of.setdefault(item.sentence, []).append(number)
    combinations = combination_names(model.layers)
    rows: list[list[Array]] = [[np.empty(0)] * len(items) for _ in combinations]
    for done, (number, states) in enumerate(model.hidden_states_many(sentences), 1):
        for row, combination in zip(rows, combinations, strict=True):
            combined = combine(states, combination)
            for index in of[sentences[number]]:
                row[index] = pool(combined, pooling, positions=where[index]).astype(np.float32)
        progress(done / len(sentences))
    return Features(combinations, tuple(np.stack(row) for row in rows))


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
    """Return the label probabilities of a probe trained on all items for each word of a sentence that this model can
    find in it, or for the sentence.
    """
    enough(items, "items", least=2)
    if items[0].word:
        every = words(sentence)
        if not sentence.strip():
            raise ValueError("The sentence is empty. Write one.")
        if len(every) > MAX_WORDS:
            raise ValueError(f"The sentence has {len(every):,} words, but at most {MAX_WORDS} are allowed. Shorten it.")
        new, numbers = _in_order(sentence, every, model)
        if not new:
            raise ValueError("The sentence has no word that this model knows. Write another one.")
    else:
        new, numbers = (Item(sentence, ""),), (1,)
    probe = fit(features.of(combination), [item.label for item in items], strength=strength)
    vectors = read_features(new, model, pooling=pooling).of(combination)
    probabilities = probe.predict_proba(np.asarray(vectors, np.float64))
    rows = [
        (item.word, number, str(label), float(probability))
        for item, number, row in zip(new, numbers, probabilities, strict=True)
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
    for word in WITH_HYPHENS.findall(sentence):
        key = word.casefold()
        counts[key] = counts.get(key, 0) + 1
        result.append((word, counts[key]))
    return result


def _in_order(
    sentence: str, every: Sequence[tuple[str, int]], model: "EmbeddingModel"
) -> tuple[Items, tuple[int, ...]]:
    """Return the words that a model can find in a sentence, with their numbers. To the model, a word can occur more
    often, as a part of others: “mother” in “mother-in-law”, and “cafe” in “café”.
    """
    tokens, end, found = model.tokenize(sentence)["token"].tolist(), 0, []
    for word, number in every:
        with suppress(ValueError):  # no occurrence is left
            for n in count(1):
                at = occurrence_of(word, model, occurrence=n, sentence=sentence, tokens=tokens)
                if at[0] >= end:
                    break
            found.append((Item(sentence, "", word, n), number))
            end = at[-1] + 1
    return tuple(item for item, _ in found), tuple(number for _, number in found)


def readable(items: Items, model: "EmbeddingModel") -> Items:
    """Return the labelled words that a model can find in their sentences."""
    tokens = {text: model.tokenize(text)["token"].tolist() for text in dict.fromkeys(item.sentence for item in items)}
    found = []
    for item in items:
        with suppress(ValueError):
            if item.occurrence <= len(positions(tokens[item.sentence], pieces_of(item.word, model))):
                found.append(item)
    return tuple(found)


@dataclass(frozen=True)
class Probes(Listed):
    """What probes are trained on, and how.

    Attributes
    ----------
    labels : str
        The name of a built-in task, or items as text (see `items_table`).
    pooling : str
        A pooling that fits the items.
    folding : str
        "never seen": all occurrences of a word are in the same fold. "possibly seen": each item on its own.
    strength : float
        Strength of the regularisation, above 0.
    """

    by_position = 2

    labels: str
    pooling: str
    folding: str = NEVER
    strength: float = STRENGTH

    @property
    def subject(self) -> str:
        """What the probes are about."""
        return self.labels

    @property
    def items(self) -> Items:
        """The labelled items; ValueError as `read_items`."""
        return items_of(self.labels)

    @property
    def task(self) -> str:
        """The name of the built-in task; "" for other items."""
        return self.labels if self.labels in TASKS else ""

    def vectors(self, model: "EmbeddingModel", *, progress: Progress = silent) -> Features:
        """Return the vectors of the items in every layer and layer combination; ValueError as `read_features`."""
        return item_vectors(self.labels, model, pooling=self.pooling, progress=progress)


def items_of(labels: str) -> Items:
    """Return the items of a built-in task, or those of a text; ValueError as `read_items`."""
    return built_in(labels) if labels in TASKS else read_items(labels)


def items_table(labels: str) -> pd.DataFrame:
    """Return the items as a table.

    Parameters
    ----------
    labels : str
        The name of a built-in task ("tense", "part of speech", "number" or "topic"); or items, one per line, such as
        `label | word | sentence` or `label | sentence`, or as a table.

    Returns
    -------
    DataFrame
        sentence, label and, for labelled words, word and occurrence.

    Raises
    ------
    ValueError
        As `probe_layers` does for the items.
    """
    items = items_of(labels)
    table = pd.DataFrame(
        [(item.sentence, item.word, item.occurrence, item.label) for item in items],
        columns=["sentence", "word", "occurrence", "label"],
    )
    return table if items[0].word else table[["sentence", "label"]]


def effort(labels: str, *, layers: int, dimensions: int) -> float:
    """Return about how many seconds the probes on all layers of a model of this size take."""
    return len(items_of(labels)) * (layers + 1) * dimensions * _FIT


@remembered
def item_vectors(labels: str, model: "EmbeddingModel", *, pooling: str, progress: Progress = silent) -> Features:
    """Return the vectors of the items in every layer and layer combination. Cached. ValueError as `read_features`."""
    return read_features(items_of(labels), model, pooling=pooling, progress=progress)


def try_probe(sentence: str, model: "EmbeddingModel", *, probes: Probes, layer: int) -> pd.DataFrame:
    """Return the labels that a probe on one layer, trained on all items, predicts for a new sentence.

    Parameters
    ----------
    sentence : str
        The new sentence.
    model : EmbeddingModel
        If words of it are edited, it reads the sentence, but the probe is trained on the original model.
    probes : Probes
        Items and pooling; all items are used, so the folds make no difference.
    layer : int
        The layer.

    Returns
    -------
    DataFrame
        Columns: word ("" for a sentence), occurrence, label, probability; one row per label.

    Raises
    ------
    ValueError
        As `probe_layers` does, and for a sentence that is too long or has no word that the model knows.
    """
    return predict_labels(
        sentence,
        model,
        items=probes.items,
        features=probes.vectors(model.original),
        combination=f"layer {layer}",
        pooling=probes.pooling,
        strength=probes.strength,
    )
