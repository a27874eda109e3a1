"""The neurons of a layer's feed-forward network at one token: the strongest ones, and what one of them adds."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.drawing import Displayed
from embtools.limits import within
from embtools.mask_filling.tokens import Tokens, checked_position, states_of, tokens_of
from embtools.memory import remembered
from embtools.messages import listed
from embtools.models import neurons as of_means
from embtools.models.layer_modules import layer_modules, layer_weights
from embtools.models.layer_steps import LayerSteps, layer_steps
from embtools.models.neurons import DIFFERENCE, By, mean_outputs, neuron_strengths, output_rows
from embtools.models.output_head import scores_along
from embtools.progress import Progress, silent
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import percent
from embtools.statistics.ranks import ordinal
from embtools.statistics.reporting import LEVEL
from embtools.vectors import Array, top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

PROMOTED, SUPPRESSED = "promoted", "suppressed"
RANDOM = 200
"""Number of random directions that a neuron's output is compared with."""
_ACTIVE = 0.05  # the activation from which a neuron adds its words; below, it only would
MOST = 100
"""Maximum number of neurons in the list, and of words on each side."""


@dataclass(frozen=True)
class Neurons(Displayed):
    """The neurons of a layer at one token; f is their number.

    tokens      the tokens of the text
    position    of the token
    layer       1 … l
    by          what makes a neuron strong: its `ACTIVATION`, or its `DIFFERENCE` from its mean
    count       f
    above_zero  how many of them are above zero at this token
    strongest   rank, neuron (from 1), activation, mean (over built-in sentences), strength (see `neuron_strengths`),
                promotes and suppresses (three words each)
    neuron      the neuron that the other results are about
    rank        its rank at this token
    mean        its mean activation over built-in sentences
    words       word, side (promoted or suppressed), along and at_token: see `words_of`
    random      (r,) the highest `along` of each of r random directions, in rising order
    agreement   Spearman's rho of `along` and `at_token` over all whole words
    by_token    position, token, special ([CLS] or [SEP]), score (before the activation), activation: of the neuron
    """

    tokens: Tokens
    position: int
    layer: int
    by: str
    count: int
    above_zero: int
    strongest: pd.DataFrame
    neuron: int
    rank: int
    mean: float
    words: pd.DataFrame
    random: Array
    agreement: float
    by_token: pd.DataFrame

    @property
    def token(self) -> str:
        """The token."""
        return self.tokens.names[self.position]

    @property
    def activation(self) -> float:
        """The activation of the neuron at the token."""
        return float(self.by_token["activation"].iloc[self.position])

    @property
    def random_share(self) -> float:
        """The share of random directions with a word whose score is at least as high as the highest of this neuron."""
        return float((self.random >= self._highest).mean())

    @property
    def _highest(self) -> float:
        """The score of the word that the neuron promotes most."""
        return float(self.words.loc[self.words["side"] == PROMOTED, "along"].max())

    @property
    def headline(self) -> str:
        """How strong the neuron is at the token, and the words that its output promotes most."""
        most = listed(f"“{word}”" for word in self.words.loc[self.words["side"] == PROMOTED, "word"].head(3))
        of = f"of {self.count:,} neurons at “{self.token}” in layer {self.layer}"
        rank = "is the strongest" if self.rank == 1 else f"ranks {ordinal(self.rank)}"
        level = f"activation {decimal(self.activation)}, on average {decimal(self.mean)}"
        clear = "no more clearly" if self.random_share > LEVEL else "more clearly"
        promotes = "promotes" if self.activation >= _ACTIVE else "would promote"
        return (
            f"Neuron {self.neuron:,} {rank} {of} ({level}). It {promotes} {most}, {clear} than a random direction does."
        )

    @property
    def limits(self) -> str:
        """What limits the headline: random directions, and whether the words are those of this token."""
        highest = self._highest
        reached = int((self.random >= highest).sum())
        text = (
            f"The word that it promotes most is {highest:.1f} standard deviations above the mean of all words."
            f" For {reached} of {len(self.random)} random directions, this value is at least as high (the average of"
            f" all is {self.random.mean():.1f})."
        )
        if not np.isnan(self.agreement):
            rho = decimal(self.agreement)
            text += f" With the change of all scores at this token, the order of the words agrees to ρ = {rho}."
        above = percent(self.above_zero / self.count)
        return f"{text} At this token, {above} of the neurons of the layer are above zero."


def neurons(
    text: str,
    model: "EmbeddingModel",
    *,
    layer: int,
    position: int | None = None,
    neuron: int = 0,
    by: By = DIFFERENCE,
    k: int = 12,
    words: int = 6,
    progress: Progress = silent,
) -> Neurons:
    """Return the strongest neurons of a token, and what one of them adds.

    A neuron adds its output vector, multiplied by its activation. The strongest one adds the longest vector. Some
    neurons are strong at every token; so by default the mean over built-in sentences is subtracted first.

    Parameters
    ----------
    text : str
        A text, usually with a [MASK].
    model : EmbeddingModel
    layer : int
        1 … l.
    position : int or None, optional
        Position of the token (0 is [CLS]); by default that of the first mask.
    neuron : int, default 0
        A neuron, from 1; 0 is the strongest one of the token.
    by : {"difference", "activation"}, default "difference"
        What makes a neuron strong: how far its activation is above its mean over built-in sentences, or above zero.
    k : int, default 12
        Number of the strongest neurons.
    words : int, default 6
        Number of words on each side.
    progress : callable, optional

    Returns
    -------
    Neurons
        The strongest neurons, the words of one neuron, and its activation over all tokens.

    Raises
    ------
    ValueError
        For a layer, a position or a neuron that does not exist, for a text without a mask if no position is given, and
        for numbers out of range.

    References
    ----------
    Geva et al. 2021, "Transformer Feed-Forward Layers Are Key-Value Memories".
    Geva et al. 2022, "Transformer Feed-Forward Layers Build Predictions by Promoting Concepts in the Vocabulary Space".
    """
    within(k, MOST, "neurons")
    within(words, MOST, "words on each side")
    count = int(layer_modules(model, layer=layer).first.out_features)
    if not 0 <= neuron <= count:
        raise ValueError(f"There is no neuron {neuron:,}. Choose 1 to {count:,}, or 0 for the strongest one.")
    index = checked_position(text, model, position=position)
    steps = layer_steps(states_of(text, model), model, layer=layer)
    own = steps.neurons[index]
    means = mean_outputs(model, progress=progress)[layer - 1].neurons
    strengths = neuron_strengths(own, model, layer=layer, by=by)
    order = np.argsort(-strengths, kind="stable")
    chosen = neuron or int(order[0]) + 1
    of_words, agreement = words_of(steps, model, layer=layer, position=index, neuron=chosen, n=words)
    names = tokens_of(text, model)
    first = order[:k]
    promoted, suppressed = extremes(output_rows(model, layer=layer)[first], model)
    strongest = pd.DataFrame(
        {
            "rank": np.arange(1, len(first) + 1),
            "neuron": first + 1,
            "activation": own[first].astype(np.float64),
            "mean": means[first].astype(np.float64),
            "strength": strengths[first],
            "promotes": promoted,
            "suppresses": suppressed,
        }
    )
    by_token = pd.DataFrame(
        {
            "position": range(len(names.names)),
            "token": names.names,
            "special": names.special,
            "score": steps.scores[:, chosen - 1].astype(np.float64),
            "activation": steps.neurons[:, chosen - 1].astype(np.float64),
        }
    )
    return Neurons(
        names,
        index,
        layer,
        by,
        count,
        int((own > 0).sum()),
        strongest,
        chosen,
        1 + int(np.flatnonzero(order == chosen - 1)[0]),
        float(means[chosen - 1]),
        of_words,
        random_extremes(model),
        agreement,
        by_token,
    )


def effort(text: str, model: "EmbeddingModel") -> float:
    """Return about how many seconds `neurons` takes; most of it is `mean_outputs`, once for each model."""
    own = len(model.tokenize(text)) * model.layers * model.dimensions**2 / of_means.PACE
    return own + of_means.effort(model)


def extremes(rows: Array, model: "EmbeddingModel") -> tuple[list[str], list[str]]:
    """Return the three whole words with the highest and with the lowest scores along each row (k, d), with commas."""
    ids = np.flatnonzero(model.whole_words)
    scores = scores_along(rows, model)[:, ids]

    def first(values: Array) -> list[str]:
        return [", ".join(model.vocabulary[ids[i]] for i in top_k(row, 3)) for row in values]

    return first(scores), first(-scores)


def words_of(
    steps: LayerSteps, model: "EmbeddingModel", *, layer: int, position: int, neuron: int, n: int
) -> tuple[pd.DataFrame, float]:
    """Return the words that a neuron promotes and suppresses most along its output vector, without the activation of
    the masked-word head (after Geva et al. 2022), and how far this holds at one token.
    """
    from scipy.stats import spearmanr

    ids = np.flatnonzero(model.whole_words)
    along = _standardised(scores_along(output_rows(model, layer=layer)[[neuron - 1]], model)[:, ids])[0]
    at_token = _raised(steps, model, layer=layer, position=position, neuron=neuron)[ids]
    at_token -= at_token.mean()
    rows = [
        (model.vocabulary[ids[i]], side, float(along[i]), float(at_token[i]))
        for side, sign in ((PROMOTED, 1), (SUPPRESSED, -1))
        for i in top_k(sign * along, n)
    ]
    varied = len(ids) > 2 and np.ptp(at_token) > 0 and np.ptp(along) > 0
    rho = float(spearmanr(along, at_token).statistic) if varied else float("nan")
    return pd.DataFrame(rows, columns=["word", "side", "along", "at_token"]), rho


@remembered
def random_extremes(model: "EmbeddingModel") -> Array:
    """Return the highest score of a word along each of `RANDOM` directions, as in `words_of`, sorted; cached."""
    ids = np.flatnonzero(model.whole_words)
    directions = generator(0).normal(size=(RANDOM, model.dimensions))
    parts = [_standardised(scores_along(rows, model)[:, ids]) for rows in np.array_split(directions, 10)]
    return np.sort(np.concatenate([rows.max(1) for rows in parts]))


def layer_norm(vector: Array, norm: tuple[Array, Array, float]) -> Array:
    """Return the layer norm (…, d) of vectors (…, d), with its weight (d,), bias (d,) and epsilon.

    >>> layer_norm(np.array([1.0, 3.0]), (np.ones(2), np.zeros(2), 0.0))
    array([-1.,  1.])
    """
    weight, bias, epsilon = norm
    centred = vector - vector.mean(-1, keepdims=True)
    return np.asarray(centred / np.sqrt(vector.var(-1, keepdims=True) + epsilon) * weight + bias)


def _standardised(rows: Array) -> Array:
    spread = rows.std(axis=1, keepdims=True)
    return np.asarray((rows - rows.mean(axis=1, keepdims=True)) / np.where(spread == 0, 1, spread), np.float64)


def _raised(steps: LayerSteps, model: "EmbeddingModel", *, layer: int, position: int, neuron: int) -> Array:
    """Return by how much a neuron raises the score (v,) of each word at a token, if the layer is read off."""
    weights = layer_weights(model, layer=layer)
    without = steps.total[position] - steps.neurons[position, neuron - 1] * weights.second[:, neuron - 1]
    states = np.stack([steps.outputs[position], layer_norm(without, weights.norm)])
    with_it, without_it = model.logits(model.transform(states)).astype(np.float64)
    return np.asarray(with_it - without_it)
