"""The words of a sentence as vectors after a layer, their learned features, and BERT's answers with other vectors."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.drawing import Displayed
from embtools.features.learned import open_dictionary, table
from embtools.features.uses import promoted_words, within_dictionary
from embtools.mask_filling.answers import best_answer, left_out, top_answers
from embtools.mask_filling.typed_input import normalise_masks
from embtools.models.patching import with_rows
from embtools.occurrences.rows import word_vectors
from embtools.statistics.percentages import rounded
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MOST = 15
"""Number of features in the chart."""
PROMOTED = 4
"""Number of promoted words that describe a feature."""
_BATCH = 64  # runs per batch: each has a probability for every token of the vocabulary


@dataclass(frozen=True, eq=False)
class SentenceWords:
    """The w words of a sentence of t tokens; special tokens, such as a mask, and punctuation marks are not words.

    text     the sentence
    layer    the layer
    ids      (t,) its tokens
    states   (t, d) the hidden states after the layer
    firsts   (w,) the position of the first token of each word
    pieces   (w,) its number of tokens
    places   (w,) where it begins and ends in the text
    vectors  (w, d) the means of its tokens
    """

    text: str
    layer: int
    ids: NDArray[np.int64]
    states: Array
    firsts: NDArray[np.int64]
    pieces: NDArray[np.int64]
    places: tuple[tuple[int, int], ...]
    vectors: Array

    @property
    def words(self) -> tuple[str, ...]:
        """The words as they are written in the sentence."""
        return tuple(self.text[start:end] for start, end in self.places)

    def moved(self, differences: Array) -> Array:
        """Return the states (t, d) with every token of each word moved by the word's difference (w, d)."""
        states = self.states.copy()
        for first, pieces, difference in zip(self.firsts, self.pieces, differences, strict=True):
            states[first : first + pieces] += difference
        return states


def sentence_words(text: str, model: "EmbeddingModel", *, layer: int) -> SentenceWords:
    """Return the words of a sentence and their vectors after a layer."""
    if not 1 <= layer <= model.layers:
        raise ValueError(f"There is no layer {layer}. Choose 1 to {model.layers}.")
    ids = model.tokenize(text)["id"].to_numpy()
    special = {model.ids[token] for token in model.special}
    spans = [
        span
        for span in model.words(text)[1]
        if any(map(str.isalnum, text[span[2] : span[3]])) and special.isdisjoint(ids[span[0] : span[0] + span[1]])
    ]
    if not spans:
        raise ValueError("There is no word in the sentence that this model knows. Write a sentence.")
    states = model.hidden_states(text)[layer]
    firsts, pieces = (np.array([span[n] for span in spans], np.int64) for n in (0, 1))
    places = tuple((span[2], span[3]) for span in spans)
    return SentenceWords(text, layer, ids, states, firsts, pieces, places, word_vectors(states, firsts, pieces))


def compared_answers(
    states: Array, model: "EmbeddingModel", *, layer: int, position: int, most: int = 1
) -> tuple[pd.DataFrame, list[pd.DataFrame]]:
    """Compare the answers at a position of each of b runs with those of the first run."""
    if states.ndim != 3 or not len(states) or not 0 <= position < states.shape[1]:
        raise ValueError(f"There is no position {position} in these states. Choose one of the sentence.")
    rows, answers = [], []
    before: Array | None = None
    for begin in range(0, len(states), _BATCH):
        last = with_rows(states[begin : begin + _BATCH], model, layer=layer, positions=[position])[:, 0]
        for scores in model.logits(model.transform(last)).astype(np.float64):
            logs = scores - scores.max()
            logs -= np.log(np.exp(logs).sum())
            before = logs if before is None else before
            nats = float(np.exp(before) @ (before - logs))
            top, first = int(best_answer(logs, model)), int(best_answer(before, model))
            rows.append((model.vocabulary[top], float(np.exp(logs[first])), top == first, max(0.0, nats / np.log(2))))
            order = top_answers(np.exp(logs), left_out((), model), most)
            answers.append(
                pd.DataFrame({"answer": [model.vocabulary[i] for i in order], "probability": np.exp(logs[order])})
            )
    return pd.DataFrame(rows, columns=["answer", "probability", "same_answer", "kl_bits"]), answers


@dataclass(frozen=True, eq=False)
class SentenceFeatures(Displayed):
    """The active features of the w words of a sentence.

    text       the sentence as BERT read it
    layer      the layer
    words      the words
    feature    the number of the chosen feature, from 1; the strongest one of the sentence if none was chosen
    count      number of features of the dictionary
    k          how many can be active at a word
    explained  the share of the squared distances of the words from the dictionary's centre that their sums explain
    active     one row per word and active feature: word, number (of the word, from 1), start, end, rank, feature,
               activation
    strongest  the strongest features of the sentence: feature, activation (its highest), at (the word), words (number
               of words at which it is active), promotes
    quality    how good the dictionary and its controls are: dictionary, explained, dead, active, kl_bits, …
    made       how the dictionary was made: occurrences, held_out, steps, …
    """

    text: str
    layer: int
    words: tuple[str, ...]
    feature: int
    count: int
    k: int
    explained: float
    active: pd.DataFrame
    strongest: pd.DataFrame
    quality: pd.DataFrame
    made: dict[str, object]

    @cached_property
    def headline(self) -> str:
        """How many features are active per word, what they explain, and the strongest one."""
        mean, top = len(self.active) / len(self.words), self.strongest.iloc[0]
        return (
            f"After layer {self.layer}, {mean:.0f} of {self.count:,} features are active per word on average. The sum"
            f" of a word’s features explains {rounded(self.explained)} of its vector. The strongest is feature"
            f" {top['feature']:,} at “{top['at']}” ({top['activation']:.1f})."
        )

    @cached_property
    def grid(self) -> Array:
        """The activations (f, w) of the strongest features at all words; 0 where a feature is not active."""
        rows = {feature: row for row, feature in enumerate(self.strongest["feature"])}
        activations = np.zeros((len(rows), len(self.words)), np.float32)
        for feature, number, activation in zip(
            self.active["feature"], self.active["number"], self.active["activation"], strict=True
        ):
            if feature in rows:
                activations[rows[feature], number - 1] = activation
        return activations


def sentence_features(text: str, model: "EmbeddingModel", *, dictionary: str, feature: int = 0) -> SentenceFeatures:
    """Return the features of a learned dictionary that are active at the words of a sentence.

    Parameters
    ----------
    text : str
        A sentence; it may contain a mask, which is not a word.
    model : EmbeddingModel
    dictionary : str
        The name of a learned dictionary of the model, such as "layer 3".
    feature : int, default 0
        The feature to describe, 1 … n; 0 is the strongest of the sentence.

    Returns
    -------
    SentenceFeatures

    Raises
    ------
    ValueError
        For a dictionary or a feature that does not exist, a sentence without a word that the model knows, and if no
        feature is active in it.

    References
    ----------
    Yun et al. 2021, "Transformer visualization via dictionary learning".
    """
    opened = open_dictionary(dictionary, model)
    if feature:
        within_dictionary(feature, len(opened))
    read = sentence_words(normalise_masks(text, gaps=False), model, layer=opened.layer)
    codes = opened.codes(read.vectors)
    sums = opened.reconstruct(codes)
    whole = float(((read.vectors - opened.centre) ** 2).sum())
    rows = [
        (read.words[number], number + 1, *read.places[number], rank + 1, int(one) + 1, float(value))
        for number in range(len(read.words))
        for rank, (one, value) in enumerate(zip(codes.features[number], codes.activations[number], strict=True))
        if value > 0
    ]
    columns = ["word", "number", "start", "end", "rank", "feature", "activation"]
    active = pd.DataFrame(rows, columns=columns)
    if active.empty:
        raise ValueError("No feature is active in this sentence. Write another sentence.")
    return SentenceFeatures(
        read.text,
        opened.layer,
        read.words,
        feature or int(active.loc[active["activation"].idxmax(), "feature"]),
        len(opened),
        opened.k,
        1 - float(((read.vectors - sums) ** 2).sum()) / whole if whole else 0.0,
        active,
        _strongest(active, opened.directions, model),
        table(opened.about.get("quality", [])),
        {name: opened.about.get(name) for name in ("occurrences", "held_out", "steps", "batch", "seed")},
    )


def _strongest(active: pd.DataFrame, directions: Array, model: "EmbeddingModel") -> pd.DataFrame:
    order = active.sort_values("activation", ascending=False, kind="stable")
    counts = active["feature"].value_counts()
    top = order.drop_duplicates("feature").head(MOST)
    features = top["feature"].to_numpy()
    promoted = promoted_words(directions[features - 1], model, n=PROMOTED)
    return pd.DataFrame(
        {
            "feature": features,
            "activation": top["activation"].to_numpy(),
            "at": top["word"].to_numpy(),
            "words": counts.loc[features].to_numpy(),
            "promotes": [", ".join(frame["word"]) for frame in promoted],
        }
    )
