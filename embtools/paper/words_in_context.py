"""Claims C1 to C3 of "Operations on contextual word embeddings", on the built-in corpus."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embtools.corpus import search
from embtools.features import targets
from embtools.features.dictionary import Dictionary, of_occurrences
from embtools.features.parts import Parts, decompose, explained_share
from embtools.features.targets import Target
from embtools.layer_combinations import SUM_FOUR
from embtools.messages import counted
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import Occurrences, encode_corpus
from embtools.paper.conditions import better, exact, more_often
from embtools.paper.measured import Figure, Measure, Measured, occurrences, percent, published
from embtools.progress import Progress, part, through
from embtools.vectors import unit

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_COLD = "cold"
_SHOWN = 5  # neighbours
_HEAVIEST = 3  # number of words by which two mixes are compared
_SAME = 1e-6  # vectors whose cosine is this close to 1 differ only by rounding


def corpus(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of C1: the vectors of the built-in corpus."""
    text = read(model, progress=progress)
    _, numbers, counts = np.unique(text.table["word"].to_numpy(str), return_inverse=True, return_counts=True)
    vectors = unit(text.vectors.astype(np.float64))
    repeated = np.flatnonzero(counts > 1)
    differing = sum(_all_differ(vectors[numbers == i]) for i in repeated)
    return judge_corpus(
        (len(text.sentences), len(text.table), text.vectors.shape[1], text.left_out), text.cut,
        differing, len(repeated),
    )  # fmt: skip


def judge_corpus(sizes: tuple[int, int, int, int], cut: int, differing: int, repeated: int) -> Measured:
    """Judge C1."""
    sentences, words, dimensions, left_out = sizes
    return Measured(
        f"The text has {sentences:,} sentences and {words:,} words; the vector of each word has {dimensions:,}"
        f" numbers. Punctuation marks, other symbols and unknown words are excluded: {left_out:,}.",
        (
            exact(
                "Every word of the text has a vector.",
                cut == 0,
                f"{f'{cut:,}' if cut else 'None'} of the {sentences:,} sentences {'are' if cut > 1 else 'is'} too long"
                " for the model.",
            ),
            exact(
                "A word has a different vector at each of its occurrences.",
                differing == repeated,
                f"This is true of {differing:,} of {repeated:,} words that occur more than once.",
            ),
        ),
    )


def nearest(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of C2: the word nearest to each occurrence of cold."""
    text, n = built_in_corpus(), len(read(model, progress=part(progress, 0, 0.5)).of(_COLD))
    same = sum(
        search.nearest(text, model, query=search.Query(_COLD, number), combination=SUM_FOUR, k=1).near["word"].iloc[0]
        == _COLD
        for number in through(range(1, n + 1), part(progress, 0.5, 0.5))
    )
    others = search.nearest(
        text, model, query=search.Query(_COLD), combination=SUM_FOUR, k=_SHOWN, same_word=False
    ).near["word"]
    return judge_nearest(int(same), n, others.tolist())


def judge_nearest(same: int, n: int, others: Sequence[str]) -> Measured:
    """Judge C2: for `same` of n occurrences the nearest word is the same word; `others` are the nearest other words."""
    condition = more_often(
        "For more than half of the occurrences of cold, the nearest word is another occurrence of cold.", same, n, 0.5
    )
    return Measured(
        f"For {same} of the {n} occurrences of cold, the nearest word is cold in another sentence. Apart from cold,"
        f" the {counted(len(others), 'word')} nearest to the first occurrence are {occurrences(others)}.",
        (condition,),
    )


@dataclass(frozen=True)
class Mix:
    """The mix of one occurrence: words with shares, the explained part, and the part that its nearest words explain."""

    shares: dict[str, float]
    explained: float
    by_nearest: float

    @property
    def heaviest(self) -> list[str]:
        """The words with the largest shares, in descending order."""
        return list(self.shares)[:_HEAVIEST]


def mixture(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of C3: every occurrence of cold as a mix of other words."""
    text = read(model, progress=part(progress, 0, 0.6))
    atoms = of_occurrences(text)
    if not len(text.of(_COLD)):
        raise ValueError(f"This model does not read '{_COLD}' as a word of the built-in corpus.")
    mixes = []
    for number in through(range(1, len(text.of(_COLD)) + 1), part(progress, 0.6, 0.4)):
        target = targets.occurrence(text, model, word=_COLD, number=number)
        mixes.append(_mix(target, atoms, decompose(target, atoms)))
    numbers = published("C3")
    judged = judge_mixture(mixes, {word for _, word in numbers})
    figures = [
        Figure(f"first cold, of {word}", value, mixes[0].shares.get(word, 0.0), "share")
        for (item, word), value in numbers.items()
        if item == "cold 1"
    ]
    return Measured(judged.answer, judged.conditions, tuple(figures))


def judge_mixture(mixes: Sequence[Mix], words: set[str]) -> Measured:
    """Judge C3 from the mixes of all occurrences and the words that were published."""
    n = len(mixes)
    listed = [" + ".join(f"{share:.2f} {word}" for word, share in list(mix.shares.items())[:4]) for mix in mixes[:3]]
    known = sum(bool(mix.shares) and mix.heaviest[0] in words for mix in mixes)
    sets = [frozenset(mix.heaviest) for mix in mixes]
    pairs = [(i, j) for i in range(n) for j in range(i)]
    differing = sum(sets[i] != sets[j] for i, j in pairs)
    wins = sum(mix.explained > mix.by_nearest for mix in mixes)
    losses = sum(mix.explained < mix.by_nearest for mix in mixes)
    mean, nearest_words = (
        float(np.mean([getattr(mix, name) for mix in mixes])) for name in ("explained", "by_nearest")
    )
    return Measured(
        f"The first three occurrences of cold are {'; '.join(listed)} (the four words with the largest shares). The"
        f" first mix explains {percent(mixes[0].explained)} of the vector.",
        (
            more_often(
                f"For more than half of the occurrences, the word with the largest share is one of those published"
                f" ({', '.join(sorted(words))}).",
                known, n, 0.5,
            ),
            exact(
                "In most pairs of sentences, the three words with the largest shares differ.",
                2 * differing > len(pairs),
                f"They differ in {differing:,} of {len(pairs):,} pairs ({percent(differing / max(len(pairs), 1))}).",
            ),
            better(
                "A mix explains more than the same number of nearest words (the strongest control).",
                wins, losses, n - wins - losses,
                name="The mix",
                evidence=f"On average, {percent(mean)} of the vector is explained, compared with"
                f" {percent(nearest_words)}.",
            ),
        ),
    )  # fmt: skip


def _mix(target: Target, atoms: Dictionary, parts: Parts) -> Mix:
    allowed = atoms.allowed(target, same_word=False, same_sentence=True)
    cosines = np.where(allowed, unit(atoms.vectors) @ unit(target.vector[None])[0], -np.inf)
    near = np.argsort(-cosines, kind="stable")[: len(parts.rows)]
    shares = {str(word): float(share) for word, share in parts.words[["word", "share"]].itertuples(index=False)}
    return Mix(shares, parts.explained, explained_share(atoms.vectors[near], target.vector))


def read(model: "EmbeddingModel", *, progress: Progress) -> Occurrences:
    """Return the built-in corpus as vectors: the sum of the last four layers."""
    return encode_corpus(built_in_corpus(), model, combination=SUM_FOUR, progress=progress)


def _all_differ(vectors: np.ndarray) -> bool:
    """Return whether no two unit vectors (n, d) are the same."""
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1)
    return bool(cosines.max() < 1 - _SAME)


MEASURES: dict[str, Measure] = {"C1": corpus, "C2": nearest, "C3": mixture}
