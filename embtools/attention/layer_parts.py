"""One layer at one token, step by step: every vector, how far each step moves it, and what could be read off there."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.attention.layer_arithmetic import written
from embtools.limits import within
from embtools.mask_filling.answers import MAX_ANSWERS, best_answer
from embtools.mask_filling.forward import mask_position, probabilities
from embtools.memory import remembered
from embtools.models.layer_modules import layer_modules
from embtools.models.layer_steps import LayerSteps, layer_steps
from embtools.models.tuned_lens import needed_lens
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import percent
from embtools.vectors import Array, top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

INPUT, MIDDLE, OUTPUT = "input", "layer norm 1", "layer norm 2"
STEPS = {
    "inputs": INPUT,
    "heads": "heads, concatenated",
    "projected": "output projection",
    "attended": "+ residual 1",
    "middle": MIDDLE,
    "scores": "neurons before activation",
    "neurons": "neurons",
    "feed_forward": "second projection",
    "total": "+ residual 2",
    "outputs": OUTPUT,
}
"""The steps of a layer by their names in `LayerSteps`, and what they are called."""
STATES = "inputs", "attended", "middle", "total", "outputs"
"""The steps that are states of the token: vectors that the rest of the network could read. The others are parts."""
READABLE = tuple(step for step in STEPS if step not in ("scores", "neurons"))
"""The steps with d numbers: they can be compared with a state, and read by the head. The neurons have f numbers."""


@dataclass(frozen=True)
class Tokens:
    """The t tokens of a text: their names, the number of each one's word, and which are [CLS] or [SEP].

    masks   the positions of the masks
    """

    names: tuple[str, ...]
    words: tuple[int, ...]
    special: tuple[bool, ...]
    masks: tuple[int, ...]

    def counterpart(self, position: int, other: "Tokens") -> int:
        """Return the position of the same token of the same word in another tokenisation of the same text.

        If the word has fewer tokens there, it is the last one.
        """
        word = self.words[position]
        same = [n for n, number in enumerate(other.words) if number == word]
        inside = sum(number == word for number in self.words[:position])
        return same[min(inside, len(same) - 1)]


@dataclass(frozen=True)
class WholeLayer:
    """What a layer computes for one token; d dimensions, f neurons.

    tokens      the tokens of the text
    position    of the token
    layer       1 … l
    vectors     every vector, each (1, ·)
    steps       step (see `STEPS`), numbers (how many the vector has), length, distance and cosine (between this vector
                and the state before it, from which it is computed), top_answer, probability and answer_probability (of
                the answer after the last layer): what the masked-word head gives if it reads this vector. Neurons have
                none of these, because they have f numbers and a state has d
    answers     step, rank, token, probability: the best words for each step with d numbers
    answer      the word that the model gives at this token, after the last layer
    dimension   the dimension whose numbers `arithmetic` follows, from 1
    arithmetic  how each number of this dimension is computed, line by line
    tuned       whether the states before and after the layer were read with the tuned lens; the others have none
    """

    tokens: Tokens
    position: int
    layer: int
    vectors: LayerSteps
    steps: pd.DataFrame
    answers: pd.DataFrame
    answer: str
    dimension: int
    arithmetic: str
    tuned: bool = False

    @property
    def token(self) -> str:
        """The token."""
        return self.tokens.names[self.position]

    @property
    def headline(self) -> str:
        """What could be read off at the token before the layer, after its attention, and after the whole layer."""
        rows = self.steps.set_index("step")
        before, middle, after = (
            f"“{row['top_answer']}” ({percent(row['probability'])})"
            for row in (rows.loc[step] for step in (INPUT, MIDDLE, OUTPUT))
        )
        if self.tuned:
            return (
                f"Read off at “{self.token}” with the tuned lens, the answer is {before} before layer {self.layer} and"
                f" {after} after it."
            )
        return (
            f"Read off at “{self.token}”, the answer is {before} before layer {self.layer}, {middle} after its"
            f" attention, and {after} after its feed-forward network."
        )

    @property
    def movement(self) -> str:
        """How much attention and feed-forward network add, compared with what they add it to."""
        rows = self.steps.set_index("step")
        (first, near), (second, far) = (
            (rows.loc[added, "distance"] / rows.loc[step, "length"], rows.loc[added, "cosine"])
            for step, added in ((INPUT, STEPS["attended"]), (MIDDLE, STEPS["total"]))
        )
        return (
            f"Attention adds a vector {first:.1f} times as long as the input; the sum has a cosine of {decimal(near)}"
            f" with the input. The feed-forward network adds a vector {second:.1f} times as long as the one it reads;"
            f" here the cosine is {decimal(far)}."
        )

    @cached_property
    def numbers(self) -> pd.DataFrame:
        """Every number of every step: step, number (from 1: the dimension or the neuron), value."""
        parts = [(name, getattr(self.vectors, field)[0]) for field, name in STEPS.items()]
        return pd.concat(
            [pd.DataFrame({"step": name, "number": np.arange(1, len(v) + 1), "value": v}) for name, v in parts],
            ignore_index=True,
        )


@remembered
def tokens_of(text: str, model: "EmbeddingModel") -> Tokens:
    """Return the tokens of a text."""
    frame = model.tokenize(text)
    words = tuple(int(word) for word in frame["word"])
    masks = tuple(int(position) for position in np.flatnonzero(frame["id"].to_numpy() == model.mask_id))
    return Tokens(tuple(frame["token"]), words, tuple(word < 0 for word in words), masks)


@remembered
def states_of(text: str, model: "EmbeddingModel") -> Array:
    """Return the hidden states (l + 1, t, d) of a text, cached. Raises ValueError as `EmbeddingModel.tokenize` does."""
    return model.hidden_states(text)


def whole_layer(
    text: str,
    model: "EmbeddingModel",
    *,
    layer: int,
    position: int | None = None,
    dimension: int = 0,
    k: int = 3,
    tuned: bool = False,
) -> WholeLayer:
    """Follow one token through one layer, step by step.

    At each step with d numbers, the masked-word head reads the vector as if it were the last one (the logit lens). The
    head was trained on the vectors after the last layer, so what it gives for others is a rough estimate.

    Parameters
    ----------
    text : str
        A text, usually with a [MASK].
    model : EmbeddingModel
    layer : int
        1 … l.
    position : int or None, optional
        Position of the token (0 is [CLS]); by default that of the first mask.
    dimension : int, default 0
        The dimension whose arithmetic is written out, from 1; 0 is the one with the largest number after the layer.
    k : int, default 3
        Number of answers for each step.
    tuned : bool, default False
        Whether the states before and after the layer are read with the tuned lens of the model. It has no translators
        for the vectors inside a layer, which are read with the logit lens.

    Returns
    -------
    WholeLayer
        Every vector, how far each step moves it, and what could be read off there.

    Raises
    ------
    ValueError
        For a layer, a position or a dimension that does not exist, for a text without a mask if no position is given,
        for k out of range, and with `tuned` for a model without a tuned lens.

    References
    ----------
    Devlin et al. 2019, "BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding".
    nostalgebraist 2020, "interpreting GPT: the logit lens".
    Belrose et al. 2023, "Eliciting latent predictions from transformers with the tuned lens".
    """
    within(k, MAX_ANSWERS, "answers")
    if not 0 <= dimension <= model.dimensions:
        raise ValueError(f"There is no dimension {dimension}. Choose 1 to {model.dimensions:,}, or 0.")
    layer_modules(model, layer=layer)
    index = checked_position(text, model, position=position)
    states = states_of(text, model)
    vectors = layer_steps(states, model, layer=layer, positions=(index,))
    read = np.concatenate([*(getattr(vectors, name) for name in READABLE), states[-1, [index]]])
    if tuned:
        ends = [READABLE.index("inputs"), READABLE.index("outputs")]
        read[ends] = needed_lens(model).translate(read[ends], (layer - 1, layer))
    shares = probabilities(model.logits(model.transform(read)))
    answer = int(best_answer(shares[-1], model))
    chosen = dimension or 1 + int(np.abs(vectors.outputs[0]).argmax())
    return WholeLayer(
        tokens_of(text, model),
        index,
        layer,
        vectors,
        _steps(vectors, shares, answer, model),
        _answers(shares, model, k),
        model.vocabulary[answer],
        chosen,
        written(vectors, model, layer=layer, dimension=chosen),
        tuned,
    )


def checked_position(text: str, model: "EmbeddingModel", *, position: int | None) -> int:
    """Return a position of a text, by default that of its first mask; ValueError if it does not exist."""
    frame = model.tokenize(text)
    if position is None:
        return mask_position(frame, model, mask=1)
    if not 0 <= position < len(frame):
        raise ValueError(f"There is no token {position}. This text has tokens 0 to {len(frame) - 1}.")
    return position


def _steps(vectors: LayerSteps, shares: Array, answer: int, model: "EmbeddingModel") -> pd.DataFrame:
    rows, before = [], None
    for field, name in STEPS.items():
        vector = getattr(vectors, field)[0].astype(np.float64)
        row = {
            **{"step": name, "numbers": len(vector), "length": float(np.linalg.norm(vector))},
            **{"distance": np.nan, "cosine": np.nan},
            **{"top_answer": "", "probability": np.nan, "answer_probability": np.nan},
        }
        if field in READABLE:
            if before is not None:
                product = np.linalg.norm(before) * np.linalg.norm(vector)
                row["distance"] = float(np.linalg.norm(vector - before))
                row["cosine"] = float(before @ vector / product) if product else np.nan
            share = shares[READABLE.index(field)]
            best = int(best_answer(share, model))
            row |= {
                **{"top_answer": model.vocabulary[best], "probability": float(share[best])},
                **{"answer_probability": float(share[answer])},
            }
            before = vector if field in STATES else before
        rows.append(row)
    return pd.DataFrame(rows)


def _answers(shares: Array, model: "EmbeddingModel", k: int) -> pd.DataFrame:
    rows = [
        (STEPS[name], rank, model.vocabulary[i], float(share[i]))
        for name, share in zip(READABLE, shares, strict=False)
        for rank, i in enumerate(top_k(share, k), 1)
    ]
    return pd.DataFrame(rows, columns=["step", "rank", "token", "probability"])
