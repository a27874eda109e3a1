"""A direction added to the states of one layer: the answers over its strength, next to those of shuffled groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.concepts.effects import EVERYWHERE, ONE_WORD, Where, costs, masks_after, other_sentences
from embtools.concepts.fluency import Fluency, fixed_text, fluency
from embtools.concepts.groups import TEMPLATE, group_name, group_states, shuffled
from embtools.drawing import Displayed
from embtools.limits import check_layer, within
from embtools.mask_filling.answers import answer_ids, best_answer
from embtools.mask_filling.forward import probabilities
from embtools.messages import counted, quoted
from embtools.progress import Progress, part, silent
from embtools.spaces.two_groups import DIFFERENCE, Groups, Method, direction, same_means
from embtools.statistics.decimals import signed
from embtools.statistics.intervals import mean_interval
from embtools.statistics.reporting import LEVEL, control_p, p_value
from embtools.vectors import Array
from embtools.words.templates import seconds

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class Steered(Displayed):
    """The odds of two lists of answers over the strength of a direction, and the cost in other sentences.

    names, answers_of  the groups of words, and the lists of answers, by their first words
    layer, where       the layer, and where the direction is added
    length             the length of what strength 1 adds: the distance between the means along the direction
    strengths          strength, change (of log P(second answers) − log P(first answers), mean over the sentences, in
                       nats) with its 95% interval (low, high; missing for fewer than 8 sentences), random,
                       random_lowest, random_highest (mean, lowest and highest mean change over the directions between
                       shuffled groups), cost (change in the log
                       probability of acceptable answers in other sentences) with cost_low and cost_high,
                       random_cost
    sentences          sentence, strength, top_answer, probability (of it), change
    random             the mean change of each direction between shuffled groups at strength 1
    fluency            the pseudo-log-likelihood of a fixed text over the strength, and where it breaks
    words              with where = "one word": the words to which the direction is added
    """

    names: tuple[str, str]
    answers_of: tuple[str, str]
    layer: int
    where: str
    length: float
    strengths: pd.DataFrame
    sentences: pd.DataFrame
    random: tuple[float, ...]
    fluency: Fluency
    words: tuple[str, ...] = ()

    def at(self, strength: float) -> pd.Series:
        """The row of a strength."""
        return self.strengths.set_index("strength").loc[strength]

    @cached_property
    def p(self) -> float:
        """The share of directions that change the odds at least as much at strength 1, this one included."""
        own = abs(self.at(1.0)["change"])
        return control_p(sum(abs(value) >= own for value in self.random), len(self.random))

    @property
    def headline(self) -> str:
        """The factor by which strength 1 changes the odds, next to the strongest shuffled groups, and the verdict."""
        row, n = self.at(1.0), len(self.random)
        factor, low, high = (_factor(row[name]) for name in ("change", "low", "high"))
        where = f"one word ({group_name(self.words)})" if self.where == ONE_WORD else self.where
        each = self.sentences.loc[self.sentences["strength"] == 1.0, "change"]
        bounds = "" if np.isnan(row["low"]) else f" (95% interval {low} to {high})"
        if not bounds and len(each) > 1:
            bounds = f" (single sentences: {_factor(each.min())} to {_factor(each.max())})"
        strongest = max(self.random, key=abs)
        of = (
            f"The strongest of {n} directions between shuffled groups"
            if n > 1
            else "A direction between shuffled groups"
        )
        verdict = (
            f"{counted(n, 'shuffle')} {'is' if n == 1 else 'are'} too few for a clear result."
            if control_p(0, n) > LEVEL
            else "So the direction does more than one that means nothing."
            if self.p <= LEVEL
            else "So this could be chance."
        )
        return (
            f"Added to {where} after layer {self.layer}, the direction multiplies the odds of"
            f" {self.answers_of[1]} over {self.answers_of[0]} by {factor}{bounds}. {of}: by"
            f" {_factor(strongest)} ({p_value(self.p, n)}). {verdict}"
        )

    @property
    def comparison(self) -> str:
        """The range and the mean of shuffled groups, and the cost."""
        row, n = self.at(1.0), len(self.random)
        low, high, mean = (_factor(row[f"random{name}"]) for name in ("_lowest", "_highest", ""))
        multiply = "multiplies" if n == 1 else "multiply"
        return (
            f"{counted(n, 'direction')} between shuffled groups of the same length {multiply} the odds by {low} to"
            f" {high} (mean {mean}). In other sentences, the log probability of acceptable answers"
            f" changes by {signed(row['cost'])} nats (shuffled groups: {signed(row['random_cost'])}), and by"
            f" {signed(self.at(3.0)['cost'])} with strength 3."
        )


def _factor(nats: float) -> str:
    """Format a change of log odds as a factor.

    >>> _factor(0.0), _factor(0.04), _factor(7.0)
    ('1.00', '1.04', '1,097')
    """
    value = float(np.exp(nats))
    text = f"{value:,.0f}" if value >= 10 else f"{value:.1f}" if value >= 0.1 else f"{value:.2g}"
    return f"{value:.2f}" if text == "1.0" else text


STRENGTHS = tuple(number / 2 for number in range(-6, 7))
"""Multiples of the distance between both means that are added."""
MAX_SENTENCES, MAX_DRAWS, MAX_ANSWERS = 30, 100, 20
SENTENCES, COST_DRAWS, FLUENCY_DRAWS = 20, 3, 3
_TRIES = 100


def steer(
    sentences: Sequence[str],
    model: "EmbeddingModel",
    *,
    first: Sequence[str],
    second: Sequence[str],
    first_answers: Sequence[str],
    second_answers: Sequence[str],
    layer: int,
    template: str = TEMPLATE,
    method: Method = DIFFERENCE,
    where: Where = EVERYWHERE,
    words: Sequence[str] = (),
    draws: int = 20,
    seed: int = 0,
    progress: Progress = silent,
) -> Steered:
    """Add strength × distance × direction to hidden states after a layer, and ask for the mask of each sentence.

    The direction leads from the first group to the second; the distance is that between their means along it.
    The control adds directions between shuffled groups of the same items, made equally long: directions that mean
    nothing, but lie where the items differ. The same strengths are added to other sentences, and to a
    fixed text, whose pseudo-log-likelihood shows where fluency breaks (see `embtools.concepts.fluency`).

    Parameters
    ----------
    sentences : sequence of str
        1 to 30 sentences with a mask.
    model : EmbeddingModel
    first, second
        As in `find_direction`.
    first_answers, second_answers : sequence of str
        Words of one token, whose probabilities at the mask are added up.
    layer, template, method
        As in `find_direction`.
    where : {"all tokens", "the mask", "one word"}, default "all tokens"
        Where the direction is added in these sentences. To other sentences and to the fixed text, it is always added at
        all tokens.
    words : sequence of str, default ()
        With "one word": up to 30 words or tokens. In each sentence, the direction is added to the tokens of the first
        one that it contains.
    draws : int, default 20
        Number of shuffled groups; at most three for other sentences and the fixed text.
    seed : int, default 0
        Seed of the shuffling and of the bootstrap.
    progress
        As in `find_direction`.

    Returns
    -------
    Steered

    Raises
    ------
    ValueError
        For a layer, a method or a place (`where`) that does not exist, numbers out of range, an empty list of answers,
        an answer that is not one token or is in both lists, a sentence without a mask or without one of the `words`,
        groups of different size with "first component of pairs", and as `erase` does for the groups and the template.

    References
    ----------
    Turner et al. 2023, "Steering Language Models With Activation Engineering".
    """
    within(len(sentences), MAX_SENTENCES, "sentences")
    within(draws, MAX_DRAWS, "shuffles")
    check_layer(layer, model.layers)
    ids = answer_lists(first_answers, model, second_answers=second_answers)
    read = group_states(tuple(first), tuple(second), model, template=template, progress=part(progress, 0.0, 0.1))
    vectors, groups = read.states[layer], read.second
    axis = direction(vectors, groups, method=method)
    length = float((vectors[groups].mean(0) - vectors[~groups].mean(0)) @ axis)
    axes = np.concatenate([axis[None], shuffled_axes(vectors, groups, draws, method=method, seed=seed)])
    added = np.multiply.outer(np.array(STRENGTHS), axes * length)  # (s, 1 + r, d)
    every = masks_after(
        sentences,
        model,
        changes=[partial(_plus, vector) for vector in added.reshape(-1, model.dimensions)],
        layer=layer,
        where=where,
        words=words,
        progress=part(progress, 0.1, 0.4),
    )
    odds, rows, zero = [], [], STRENGTHS.index(0.0)
    for sentence, states in zip(sentences, every, strict=True):
        change = _log_odds(states, model, ids).reshape(len(STRENGTHS), -1)
        odds.append(change := change - change[zero])
        tops = probabilities(model.logits(states[:: len(axes)]))  # of the direction itself, not of random ones
        rows += [
            (sentence, strength, model.vocabulary[best], float(row[best]), float(moved))
            for strength, row, best, moved in zip(STRENGTHS, tops, best_answer(tops, model), change[:, 0], strict=True)
        ]
    changes = np.array(odds)  # (n, s, 1 + r)
    lost = _costs(added, model, layer, part(progress, 0.5, 0.25))
    few = axes[: 1 + FLUENCY_DRAWS] * length
    fixed = fluency(model, axes=few, strengths=STRENGTHS, layer=layer, seed=seed, progress=part(progress, 0.75, 0.25))
    means = changes[:, :, 1:].mean(axis=0)
    table = [
        (
            strength,
            *_mean(changes[:, number, 0], seed),
            *(means[number].mean(), means[number].min(), means[number].max()),
            *_mean(lost[:, number, 0], seed),
            float(lost[:, number, 1:].mean()),
        )
        for number, strength in enumerate(STRENGTHS)
    ]
    columns = ["strength", "change", "low", "high", "random", "random_lowest", "random_highest"]
    columns += ["cost", "cost_low", "cost_high", "random_cost"]
    return Steered(
        read.names,
        (group_name(first_answers), group_name(second_answers)),
        layer,
        where,
        length,
        pd.DataFrame(table, columns=columns),
        pd.DataFrame(rows, columns=["sentence", "strength", "top_answer", "probability", "change"]),
        tuple(float(value) for value in means[STRENGTHS.index(1.0)]),
        fixed,
        tuple(words) if where == ONE_WORD else (),
    )


def shuffled_axes(vectors: Array, second: Groups, count: int, *, method: Method = DIFFERENCE, seed: int = 0) -> Array:
    """Return unit directions (count, d) between shuffled groups of vectors (n, d), a control that changes answers more
    than directions that are drawn without the vectors, because they lie where the vectors differ.
    """
    within(count, MAX_DRAWS, "shuffles")
    random, found = generator(seed), []
    for _ in range(_TRIES * count):
        groups = shuffled(second, random, method=method)
        if not same_means(vectors, groups):
            found.append(direction(vectors, groups, method=method))
        if len(found) == count:
            return np.array(found)
    raise ValueError("Shuffled groups always have the same mean vector, so there is no control. Use other items.")


def answer_lists(
    first_answers: Sequence[str], model: "EmbeddingModel", *, second_answers: Sequence[str]
) -> tuple[list[int], list[int]]:
    """Return the ids of two lists of answers, each once."""
    for words, which in ((first_answers, "first"), (second_answers, "second")):
        if not words:
            raise ValueError(f"The list of {which} answers is empty. Write at least one word.")
        if len(words) > MAX_ANSWERS:
            raise ValueError(
                f"There are {len(words):,} {which} answers; at most {MAX_ANSWERS} are possible. Remove some."
            )
    first, second = answer_ids(first_answers, model), answer_ids(second_answers, model)
    if both := set(first) & set(second):
        word = next(word for word in second_answers if not both.isdisjoint(answer_ids([word], model)))
        raise ValueError(f"{quoted(word)} is in both lists of answers. Use each answer in one list only.")
    return first, second


def effort(sentences: Sequence[str], model: "EmbeddingModel", *, draws: int = 20, layer: int = 0) -> float:
    """Return about how many seconds `steer` takes."""
    fixed = [len(model.tokenize(text)) for text in fixed_text()]
    texts = [len(model.tokenize(sentence)) for sentence in sentences]
    others, added = min(draws, COST_DRAWS) + 1, min(draws, FLUENCY_DRAWS) + 1
    runs = len(texts) * (draws + 1) + SENTENCES * others + added * (sum(fixed) - 2 * len(fixed))
    tokens = sum(texts) * (draws + 1) + 14 * SENTENCES * others + added * sum(t * (t - 2) for t in fixed)
    # The layers above are run; in the last one, only the mask is followed. Then every run scores all words.
    above = max(model.layers - layer - 1 + 1 / 6, 1 / 6) / model.layers
    scoring = len(model.vocabulary) / (12 * model.dimensions * model.layers)
    return seconds(round((tokens * above + runs * scoring) * len(STRENGTHS)), model)


def _log_odds(states: Array, model: "EmbeddingModel", ids: Sequence[Sequence[int]]) -> Array:
    """Return log P(second answers) − log P(first answers) of states (c, d): the softmax over all tokens cancels out."""
    from scipy.special import logsumexp

    first, second = (logsumexp(model.logits(states, each).astype(np.float64), axis=1) for each in ids)
    return np.asarray(second - first)


def _mean(values: Array, seed: int) -> tuple[float, float, float]:
    """Return the mean with its 95% interval; nan for the interval of too few values."""
    found = mean_interval(values, seed=seed)
    return found.mean, found.low, found.high


def _plus(vector: Array, states: Array) -> Array:
    return np.asarray(states + vector)


def _costs(added: Array, model: "EmbeddingModel", layer: int, progress: Progress) -> Array:
    """Return the costs (n, s, 1 + r) of the direction and of a few random ones in the built-in sentences."""
    few = added[:, : 1 + COST_DRAWS]
    changes = [partial(_plus, vector) for vector in few.reshape(-1, added.shape[-1])]
    result = costs(other_sentences(model, most=SENTENCES), model, changes=changes, layer=layer, progress=progress)
    return result.reshape(len(result), *few.shape[:2])
