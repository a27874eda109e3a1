"""Two sentences that differ slightly: their tokens aligned and masked, and their pseudo-log-likelihoods."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.drawing import Displayed
from embtools.mask_filling.likelihood import Masked, Sentence, log_probabilities, sentence, token_masks
from embtools.messages import quoted, shortened
from embtools.progress import Progress, silent
from embtools.statistics.decimals import decimal

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

TOKEN, WORD, SHARED = METHODS = ("token", "word", "shared")
"""Every token masked alone; together with the rest of its word; or only the tokens that both sentences share."""
CROWS_PAIRS = "crows-pairs"
"""The shared tokens as in the program of CrowS-Pairs, which aligns [CLS] and [SEP] too, and rounds to 3 digits."""
MAX_TOKENS = 64
"""Tokens of a sentence: the work grows with the square of the length."""
MAX_CHARACTERS = 1_000
_SECONDS = 3.1e-11  # per token and parameter of the model, and per logit and dimension, on one core


@dataclass(frozen=True)
class Span:
    """Positions in both sentences that belong together, and whether they hold the same tokens."""

    shared: bool
    positions: tuple[range, range]


@dataclass(frozen=True)
class Prepared:
    """A pair before the model reads it: its tokens, the aligned spans, and the masked sentences of both sides.

    sentences  the tokens of both
    spans      the aligned spans, in order
    positions  the positions that count, in the first and the second sentence
    rows       the masked sentences, first those of the first sentence
    """

    sentences: tuple[Sentence, Sentence]
    spans: tuple[Span, ...]
    positions: tuple[tuple[int, ...], tuple[int, ...]]
    rows: tuple[Masked, ...]


@dataclass(frozen=True)
class MinimalPair(Displayed):
    """The pseudo-log-likelihoods of two sentences.

    first, second   the sentences
    method          "token", "word" or "shared"
    tokens          one row per token, aligned: part (tokens that are replaced together are one part), first, second
                    (tokens; "" where a sentence has none), log_probability_first, log_probability_second (nats; nan for
                    a token that does not count), difference (first minus second, for the whole part; nan below its
                    first row)
    counts          numbers of tokens of the two sentences
    """

    first: str
    second: str
    method: str
    tokens: pd.DataFrame
    counts: tuple[int, int]

    @cached_property
    def scores(self) -> tuple[float, float]:
        """The pseudo-log-likelihoods of both sentences, in nats."""
        first, second = (float(self.tokens[f"log_probability_{side}"].sum()) for side in ("first", "second"))
        return first, second

    @property
    def difference(self) -> float:
        """The score of the first sentence minus that of the second."""
        return self.scores[0] - self.scores[1]

    @property
    def preferred(self) -> str:
        """The sentence with the higher score."""
        return self.first if self.difference > 0 else self.second

    @cached_property
    def deciding(self) -> pd.Series:
        """The first row of the part that contributes most to the preference."""
        parts = self.tokens[self.tokens["difference"].notna()]
        return parts.loc[(parts["difference"] * np.sign(self.difference)).idxmax()]

    @property
    def deciding_words(self) -> str:
        """The deciding part as text: its token, or both versions."""
        rows = self.tokens[self.tokens["part"] == self.deciding["part"]]
        first, second = (" ".join(filter(None, rows[side])) for side in ("first", "second"))
        one, other = (f"“{words}”" if words else "no word" for words in (first, second))
        return one if first == second else f"{one} instead of {other}"

    @property
    def headline(self) -> str:
        """Which sentence is preferred, and by how much; neither if the difference rounds to zero."""
        high, low = sorted(self.scores, reverse=True)
        if decimal(high - low) == "0.00":
            return f"BERT prefers neither sentence: both have a score of {decimal(high)} nats."
        return (
            f"BERT prefers “{shortened(self.preferred, 90)}” by {decimal(high - low)} nats ({decimal(high)} against"
            f" {decimal(low)})."
        )

    @property
    def decision(self) -> str:
        """Which part decides, and whether the preference would be the same without it."""
        own, whole = abs(float(self.deciding["difference"])), abs(self.difference)
        if decimal(whole) == "0.00":
            if decimal(own) == "0.00":
                return "No token makes a difference."
            return f"The other tokens balance the largest difference, {decimal(own)} nats at {self.deciding_words}."
        if own > whole:
            return (
                f"The largest contribution, {decimal(own)} nats, comes from {self.deciding_words}. The other tokens"
                f" reduce it to {decimal(whole)} nats in total, so without it, the other sentence would be preferred."
            )
        return (
            f"The largest contribution, {decimal(own)} of {decimal(whole)} nats, comes from {self.deciding_words}."
            f" Without it, the preference would be {decimal(whole - own)} nats."
        )

    @property
    def cautions(self) -> tuple[str, ...]:
        """What makes the comparison less certain."""
        if self.method in (SHARED, CROWS_PAIRS) or self.counts[0] == self.counts[1]:
            return ()
        means = [decimal(score / n) for score, n in zip(self.scores, self.counts, strict=True)]
        return (
            f"The sentences have {self.counts[0]} and {self.counts[1]} tokens, and each token lowers a score. Per"
            f" token, the scores are {means[0]} and {means[1]}.",
        )


def minimal_pair(
    first: str, second: str, model: "EmbeddingModel", *, method: str = TOKEN, progress: Progress = silent
) -> MinimalPair:
    """Score two sentences by their pseudo-log-likelihoods, and say which tokens make the difference.

    The score of a sentence is the sum of the log probabilities of its tokens, each of which is masked once, given all
    others.

    Parameters
    ----------
    first, second : str
        Two sentences, each with at most 64 tokens.
    model : EmbeddingModel
    method : {"token", "word", "shared", "crows-pairs"}, default "token"
        "token" masks one token at a time (Salazar et al. 2020). "word" also masks the later tokens of its word, which
        would give it away (Kauf & Ivanova 2023). "shared" masks one token at a time, but only those that both sentences
        share. "crows-pairs" does the same exactly as in CrowS-Pairs (Nangia et al. 2020), where [CLS] and [SEP] take
        part in the alignment.
    progress : callable, optional

    Returns
    -------
    MinimalPair

    Raises
    ------
    ValueError
        For an unknown method, for a sentence that is empty, too long or contains a special token or a character that
        the model does not know, for sentences with the same tokens, and for "shared" if no token is shared.

    References
    ----------
    Salazar, Liang, Nguyen and Kirchhoff 2020, "Masked Language Model Scoring"; Kauf and Ivanova 2023, "A Better Way to
    Do Masked Language Model Scoring"; Nangia, Vania, Bhalerao and Bowman 2020, "CrowS-Pairs".
    """
    prepared = prepare(first, second, model, method=method)
    logs = log_probabilities(prepared.rows, model, progress=progress)
    values = [float(each[0]) for each in logs]
    count = len(prepared.positions[0])
    by_position = [
        dict(zip(positions, part, strict=True))
        for positions, part in zip(prepared.positions, (values[:count], values[count:]), strict=True)
    ]
    tokens = _aligned(prepared, by_position, model.vocabulary)
    counts = len(prepared.sentences[0].ids) - 2, len(prepared.sentences[1].ids) - 2
    return MinimalPair(first.strip(), second.strip(), method, tokens, counts)


def pair_effort(first: str, second: str, model: "EmbeddingModel", *, method: str = TOKEN) -> float:
    """Return about how many seconds `minimal_pair` takes on one core."""
    return seconds(prepare(first, second, model, method=method).rows, model)


def _aligned(prepared: Prepared, logs: list[dict[int, float]], vocabulary: Sequence[str]) -> pd.DataFrame:
    """Return the frame `tokens` of a `MinimalPair` from the log probabilities by position of both sentences."""
    rows: list[tuple[object, ...]] = []
    part = 0
    for span in prepared.spans:
        first, second = map(list, span.positions)
        together = [([a], [b]) for a, b in zip(first, second, strict=True)] if span.shared else [(first, second)]
        for own in together:
            sums = [[logs[side].get(p, np.nan) for p in own[side]] for side in (0, 1)]
            counts = not np.isnan([value for side in sums for value in side]).any()
            for n in range(max(map(len, own))):
                tokens = [
                    vocabulary[each.ids[side[n]]] if n < len(side) else ""
                    for each, side in zip(prepared.sentences, own, strict=True)
                ]
                values = [side[n] if n < len(side) else np.nan for side in sums]
                difference = sum(sums[0]) - sum(sums[1]) if counts and not n else np.nan
                rows.append((part, *tokens, *values, difference))
            part += 1
    names = ["part", "first", "second", "log_probability_first", "log_probability_second", "difference"]
    return pd.DataFrame(rows, columns=names)


def two_minimal_pairs(first: MinimalPair, second: MinimalPair, names: tuple[str, str]) -> str:
    """State which sentence two models prefer, and by how much."""
    by = [decimal(abs(result.difference)) for result in (first, second)]
    which = [
        "neither" if size == "0.00" else f"the {'first' if result.difference > 0 else 'second'}"
        for result, size in zip((first, second), by, strict=True)
    ]
    if which[0] == which[1] != "neither":
        return f"Both models prefer {which[0]} sentence: {names[0]} by {by[0]} nats, {names[1]} by {by[1]} nats."
    parts = [
        f"{name} prefers {side} sentence" + (f" by {size} nats" if size != "0.00" else "")
        for name, side, size in zip(names, which, by, strict=True)
    ]
    return f"{', '.join(parts)}."


def prepare(first: str, second: str, model: "EmbeddingModel", *, method: str = TOKEN) -> Prepared:
    """Return the aligned tokens and the masked sentences of a pair. Raises ValueError as `minimal_pair` does."""
    check_method(method)
    both = _read(first, model), _read(second, model)
    ends = 1 if method == CROWS_PAIRS else 0  # whether [CLS] and [SEP] take part in the alignment
    ids = [each.ids[1 - ends : len(each.ids) - 1 + ends].tolist() for each in both]
    if ids[0] == ids[1]:
        raise ValueError("Both sentences have the same tokens for this model. Change at least one word.")
    codes = SequenceMatcher(None, ids[0], ids[1], autojunk=False).get_opcodes()
    own = 1 - ends
    spans = tuple(
        Span(kind == "equal", (range(a + own, b + own), range(c + own, d + own))) for kind, a, b, c, d in codes
    )
    if ends:
        spans = _without_ends(spans, (len(ids[0]), len(ids[1])))
    counted = [span for span in spans if span.shared or method not in (SHARED, CROWS_PAIRS)]
    if not counted:
        raise ValueError("The sentences share no token, so nothing can be compared. Keep some words the same.")
    positions = tuple(tuple(p for span in counted for p in span.positions[side]) for side in (0, 1))
    rows = [
        row
        for each, own in zip(both, positions, strict=True)
        for row in token_masks(each, model, positions=own, rest_of_word=method == WORD)
    ]
    return Prepared(both, spans, (positions[0], positions[1]), tuple(rows))


def _without_ends(spans: tuple[Span, ...], lengths: tuple[int, int]) -> tuple[Span, ...]:
    """Return spans without [CLS], which is first, and [SEP], which is last in both sentences."""
    result = []
    for span in spans:
        first, second = (
            range(max(part.start, 1), min(part.stop, length - 1))
            for part, length in zip(span.positions, lengths, strict=True)
        )
        if first or second:
            result.append(Span(span.shared, (first, second)))
    return tuple(result)


def check_method(method: str) -> None:
    """Raise ValueError for a method that does not exist."""
    if method not in (*METHODS, CROWS_PAIRS):
        raise ValueError(f"There is no method {quoted(method)}. Choose one of: {', '.join(METHODS)}.")


def seconds(rows: Sequence[Masked], model: "EmbeddingModel") -> float:
    """Return about how many seconds one core takes for masked sentences."""
    read = sum(len(row.ids) for row in rows)
    matrix = len(model.vocabulary) * model.dimensions
    return _SECONDS * (read * (model.parameters - matrix) + 2 * len(rows) * matrix)


def _read(text: str, model: "EmbeddingModel") -> Sentence:
    """Return the tokens of a sentence; ValueError as `minimal_pair` raises it."""
    if len(text) > MAX_CHARACTERS:
        raise ValueError(
            f"A sentence has {len(text):,} characters, but at most {MAX_CHARACTERS:,} can be read. Shorten it."
        )
    read = sentence(text, model)
    tokens = [model.vocabulary[i] for i in read.ids[1:-1]]
    most = min(MAX_TOKENS, model.max_tokens - 2)
    if len(tokens) > most:
        raise ValueError(f"A sentence has {len(tokens)} tokens, but at most {most} can be scored. Shorten it.")
    if not tokens or "[UNK]" in tokens:
        raise ValueError(f"{quoted(text, 80)} contains a sign that this model does not know. Replace it.")
    if special := next((token for token in tokens if token in model.special), ""):
        raise ValueError(f"{quoted(text, 80)} contains {special}. Write whole sentences; each token is masked here.")
    return read
