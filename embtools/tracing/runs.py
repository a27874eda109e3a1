"""Two runs of equal length, and the number that says how far the answer has moved from the first run to the second.

The runs are a sentence without and with an edit, or two sentences with the same number of tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd

from embtools.limits import several
from embtools.mask_filling.answers import answer_ids, best_answer
from embtools.mask_filling.edits import Change, Patch, resolve
from embtools.mask_filling.forward import mask_position
from embtools.mask_filling.typed_input import normalise_masks
from embtools.memory import remembered
from embtools.messages import quoted, shortened
from embtools.rooms.question import MOST_CONTEXT
from embtools.statistics.decimals import signed
from embtools.statistics.percentages import percents
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

Metric = Literal["difference", "log probability", "probability"]
DIFFERENCE, LOG, PROBABILITY = get_args(Metric)
UNITS = {DIFFERENCE: "nats", LOG: "nats", PROBABILITY: "of probability"}
NEAR_ZERO = {DIFFERENCE: 0.1, LOG: 0.1, PROBABILITY: 0.01}
"""An effect below this is too small to be divided into shares."""
MOST_TOKENS = 64


@dataclass(frozen=True)
class Runs:
    """Two runs, their answers at one mask, and the words whose states can be exchanged.

    words          the words of the first run; the tokens of a word are joined
    other_words    the words of the second run at the same positions
    groups         the token positions of each word
    changed        the words (indices) whose inputs differ between the runs
    edited         whether the second run is the first sentence with an edit
    mask           the position of the mask
    states         hidden states (l + 1, 2, t, d) of both runs
    answers        the two answers that the metric compares, and their token ids
    tops           the top answer of each run
    probabilities  (2, 2) of the two answers (columns) in the two runs (rows)
    metric         the number that is traced
    values         its value in both runs
    """

    words: tuple[str, ...]
    other_words: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]
    changed: tuple[int, ...]
    edited: bool
    mask: int
    states: Array
    answers: tuple[str, str]
    ids: tuple[int, int]
    tops: tuple[str, str]
    probabilities: Array
    metric: str
    values: tuple[float, float]

    @property
    def effect(self) -> float:
        """How much the metric changes from the first run to the second."""
        return self.values[1] - self.values[0]

    @property
    def defined(self) -> bool:
        """Whether the effect is large enough to be divided into shares."""
        return abs(self.effect) >= NEAR_ZERO[self.metric]

    def check(self) -> None:
        """Raise ValueError for an effect that is too small to be asked about."""
        if not self.defined:
            raise ValueError("This effect is too small to be traced. Choose another edit, sentence or answer.")

    def about(self, edits: Sequence[str]) -> str:
        """Return what a question is about: the sentence with a gap, and what changes in it (the edits, if any)."""
        words = [word for word in self.words if word not in ("[CLS]", "[SEP]")]
        sentence = " ".join("____" if word == "[MASK]" else word for word in words)
        changed = [f"{self.words[number]} → {self.other_words[number]}" for number in self.changed]
        kind, change = ("Edit", edits) if self.edited else ("Change", changed)
        return f"{shortened(sentence, MOST_CONTEXT // 2)}\n{kind}: {shortened('; '.join(change), MOST_CONTEXT // 3)}"

    @property
    def unchanged(self) -> str:
        """That BERT reads the same in both runs; "" if it does not."""
        if self.changed:
            return ""
        return "The edit changes nothing" if self.edited else "BERT reads the same in both sentences"

    @property
    def changed_positions(self) -> tuple[int, ...]:
        """The token positions of the changed words."""
        return tuple(position for index in self.changed for position in self.groups[index])

    @cached_property
    def mask_index(self) -> int:
        """The index of the mask among the words."""
        return next(index for index, group in enumerate(self.groups) if self.mask in group)

    @property
    def labels(self) -> tuple[str, ...]:
        """The words, each with what replaces it in the second run."""
        return tuple(
            f"{word} → {other}" if word != other else f"{word} (edited)" if number in self.changed else word
            for number, (word, other) in enumerate(zip(self.words, self.other_words, strict=True))
        )

    @property
    def sentence(self) -> str:
        """Both top answers, and how far the metric moves."""
        if self.unchanged:
            return f"The top answer is “{self.tops[0]}” in both runs."
        (one, before), (two, after) = (
            (f"“{word}”", percents(float(was), float(now)))
            for word, (was, now) in zip(self.answers, self.probabilities.T, strict=True)
        )
        change = "The edit" if self.edited else "The other sentence"
        top = (
            f"{change} changes the top answer from “{self.tops[0]}” to “{self.tops[1]}”."
            if self.tops[0] != self.tops[1]
            else f"{change} does not change the top answer, “{self.tops[0]}”."
        )
        return (
            f"{top} The probability goes from {before[0]} to {before[1]} for {one} and from {after[0]} to {after[1]}"
            f" for {two}. The effect is {signed(self.effect)} {UNITS[self.metric]}."
        )


@remembered
def two_runs(
    text: str,
    model: "EmbeddingModel",
    *,
    edits: Sequence[str] = (),
    second_text: str | None = None,
    answers: Sequence[str] | None = None,
    metric: Metric = "difference",
    strength: float = 1.0,
    mask: int = 1,
) -> Runs:
    """Run a sentence without and with an edit, or two sentences, and choose the answers that are compared.

    Parameters
    ----------
    text : str
        A text with a mask, of at most `MOST_TOKENS` tokens.
    model : EmbeddingModel
    edits : sequence of str, optional
        Edits of the second run, such as "rome = rome - italy + france". They change what BERT reads.
    second_text : str or None, optional
        Another text, for the second run. It has the same number of tokens, and its mask at the same position.
    answers : sequence of str or None, optional
        Two words, for the first run and for the second. By default the top answers of both runs; if these are equal,
        the second one is the word whose probability increases most.
    metric : {"difference", "log probability", "probability"}, default "difference"
        What is traced: the log probability of the second answer minus that of the first one, or the (log) probability
        of the second answer alone.
    strength : float, default 1.0
        Strength of the edits.
    mask : int, default 1
        Number of the mask, from 1.

    Returns
    -------
    Runs
        The hidden states and the answers of both runs.

    Raises
    ------
    ValueError
        For texts of unequal length or with more than 64 tokens, masks at different positions, a mask that does not
        exist, both edits and a second text or neither, an unknown metric, answers that are not two different words of
        one token, an edited word that is not in the text, and as `edited_model` does.
    """
    if metric not in NEAR_ZERO:
        raise ValueError(f"There is no metric {quoted(metric)}. Choose one of: {', '.join(NEAR_ZERO)}.")
    edits = several(edits, "edits")
    frames = [_read(text, model)]
    patches = [Patch()]
    if edits and second_text:
        raise ValueError("There are edits and a second sentence. Give only one of them.")
    if second_text:
        frames.append(_read(second_text, model))
        patches.append(Patch())
    elif edits:
        frames.append(frames[0])
        patches.append(resolve(Change.of(edits, strength=strength), model))
    else:
        raise ValueError("There is nothing to compare. Give an edit or a second sentence.")
    counts = [len(frame) for frame in frames]
    if counts[0] != counts[1]:
        raise ValueError(
            f"The sentences have {counts[0]} and {counts[1]} tokens. They are compared position by position, so use"
            " two sentences with the same number of tokens."
        )
    masks = [mask_position(frame, model, mask=mask) for frame in frames]
    if masks[0] != masks[1]:
        raise ValueError(
            f"The mask is at position {masks[0]} in the first sentence and {masks[1]} in the second one. Put it at the"
            " same position."
        )
    patches[1].check_present(frames[1]["id"].to_numpy(), model)
    inputs = np.stack(
        [patch.embed(frame["id"].to_numpy(), model) for patch, frame in zip(patches, frames, strict=True)]
    )
    states = model.encode(inputs, np.stack([frame["segment"].to_numpy() for frame in frames]))
    return _described(inputs, states, frames, model, mask=masks[0], answers=answers, metric=metric, edited=bool(edits))


def _described(
    inputs: Array,
    states: Array,
    frames: Sequence[pd.DataFrame],
    model: "EmbeddingModel",
    *,
    mask: int,
    answers: Sequence[str] | None,
    metric: str,
    edited: bool,
) -> Runs:
    """Return two runs with their answers, from their inputs (2, t, d), hidden states (l + 1, 2, t, d) and tokens."""
    logp = log_probabilities(states[-1, :, mask], model)
    tops = [int(i) for i in best_answer(logp, model)]
    given = () if answers is None else several(answers, "answers")
    ids = _answers(given, model) if given else (tops[0], _rising(logp, tops, model))
    groups = word_groups(frames)
    differ = np.abs(inputs[0] - inputs[1]).max(axis=1) > 0
    values = metric_of(logp[:, list(ids)], metric)
    return Runs(
        words=_words(frames[0], groups),
        other_words=_words(frames[1], groups),
        groups=groups,
        changed=tuple(number for number, group in enumerate(groups) if differ[list(group)].any()),
        edited=edited,
        mask=mask,
        states=states,
        answers=(model.vocabulary[ids[0]], model.vocabulary[ids[1]]),
        ids=ids,
        tops=(model.vocabulary[tops[0]], model.vocabulary[tops[1]]),
        probabilities=np.exp(logp[:, list(ids)]),
        metric=metric,
        values=(float(values[0]), float(values[1])),
    )


def measured(states: Array, model: "EmbeddingModel", *, runs: Runs) -> Array:
    """Return the metric (b,) of two runs for other last hidden states (b, d) at their mask."""
    if runs.metric == DIFFERENCE:  # the normalisation of the softmax cancels out, so two logits are enough
        return metric_of(model.logits(model.transform(states), runs.ids).astype(np.float64), runs.metric)
    return metric_of(log_probabilities(states, model)[:, list(runs.ids)], runs.metric)


def answered(states: Array, model: "EmbeddingModel", *, runs: Runs) -> tuple[list[str], Array]:
    """Return the top answers and the metric (b,) of two runs for other last hidden states (b, d) at their mask."""
    logits = model.logits(model.transform(states))
    tops = [model.vocabulary[int(i)] for i in best_answer(logits, model)]
    if runs.metric == DIFFERENCE:
        return tops, metric_of(logits[:, list(runs.ids)].astype(np.float64), runs.metric)
    return tops, metric_of(_log_softmax(logits)[:, list(runs.ids)], runs.metric)


def metric_of(logp: Array, metric: str) -> Array:
    """Return the metric (n,) from the log probabilities (n, 2) of the first and the second answer.

    >>> metric_of(np.log([[0.5, 0.25]]), "probability")
    array([0.25])
    """
    if metric == DIFFERENCE:
        return np.asarray(logp[:, 1] - logp[:, 0])
    return np.asarray(np.exp(logp[:, 1]) if metric == PROBABILITY else logp[:, 1])


def log_probabilities(states: Array, model: "EmbeddingModel") -> Array:
    """Return the log probabilities (n, v) of all tokens for last hidden states (n, d) at a mask."""
    return _log_softmax(model.logits(model.transform(states)))


def _log_softmax(logits: Array) -> Array:
    from scipy.special import log_softmax

    return np.asarray(log_softmax(logits.astype(np.float64), axis=-1))


def word_groups(frames: Sequence[pd.DataFrame]) -> tuple[tuple[int, ...], ...]:
    """Return the token positions of each word; tokens that form one word in any of the texts belong together."""
    groups: list[tuple[int, ...]] = []
    for position in range(len(frames[0])):
        inside = any(
            position and frame["word"].iloc[position] == frame["word"].iloc[position - 1] != -1 for frame in frames
        )
        if inside:
            groups[-1] = (*groups[-1], position)
        else:
            groups.append((position,))
    return tuple(groups)


def with_shares(frame: pd.DataFrame, runs: Runs) -> pd.DataFrame:
    """Return a frame with a column of shares for each column of differences, the shares first."""
    differences = [name for name in frame if str(name).endswith("_difference")]
    others = [name for name in frame if name not in differences]
    shares = {
        str(name).removesuffix("_difference"): frame[name] / runs.effect if runs.defined else np.nan
        for name in differences
    }
    return frame.assign(**shares)[[*others, *shares, *differences]]


def _read(text: str, model: "EmbeddingModel") -> pd.DataFrame:
    frame = model.tokenize(normalise_masks(text))
    if len(frame) > MOST_TOKENS:
        raise ValueError(f"The text has {len(frame):,} tokens, but at most {MOST_TOKENS:,} are traced. Shorten it.")
    return frame


def _answers(answers: Sequence[str], model: "EmbeddingModel") -> tuple[int, int]:
    """Return the ids of two different words."""
    ids = answer_ids(answers, model)
    if len(answers) != 2 or len(ids) != 2:
        raise ValueError(
            f"Two different answers are compared, not {len(ids)}. Give the expected answer of the first run and that of"
            " the second one."
        )
    return ids[0], ids[1]


def _rising(logp: Array, tops: Sequence[int], model: "EmbeddingModel") -> int:
    """Return the top answer of the second run, or the word that gains most probability if both runs agree."""
    if tops[0] != tops[1]:
        return tops[1]
    gains = np.exp(logp[1]) - np.exp(logp[0])
    gains[tops[0]] = -np.inf
    return int(best_answer(gains, model))


def _words(frame: pd.DataFrame, groups: Sequence[tuple[int, ...]]) -> tuple[str, ...]:
    tokens = list(frame["token"])
    return tuple(
        tokens[first] + "".join(tokens[position].removeprefix("##") for position in others) for first, *others in groups
    )
