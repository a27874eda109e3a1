"""Claims A1, A4 and A5 of "BERT Embedding Math", about vectors. A cased model gets names with capitals."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.arithmetic.nearest_tokens import nearest
from embtools.chance import generator
from embtools.clusters import points
from embtools.clusters.group_tests import differences
from embtools.models.spelling import capitalised
from embtools.paper.conditions import SEEDS, below, exact, one_sided, same_for_all
from embtools.paper.measured import Condition, Measure, Measured, of_all, of_p, percent
from embtools.progress import Progress, part, through
from embtools.similarity.colours import compare_with_perception, named_pairs
from embtools.similarity.matrix import Similarity, compare_words, preset
from embtools.similarity.sheep import SUBJECTS, black_sheep
from embtools.statistics.decimals import decimal
from embtools.statistics.exact import jackknife
from embtools.statistics.neighbour_test import NeighbourTest, neighbour_test
from embtools.words import groups

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_SHUFFLES = 40  # for each seed, as on the Clusters page
_WEAK = 0.3  # a rank correlation below this is called weak, as on the Similarity page


def cities(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of A1: nearest cities of the same country, and directions in which the countries differ."""
    from sklearn.decomposition import PCA
    from sklearn.metrics import pairwise_distances

    listed = capitalised(groups.write_groups(groups.preset(groups.FIGURE_1)), model)
    read = points.read(points.Words(groups.read_groups(listed)), model)
    labels, _ = pd.factorize(read.frame["group"])
    distances = pairwise_distances(read.vectors, metric="cosine")
    neighbours = [neighbour_test(distances, labels, seed=seed) for seed in through(SEEDS, part(progress, 0, 0.4))]
    several = np.bincount(labels)[labels] > 1
    vectors, labels = read.vectors[several].astype(np.float64), pd.factorize(labels[several])[0]
    components = PCA(min(len(vectors) - 1, vectors.shape[1]), random_state=0).fit_transform(vectors)
    counts = [_directions(components, labels, seed) for seed in through(SEEDS, part(progress, 0.4, 0.6))]
    return judge_cities(neighbours, len(read), counts)


def judge_cities(neighbours: list[NeighbourTest], n: int, directions: list[tuple[int, int, int]]) -> Measured:
    """Judge A1 from one result per seed: neighbours of n cities; directions, with the range expected by chance."""
    first, (count, low, high) = neighbours[0], directions[0]
    lowest, highest = min(d[1] for d in directions), max(d[2] for d in directions)
    return Measured(
        f"The nearest city is in the same country for {of_all(round(first.share * n), n, noun='cities')}; with shuffled"
        f" countries, for {percent(first.shuffled)}. {count} directions hold half of the differences between countries;"
        f" with shuffled countries, {low} to {high} directions are needed (first random draw).",
        (
            same_for_all(
                "The nearest city is in the same country more often than with shuffled countries.",
                [one_sided(near.p) for near in neighbours],
                evidence=f"{percent(first.share)}, compared with {percent(first.shuffled)}. Permutation test, largest"
                f" {of_p(max(near.p for near in neighbours))}.",
            ),
            same_for_all(
                "Half of the differences between countries lie in fewer directions than with shuffled countries.",
                [True if d < least else False if d > most else None for d, least, most in directions],
                evidence=f"{count} directions, compared with {lowest} to {highest} with shuffled countries"
                f" (all random draws, each with {_SHUFFLES} shuffles).",
            ),
        ),
    )


def _directions(components: np.ndarray, labels: np.ndarray, seed: int) -> tuple[int, int, int]:
    """Return how many components hold half of the differences, and the range of that number by chance."""
    rng = generator(seed)
    _, halves = differences(components, (labels, *(rng.permutation(labels) for _ in range(_SHUFFLES))))
    return int(halves[0]), int(halves[1:].min()), int(halves[1:].max())


def colours(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of A4: two pairs of 21 colour words, similarity and appearance, and the black sheep."""
    similarity = compare_words(preset("Colours"), model, linkage="ward")
    comparison = compare_with_perception(similarity.words, similarity.values)
    pairs = comparison.pairs

    def rho(rows: np.ndarray) -> float:
        names = [comparison.words[i] for i in rows]
        among = pairs[pairs["first"].isin(names) & pairs["second"].isin(names)]
        return float(among["cosine"].corr(-among["difference"], method="spearman"))

    named = {(row.first, row.second): row for row in named_pairs(comparison).head(2).itertuples()}
    return judge_colours(
        {pair: (float(row.cosine), int(row.rank_by_cosine), _mutual(similarity, *pair)) for pair, row in named.items()},
        len(pairs),
        jackknife(rho, len(comparison.words)),
        float(black_sheep(SUBJECTS, model).table["ratio"].iloc[0]),
    )


def judge_colours(
    pairs: dict[tuple[str, str], tuple[float, int, bool]], n: int, rho: tuple[float, float, float], ratio: float
) -> Measured:
    """Judge A4."""
    cosines = [
        f"The cosine of {a} and {b} is {decimal(cosine)} (rank {rank} of {n} pairs)."
        for (a, b), (cosine, rank, _) in pairs.items()
    ]
    value, low, high = rho
    interval = f"ρ = {decimal(value)} (95% interval {decimal(low)} to {decimal(high)}, jackknife over the colours)"
    times = f"For a sheep, black is {ratio:.2g} times as likely as white."
    return Measured(
        f"{' '.join(cosines)} The rank correlation of similarity and appearance is {interval}. {times}",
        (
            *(
                exact(
                    f"{a.capitalize()} and {b} are each other's nearest colours.",
                    mutual,
                    f"Their cosine is {decimal(cosine)} (rank {rank} of {n} pairs).",
                )
                for (a, b), (cosine, rank, mutual) in pairs.items()
            ),
            below(
                f"Similarity hardly matches appearance: their rank correlation is below {_WEAK}.",
                low,
                high,
                _WEAK,
                evidence=f"{interval}.",
            ),
            exact("A sheep is more likely to be black than white.", ratio > 1, times),
        ),
    )


def analogies(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of A5: the words nearest to two formulas."""
    tables = {formula: nearest(formula, model, k=2) for formula in ("king - man + woman", "queen - woman + man")}
    return judge_analogies(
        {
            formula: list(near[["token", "cosine"]].itertuples(index=False, name=None))
            for formula, near in tables.items()
        }
    )


def judge_analogies(nearest_words: dict[str, list[tuple[str, float]]]) -> Measured:
    """Judge A5 from the nearest words of each formula with their cosines."""
    lists: list[str] = []
    conditions: list[Condition] = []
    for formula, near in nearest_words.items():
        shown, word = formula.replace(" - ", " − "), formula.split()[0]
        listed = ", ".join(f"{token} {decimal(cosine)}" for token, cosine in near)
        lists.append(f"Nearest to {shown}: {listed}")
        conditions.append(exact(f"{shown} is nearest to {word}.", near[0][0].lower() == word, f"Cosines: {listed}."))
    return Measured(f"{'. '.join(lists)} (cosines).", tuple(conditions))


def _mutual(similarity: Similarity, a: str, b: str) -> bool:
    """Return whether two words are nearest to each other."""
    values = similarity.values.copy()
    np.fill_diagonal(values, -np.inf)
    i, j = similarity.words.index(a), similarity.words.index(b)
    return bool(values[i].argmax() == j and values[j].argmax() == i)


MEASURES: dict[str, Measure] = {"A1": cities, "A4": colours, "A5": analogies}
