"""Two sentences before a model reads them: their tokens aligned, and each token masked by one of three methods."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from embtools.mask_filling.likelihood import Masked, Sentence, sentence, token_masks
from embtools.messages import quoted

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
