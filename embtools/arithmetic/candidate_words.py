"""The probabilities of given words at a mask, also of words of several tokens."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.mask_filling.edits import NO_CHANGE, Change, Patch, resolve
from embtools.mask_filling.forward import Run, logits_of, mask_position, probabilities
from embtools.mask_filling.typed_input import normalise_masks
from embtools.messages import quoted
from embtools.progress import Progress, part, silent
from embtools.vectors import Array
from embtools.words.templates import MAX_PIECES, check_pieces

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_CANDIDATES = 30
MAX_WORD_PIECES = 8
Prefix = tuple[int, tuple[int, ...]]  # the beginning of a word: its number of tokens, and the first of them


def candidates(
    text: str,
    model: "EmbeddingModel",
    *,
    words: Sequence[str],
    change: Change = NO_CHANGE,
    mask: int = 1,
    temperature: float = 1.0,
    progress: Progress = silent,
) -> pd.DataFrame:
    """Return the probability of each word at a mask, the most probable first.

    A word of one token has the probability that `fill_mask` gives it. A word of n tokens is written as n masks that are
    filled from left to right; its probability is the product of its tokens' probabilities, each given the tokens before
    it and masks after it. Longer words are therefore less probable: compare words of the same length.

    Parameters
    ----------
    text : str
        A text with a mask.
    model : EmbeddingModel
    words : sequence of str
        The words, of at most 8 tokens each.
    change : Change, optional
        The edits, from `Change.of`.
    mask : int, default 1
        Number of the mask, from 1.
    temperature : float, default 1.0
        Divides the scores before the softmax.
    progress : callable, optional

    Returns
    -------
    DataFrame
        Columns: word, tokens, probability_before, probability_after, change, ratio.

    Raises
    ------
    ValueError
        For no words, too many words, an unknown word, a word of more than 8 tokens, more than 40,000 tokens to read in
        total, a mask that does not exist, and as `fill_mask` does.
    """
    words = list(dict.fromkeys(w.strip() for w in words if w.strip()))
    if not words:
        raise ValueError("There are no words to score. Enter words separated by commas, such as france, italy.")
    if len(words) > MAX_CANDIDATES:
        raise ValueError(f"There are {len(words)} words to score; at most {MAX_CANDIDATES} are scored. Remove some.")
    frame = model.tokenize(normalise_masks(text))
    patches = [Patch(), resolve(change, model)]
    position = mask_position(frame, model, mask=mask)
    known = {word: _piece_ids(word, len(frame), model) for word in words}
    # Words with the same length and beginning share a run: the same first tokens, followed by the same masks.
    nexts: dict[Prefix, list[int]] = {}
    for pieces in known.values():
        for step, piece in enumerate(pieces):
            nexts.setdefault((len(pieces), pieces[:step]), []).append(piece)
    check_pieces(sum(len(frame) + width - 1 for width, _ in nexts) * len(patches), MAX_PIECES)
    steps: dict[tuple[Prefix, int], Array] = {}
    done = 0.0
    for width in sorted({width for width, _ in nexts}):
        same = {prefix: pieces for prefix, pieces in nexts.items() if prefix[0] == width}
        share = len(same) / len(nexts)
        steps |= _steps(width, same, frame, position, patches, model, temperature, part(progress, done, share))
        done += share
    rows = []
    for word, pieces in known.items():
        total = np.sum([steps[(len(pieces), pieces[:step]), piece] for step, piece in enumerate(pieces)], axis=0)
        before, after = np.exp(total)
        rows.append(
            {
                "word": word,
                "tokens": " ".join(model.vocabulary[p] for p in pieces),
                "probability_before": before,
                "probability_after": after,
                "change": after - before,
                "ratio": np.exp(total[1] - total[0]),
            }
        )
    return pd.DataFrame(rows).sort_values("probability_after", ascending=False, ignore_index=True)


def _piece_ids(word: str, tokens: int, model: "EmbeddingModel") -> tuple[int, ...]:
    pieces = tuple(model.ids[p] for p in model.pieces(word))
    if not pieces or any(model.vocabulary[p] == "[UNK]" for p in pieces):
        raise ValueError(f"{quoted(word)} is not in the vocabulary. Use another word.")
    if len(pieces) > MAX_WORD_PIECES or tokens + len(pieces) - 1 > model.max_tokens:
        raise ValueError(
            f"{quoted(word)} has {len(pieces)} tokens; at most {MAX_WORD_PIECES} are scored. Use a shorter word."
        )
    return pieces


def _steps(
    width: int,
    nexts: Mapping[Prefix, Sequence[int]],
    frame: pd.DataFrame,
    position: int,
    patches: Sequence[Patch],
    model: "EmbeddingModel",
    temperature: float,
    progress: Progress,
) -> dict[tuple[Prefix, int], Array]:
    """Return the log probability (b patches,) of each next token of the words of `width` tokens, in one batch."""

    def widened(column: str, middle: Sequence[int]) -> Array:
        values = frame[column].to_numpy()
        return np.concatenate([values[:position], middle, values[position + 1 :]]).astype(np.int64)

    # Selected positions after the mask move to the right, because the text becomes longer.
    shifted = [
        Patch(p.vectors, tuple(i + width - 1 if i > position else i for i in p.positions), p.tied) for p in patches
    ]
    runs = []
    for _, first in nexts:
        ids = widened("id", [*first, *[model.mask_id] * (width - len(first))])
        runs += [Run(ids, [position + len(first)], patch) for patch in shifted]
    stream = logits_of(
        runs, model, segments=widened("segment", [frame["segment"].iloc[position]] * width), progress=progress
    )
    log_probabilities: dict[tuple[Prefix, int], Array] = {}
    for prefix, pieces in nexts.items():
        logs = np.log([probabilities(next(stream)[0], temperature=temperature)[pieces] for _ in patches])
        log_probabilities |= {(prefix, piece): logs[:, i] for i, piece in enumerate(pieces)}
    return log_probabilities
