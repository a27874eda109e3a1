"""One layer at one token, step by step: every vector, how far each step moves it, and what could be read off there."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.drawing import Displayed
from embtools.limits import within
from embtools.mask_filling.answers import MAX_ANSWERS, best_answer, left_out, top_answers
from embtools.mask_filling.forward import probabilities
from embtools.mask_filling.tokens import Tokens, checked_position, states_of, tokens_of
from embtools.models.layer_modules import layer_modules, layer_weights
from embtools.models.layer_steps import LayerSteps, layer_steps
from embtools.models.tuned_lens import needed_lens
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import percent
from embtools.vectors import Array

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
class WholeLayer(Displayed):
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
        for rank, i in enumerate(top_answers(share, left_out((), model), k), 1)
    ]
    return pd.DataFrame(rows, columns=["step", "rank", "token", "probability"])


def written(vectors: LayerSteps, model: "EmbeddingModel", *, layer: int, dimension: int) -> str:
    """Return how a dimension (1 … d) of one token is computed in a layer, line by line, by way of the strongest neuron,
    because a dimension has no neuron of its own.
    """
    weights, activation = layer_weights(model, layer=layer), layer_modules(model, layer=layer).activation
    d, width = dimension - 1, model.dimensions // model.heads
    name = type(activation).__name__.removesuffix("Activation")
    heads, middle, neurons = (rows[0].astype(np.float64) for rows in (vectors.heads, vectors.middle, vectors.neurons))
    n = int(np.abs(neurons).argmax())  # the strongest neuron
    projected, attended = float(vectors.projected[0, d]), float(vectors.attended[0, d])
    ahead, total = float(vectors.feed_forward[0, d]), float(vectors.total[0, d])
    head = 1 + int(np.abs(heads * weights.projection[d]).argmax()) // width
    largest = 1 + int(np.abs(neurons * weights.second[d]).argmax())
    through = 1 + int(np.abs(middle * weights.first[n]).argmax())
    lines = (
        f"output projection = {_products(heads, weights.projection[d], weights.projection_bias[d], f'head {head}')}",
        f"+ residual 1 = {number(float(vectors.inputs[0, d]))} {_plus(projected)} = {number(attended)}",
        f"layer norm 1 = {_normed(vectors.attended[0], d, weights.attention_norm)}",
        f"neuron {n + 1:,} = {_products(middle, weights.first[n], weights.first_bias[n], f'dimension {through}')}",
        f"activated = {name}({number(float(vectors.scores[0, n]))}) = {number(float(neurons[n]))}",
        f"second projection = {_products(neurons, weights.second[d], weights.second_bias[d], f'neuron {largest:,}')}",
        f"+ residual 2 = {number(float(middle[d]))} {_plus(ahead)} = {number(total)}",
        f"layer norm 2 = {_normed(vectors.total[0], d, weights.norm)}",
    )
    return "\n".join(lines)


def number(value: float) -> str:
    """Format a number for a formula, with a true minus sign, and with three digits if it is small.

    >>> number(-1.234), number(0.0123), number(-0.0001)
    ('−1.23', '0.012', '0.000')
    """
    return decimal(value, 2 if abs(value) >= 0.0995 else 3).replace(",", "")


def _plus(value: float) -> str:
    """Return a number with its sign in front, as the next term of a sum.

    >>> _plus(0.31), _plus(-0.31)
    ('+ 0.31', '− 0.31')
    """
    return f"− {number(-value)}" if number(value).startswith("−") else f"+ {number(value)}"


def _products(values: Array, row: Array, bias: float, largest: str) -> str:
    """Return a sum of products with its largest one, which is named: "1.20 × −0.31 (head 4) + … = 0.52"."""
    products = values * row
    best = int(np.abs(products).argmax())
    return (
        f"{number(values[best])} × {number(float(row[best]))} ({largest}) + … ({len(values):,} products)"
        f" {_plus(float(bias))} = {number(float(products.sum() + bias))}"
    )


def _normed(vector: Array, d: int, norm: tuple[Array, Array, float]) -> str:
    """Return the layer norm of one number of a vector."""
    weight, bias, epsilon = norm
    x = vector.astype(np.float64)
    mean, spread = float(x.mean()), float(np.sqrt(x.var() + epsilon))
    value = (x[d] - mean) / spread * weight[d] + bias[d]
    return (
        f"({number(x[d])} {_plus(-mean)}) ÷ {number(spread)} × {number(float(weight[d]))} {_plus(float(bias[d]))}"
        f" = {number(float(value))}"
    )
