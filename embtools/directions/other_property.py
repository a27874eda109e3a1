"""Another property of words, which an erasure should leave: what a new probe finds of it before and after."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from embtools import wordlists
from embtools.directions.effects import Change
from embtools.limits import enough
from embtools.memory import remembered
from embtools.messages import quoted
from embtools.progress import Progress, silent, through
from embtools.statistics.probe import FOLDS, held_out, split
from embtools.vectors import Array
from embtools.words.occurrences import occurrence_of

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

Property = Literal["part of speech", "tense", "number"]
PART_OF_SPEECH, TENSE, NUMBER = PROPERTIES = get_args(Property)


@dataclass(frozen=True, eq=False)
class LabelledStates:
    """Words in sentences, labelled by hand, with their hidden states.

    words   the n words; a word can occur in several sentences
    labels  the n labels
    states  (l + 1, n, d) the mean over a word's tokens, after every layer
    """

    words: tuple[str, ...]
    labels: tuple[str, ...]
    states: Array


@remembered
def labelled_states(name: Property, model: "EmbeddingModel", *, progress: Progress = silent) -> LabelledStates:
    """Read the built-in words that are labelled with a property, the same as on the Probing page."""
    check_property(name)
    rows = wordlists.load("probing").query("task == @name")
    texts = list(dict.fromkeys(rows["sentence"]))
    tokens = {text: model.tokenize(text)["token"].tolist() for text in texts}
    words, labels = [], []
    where: list[tuple[str, list[int]]] = []
    for row in rows.itertuples():
        with suppress(ValueError):  # a word that this model cannot read
            text, number = str(row.sentence), int(row.occurrence)
            at = occurrence_of(str(row.word), model, occurrence=number, sentence=text, tokens=tokens[text])
            where.append((text, list(at)))
            words.append(str(row.word).casefold())
            labels.append(str(row.label))
    if any(len({w for w, own in zip(words, labels, strict=True) if own == label}) < FOLDS for label in set(rows.label)):
        raise ValueError(
            f"This model cannot read enough of the built-in words for the property {quoted(name)}. Choose another"
            " property or another model."
        )
    states = np.empty((model.layers + 1, len(words), model.dimensions), np.float32)
    for done, (number, found) in enumerate(model.hidden_states_many(texts), 1):
        for index, (text, places) in enumerate(where):
            if text == texts[number]:
                states[:, index] = found[:, places].mean(axis=1)
        progress(done / len(texts))
    return LabelledStates(tuple(words), tuple(labels), states)


def probes_after(
    read: LabelledStates, *, changes: Sequence[Change], layer: int, seed: int = 0, progress: Progress = silent
) -> Array:
    """Return (c, n): whether a probe that is newly trained after each of c changes labels each of n words correctly.

    A linear probe is trained on four folds and tested on the fifth; all occurrences of a word are in one fold.
    """
    enough(changes, "changes")
    if not 0 <= layer < len(read.states):
        raise ValueError(f"There is no layer {layer}. Choose 0 (embedding output) to {len(read.states) - 1}.")
    labels, names = np.array(read.labels), np.unique(read.labels)
    splits = split(read.labels, read.words, seed=seed)
    vectors = read.states[layer].astype(np.float64)
    return np.array(
        [
            names[held_out(change(vectors), read.labels, splits).argmax(axis=1)] == labels
            for change in through(changes, progress)
        ],
        float,
    )


def check_property(name: str) -> None:
    """Raise ValueError for an unknown property."""
    if name not in PROPERTIES:
        raise ValueError(f"There is no property {quoted(name)}. Choose one of: {', '.join(PROPERTIES)}.")
