"""The claims C4 and C5 of "Operations on contextual word embeddings": an analogy, and how even a space is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embtools.chance import checked_seed
from embtools.corpus import analogy
from embtools.isotropy.measures import isoscore, measure
from embtools.isotropy.population import STATIC, population
from embtools.occurrences.corpus import built_in_corpus
from embtools.paper.conditions import SEEDS, better, exact, more_often, same_for_all
from embtools.paper.measured import Measure, Measured
from embtools.progress import Progress, part
from embtools.recipes import SUM_FOUR
from embtools.spaces.space import AS_IS, CENTRED, TOP, WHITENED, Space

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_WORDS, _QUEEN = ("king", "man", "woman"), "queen"
_SHOWN = 5  # neighbours


def king(model: "EmbeddingModel", progress: Progress) -> Measured:
    """C4: the first king − man + woman of the text, and every choice of occurrences."""
    asked = built_in_corpus(), _WORDS, _QUEEN, SUM_FOUR, model
    found = analogy.analogy(*asked, numbers=(1, 1, 1), k=_SHOWN, inputs=True, progress=part(progress, 0, 0.6))
    every = analogy.all_choices(*asked, progress=part(progress, 0.6, 0.4))
    table = every.by_first
    if table is None:
        raise ValueError("A corpus folder does not keep what each occurrence finds. Use the built-in text.")
    return judge_king(
        found.near["word"].tolist(),
        int(every.shares["choices"].iloc[0]),
        table["with_inputs"].to_numpy(),
        table["without_inputs"].to_numpy(),
        table["alone"].to_numpy(bool),
    )


def judge_king(
    near: Sequence[str], choices: int, kept: np.ndarray, left_out: np.ndarray, alone: np.ndarray
) -> Measured:
    """Judge C4.

    Parameters
    ----------
    near : sequence of str
        The words nearest to the formula with the first occurrence of each word.
    choices : int
        How many choices of occurrences there are.
    kept, left_out : ndarray
        For each occurrence of king: the share of choices in which queen is first, with and without the three words
        among the candidates.
    alone : ndarray of bool
        Whether queen is the word nearest to that occurrence alone, the three words left out.
    """
    wins, losses = int((left_out > alone).sum()), int((left_out < alone).sum())
    return Measured(
        f"{', '.join(near)}. Over all {choices:,} choices of occurrences queen is first in {kept.mean():.0%}; in"
        f" {left_out.mean():.0%} if the three words are left out. Without arithmetic, queen is nearest to"
        f" {alone.mean():.0%} of the occurrences of king.",
        (
            exact(
                "With the first occurrence of each word queen is first; the three words may be answers too.",
                near[0] == _QUEEN,
                f"{', '.join(near)}.",
            ),
            more_often(
                "So it is with other occurrences: for more than half of those of king, queen is first in most choices.",
                int((kept > 0.5).sum()), len(kept), 0.5,
            ),
            better(
                "The arithmetic is needed: king alone leads to queen less often (the three words left out).",
                wins, losses, len(alone) - wins - losses,
                evidence=f"{left_out.mean():.0%} against {alone.mean():.0%}.",
            ),
        ),
    )  # fmt: skip


@dataclass(frozen=True)
class Evenness:
    """Mean cosine of random pairs and IsoScore of n vectors (n, d): raw, corrected, and of evenly spread ones.

    Attributes
    ----------
    name : str
        Which vectors.
    cosines, scores : dict
        Space → mean cosine and IsoScore: raw, centred, all-but-the-top, whitened.
    even : tuple of float
        IsoScores of as many evenly spread random vectors: one for each seed.
    """

    name: str
    cosines: dict[str, float]
    scores: dict[str, float]
    even: tuple[float, ...]


def isotropy(model: "EmbeddingModel", progress: Progress) -> Measured:
    """C5: how evenly both kinds of vectors fill their space, raw and corrected."""
    found = []
    for number, (name, source) in enumerate((("static vectors", STATIC), ("vectors of words in sentences", SUM_FOUR))):
        vectors = population(source, model, progress=part(progress, number / 2, 0.3))
        cosines, scores = {}, {}
        for space in (AS_IS, Space(CENTRED), Space(TOP), Space(WHITENED)):
            fitted = vectors.fit(space)
            measured = measure(fitted.apply(vectors.vectors), fitted.moments(vectors.known))
            cosines[space.kind], scores[space.kind] = measured.mean_cosine, measured.isoscore
        n, d = vectors.vectors.shape
        found.append(Evenness(name, cosines, scores, tuple(even(n, d, seed) for seed in SEEDS)))
    return judge_isotropy(found)


def judge_isotropy(found: Sequence[Evenness]) -> Measured:
    """Judge C5 from static and contextual vectors."""
    raw, centred, top, white = AS_IS.kind, CENTRED, TOP, WHITENED

    def listed(values: Sequence[float]) -> str:
        return " and ".join(f"{abs(value):.2f}" for value in values)

    cosines = {space: listed([each.cosines[space] for each in found]) for space in (raw, centred, top)}
    scores = {space: listed([each.scores[space] for each in found]) for space in (raw, top, white)}
    return Measured(
        f"Mean cosine of random pairs, static and in sentences: {cosines[raw]}; after"
        f" {Space(TOP).says} {cosines[top]}, after centring alone {cosines[centred]}. IsoScore {scores[raw]}, after"
        f" all-but-the-top {scores[top]}; evenly spread vectors have {listed([min(each.even) for each in found])}."
        f" Whitening gives {scores[white]}, which follows from its definition.",
        (
            *(
                same_for_all(
                    f"{each.name.capitalize()} are spread unevenly: their IsoScore is below that of evenly spread"
                    " random vectors.",
                    [each.scores[raw] < value for value in each.even],
                    evidence=_evidence(each, raw),
                )
                for each in found
            ),
            *(
                same_for_all(
                    f"All-but-the-top makes {each.name} even: as even as random vectors.",
                    [each.scores[top] >= value for value in each.even],
                    evidence=_evidence(each, top),
                )
                for each in found
            ),
        ),
    )


def _evidence(found: Evenness, space: str) -> str:
    return f"IsoScore {found.scores[space]:.3f} against {min(found.even):.3f} to {max(found.even):.3f}."


def even(n: int, d: int, seed: int) -> float:
    """Return the IsoScore of n random vectors with independent normal numbers (n, d), from their covariance alone.

    Their d × d covariance is drawn directly (Wishart distribution), so that it takes no n × d random numbers.
    """
    from scipy.stats import wishart

    return isoscore(np.linalg.eigvalsh(wishart.rvs(max(n - 1, d), np.eye(d), random_state=checked_seed(seed)))[::-1])


MEASURES: dict[str, Measure] = {"C4": king, "C5": isotropy}
