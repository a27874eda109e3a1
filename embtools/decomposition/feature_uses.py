"""Where a learned feature is active in a text: its strongest occurrences, a sample over its range, words and senses."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.decomposition.feature_table import read_features
from embtools.decomposition.feature_words import MOST, promoted_words, within_dictionary
from embtools.decomposition.offered_dictionaries import open_dictionary
from embtools.messages import listed
from embtools.occurrences.corpus import Corpus
from embtools.progress import Progress, silent
from embtools.statistics.percentages import rounded

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_NAMED = 4  # words that the headline names
QUANTILES = 1.0, 0.75, 0.5, 0.25, 0.0
"""Of the active occurrences; a sentence is shown for each."""


@dataclass(frozen=True)
class FeatureOccurrences:
    """What a text says about one feature.

    feature    its number, from 1
    layer      the layer
    count      number of occurrences of words in the text
    active     number of these at which it is active
    best       the strongest occurrences, one per sentence: rank, activation, word, sense, text, start, end
    spread     occurrences over its whole range: share (of the active ones that are weaker), and the same columns
    words      words at whose occurrences it is active: word, active (occurrences), count (all of them), share,
               activation (mean of the active ones)
    senses     the same for words with labelled senses: word, sense, active, count, share
    promoted   words that it promotes: word, along (standard deviations above the mean of all words)
    """

    feature: int
    layer: int
    count: int
    active: int
    best: pd.DataFrame
    spread: pd.DataFrame
    words: pd.DataFrame
    senses: pd.DataFrame
    promoted: pd.DataFrame

    @cached_property
    def headline(self) -> str:
        """At which words the feature is active, and how often."""
        if not self.active:
            return (
                f"Feature {self.feature} of layer {self.layer} is not active at any of the {self.count:,} words of"
                " the text."
            )
        words = listed(f"“{word}”" for word in self.words["word"].head(_NAMED))
        n = len(self.words)
        most = words if n <= _NAMED else f"{n:,} different words, above all {words}"
        these = "This is an occurrence" if self.active == 1 else "These are occurrences"
        return (
            f"Feature {self.feature} of layer {self.layer} is active at {self.active:,} of {self.count:,} words"
            f" ({rounded(self.active / self.count, 2)}). {these} of {most}."
        )


def feature_occurrences(
    corpus: Corpus, model: "EmbeddingModel", *, dictionary: str, feature: int, progress: Progress = silent
) -> FeatureOccurrences:
    """Return where a feature is active in a text, and the words that it promotes.

    The strongest occurrences can look as if a feature had one meaning although most of its activations are of another
    kind (Bolukbasi et al. 2021). So there is also a sample over its whole range.

    Parameters
    ----------
    corpus : Corpus
    model : EmbeddingModel
    dictionary : str
        The name of a learned dictionary of the model, such as "layer 3".
    feature : int
        1 … n.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    FeatureOccurrences

    Raises
    ------
    ValueError
        For a dictionary or a feature that does not exist, and as `embtools.occurrences.encode_corpus` does.

    References
    ----------
    Bricken et al. 2023, "Towards Monosemanticity".
    """
    opened = open_dictionary(dictionary, model)
    within_dictionary(feature, len(opened))
    table = read_features(corpus, model, dictionary=dictionary, progress=progress)
    rows, values = table.of(feature - 1)
    own = table.occurrences
    sentences = own.table["sentence"].to_numpy()[rows]
    first = np.sort(np.unique(sentences, return_index=True)[1])[:MOST]
    best = own.described(rows[first], activation=values[first])
    at = np.array([round((1 - share) * (len(rows) - 1)) for share in QUANTILES], int)[: 5 * bool(len(rows))]
    spread = own.described(rows[at], activation=values[at]).drop(columns="rank")
    spread.insert(0, "share", np.array(QUANTILES)[: len(at)])
    return FeatureOccurrences(
        feature,
        opened.layer,
        len(own.table),
        len(rows),
        best,
        spread,
        _by(own.table, rows, values, ["word"]),
        _by(own.table[own.table["sense"] != ""], rows, values, ["word", "sense"]),
        promoted_words(opened.directions[feature - 1 : feature], model)[0],
    )


def _by(table: pd.DataFrame, rows: NDArray[np.intp], values: NDArray[np.float64], by: list[str]) -> pd.DataFrame:
    """Return how often a feature is active at the occurrences of each group, the most often first."""
    active = pd.Series(values, index=rows).reindex(table.index)
    groups = table.assign(activation=active).groupby(by, sort=False)["activation"]
    frame = groups.agg(active="count", count="size", activation="mean").reset_index()
    known = (
        frame[frame["active"] > 0]
        if len(by) == 1
        else frame[frame["word"].isin(set(frame.loc[frame["active"] > 0, "word"]))]
    )
    known = known.assign(share=known["active"] / known["count"]).sort_values("active", ascending=False, kind="stable")
    return known[[*by, "active", "count", "share", "activation"]].reset_index(drop=True)
