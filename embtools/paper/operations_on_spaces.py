"""Claims C4 and C5 of "Operations on contextual word embeddings": an analogy, and how evenly vectors are spread."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from embtools.chance import checked_seed
from embtools.clusters.isotropy.population import STATIC, population
from embtools.corpus import occurrence_analogies
from embtools.corpus.choices import all_choices
from embtools.layer_combinations import SUM_FOUR
from embtools.messages import counted
from embtools.occurrences.corpus import built_in_corpus
from embtools.paper.conditions import SEEDS, better, exact, more_often, same_for_all
from embtools.paper.measured import Measure, Measured, occurrences
from embtools.progress import Progress, part
from embtools.spaces.measures import isoscore, measure
from embtools.spaces.space import AS_IS, CENTRED, TOP, WHITENED, Space
from embtools.statistics.percentages import rounded

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_WORDS, _QUEEN = ("king", "man", "woman"), "queen"
_SHOWN = 5  # neighbours


def king(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of C4: king − man + woman with the first occurrences, and with every choice of them."""
    query: dict[str, Any] = {"words": _WORDS, "expected": _QUEEN, "combination": SUM_FOUR}
    first = occurrence_analogies.analogy(
        built_in_corpus(), model, **query, numbers=(1, 1, 1), k=_SHOWN, inputs=True, progress=part(progress, 0, 0.6)
    )
    every = all_choices(built_in_corpus(), model, **query, progress=part(progress, 0.6, 0.4))
    table = every.by_first
    return judge_king(
        first.near["word"].tolist(),
        int(every.shares["choices"].iloc[0]),
        table["with_inputs"].to_numpy(),
        table["without_inputs"].to_numpy(),
        table["alone"].to_numpy(bool),
    )


def judge_king(
    near: Sequence[str], choices: int, with_inputs: np.ndarray, left_out: np.ndarray, alone: np.ndarray
) -> Measured:
    """Judge C4."""
    wins, losses = int((left_out > alone).sum()), int((left_out < alone).sum())
    return Measured(
        f"The {counted(len(near), 'nearest word')} are {occurrences(near)}. The word queen ranks 1st in"
        f" {rounded(with_inputs.mean())} of all {choices:,} choices of occurrences ({rounded(left_out.mean())} if the"
        f" three words are excluded). Without arithmetic, queen is the word nearest to {rounded(alone.mean())} of the"
        " occurrences of king.",
        (
            exact(
                "With the first occurrence of each word, queen ranks 1st, even with the three words among the"
                " candidates.",
                near[0] == _QUEEN,
                f"The {counted(len(near), 'nearest word')} are {occurrences(near)}.",
            ),
            more_often(
                "For more than half of the occurrences of king, queen ranks 1st in most combinations with occurrences"
                " of man and woman.",
                int((with_inputs > 0.5).sum()), len(with_inputs), 0.5,
            ),
            better(
                "The arithmetic is needed: without it, queen is less often the word nearest to king (excluding the"
                " three words).",
                wins, losses, len(alone) - wins - losses,
                name="The formula",
                evidence=f"{rounded(left_out.mean())}, compared with {rounded(alone.mean())} for king alone.",
            ),
        ),
    )  # fmt: skip


@dataclass(frozen=True)
class Evenness:
    """Mean cosine of random pairs and IsoScore of n vectors (n, d), raw and corrected, with evenly spread controls.

    Attributes
    ----------
    name : str
        Which vectors.
    cosines, scores : dict
        Space → mean cosine and IsoScore: raw, centred, all-but-the-top, whitened.
    even : tuple of float
        IsoScores of the same number of evenly spread random vectors, one for each seed.
    """

    name: str
    cosines: dict[str, float]
    scores: dict[str, float]
    even: tuple[float, ...]


def isotropy(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of C5: how evenly static and contextual vectors are spread, raw and corrected."""
    kinds = []
    for number, (name, source) in enumerate((("static vectors", STATIC), ("vectors of words in sentences", SUM_FOUR))):
        vectors = population(source, model, progress=part(progress, number / 2, 0.3))
        cosines, scores = {}, {}
        for space in (AS_IS, Space(CENTRED), Space(TOP), Space(WHITENED)):
            fitted = vectors.fit(space)
            measured = measure(fitted.apply(vectors.vectors), known=fitted.moments(vectors.known))
            cosines[space.kind], scores[space.kind] = measured.mean_cosine, measured.isoscore
        n, d = vectors.vectors.shape
        kinds.append(Evenness(name, cosines, scores, tuple(even(n, d, seed) for seed in SEEDS)))
    return judge_isotropy(kinds)


def judge_isotropy(kinds: Sequence[Evenness]) -> Measured:
    """Judge C5 from static and contextual vectors."""
    raw, centred, top, white = AS_IS.kind, CENTRED, TOP, WHITENED

    def listed(values: Sequence[float]) -> str:
        return " and ".join(f"{abs(value):.2f}" for value in values)

    cosines = {space: listed([each.cosines[space] for each in kinds]) for space in (raw, centred, top)}
    scores = {space: listed([each.scores[space] for each in kinds]) for space in (raw, top, white)}
    return Measured(
        "In each pair of numbers, the first is for static vectors and the second for vectors of words in sentences."
        f" The mean cosines of random pairs are {cosines[raw]}; after {Space(TOP).says} they are {cosines[top]}, and"
        f" after centring alone they are {cosines[centred]}. The IsoScores are {scores[raw]}; after all-but-the-top"
        f" they are {scores[top]}, and after whitening {scores[white]} by definition. Evenly spread random vectors"
        f" have IsoScores of {listed([min(each.even) for each in kinds])}.",
        (
            *(
                same_for_all(
                    f"Measured by IsoScore, {each.name} are spread unevenly: it is lower than that of evenly spread"
                    " random vectors.",
                    [each.scores[raw] < value for value in each.even],
                    evidence=_evidence(each, raw),
                )
                for each in kinds
            ),
            *(
                same_for_all(
                    f"Measured by IsoScore, {each.name} are spread as evenly as random vectors after all-but-the-top.",
                    [each.scores[top] >= value for value in each.even],
                    evidence=_evidence(each, top),
                )
                for each in kinds
            ),
        ),
    )


def _evidence(kind: Evenness, space: str) -> str:
    low, high = min(kind.even), max(kind.even)
    ends = dict.fromkeys(f"{end:.3f}" for end in (low, high))
    return f"The IsoScore is {kind.scores[space]:.3f}, compared with {' to '.join(ends)} for random vectors."


def even(n: int, d: int, seed: int) -> float:
    """Return the IsoScore of n random vectors with independent normal components (n, d), of which only the d × d
    covariance is drawn, which takes fewer random numbers."""
    from scipy.stats import wishart

    return isoscore(np.linalg.eigvalsh(wishart.rvs(max(n - 1, d), np.eye(d), random_state=checked_seed(seed)))[::-1])


MEASURES: dict[str, Measure] = {"C4": king, "C5": isotropy}
