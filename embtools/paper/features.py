"""Claim D5 of the lecture notes "BERT": vectors as features for another model, and clusters of sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.concepts import items
from embtools.concepts.accuracy import intervals, is_right
from embtools.concepts.probes import poolings, read_features
from embtools.layer_combinations import SECOND_TO_LAST, sentence_vectors
from embtools.paper.conditions import LEVEL, SEEDS, one_sided, positive, same_for_all
from embtools.paper.measured import Condition, Interval, Measure, Measured, number, of_p, percent
from embtools.progress import Progress, part, through
from embtools.statistics import partitions
from embtools.statistics.decimals import decimal
from embtools.statistics.exact import binomial_test
from embtools.statistics.percentages import interval_text
from embtools.statistics.probe import held_out, split
from embtools.statistics.reporting import control_p
from embtools.vectors import Array, unit
from embtools.words.overlap import shared_words

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_SHUFFLES = 199
_HALVES = 100  # random halves of the sentences


@dataclass(frozen=True)
class Probed:
    """Probes for one task: accuracy and its 95% interval for each random division into folds.

    Attributes
    ----------
    task, what : str
        The labels, and what they belong to: words or sentences.
    n : int
        The number of items.
    accuracies, lows, highs : tuple of float
        One for each division into folds.
    guessing : float
        The share of the most frequent label.
    """

    task: str
    what: str
    n: int
    accuracies: tuple[float, ...]
    lows: tuple[float, ...]
    highs: tuple[float, ...]
    guessing: float


@dataclass(frozen=True)
class Grouped:
    """Clusters of sentences found by k-means, compared with their topics; one number for each seed.

    Attributes
    ----------
    n, count : int
        The numbers of sentences and of clusters.
    agreement, words_alone : tuple of float
        Adjusted Rand index with the topics, of clusters by vectors and by shared words.
    p : tuple of float
        One-sided permutation tests of the agreement.
    together : tuple of int
        How many sentences are in a cluster whose most frequent topic is their own.
    advantage : Interval
        By how much the mean agreement exceeds that of `words_alone`, with its 95% interval over the sentences.
    """

    n: int
    count: int
    agreement: tuple[float, ...]
    words_alone: tuple[float, ...]
    p: tuple[float, ...]
    together: tuple[int, ...]
    advantage: Interval


def features_for_others(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of D5: linear probes on two tasks, and clusters of sentences on eight topics."""
    probed = []
    for i, (task, what) in enumerate((("part of speech", "words"), ("topic", "sentences"))):
        labelled = items.built_in(task)
        vectors = read_features(labelled, model, pooling=poolings(labelled)[0], progress=part(progress, 0.4 * i, 0.1))
        probed.append(_probed(task, what, labelled, vectors.of(SECOND_TO_LAST), part(progress, 0.4 * i + 0.1, 0.3)))
    topics = items.built_in("topic")
    grouped = _grouped(
        [item.sentence for item in topics], [item.label for item in topics], model, part(progress, 0.8, 0.2)
    )
    return judge_features(probed, grouped, f"layer {model.layers - 1}")


def judge_features(probed: Sequence[Probed], grouped: Grouped, layer: str) -> Measured:
    """Judge D5 from probes and clusters; `layer` is the name of the second-to-last layer."""
    shares = " and ".join(
        f"the {one.task} of {percent(float(np.mean(one.accuracies)))} of {one.n} {one.what} (mean over"
        f" {len(one.accuracies)} divisions into folds;"
        f" {interval_text(float(np.mean(one.lows)), float(np.mean(one.highs)))};"
        f" guessing: {percent(one.guessing)})"
        for one in probed
    )
    conditions: list[Condition] = [
        same_for_all(
            f"For {one.what} that it was not trained on, a linear probe predicts the {one.task} better than guessing.",
            [True if low > one.guessing else False if high < one.guessing else None
             for low, high in zip(one.lows, one.highs, strict=True)],
            evidence=f"{percent(min(one.accuracies))} to {percent(max(one.accuracies))} are correct in {len(one.lows)}"
            f" divisions into folds; the lower end of the 95% interval is at least {percent(min(one.lows))}. Always"
            f" choosing the most frequent label would be correct for {percent(one.guessing)} of them.",
        )
        for one in probed
    ]  # fmt: skip
    low, high = min(grouped.agreement), max(grouped.agreement)
    advantage = grouped.advantage
    conditions += [
        same_for_all(
            "Clusters of sentences found by k-means match the topics better than chance.",
            [one_sided(p) for p in grouped.p],
            evidence=f"The adjusted Rand index is {number(low, 2)} to {number(high, 2)} (1: identical, 0: chance)."
            f" Permutation tests, largest {of_p(max(grouped.p))}.",
        ),
        positive(
            "They match the topics better than clusters based on shared words, without a model.",
            advantage.low,
            advantage.high,
            evidence=f"The mean index is {number(float(np.mean(grouped.agreement)), 3)}, compared with"
            f" {number(float(np.mean(grouped.words_alone)), 3)}. The difference is {number(advantage.value)} (95%"
            f" interval {number(advantage.low)} to {number(advantage.high)}, from clusters of random halves of the"
            " sentences).",
        ),
        same_for_all(
            "More than half of the sentences are in a cluster in which their own topic is the most frequent.",
            [
                None if binomial_test(count, grouped.n, 0.5) > LEVEL else count > grouped.n / 2
                for count in grouped.together
            ],
            evidence=f"{min(grouped.together)} to {max(grouped.together)} of {grouped.n} sentences. Exact binomial"
            " tests.",
        ),
    ]
    return Measured(
        f"Linear probes on {layer}, the second-to-last, predict {shares}. {grouped.count} clusters of {grouped.n}"
        f" sentences match the {grouped.count} topics with an adjusted Rand index of {decimal(grouped.agreement[0])}."
        " The figures on other pages differ, because the Concepts page shows its best layer first, and the Clusters"
        " page uses 24 other sentences on four topics.",
        tuple(conditions),
    )


def _probed(task: str, what: str, labelled: items.Items, vectors: Array, progress: Progress) -> Probed:
    labels, types = [item.label for item in labelled], [item.type for item in labelled]
    shares = []
    for seed in through(SEEDS, progress):
        right = is_right(held_out(vectors, labels, split(labels, types, seed=seed)), labels)
        shares.append([float(value[0]) for value in intervals(right[:, None], types, seed=seed)])
    accuracies, lows, highs = (tuple(column) for column in zip(*shares, strict=True))
    guessing = float(pd.Series(labels).value_counts(normalize=True).max())
    return Probed(task, what, len(labelled), accuracies, lows, highs, guessing)


def _grouped(sentences: list[str], labels: list[str], model: "EmbeddingModel", progress: Progress) -> Grouped:
    from sklearn.metrics import adjusted_rand_score

    topics, names = pd.factorize(np.array(labels, object))
    count = len(names)
    own = unit(
        sentence_vectors(
            sentences, model, combination=SECOND_TO_LAST, pooling="sentence: mean", progress=part(progress, 0, 0.3)
        )
    )
    shared = shared_words(sentences)
    agreement, alone, p, together = [], [], [], []
    for seed in through(SEEDS, part(progress, 0.3, 0.2)):
        groups, _ = partitions.k_means(own, count, seed=seed)
        words, _ = partitions.k_means(shared, count, seed=seed)
        agreement.append(float(adjusted_rand_score(topics, groups)))
        alone.append(float(adjusted_rand_score(topics, words)))
        p.append(_permuted(topics, groups, seed))
        together.append(int(pd.crosstab(groups, topics).to_numpy().max(axis=1).sum()))
    differences = [
        adjusted_rand_score(topics[half], partitions.k_means(own[half], count, seed=seed)[0])
        - adjusted_rand_score(topics[half], partitions.k_means(shared[half], count, seed=seed)[0])
        for seed, half in through(_halves(len(sentences)), part(progress, 0.5, 0.5))
    ]
    advantage = _around(float(np.mean(agreement) - np.mean(alone)), differences)
    return Grouped(len(sentences), count, tuple(agreement), tuple(alone), tuple(p), tuple(together), advantage)


def _halves(n: int) -> list[tuple[int, NDArray[np.intp]]]:
    """Return random halves of n items, each with its seed and its sorted indices."""
    return [(seed, np.sort(generator(seed).permutation(n)[: n // 2])) for seed in range(_HALVES)]


def _around(value: float, of_halves: Sequence[float]) -> Interval:
    """Return a value with its 95% interval, from the standard deviation over random halves, which estimates the
    standard error of the whole (delete-half jackknife).

    >>> round(_around(0.5, [0.4, 0.6]).low, 3)
    0.304
    """
    # Shao and Wu 1989, "A general theory for jackknife variance estimation"
    error = 1.96 * float(np.std(of_halves))
    return Interval(value, value - error, value + error)


def _permuted(topics: NDArray[np.intp], groups: NDArray[np.intp], seed: int) -> float:
    """Return the one-sided p-value of the agreement with the topics (n,), from shuffled topics."""
    rng, width = generator(seed), int(groups.max()) + 1

    # It puts shuffles in the same order as the adjusted Rand index, as sizes are constant.
    def agreement(labels: NDArray[np.intp]) -> int:
        return int(np.square(np.bincount(labels * width + groups)).sum())

    own = agreement(topics)
    return control_p(sum(agreement(rng.permutation(topics)) >= own for _ in range(_SHUFFLES)), _SHUFFLES)


MEASURES: dict[str, Measure] = {"D5": features_for_others}
