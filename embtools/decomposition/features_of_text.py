"""The learned features that are active at the words of a sentence."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.decomposition import dictionary_quality
from embtools.decomposition.feature_words import promoted_words, within_dictionary
from embtools.decomposition.offered_dictionaries import open_dictionary
from embtools.decomposition.sentence_words import sentence_words
from embtools.mask_filling.typed_input import normalise_masks
from embtools.statistics.percentages import rounded
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MOST = 15
"""Number of features in the chart."""
PROMOTED = 4
"""Number of promoted words that describe a feature."""


@dataclass(frozen=True, eq=False)
class SentenceFeatures:
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

    def of_feature(self) -> pd.DataFrame:
        """The words at which the chosen feature is active, in reading order: word, number, activation."""
        own = self.active[self.active["feature"] == self.feature]
        return own[["word", "number", "activation"]].reset_index(drop=True)


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
        dictionary_quality.table(opened.about.get("quality", [])),
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
