"""One head token by token, and the steps by which it computes the weight of a pair: q · k / √w, softmax, values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.attention.attended import attend
from embtools.attention.heads import ROLLOUT, STRONGEST, beginning, members, single_head
from embtools.attention.reading import Reading, read_all
from embtools.drawing import Displayed
from embtools.models.attention import by_layer, head, rollout
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class Steps:
    """How a head computes the weight of one pair of tokens; w is its width, t the number of tokens.

    dot         query · key, the sum of the products
    score       dot / √w, before the softmax
    weight      the share that the softmax computes from the score
    dimensions  w rows: dimension, query, key, product, value (of the target token), weighted_value (weight · value),
                output (the sum of weight · value over all tokens)
    tokens      t rows: position, token, score, exponential (of the score minus the largest score), weight,
                weighted_value (the length of weight · value)
    """

    dot: float
    score: float
    weight: float
    dimensions: pd.DataFrame
    tokens: pd.DataFrame

    @property
    def ranked(self) -> pd.DataFrame:
        """The rows of `tokens`, those with the highest weight first."""
        return self.tokens.sort_values("weight", ascending=False, ignore_index=True)


@dataclass(frozen=True)
class OneHead(Displayed):
    """One head (or several combined) token by token, and one pair of tokens in it.

    heads        what is shown: "4.2" (layer 4, head 2), "4.2, 5.1", "layer 4", "all heads" or "rollout"
    tokens       the t tokens
    words        the number of the word of each token
    special      whether each token is [CLS] or [SEP]
    weights      (t, t): each row is the attention of one token, and adds up to 1
    row, column  positions of the attending token and of the token that receives attention
    steps        how the weight of this pair is computed; None if several heads are combined
    """

    heads: str
    tokens: tuple[str, ...]
    words: tuple[int, ...]
    special: tuple[bool, ...]
    weights: Array
    row: int
    column: int
    steps: Steps | None

    @property
    def headline(self) -> str:
        """The share of its attention that the one token gives to the other."""
        one, other = (self.tokens[position] for position in (self.row, self.column))
        share = rounded(self.weights[self.row, self.column], 1)
        if self.heads == ROLLOUT:
            return f"By rollout over all layers, {share} of “{one}” comes from “{other}”."
        return f"{beginning(self.heads)} “{one}” gives “{other}” {share} of its attention."

    @property
    def arithmetic(self) -> str:
        """The steps of the pair as lines of arithmetic; "" if several heads are combined."""
        return written(self.steps, self.tokens[self.row], self.tokens[self.column]) if self.steps else ""

    @property
    def share_of_special(self) -> float:
        """The attention that [CLS] and [SEP] together get from the attending token."""
        return float(self.weights[self.row, list(self.special)].sum())

    @property
    def frame(self) -> pd.DataFrame:
        """The weights: attending, and a column for each token that receives attention."""
        names = [f"{position} {token}" for position, token in enumerate(self.tokens)]
        frame = pd.DataFrame(self.weights, columns=names)
        frame.insert(0, "attending", names)
        return frame

    @property
    def attending(self) -> pd.DataFrame:
        """The row of the attending token: position, token, weight."""
        return pd.DataFrame(
            {"position": range(len(self.tokens)), "token": self.tokens, "weight": self.weights[self.row]}
        )


def one_head(
    text: str,
    model: "EmbeddingModel",
    *,
    source: Sequence[str | int],
    target: Sequence[str | int],
    versus: Sequence[str | int] = (),
    heads: str = STRONGEST,
    second: str = "",
    edits: Sequence[str] = (),
    row: int = -1,
    column: int = -1,
) -> OneHead:
    """One head on a text, token by token, and how it computes the weight of one pair of tokens.

    Parameters
    ----------
    text : str
        A text.
    model : EmbeddingModel
    source, target, versus, heads, second, edits
        As in `attended_words`.
    row : int, optional
        Position of the attending token of the pair. A position outside the first source word means the word's first
        token.
    column : int, optional
        Position of the token that receives attention, in the same way for the first target word.

    Returns
    -------
    OneHead
        The weights (t, t), the pair, and the steps by which its weight is computed.

    Raises
    ------
    ValueError
        As `attended_words` does.
    """
    readings = read_all(text, model, second=second, edits=edits)
    reading = readings.now
    named = [reading.named(words) for words in (source, target, versus)]
    if heads == STRONGEST:
        heads = attend(readings, model, source=named[0], target=named[1], heads=heads, versus=named[2]).heads
    pair = [
        given if given in (own := reading.positions(words[:1])) else own[0]
        for words, given in zip(named[:2], (row, column), strict=True)
    ]
    single = single_head(heads, model.layers, model.heads)
    return OneHead(
        heads,
        tuple(reading.tokens["token"]),
        tuple(reading.tokens["word"].tolist()),
        tuple(reading.tokens["special"].tolist()),
        matrix(reading, model, heads=heads),
        pair[0],
        pair[1],
        steps(reading, model, heads=heads, row=pair[0], column=pair[1]) if single else None,
    )


def matrix(reading: Reading, model: "EmbeddingModel", *, heads: str) -> Array:
    """Return the attention weights of one head, of averaged heads, or of rollout."""
    single = single_head(heads, model.layers, model.heads)
    if single:
        return head(reading.states, model, layer=single[0], number=single[1]).weights
    if heads == ROLLOUT:
        return rollout(reading.states, model).astype(np.float32)
    chosen = members(heads, model.layers, model.heads)
    t = len(reading.tokens)
    total = np.zeros((t, t))
    for layer, weights in enumerate(by_layer(reading.states, model), 1):
        total += weights[[number - 1 for own, number in chosen if own == layer]].sum(0)
    return np.asarray(total / len(chosen), np.float32)


def steps(reading: Reading, model: "EmbeddingModel", *, heads: str, row: int, column: int) -> Steps:
    """Return the steps by which one head computes how much a token attends to another (Vaswani et al. 2017, eq. 1)."""
    ((layer, number),) = members(heads, model.layers, model.heads)
    one = head(reading.states, model, layer=layer, number=number)
    query, key, value = one.queries[row], one.keys[column], one.values[column]
    scores = one.scores[row].astype(np.float64)
    weights = one.weights[row]
    dimensions = pd.DataFrame(
        {
            "dimension": np.arange(1, len(query) + 1),
            "query": query,
            "key": key,
            "product": query * key,
            "value": value,
            "weighted_value": weights[column] * value,
            "output": one.output[row],
        }
    )
    tokens = reading.tokens[["position", "token"]].assign(
        score=scores,
        exponential=np.exp(scores - scores.max()),
        weight=weights,
        weighted_value=np.linalg.norm(weights[:, None] * one.values, axis=1),
    )
    return Steps(float(query @ key), float(scores[column]), float(weights[column]), dimensions, tokens)


def written(result: Steps, row: str, column: str) -> str:
    """Format the steps as lines of arithmetic, with the names of the attending token and the target token."""
    width = len(result.dimensions)
    total = result.tokens["exponential"].sum()
    power = np.exp(result.score - result.tokens["score"].max())
    first = result.dimensions.iloc[0]
    largest = result.tokens["score"].max()

    return "\n".join(
        [
            f"query “{row}” · key “{column}”",
            f"= {decimal(first['query'])} × {decimal(first['key'])} + … ({width} products) = {decimal(result.dot)}",
            f"score = {decimal(result.dot)} ÷ √{width} = {decimal(result.score)}",
            f"softmax: e^({decimal(result.score)} − {decimal(largest)}) = {power:.3f}",
            f"weight = {power:.3f} ÷ {total:.3f} (all {len(result.tokens)} tokens) = {rounded(result.weight, 1)}",
            f"output = {result.weight:.3f} × value “{column}” + …",
        ]
    )
