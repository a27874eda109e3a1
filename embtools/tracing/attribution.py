"""Which words a masked answer depends on: gradients, leaving words out, and attention."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.drawing import Displayed
from embtools.mask_filling.answers import best_answer
from embtools.mask_filling.forward import mask_position
from embtools.mask_filling.typed_input import normalise_masks
from embtools.messages import column_name, listed
from embtools.models.attention import by_layer, rollout
from embtools.models.gradients import answer_gradients, integrated_gradients
from embtools.models.last_states import last_states
from embtools.progress import Progress, part, silent
from embtools.statistics.decimals import decimal
from embtools.statistics.exact import sign_test
from embtools.statistics.intervals import mean_interval
from embtools.statistics.ranks import ordinal
from embtools.tracing.runs import log_probabilities
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

ATTENTION, ROLLOUT, GRADIENT, INTEGRATED, LEFT_OUT = METHODS = (
    "attention", "rollout", "gradient × input", "integrated gradients", "leave one out",
)  # fmt: skip
COLUMNS = tuple(map(column_name, METHODS))
"""The columns of the methods in frames of tokens."""
MOST_PIECES = 100
"""Maximum number of tokens: each is left out once, and integrated gradients run the text once per step."""
MOST_SENTENCES = 40
LEVEL = 0.05  # of a p-value


@dataclass(frozen=True)
class Attribution(Displayed):
    """How much a masked answer depends on each token, by five methods.

    answer       the word whose log probability is explained
    probability  0 … 1
    tokens       position, token, compared (False for [CLS], [SEP] and the mask), and one of `COLUMNS` for each method;
                 the last three in nats: positive values support the answer
    agreement    method, top_token (the token it ranks 1st), rho (Spearman's, with leave one out; nan if there are too
                 few tokens)
    difference   log p of the answer minus log p with all words masked: what integrated gradients must sum to
    """

    answer: str
    probability: float
    tokens: pd.DataFrame
    agreement: pd.DataFrame
    difference: float

    @property
    def headline(self) -> str:
        """Which word the answer depends on most, and how that word ranks by attention."""
        counted = self.tokens[self.tokens["compared"]]
        if counted.empty:
            return "There is no word except the mask, so nothing can be compared."
        most = counted.loc[counted[column_name(LEFT_OUT)].idxmax()]
        rank = int((counted[column_name(ATTENTION)] > most[column_name(ATTENTION)]).sum()) + 1
        answer, token = self.answer, most["token"]
        nats = most[column_name(LEFT_OUT)]
        text = f"Leaving out “{token}” lowers the log probability of “{answer}” most (by {nats:.1f} nats)."
        if nats <= 0:
            text = f"No single word is needed for the answer “{answer}”; “{token}” comes closest."
        return f"{text} By attention, “{token}” ranks {ordinal(rank)} of {len(counted)}."

    @property
    def special(self) -> Array:
        """(t,) Whether each token is [CLS] or [SEP]: not counted, and no mask."""
        return np.asarray(~self.tokens["compared"] & (self.tokens["token"] != "[MASK]"), bool)


@dataclass(frozen=True)
class Agreement(Displayed):
    """How well each method agrees with leave one out over many sentences.

    frame       method, rho (mean), low, high, same_top, p_value; see `over_sentences`
    sentences   their number
    """

    frame: pd.DataFrame
    sentences: int

    @property
    def headline(self) -> str:
        """The method with the highest agreement, and the methods that may equal it."""
        table = self.frame
        best = table.loc[table["rho"].idxmax()]
        close = table[(table["p_value"] > LEVEL) & (table["method"] != best["method"])]["method"].tolist()
        interval = f"mean ρ {decimal(best['rho'])}"
        if not np.isnan(best["low"]):
            interval += f", 95% interval {decimal(best['low'])} to {decimal(best['high'])}"
        if not close:
            return f"Over {self.sentences} sentences, {best['method']} agrees best with leaving words out ({interval})."
        return (
            f"Over {self.sentences} sentences, {best['method']} has the highest agreement with leaving words out"
            f" ({interval}), but {listed(close)} may be equally good."
        )


def attribute(
    text: str,
    model: "EmbeddingModel",
    *,
    answer: str = "",
    mask: int = 1,
    steps: int = 64,
    progress: Progress = silent,
) -> Attribution:
    """Return five measures of how much a masked answer depends on each token.

    Attention from the mask (mean of all heads), rollout, gradient × input (Simonyan et al. 2013), integrated gradients
    (Sundararajan et al. 2017; from the text with all its words masked) and leave one out (each token replaced by
    [MASK]).

    Parameters
    ----------
    text : str
        A text with a mask.
    model : EmbeddingModel
    answer : str, default ""
        A word of one token; "" is the model's top answer.
    mask : int, default 1
        Number of the mask, from 1.
    steps : int, default 64
        Number of steps of the integral.
    progress : callable, optional

    Returns
    -------
    Attribution
        The measures of every token, and how well they agree.

    Raises
    ------
    ValueError
        For a text without a mask or with more than `MOST_PIECES` tokens, and for an answer that is not one token.
    """
    frame = model.tokenize(normalise_masks(text))
    if len(frame) > MOST_PIECES:
        raise ValueError(f"The text has {len(frame):,} tokens, but at most {MOST_PIECES:,} are allowed. Shorten it.")
    position = mask_position(frame, model, mask=mask)
    ids, segments = frame["id"].to_numpy(), frame["segment"].to_numpy()
    inputs = model.matrix[ids]
    counted = ~(frame["word"] < 0).to_numpy() & (ids != model.mask_id)
    states = model.encode(inputs[None], segments)[:, 0]
    logp = log_probabilities(states[-1, [position]], model)[0]
    target = model.token_id(answer) if answer.strip() else int(best_answer(logp, model))
    without = np.repeat(inputs[None], len(ids), axis=0)
    without[np.arange(len(ids)), np.arange(len(ids))] = model.matrix[model.mask_id]
    baseline = np.where(counted[:, None], model.matrix[model.mask_id], inputs)
    gradient, _ = answer_gradients(inputs[None], model, segments=segments, position=position, target=target)
    tokens = frame[["position", "token"]].assign(compared=counted)
    tokens[column_name(ATTENTION)] = np.mean(
        [weights[:, 0].mean(0) for weights in by_layer(states, model, rows=[position])], axis=0
    )
    tokens[column_name(ROLLOUT)] = rollout(states, model)[position]
    tokens[column_name(GRADIENT)] = (gradient[0] * inputs).sum(1)
    tokens[column_name(INTEGRATED)] = integrated_gradients(
        inputs,
        model,
        baseline=baseline,
        segments=segments,
        position=position,
        target=target,
        steps=steps,
        progress=part(progress, 0, 0.7),
    ).sum(1)
    ends = _answers(np.concatenate([without, baseline[None]]), segments, position, target, model)
    progress(1.0)
    tokens[column_name(LEFT_OUT)] = np.where(counted, logp[target] - ends[:-1], 0.0)
    return Attribution(
        model.vocabulary[target],
        float(np.exp(logp[target])),
        tokens,
        _agreement(tokens[counted]),
        float(logp[target] - ends[-1]),
    )


def over_sentences(
    model: "EmbeddingModel", *, sentences: int = MOST_SENTENCES, steps: int = 16, progress: Progress = silent
) -> Agreement:
    """Return how well each method agrees with leave one out over the built-in sentences.

    Parameters
    ----------
    model : EmbeddingModel
    sentences : int, optional
        Number of sentences.
    steps : int, default 16
        Number of steps of the integral.
    progress : callable, optional

    Returns
    -------
    Agreement
        The columns of its frame: method, rho (mean rank correlation), low, high (95% interval over sentences; nan with
        fewer than 8), same_top (share of sentences in which both rank the same token 1st), p_value (compared with the
        method of the highest rho on the same sentences by a two-sided sign test; 1 for that one itself).

    Raises
    ------
    ValueError
        For too few or too many sentences.
    """
    if not 2 <= sentences <= MOST_SENTENCES:
        raise ValueError(f"The number of sentences is {sentences}. Choose 2 to {MOST_SENTENCES}.")
    rows = wordlists.load("neutral_sentences")["sentence"].head(sentences)
    results = []
    for number, text in enumerate(rows):
        progress(number / sentences)
        one = attribute(text, model, steps=steps).agreement
        results.append(one.assign(same=one["top_token"] == one["top_token"].iloc[-1]))
    every = pd.concat(results, keys=range(len(results)), names=["sentence"]).dropna().reset_index("sentence")
    rhos = every.pivot(index="sentence", columns="method", values="rho")
    best = rhos[rhos[list(METHODS[:-1])].mean().idxmax()]
    table = []
    for method in METHODS[:-1]:
        mine = every[every["method"] == method]
        p = sign_test(int((best > rhos[method]).sum()), int((best < rhos[method]).sum()))
        rho = mean_interval(mine["rho"].to_numpy())
        table.append((method, rho.mean, rho.low, rho.high, float(mine["same"].mean()), p))
    columns = ["method", "rho", "low", "high", "same_top", "p_value"]
    return Agreement(pd.DataFrame(table, columns=columns), sentences)


def _agreement(counted: pd.DataFrame) -> pd.DataFrame:
    """Return the token that each method ranks 1st, and the method's rank correlation with leave one out."""
    from scipy.stats import spearmanr

    rows = []
    for method in METHODS:
        values, control = counted[column_name(method)].to_numpy(), counted[column_name(LEFT_OUT)].to_numpy()
        known = len(counted) > 2 and np.ptp(values) > 0 and np.ptp(control) > 0
        rho = float(spearmanr(values, control).statistic) if known else np.nan
        rows.append((method, str(counted["token"].iloc[int(values.argmax())]) if len(counted) else "", rho))
    return pd.DataFrame(rows, columns=["method", "top_token", "rho"])


def _answers(inputs: Array, segments: Array, position: int, target: int, model: "EmbeddingModel") -> Array:
    """Return log p(target at this position) for each row of inputs (b, t, d): (b,)."""
    size = max(1, model.BATCH_PIECES // inputs.shape[1])
    results = []
    for start in range(0, len(inputs), size):
        states = last_states(inputs[start : start + size], model, at=[position], segments=segments)[:, 0]
        results.append(log_probabilities(states, model)[:, target])
    return np.concatenate(results)
