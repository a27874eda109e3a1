"""Tasks that test vectors in a space: separating word lists, odd one out, analogies, and matching senses.

Each task gives a score, its number of items and the score expected by chance, so that spaces can be compared on the
same items.

How much a score depends on the words it is measured with is found by a bootstrap over words. Pairs and triplets share
words, so they are not independent trials, and an interval that treats them as such is too narrow. Instead, the words of
each list are resampled with replacement (a bootstrap stratified by list; Efron & Tibshirani 1993), and the score is
computed from all pairs or triplets of the resampled words. Using the same resamples in two spaces gives an interval for
their difference.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools import wordlists
from embtools.chance import generator
from embtools.clusters.isotropy.population import Population
from embtools.limits import enough, same_count, within
from embtools.memory import remembered
from embtools.spaces.controls import separation
from embtools.vectors import Array, cosine, unit

LISTS, TRIPLETS, ANALOGIES, SENSES = TASKS = ("separating lists", "odd one out", "analogies", "matching senses")
ROUNDS, MAX_ROUNDS = 1_000, 100_000  # triplets
LEAST = 10  # items: a task with fewer is left out
_COLUMNS = (
    ("animals", "animal"), ("capitals", "capital"), ("colours", "colour"), ("countries", "country"), ("days", "day"),
    ("emotions", "emotion"), ("family", "member"), ("months", "month"), ("professions", "profession"),
    ("sports", "sport"),
)  # fmt: skip
RESAMPLES = 400


@dataclass(frozen=True)
class Triplet:
    """Indices of three words: two from one list, and one from another."""

    first: int
    second: int
    odd: int


def known_lists(population: Population, *, least: int = 3) -> dict[str, tuple[str, ...]]:
    """Built-in lists with words of the population, without words in two lists and lists of fewer than `least` words."""
    lists = {name: tuple(dict.fromkeys(wordlists.load(name)[column])) for name, column in _COLUMNS}
    every = [word for words in lists.values() for word in words]
    twice = {word for word in every if every.count(word) > 1}
    known = {name: tuple(w for w in population.known_words(words) if w not in twice) for name, words in lists.items()}
    return {name: words for name, words in known.items() if len(words) >= least}


@remembered
def draw_triplets(sizes: tuple[int, ...], *, rounds: int = ROUNDS, seed: int = 0) -> tuple[Triplet, ...]:
    """Random triplets from lists of these sizes, with words numbered consecutively over all lists."""
    enough(sizes, "lists", least=2)
    within(rounds, MAX_ROUNDS, "rounds")
    rng = generator(seed)
    begins = np.cumsum([0, *sizes])
    drawn = []
    for _ in range(rounds):
        own, other = rng.choice(len(sizes), 2, replace=False)
        first, second = rng.choice(sizes[own], 2, replace=False)
        drawn.append(
            Triplet(
                int(begins[own] + first), int(begins[own] + second), int(begins[other] + rng.integers(sizes[other]))
            )
        )
    return tuple(drawn)


def solved(cosines: Array, triplets: Sequence[Triplet]) -> NDArray[np.bool_]:
    """Mask of solved triplets: the two words of one list are nearer to each other than to the odd one."""
    enough(triplets, "triplets")
    a, b, odd = (np.array([getattr(t, name) for t in triplets]) for name in ("first", "second", "odd"))
    return cosines[a, b] > np.maximum(cosines[a, odd], cosines[b, odd])


def analogies(population: Population, rows: Array) -> pd.DataFrame:
    """Rank of the expected word of each built-in analogy in a space, by 3CosAdd (Mikolov et al. 2013) without the first
    three words; analogies with a word that the population lacks are left out."""
    same_count(words=population.words, vectors=rows)
    frame = wordlists.load("analogies")
    columns = ["a", "b", "c", "expected"]
    there = [
        all(word in population.numbers for word in words) for words in zip(*(frame[c] for c in columns), strict=True)
    ]
    frame = frame[there].reset_index(drop=True)
    if frame.empty:
        return frame.assign(answer=pd.Series(dtype=str), rank=pd.Series(dtype=int), rank_by_c=pd.Series(dtype=int))
    directions = unit(rows)
    a, b, c, expected = (np.array([population.numbers[w] for w in frame[name]]) for name in columns)
    allowed = np.repeat(population.answers[None], len(frame), 0)
    lines = np.arange(len(frame))
    allowed[lines, expected] = True
    for words in (a, b, c):
        allowed[lines, words] = False
    scores = np.where(allowed, (directions[b] - directions[a] + directions[c]) @ directions.T, -np.inf)
    alone = np.where(allowed, directions[c] @ directions.T, -np.inf)
    return frame.assign(
        answer=[population.words[i] for i in scores.argmax(1)],
        rank=(scores > scores[lines, expected][:, None]).sum(1) + 1,
        rank_by_c=(alone > alone[lines, expected][:, None]).sum(1) + 1,
    )


def senses(population: Population, rows: Array) -> pd.DataFrame:
    """How often the nearest other occurrence has the same sense."""
    table = []
    for word, vectors, labels in _labelled(population, rows):
        sizes = np.bincount(labels)[labels]
        table.append(
            {
                "word": word,
                "occurrences": len(labels),
                "correct": int(_same_sense(vectors, labels).sum()),
                "chance": float(((sizes - 1) / (len(labels) - 1)).sum()),
                "auc": separation(vectors, labels)[0],
            }
        )
    return pd.DataFrame(table, columns=["word", "occurrences", "correct", "chance", "auc"])


def _labelled(population: Population, rows: Array) -> Iterator[tuple[str, Array, NDArray[np.intp]]]:
    """Words with at least two senses of two occurrences or more: word, vectors of these occurrences, senses."""
    if population.read is None:
        return
    same_count(occurrences=population.owner, vectors=rows)
    table = population.read.table
    for word, own in table[table["sense"] != ""].groupby("word", sort=True):
        counts = own["sense"].map(own["sense"].value_counts())
        own = own[counts > 1]
        names, labels = np.unique(own["sense"].to_numpy().astype(str), return_inverse=True)
        if len(names) > 1:
            yield str(word), rows[own.index.to_numpy()], labels


def _same_sense(vectors: Array, labels: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Mask (n,) of the vectors whose nearest other vector has the same label."""
    cosines = cosine(vectors, vectors)
    np.fill_diagonal(cosines, -np.inf)
    return labels == labels[cosines.argmax(1)]


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of one space in all tasks.

    table      task, score (0 … 1), low, high (95% interval), n (number of items), chance
    right      for tasks with single items: which were answered correctly; the items are the same in every space
    resampled  for tasks whose items share the words of the lists: the score for each resample of these words
               (`resampling`); the resamples are the same in every space
    """

    table: pd.DataFrame
    right: dict[str, NDArray[np.bool_]]
    resampled: dict[str, NDArray[np.float64]]


def scores(population: Population, rows: Array, *, seed: int = 0) -> Scores:
    """Scores in all tasks of a space with processed vectors (n, d); the intervals of the lists and the odd one out
    resample the words, which their pairs and triplets share."""
    same_count(occurrences=population.owner, vectors=rows)
    from embtools.statistics.intervals import wilson

    means = population.means(rows, population.owner)
    lists = known_lists(population)
    table: list[tuple[str, float, float, float, int, float]] = []
    right: dict[str, NDArray[np.bool_]] = {}
    chance: dict[str, float] = {}
    resampled: dict[str, NDArray[np.float64]] = {}
    if len(lists) > 1:
        numbers = [population.numbers[word] for words in lists.values() for word in words]
        sizes = tuple(len(words) for words in lists.values())
        chosen, labels = means[numbers], np.repeat(np.arange(len(sizes)), sizes)
        draws, triplets = resamples(sizes, seed=seed), draw_triplets(sizes, seed=seed)
        resampled[LISTS] = separations(chosen, labels, draws)
        auc, pairs = separation(chosen, labels)[0], len(numbers) * (len(numbers) - 1) // 2
        table.append((LISTS, auc, *interval(resampled[LISTS]), pairs, 0.5))
        right[TRIPLETS], chance[TRIPLETS] = solved(cosine(chosen, chosen), triplets), 1 / 3
        words = np.array([(one.first, one.second, one.odd) for one in triplets], np.intp)
        resampled[TRIPLETS] = shares(right[TRIPLETS], words, draws)
    ranked = analogies(population, means)
    right[ANALOGIES], chance[ANALOGIES] = (ranked["rank"] == 1).to_numpy(), float((ranked["rank_by_c"] == 1).mean())
    hits_and_labels = [(_same_sense(vectors, labels), labels) for _, vectors, labels in _labelled(population, rows)]
    right[SENSES] = np.concatenate([hits for hits, _ in hits_and_labels]) if hits_and_labels else np.zeros(0, bool)
    expected = [(np.bincount(labels)[labels] - 1) / (len(labels) - 1) for _, labels in hits_and_labels]
    chance[SENSES] = float(np.concatenate(expected).mean()) if hits_and_labels else 0.0
    right = {task: answers for task, answers in right.items() if len(answers) >= LEAST}
    for task, answers in right.items():
        count, n = int(answers.sum()), len(answers)
        low, high = interval(resampled[task]) if task in resampled else wilson(count, n)
        table.append((task, count / n, low, high, n, chance[task]))
    frame = pd.DataFrame(table, columns=["task", "score", "low", "high", "n", "chance"])
    return Scores(frame, right, {task: values for task, values in resampled.items() if task == LISTS or task in right})


def better(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> float:
    """p-value of a one-sided sign test of whether the first of two spaces solves more of the items that exactly one of
    them solves (McNemar 1947).

    >>> better(np.array([True] * 5 + [False]), np.array([False] * 5 + [False]))
    0.03125
    """
    from scipy.stats import binomtest

    won, lost = int((first & ~second).sum()), int((second & ~first).sum())
    return float(binomtest(won, won + lost, alternative="greater").pvalue) if won + lost else 1.0


def resamples(sizes: Sequence[int], *, rounds: int = RESAMPLES, seed: int = 0) -> NDArray[np.int64]:
    """How often each word is drawn in each resample, (rounds, m), for lists of these sizes."""
    rng = generator(seed)
    return np.concatenate([rng.multinomial(n, np.full(n, 1 / n), size=rounds) for n in sizes], axis=1)


def separations(vectors: Array, labels: NDArray[np.intp], draws: NDArray[np.int64]) -> NDArray[np.float64]:
    """AUC of `spaces.controls.separation` for each resample (rounds, m) of the m words, whose pairs are weighted by the
    product of how often both were drawn; nan without pairs of both kinds."""
    i, j = np.triu_indices(len(labels), 1)
    values = cosine(vectors, vectors)[i, j]
    same = labels[i] == labels[j]
    order = np.flatnonzero(~same)[np.argsort(values[~same], kind="stable")]
    below, upto = (np.searchsorted(values[order], values[same], side) for side in ("left", "right"))
    (one, other), (first, second) = (i[same], j[same]), (i[order], j[order])
    summed = np.zeros(len(order) + 1)  # weights of pairs with two labels, sorted by cosine
    scores = np.full(len(draws), np.nan)
    weights, partner = np.empty(len(order), np.float32), np.empty(len(order), np.float32)
    for number, drawn in enumerate(
        draws.astype(np.float32)
    ):  # one at a time, so that everything stays in the processor cache
        np.take(drawn, first, out=weights)
        np.multiply(weights, np.take(drawn, second, out=partner), out=weights)
        np.cumsum(weights, dtype=np.float64, out=summed[1:])
        own = (drawn[one] * drawn[other]).astype(np.float64)
        total = own.sum() * summed[-1]
        if total:
            scores[number] = own @ (summed[below] + summed[upto]) / 2 / total  # ties count half
    return scores


def shares(right: NDArray[np.bool_], words: NDArray[np.intp], draws: NDArray[np.int64]) -> NDArray[np.float64]:
    """Share of correct items for each resample (rounds, m) of their words (q, w), each item weighted by the product of
    how often its words were drawn; nan without an item."""
    weights = np.prod(draws[:, words], axis=2)
    total = weights.sum(axis=1)
    return np.divide(weights @ right, total, out=np.full(len(draws), np.nan), where=total > 0)


def interval(scores: NDArray[np.float64]) -> tuple[float, float]:
    """95% interval of resampled scores or differences: the 2.5% and 97.5% quantiles."""
    known = scores[np.isfinite(scores)]
    if not len(known):
        return float("nan"), float("nan")
    low, high = np.quantile(known, [0.025, 0.975])
    return float(low), float(high)
