"""How well the vectors of a word's occurrences recover its senses, by two measures, compared with shuffled labels.

Neighbours: the share of occurrences whose nearest other occurrence has the same sense. k-means: clusters found without
the labels, compared with them by the adjusted Rand index (Hubert & Arabie 1985): 0 is chance, 1 is perfect agreement.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import checked_seed, generator
from embtools.drawing import Displayed
from embtools.layer_combinations import check_combination, combination_names
from embtools.limits import enough, same_count, within
from embtools.memory import remembered
from embtools.messages import quoted
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import Occurrences, encode_layers
from embtools.occurrences.folder.sampling import some_of
from embtools.occurrences.rows import model_spelling
from embtools.progress import Progress, part, silent, through
from embtools.statistics.percentages import rounded
from embtools.vectors import Array, check_finite, unit

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_LABELLED = 200  # occurrences that are compared pair by pair
SHUFFLES, MAX_SHUFFLES = 1_000, 100_000


@dataclass(frozen=True)
class Recovery(Displayed):
    """How well each layer combination recovers labelled senses.

    frame        combination, neighbours, kmeans, and for both measures the mean (…_shuffled) and the 95th percentile
                 (…_shuffled_95) with shuffled labels
    word         as the model writes it; "" for the means over all words
    words        the number of words
    combination  the layer combination that the headline is about
    count        labelled occurrences of the word, or the most of any word; at most MAX_LABELLED are compared
    """

    frame: pd.DataFrame
    word: str
    words: int
    combination: str
    count: int = 0

    @property
    def is_cut(self) -> bool:
        """Whether a word has more labelled occurrences than are compared."""
        return self.count > MAX_LABELLED

    @property
    def headline(self) -> str:
        """How well the chosen layers recover the senses, compared with layer 0 and with shuffled labels."""
        rows = self.frame.set_index("combination")
        chosen, first = rows.loc[self.combination], rows.iloc[0]
        where = (
            f"In {self.combination}"
            if self.combination.startswith("layer ")
            else f"With the layer combination “{self.combination}”"
        )
        whose = self.word or f"{self.words:,} words"
        which = f"a random sample of {MAX_LABELLED} of the {self.count:,}" if self.word and self.is_cut else "the"
        context = (
            ""
            if self.combination == rows.index[0]
            else f" In layer 0, before any context, the share is {rounded(first['neighbours'])}."
        )
        text = (
            f"{where}, {rounded(chosen['neighbours'])} of {which} labelled occurrences of {whose} have a nearest"
            f" neighbour with the same sense.{context}"
        )
        if chosen["neighbours"] > chosen["neighbours_shuffled_95"]:
            mean = rounded(chosen["neighbours_shuffled"])
            return f"{text} With shuffled labels, the share in this combination is {mean} on average."
        often = f"{rounded(chosen['neighbours_shuffled_95'])} or more in 1 of 20 shuffles"
        return f"{text} Shuffled labels often reach as much ({often}), so this can be chance."


@dataclass(frozen=True)
class Measured:
    """How well neighbours and k-means recover the labels, and the same for each shuffle of the labels."""

    neighbours: float
    kmeans: float
    neighbours_shuffled: Array
    kmeans_shuffled: Array


def measure(vectors: Array, labels: Array, *, shuffles: int = SHUFFLES, seed: int = 0) -> Measured:
    """Recovery of n labels from vectors (n, d) by neighbours and by k-means, and the same for shuffled labels."""
    from sklearn.cluster import KMeans

    enough(labels, "occurrences", least=2)
    same_count(vectors=vectors, labels=labels)
    check_finite(vectors)
    within(shuffles, MAX_SHUFFLES, "shuffles")
    names, given = np.unique(labels, return_inverse=True)
    directions = unit(vectors.astype(np.float64))
    cosines = directions @ directions.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = cosines.argmax(1)
    distinct = len(np.unique(directions.round(9), axis=0))
    clusters = KMeans(min(len(names), distinct), n_init=10, random_state=checked_seed(seed)).fit_predict(directions)
    random = generator(seed)
    shuffled = random.permuted(np.tile(given, (shuffles, 1)), axis=1)
    both = np.concatenate([given[None], shuffled])
    hits = (both == both[:, nearest]).mean(1)
    agreement = _rand_index(both, clusters)
    return Measured(float(hits[0]), float(agreement[0]), hits[1:], agreement[1:])


def _rand_index(labels: Array, clusters: Array) -> Array:
    """The adjusted Rand index of each row of labels (w, n) with the clusters (n,); 1 if both put all in one group."""
    pairs = len(clusters) * (len(clusters) - 1) / 2
    counts = np.stack([(labels == name).astype(np.float64) for name in range(labels.max() + 1)])  # (senses, w, n)
    members = (clusters[:, None] == np.arange(clusters.max() + 1)).astype(np.float64)  # (n, clusters)
    cells = counts @ members  # (senses, w, clusters)
    together = _choose_two(cells).sum((0, 2))
    same_sense, same_cluster = _choose_two(counts.sum(2)).sum(0), _choose_two(members.sum(0)).sum()
    expected, most = same_sense * same_cluster / pairs, (same_sense + same_cluster) / 2
    return np.where(most == expected, 1.0, (together - expected) / np.where(most == expected, 1, most - expected))


def _choose_two(counts: Array) -> Array:
    return counts * (counts - 1) / 2


def recovery(
    corpus: Corpus,
    model: "EmbeddingModel",
    *,
    word: str,
    combination: str = "",
    seed: int = 0,
    progress: Progress = silent,
) -> Recovery:
    """How well each layer combination recovers the labelled senses of a word.

    Parameters
    ----------
    corpus : Corpus
    model : EmbeddingModel
    word : str
        A word with two senses that are labelled at least twice each.
    combination : str, optional
        The layer combination that the headline is about; by default that of the corpus. All are measured.
    seed : int, default 0
        Seed of k-means and of the shuffled labels.
    progress : callable, optional

    Returns
    -------
    Recovery
        Both measures for every layer combination.

    Raises
    ------
    ValueError
        If the word does not occur or does not have two such senses, and for an unknown layer combination.
    """
    name = model_spelling(word, model)
    if not corpus.contains(word):
        raise ValueError(
            f"{quoted(word)} does not occur in the text. Use another word, in the form in which it occurs there."
        )
    combination = combination or corpus.combination
    check_combination(combination, combination_names(model.layers))
    frame, count = _of_word(corpus, model, word=name, seed=seed, progress=progress)
    return Recovery(frame, name, 1, combination, count)


def recovery_of_all(
    corpus: Corpus, model: "EmbeddingModel", *, combination: str = "", seed: int = 0, progress: Progress = silent
) -> Recovery:
    """How well each layer combination recovers senses, as means over all words of a corpus with labelled senses.

    Each word counts once.

    Parameters
    ----------
    corpus : Corpus
    model : EmbeddingModel
    combination : str, optional
        The layer combination that the headline is about; by default that of the corpus. All are measured.
    seed : int, default 0
        Seed of k-means and of the shuffled labels.
    progress : callable, optional

    Returns
    -------
    Recovery
        Both measures for every layer combination, and the number of words.

    Raises
    ------
    ValueError
        If no word has two senses that are labelled at least twice each, and for an unknown layer combination.
    """
    combination = combination or corpus.combination
    check_combination(combination, combination_names(model.layers))
    frame, words, count = _of_all(corpus, model, seed=seed, progress=progress)
    return Recovery(frame, "", words, combination, count)


def too_few_senses(word: str) -> str:
    """Why the senses of a word cannot be tested."""
    return (
        f"A test needs at least two senses of {quoted(word)} that are labelled at least twice each. This text does"
        " not have them. Use another word, or upload a table with the columns sentence, word and sense."
    )


@remembered
def _of_word(
    corpus: Corpus, model: "EmbeddingModel", *, word: str, seed: int, progress: Progress
) -> tuple[pd.DataFrame, int]:
    layers = encode_layers(
        corpus.having(word), model, combinations=combination_names(model.layers), progress=part(progress, 0, 0.5)
    )
    rows = _labelled(layers[0], word)
    if rows is None:
        raise ValueError(too_few_senses(word))
    count, rows = len(rows), rows[some_of(len(rows), MAX_LABELLED, seed=seed)]
    labels = layers[0].table["sense"].to_numpy()[rows]
    second_half = part(progress, 0.5, 0.5)
    measured = {
        one.combination: [measure(one.vectors[rows], labels, seed=seed)] for one in through(layers, second_half)
    }
    return _summary(measured), count


@remembered
def _of_all(corpus: Corpus, model: "EmbeddingModel", *, seed: int, progress: Progress) -> tuple[pd.DataFrame, int, int]:
    given = [n for n, (word, _) in enumerate(corpus.senses) if word]
    if not given:
        raise ValueError(
            "No senses are labelled in this text. Upload a table with the columns sentence, word and sense."
        )
    layers = encode_layers(
        corpus.part(given), model, combinations=combination_names(model.layers), progress=part(progress, 0, 0.5)
    )
    names = sorted({corpus.senses[n][0] for n in given})
    groups = [rows for name in names if (rows := _labelled(layers[0], name)) is not None]
    if not groups:
        raise ValueError("No word of this text has two senses that are labelled at least twice each. Add sentences.")
    senses = layers[0].table["sense"].to_numpy()
    measured: dict[str, list[Measured]] = {one.combination: [] for one in layers}
    drawn = [rows[some_of(len(rows), MAX_LABELLED, seed=seed)] for rows in groups]
    for rows in through(drawn, part(progress, 0.5, 0.5)):
        for one in layers:
            measured[one.combination].append(measure(one.vectors[rows], senses[rows], seed=seed))
    return _summary(measured), len(groups), max(map(len, groups))


def _labelled(found: Occurrences, word: str) -> Array | None:
    """The rows of a word whose sense occurs at least twice; None if there are fewer than two such senses."""
    rows = found.of(word)
    senses = found.table["sense"].to_numpy()[rows]
    names, counts = np.unique(senses, return_counts=True)
    repeated = [name for name, count in zip(names, counts, strict=True) if name and count > 1]
    if len(repeated) < 2:
        return None
    return rows[np.isin(senses, repeated)]


def _summary(measured: dict[str, list[Measured]]) -> pd.DataFrame:
    rows = []
    for combination, words in measured.items():
        row: dict[str, object] = {"combination": combination}
        for name in ("neighbours", "kmeans"):
            shuffled = np.mean([getattr(word, f"{name}_shuffled") for word in words], axis=0)
            row[name] = float(np.mean([getattr(word, name) for word in words]))
            row[f"{name}_shuffled"] = float(shuffled.mean())
            row[f"{name}_shuffled_95"] = float(np.quantile(shuffled, 0.95))
        rows.append(row)
    return pd.DataFrame(rows)
