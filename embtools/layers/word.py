"""One word in several sentences: its senses from layer to layer, layer combination by layer combination."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import pandas as pd

from embtools.drawing import Displayed
from embtools.layer_combinations import CONCAT_FOUR, SUM_FOUR
from embtools.layers import comparisons, published, senses, sentences, verdict
from embtools.layers.comparisons import Comparison
from embtools.layers.sentences import Reading
from embtools.layers.trajectories import Trajectories, trajectories
from embtools.memory import remembered
from embtools.progress import Progress, part, silent
from embtools.words.occurrences import split_line

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MEAN = "mean of tokens"
SEGMENT_1, SEGMENT_0, PUBLISHED = "cosine_segment_1", "cosine_segment_0", "cosine_published"


@dataclass(frozen=True)
class Word(Displayed):
    """A word in several sentences, compared in every layer.

    reading      the word that is compared, which is not always the given one, and the lines
    comparison   its occurrences, compared for every layer combination and pooling
    moving       the occurrences as points in every layer, and the AUC of their senses
    pair_lines   frame of `senses.pair_lines`: the cosine of every pair in every layer
    """

    reading: Reading
    comparison: Comparison
    moving: Trajectories
    pair_lines: pd.DataFrame

    @property
    def headline(self) -> str:
        """Which layers separate the senses, and whether that could be chance."""
        return verdict.finding(self.moving, self.reading.word)

    @property
    def test_caption(self) -> str:
        """How the p-value of the headline was computed; "" without a test."""
        return verdict.sense_test_caption(self.moving.test)

    @property
    def layers(self) -> pd.DataFrame:
        """The AUC of every layer: layer, auc, plane_auc, variance_kept, cosine."""
        return self.moving.layers

    @property
    def has_senses(self) -> bool:
        """Whether senses are written in the lines."""
        return any(any(split_line(line)[0]) for line in self.reading.lines)

    @property
    def shape(self) -> str:
        """The shape of the hidden states of the first sentence: layers × batch × tokens × dimensions."""
        shapes = self.comparison.shapes
        return " × ".join(f"{shapes[column].iloc[0]:,}" for column in ("layers", "batch", "tokens", "dimensions"))

    @property
    def concatenated(self) -> int:
        """The number of dimensions of a vector of the last four layers, concatenated."""
        return self.comparison.sizes[self.comparison.combinations.index(CONCAT_FOUR)]


@dataclass(frozen=True)
class Combinations:
    """How well every layer combination and pooling separates the senses of a word, and the pairs for one of them.

    combination, pooling   the chosen layer combination and pooling
    scores            frame of `senses.separation`: the AUC of every combination
    pairs             frame of `senses.pair_cosines` for the chosen combination
    splits            as returned by `senses.splits_as_good` for the chosen combination
    size              number of dimensions of the chosen combination's vectors
    """

    combination: str
    pooling: str
    scores: pd.DataFrame
    pairs: pd.DataFrame
    splits: tuple[int, int] | None
    size: int

    @property
    def auc(self) -> float:
        """The AUC of the chosen combination; nan if there is nothing to compare."""
        return float(self.scores.set_index(["combination", "pooling"])["auc"][(self.combination, self.pooling)])


@dataclass(frozen=True)
class SegmentIds:
    """The pairs of a word's occurrences with segment id 1 and with segment id 0.

    frame          pair, cosine_segment_1, cosine_segment_0, kind, and cosine_published if there are published values
    first_values   segment ("1", "0" or "published"), occurrence, and the first five values of its vector: 1 … 5
    """

    frame: pd.DataFrame
    first_values: pd.DataFrame

    @cached_property
    def has_published(self) -> bool:
        """Whether there are published values for this word, sentence, layer combination and pooling."""
        return PUBLISHED in self.frame


def one_word(
    word: str,
    model: "EmbeddingModel",
    *,
    lines: Sequence[str],
    pooling: str = MEAN,
    keep: Sequence[int] = (),
    together: Sequence[int] = (),
    progress: Progress = silent,
) -> Word:
    """Compare the occurrences of a word in some sentences in every layer.

    Parameters
    ----------
    word : str
        The word to compare. If it does not occur twice, another word that does is compared.
    model : EmbeddingModel
    lines : sequence of str
        Sentences, or `sense | sentence`, or `sense, sense | sentence` with one sense per occurrence.
    pooling : str, optional
        How tokens become one vector, such as "mean of tokens".
    keep : sequence of int, optional
        Numbers of the occurrences to compare, from 1. Others are ignored; if fewer than two are left, all are compared.
    together : sequence of int, optional
        Numbers of the occurrences of one sense, if no senses are written in the lines.
    progress : callable, optional

    Returns
    -------
    Word
        The comparison, the occurrences as points in every layer, and the cosines of all pairs.

    Raises
    ------
    ValueError
        If no word occurs twice, and for an unknown pooling.
    """
    reading = sentences.read(word, model, lines=lines)
    comparison = _compared(reading, model, together, progress)
    chosen = _existing(comparison, keep)
    return Word(
        reading,
        comparison,
        trajectories(comparison, pooling, keep=chosen),
        senses.pair_lines(comparison, pooling, keep=chosen),
    )


def combinations(
    word: str,
    model: "EmbeddingModel",
    *,
    lines: Sequence[str],
    combination: str = SUM_FOUR,
    pooling: str = MEAN,
    keep: Sequence[int] = (),
    together: Sequence[int] = (),
    progress: Progress = silent,
) -> Combinations:
    """Score every layer combination and pooling on the senses of a word, and show the pairs for one of them.

    Parameters
    ----------
    word, model, lines
        As in `one_word`.
    combination : str, optional
        The layer combination, such as "layer 6" or "sum of last four".
    pooling, keep, together, progress
        As in `one_word`.

    Returns
    -------
    Combinations
        The AUC of every combination and pooling, and the pairs for the chosen one.

    Raises
    ------
    ValueError
        As `one_word` does, and for an unknown layer combination.
    """
    reading = sentences.read(word, model, lines=lines)
    comparison = _compared(reading, model, together, progress)
    chosen = _existing(comparison, keep)
    row, _ = comparison.at(combination, pooling)
    return Combinations(
        combination,
        pooling,
        senses.separation(comparison, keep=chosen),
        senses.pair_cosines(comparison, combination, pooling, keep=chosen),
        senses.splits_as_good(comparison, combination, pooling, keep=chosen),
        comparison.sizes[row],
    )


def segment_ids(
    word: str,
    model: "EmbeddingModel",
    *,
    lines: Sequence[str],
    combination: str = SUM_FOUR,
    pooling: str = MEAN,
    keep: Sequence[int] = (),
    together: Sequence[int] = (),
    progress: Progress = silent,
) -> SegmentIds:
    """Compare a word's occurrences with segment id 1 and with segment id 0, and with published values if there are any.

    “Understanding BERT — Word Embeddings” gives a single sentence the segment id 1; in BERT's training it had 0.

    Parameters
    ----------
    word, model, lines
        As in `one_word`.
    combination : str, optional
        As in `combinations`.
    pooling, keep, together, progress
        As in `one_word`.

    Returns
    -------
    SegmentIds
        The cosines of all pairs, and the first values of every vector.

    Raises
    ------
    ValueError
        As `combinations` does, and for a model without segments.
    """
    if not model.has_segments:
        raise ValueError("This model has no segment embeddings, so its segment ids cannot be changed.")
    reading = sentences.read(word, model, lines=lines)
    one, zero = (
        _compared(reading, model, together, part(progress, begin, 0.5), segment)
        for segment, begin in ((1, 0.0), (0, 0.5))
    )
    chosen = _existing(one, keep)
    frame = senses.pair_cosines(one, combination, pooling, keep=chosen).rename(columns={"cosine": SEGMENT_1})
    other = senses.pair_cosines(zero, combination, pooling, keep=chosen).rename(columns={"cosine": SEGMENT_0})
    frame = frame.merge(other[["first", "second", SEGMENT_0]], on=["first", "second"])
    rows = [
        (segment, context, *map(float, values))
        for segment, compared in (("1", one), ("0", zero))
        for context, values in zip(
            compared.occurrences["context"], compared.first_values[compared.at(combination, pooling)], strict=True
        )
    ]
    columns = ["pair", SEGMENT_1, SEGMENT_0, "kind"]
    if published.belongs_to_bank(reading.word, reading.lines, combination, pooling):
        cosines = published.bank_cosines()
        frame[PUBLISHED] = [cosines.get(pair) for pair in zip(frame["first"], frame["second"], strict=True)]
        rows += [("published", *row) for row in published.bank_values().itertuples(index=False)]
        columns.insert(3, PUBLISHED)
    return SegmentIds(frame[columns], pd.DataFrame(rows, columns=["segment", "occurrence", *"12345"]))


def _compared(
    reading: Reading,
    model: "EmbeddingModel",
    together: Sequence[int],
    progress: Progress,
    segment: int | None = None,
) -> Comparison:
    """The comparison of the lines; the occurrences `together` are one sense unless the lines have senses."""
    result = _comparison(reading.lines, model, word=reading.word, segment=segment, progress=progress)
    existing = [number for number in together if number in set(result.occurrences["occurrence"])]
    if not existing or (result.occurrences["sense"] != "").any():
        return result
    return senses.with_senses(result, existing)


@remembered
def _comparison(
    lines: Sequence[str], model: "EmbeddingModel", *, word: str, segment: int | None, progress: Progress
) -> Comparison:
    """The comparison of the lines, cached: all queries about a word share it."""
    return comparisons.compare_word(lines, model, word=word, segment=segment, progress=progress)


def _existing(comparison: Comparison, keep: Sequence[int]) -> tuple[int, ...]:
    """The occurrences to compare that exist; () for all of them if fewer than two do."""
    known = set(comparison.occurrences["occurrence"])
    chosen = tuple(dict.fromkeys(number for number in keep if number in known))
    return chosen if len(chosen) > 1 else ()
