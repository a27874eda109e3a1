"""Where learned features are active in a text: their occurrences and words, and the features of a word."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools import memory
from embtools.drawing import Displayed
from embtools.features.learned import Codes, open_dictionary
from embtools.limits import within
from embtools.memory import remembered
from embtools.messages import listed, quoted
from embtools.models.output_head import scores_along
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import Occurrences, encode_corpus, encoded
from embtools.progress import Progress, part, silent
from embtools.statistics.percentages import rounded
from embtools.vectors import top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MOST = 12
"""Number of words, features or occurrences in a list."""
_NAMED = 4  # words that the headline names
QUANTILES = 1.0, 0.75, 0.5, 0.25, 0.0
"""Of the active occurrences; a sentence is shown for each."""
_PACE, _TOKEN_SECONDS = 2.5e9, 1e-4  # measured: tokens × layers × dimensions² per second, and seconds to tokenise one


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """The active features (m, k) of all m occurrences of a text."""

    occurrences: Occurrences
    codes: Codes

    def of(self, feature: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the rows at which a feature (from 0) is active, the strongest first, and its activations."""
        rows, columns = np.nonzero((self.codes.features == feature) & (self.codes.activations > 0))
        values = self.codes.activations[rows, columns].astype(np.float64)
        order = np.argsort(-values, kind="stable")
        return rows[order], values[order]


@remembered
def read_features(
    corpus: Corpus, model: "EmbeddingModel", *, dictionary: str, progress: Progress = silent
) -> FeatureTable:
    """Return the active features of every occurrence of a text; cached."""
    opened = open_dictionary(dictionary, model)
    combination = f"layer {opened.layer}"
    occurrences = encode_corpus(corpus, model, combination=combination, progress=part(progress, 0.0, 0.8))
    codes = opened.codes(occurrences.vectors)
    codes.features.flags.writeable = codes.activations.flags.writeable = False
    return FeatureTable(occurrences, codes)


def effort(corpus: Corpus, model: "EmbeddingModel", *, dictionary: str) -> float:
    """Return about how many seconds `read_features` takes; 0 if its result is cached."""
    opened = open_dictionary(dictionary, model)
    if memory.known(read_features, {"corpus": corpus, "dictionary": dictionary}, checksum=model.checksum):
        return 0.0
    tokens = 1.3 * sum(len(sentence.split()) + 2 for sentence in corpus.sentences)
    read = encoded(corpus, model, combination=f"layer {opened.layer}")
    reading = 0.0 if read else tokens * (model.layers * model.dimensions**2 / _PACE + _TOKEN_SECONDS)
    return reading + tokens * len(opened) * model.dimensions / 1e10


@dataclass(frozen=True)
class FeatureOccurrences(Displayed):
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


def features_of_word(
    word: str, model: "EmbeddingModel", *, corpus: Corpus, dictionary: str, progress: Progress = silent
) -> pd.DataFrame:
    """Return the features that are active at the occurrences of a word in a text, the most common first.

    Parameters
    ----------
    word : str
        A word of the text.
    model : EmbeddingModel
    corpus : Corpus
    dictionary : str
        The name of a learned dictionary of the model, such as "layer 3".
    progress : callable, optional

    Returns
    -------
    DataFrame
        Columns: feature (from 1), share (of the word's occurrences at which it is active), activation (its mean
        there), words (the words at which it is strongest).

    Raises
    ------
    ValueError
        For a word that is not in the text, a dictionary that does not exist, and as
        `embtools.occurrences.encode_corpus` does.
    """
    if not (word.strip() and corpus.having(word.strip()).sentences):  # found before the text is read
        raise ValueError(_missing(word, corpus))
    table = read_features(corpus, model, dictionary=dictionary, progress=progress)
    rows = table.occurrences.of("".join(piece.removeprefix("##") for piece in model.pieces(word)))
    if not len(rows):
        raise ValueError(_missing(word, corpus))
    features, values = table.codes.features[rows].ravel(), table.codes.activations[rows].ravel()
    frame = pd.DataFrame({"feature": features[values > 0] + 1, "activation": values[values > 0].astype(float)})
    grouped = frame.groupby("feature")["activation"].agg(["size", "mean"]).reset_index()
    grouped = grouped.sort_values(["size", "mean"], ascending=False).head(MOST)
    return pd.DataFrame(
        {
            "feature": grouped["feature"].to_numpy(),
            "share": grouped["size"].to_numpy() / len(rows),
            "activation": grouped["mean"].to_numpy(),
            "words": strongest_words(table, grouped["feature"].to_numpy() - 1),
        }
    )


def _missing(word: str, corpus: Corpus) -> str:
    words = Counter(re.findall(r"[a-z]{5,}", " ".join(corpus.sentences).lower()))
    example = "".join(f", for example {common}" for common, _ in words.most_common(1))
    if not word.strip():
        return f"There is no word to search for. Write a word of the text{example}."
    return f"The text does not contain {quoted(word)}. Write one word that occurs in it{example}."


def strongest_words(table: FeatureTable, features: NDArray[np.int64], *, n: int = 3) -> list[str]:
    """Return the n different words at which each feature (from 0) is strongest, comma-separated."""
    within(n, MOST, "words")
    words = table.occurrences.table["word"].to_numpy()
    return [", ".join(list(dict.fromkeys(words[table.of(int(feature))[0]]))[:n]) for feature in features]


def promoted_words(directions: NDArray[np.float32], model: "EmbeddingModel", *, n: int = MOST) -> list[pd.DataFrame]:
    """Return the n whole words that each direction (f, d) promotes most at the last layer, and their score with BERT's
    output matrix (`along`, in standard deviations above the mean of all whole words).
    """
    within(n, 1_000, "words")
    ids = np.flatnonzero(model.whole_words)
    found = []
    for scores in scores_along(directions, model)[:, ids]:
        spread = float(scores.std()) or 1.0
        top = top_k(scores, n)
        words = [model.vocabulary[ids[i]] for i in top]
        found.append(pd.DataFrame({"word": words, "along": (scores[top] - scores.mean()).astype(float) / spread}))
    return found


def within_dictionary(feature: int, count: int) -> None:
    """Raise ValueError unless a feature has a number from 1 to the number of features."""
    if not 1 <= feature <= count:
        raise ValueError(f"There is no feature {feature}. Choose 1 to {count}.")
