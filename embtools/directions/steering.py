"""A direction added to the states of one layer: the answers over its strength, next to those of shuffled groups."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.directions.effects import EVERYWHERE, ONE_WORD, Where, costs, masks_after, other_sentences
from embtools.directions.find import check_layer
from embtools.directions.fluency import fixed_text, fluency
from embtools.directions.groups import TEMPLATE, group_name, group_states, shuffled
from embtools.directions.steer_result import Steered
from embtools.limits import within
from embtools.mask_filling.answers import answer_ids
from embtools.mask_filling.forward import probabilities
from embtools.messages import quoted
from embtools.progress import Progress, part, silent
from embtools.spaces.two_groups import DIFFERENCE, Groups, Method, direction, same_means
from embtools.statistics.intervals import mean_interval
from embtools.vectors import Array
from embtools.words.templates import seconds

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

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
    fixed text, whose pseudo-log-likelihood shows where fluency breaks (see `embtools.directions.fluency`).

    Parameters
    ----------
    sentences : sequence of str
        1 to 30 sentences with a mask.
    model : EmbeddingModel
    first, second : sequence of str
        The words of both groups, 10 to 150 each; or sentences, with the template "{word}".
    first_answers, second_answers : sequence of str
        Words of one token, whose probabilities at the mask are added up.
    layer : int
        0 (embedding output) to l.
    template : str, default "This is {word}."
        The sentence in which each word of a group is read. "{word}" alone reads each item as it is.
    method : {"difference of means", "logistic regression", "first component of pairs"}, default "difference of means"
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
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

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
    check_layer(layer, model)
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
        odds.append(change - change[zero])
        tops = probabilities(model.logits(states[:: len(axes)]))  # of the direction itself, not of random ones
        rows += [
            (sentence, strength, model.vocabulary[int(row.argmax())], float(row.max()), float(moved))
            for strength, row, moved in zip(STRENGTHS, tops, odds[-1][:, 0], strict=True)
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
    """Return unit directions (count, d) between shuffled groups of vectors (n, d): directions that mean nothing.

    They lie where the vectors differ, and change answers more than directions that are drawn without the vectors.
    Groups whose means are equal after a shuffle are shuffled again.
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
