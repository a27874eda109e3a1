"""A direction between two groups, found in every layer and tested on items that it was not made from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.concepts.groups import (
    SHARE,
    TEMPLATE,
    WORDS,
    folds,
    group_states,
    held_out_scores,
    near_copies,
    scores,
    tokens_of,
)
from embtools.concepts.groups import shuffled as shuffle
from embtools.drawing import Displayed
from embtools.limits import check_layer, within
from embtools.memory import remembered
from embtools.messages import counted, listed, quoted, shortened
from embtools.progress import Progress, part, silent, through
from embtools.spaces.two_groups import (
    DIFFERENCE,
    LOGISTIC,
    METHODS,
    PAIRS,
    Groups,
    Method,
    check_pairs,
    direction,
    same_means,
)
from embtools.statistics.decimals import decimal
from embtools.statistics.intervals import wilson
from embtools.statistics.percentages import rounded
from embtools.statistics.probe import FOLDS, Splits
from embtools.statistics.reporting import LEVEL, control_p, p_value
from embtools.vectors import SHORTEST, Array
from embtools.words.templates import seconds

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

FIRST, SECOND = "first", "second"


@dataclass(frozen=True)
class Direction(Displayed):
    """A direction between two groups of words or sentences, tested on those that it was not made from.

    names    both groups by their first items
    layer    the layer that is shown (0: embedding output)
    method   how the direction was found
    layers   layer, accuracy (share of held-out words on their own group's side) with its 95% interval (low,
             high), shuffled and shuffled_95 (mean and 95th percentile of the accuracy with shuffled groups), cosine
             (with the direction of the method in `compared`), distance (between the means of the groups, along the
             direction), and the accuracy by each method: difference_of_means, logistic_regression and, with complete
             pairs, first_component_of_pairs
    words    word or sentence, group ("first" or "second"), score (−1: mean of the first group, +1: mean of the second;
             held out), correct (whether it is on its own group's side)
    tokens   position, token, score: the tokens of a sentence
    shuffled the accuracy in this layer with shuffled groups, for each draw
    kind     what the groups consist of: "words" or "sentences"
    """

    names: tuple[str, str]
    layer: int
    method: Method
    layers: pd.DataFrame
    words: pd.DataFrame
    tokens: pd.DataFrame
    shuffled: tuple[float, ...]
    kind: str = WORDS

    @property
    def item(self) -> str:
        """What one item is, and its column in `words`: "word" or "sentence"."""
        return self.kind.removesuffix("s")

    @property
    def row(self) -> pd.Series:
        """The row of this layer in `layers`."""
        return self.layers.iloc[self.layer]

    @cached_property
    def p(self) -> float:
        """The share of shuffled groups that are separated as well, the true ones included."""
        return control_p(sum(value >= self.row["accuracy"] for value in self.shuffled), len(self.shuffled))

    @property
    def headline(self) -> str:
        """How many held-out items are on the right side, compared with shuffled groups."""
        row, n, most = self.row, len(self.shuffled), max(self.shuffled)
        verdict = (
            f"{counted(n, 'shuffle')} {'is' if n == 1 else 'are'} too few for a clear result."
            if control_p(0, n) > LEVEL
            else f"So the direction also holds for {self.kind} that it was not made from."
            if self.p <= LEVEL
            else f"Shuffled groups often reach as much, so nothing shows that it holds for other {self.kind}."
        )
        return (
            f"After layer {self.layer}, {rounded(row['accuracy'])} of the held-out {self.kind} are on their own"
            f" group's side (95% interval {rounded(row['low'])} to {rounded(row['high'])}). With shuffled groups,"
            f" at most {rounded(most)} are, and {rounded(row['shuffled'])} on average ({p_value(self.p, n)}). {verdict}"
        )

    @property
    def mistakes(self) -> str:
        """The words or sentences on the wrong side, and how many sentences are nearly the same as another one."""
        wrong = self.words.loc[~self.words["correct"], self.item].tolist()
        cosine = decimal(self.row["cosine"])
        both = f"The cosine between this direction and the one found by {compared(self.method)} is {cosine}."
        both += f" {self._other_methods}{self._near_copies}"
        if not wrong:
            return f"Every {self.item} is on its own group's side. {both}"
        most = 8 if self.kind == WORDS else 3
        more = f" and {len(wrong) - most} more" if len(wrong) > most else ""
        named = ", ".join(wrong[:most] if self.kind == WORDS else (f"“{shortened(text, 60)}”" for text in wrong[:most]))
        these = f"This {self.item} is" if len(wrong) == 1 else f"These {self.kind} are"
        return f"{these} on the wrong side: {named}{more}. {both}"

    @property
    def others(self) -> tuple[Method, ...]:
        """The other methods that can be used with these groups."""
        return tuple(each for each in METHODS if each != self.method and column(each) in self.layers)

    @property
    def _other_methods(self) -> str:
        found = listed(f"{rounded(self.row[column(each)])} ({each})" for each in self.others)
        return f"With the other methods, the share of {self.kind} on their own group's side is {found}."

    @property
    def _near_copies(self) -> str:
        if self.kind == WORDS or not (count := near_copies(self.words["sentence"], self.words["group"])):
            return ""
        return (
            f" {count} of {len(self.words)} sentences are nearly the same as another sentence of their group"
            f" ({rounded(SHARE)} of all words in common). New sentences will be on the right side less often."
        )


def compared(method: Method) -> Method:
    """Return the method whose direction is compared with this one's: the means, or a regression for the means."""
    return LOGISTIC if method == DIFFERENCE else DIFFERENCE


def column(method: Method) -> str:
    """Return the name of the column with the accuracy by a method.

    >>> column("difference of means")
    'difference_of_means'
    """
    return method.replace(" ", "_")


def possible(method: Method, second: Groups) -> bool:
    """Return whether a method can be used with these groups (n,): the component of pairs needs complete pairs."""
    if method != PAIRS:
        return True
    try:
        check_pairs(second)
    except ValueError:
        return False
    return True


MAX_DRAWS = 200
SHUFFLES: dict[Method, int] = {DIFFERENCE: 200, LOGISTIC: 20, PAIRS: 200}
"""How often the groups are shuffled: 200 times where that takes a few seconds at most."""
_SECONDS: dict[Method, float] = {DIFFERENCE: 4e-7, LOGISTIC: 1e-4, PAIRS: 4e-6}  # for one item, fold and shuffle
_TRIES = 100


def find_direction(
    first: Sequence[str],
    second: Sequence[str],
    model: "EmbeddingModel",
    *,
    layer: int,
    template: str = TEMPLATE,
    method: Method = DIFFERENCE,
    text: str = "",
    draws: int | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> Direction:
    """Find the direction between two groups in every layer, and test it on held-out words or sentences.

    An item is held out of the direction that it is tested on: five folds. It is on the right side if its score has the
    sign of its group. The control shuffles the groups and repeats everything. The other methods are tested in the same
    way, without the control.

    Parameters
    ----------
    first, second : sequence of str
        The words of both groups, 10 to 150 each; or sentences, with the template "{word}".
    model : EmbeddingModel
    layer : int
        The layer whose items are listed: 0 (embedding output) to l.
    template : str, default "This is {word}."
        The sentence in which each word is read. "{word}" alone reads each item as it is.
    method : {"difference of means", "logistic regression", "first component of pairs"}, default "difference of means"
        The direction between both means, the weights of a classifier, or the first principal component of the pairs
        (item i of both groups). With pairs, both words of a pair are held out together, and the control swaps the
        groups within pairs.
    text : str, default ""
        A sentence whose tokens are scored along the direction.
    draws : int or None, optional
        Number of times that the groups are shuffled; None: 200, or 20 with "logistic regression".
    seed : int, default 0
        Seed of the folds and of the shuffling.
    progress : callable, optional

    Returns
    -------
    Direction

    Raises
    ------
    ValueError
        For a layer or a method that does not exist, too many draws, groups of different size with "first component of
        pairs", and as `erase` does for the groups and the template.

    References
    ----------
    Kim et al. 2018, "Interpretability Beyond Feature Attribution: Testing with Concept Activation Vectors".
    Bolukbasi et al. 2016, "Man is to Computer Programmer as Woman is to Homemaker?", for the component of pairs.
    """
    draws = _draws(draws, method)
    check_layer(layer, model.layers)
    groups = {"first": tuple(first), "second": tuple(second)}
    tested = _tested(
        **groups, model=model, layer=layer, template=template, method=method, draws=draws, seed=seed, progress=progress
    )
    read = group_states(groups["first"], groups["second"], model, template=template)
    return replace(tested, tokens=_tokens(text, model, read.states[layer], read.second, layer, method))


def effort(
    first: Sequence[str],
    second: Sequence[str],
    model: "EmbeddingModel",
    *,
    method: Method = DIFFERENCE,
    draws: int | None = None,
) -> float:
    """Return about how many seconds `find_direction` takes."""
    if method not in METHODS:
        raise ValueError(f"There is no method {quoted(method)}. Choose one of: {', '.join(METHODS)}.")
    count = len(first) + len(second)
    fits, draws = (model.layers + 1) * FOLDS * count, _draws(draws, method)
    tokens = tokens_of((*first, *second), model)
    return seconds(tokens, model) + fits * (_SECONDS[method] * draws + 1.1e-4)


@remembered
def _tested(
    first: tuple[str, ...],
    second: tuple[str, ...],
    model: "EmbeddingModel",
    *,
    layer: int,
    template: str,
    method: Method,
    draws: int,
    seed: int,
    progress: Progress,
) -> Direction:
    """Return the direction without a text; it takes long, and is the same for every text."""
    read = group_states(first, second, model, template=template, progress=part(progress, 0.0, 0.3))
    random, second_group = generator(seed), read.second
    parts = folds(second_group, method=method, seed=seed)
    every = [shuffle(second_group, random, method=method) for _ in range(draws)]
    splits = [folds(groups, method=method, seed=seed) for groups in every]
    able = {each: folds(second_group, method=each, seed=seed) for each in METHODS if possible(each, second_group)}
    rows, held_out = [], np.zeros(0)
    shuffled: tuple[float, ...] = ()
    for number in through(range(model.layers + 1), part(progress, 0.3, 0.7)):
        vectors = turned(read.states[number])
        found = held_out_scores(vectors, second_group, parts, method=method)
        right = int(((found > 0) == second_group).sum())
        shares = _of_means(vectors, every, splits) if method == DIFFERENCE else [np.nan] * draws
        chance = [
            _by_chance(vectors, groups, each, random, method) if np.isnan(share) else share
            for share, groups, each in zip(shares, every, splits, strict=True)
        ]
        axis, other = (direction(vectors, second_group, method=each) for each in (method, compared(method)))
        distance = float((vectors[second_group].mean(0) - vectors[~second_group].mean(0)) @ axis)
        share, interval = right / len(second_group), wilson(right, len(second_group))
        by_method = [
            share
            if each == method
            else _share(held_out_scores(vectors, second_group, parts, method=each), second_group)
            for each, parts in able.items()
        ]
        control = np.mean(chance), np.quantile(chance, 0.95)
        rows.append((number, share, *interval, *control, float(axis @ other), distance, *by_method))
        if number == layer:
            shuffled, held_out = tuple(chance), found
    columns = ["layer", "accuracy", "low", "high", "shuffled", "shuffled_95", "cosine", "distance"]
    columns += [column(each) for each in able]
    words = pd.DataFrame(
        {
            read.kind.removesuffix("s"): read.items,
            "group": np.where(second_group, SECOND, FIRST),
            "score": held_out,
            "correct": (held_out > 0) == second_group,
        }
    )
    return Direction(
        read.names,
        layer,
        method,
        pd.DataFrame(rows, columns=columns),
        words,
        _tokens("", model, read.states[layer], second_group, layer, method),
        shuffled,
        read.kind,
    )


def turned(vectors: Array) -> Array:
    """Return n vectors (n, d) in at most n coordinates, with the same lengths and angles, so that fitting is fast."""
    x = np.asarray(vectors, np.float64)
    return x @ np.linalg.svd(x, full_matrices=False)[2].T


def _draws(draws: int | None, method: Method) -> int:
    """Return how often the groups are shuffled, checked."""
    draws = SHUFFLES.get(method, 1) if draws is None else draws
    within(draws, MAX_DRAWS, "draws")
    return draws


def _of_means(vectors: Array, every: Sequence[Groups], splits: Sequence[Splits]) -> list[float]:
    """Return the held-out accuracy of the difference of means for each of many groups (nan if the means are equal),
    from the products of all vectors, so that hundreds of shuffles take no longer than a few.
    """
    products, result = vectors @ vectors.T, []
    for groups, parts in zip(every, splits, strict=True):
        weights, held_out = np.zeros((len(parts), len(groups))), np.zeros((len(parts), len(groups)), bool)
        for row, out, (learn, rest) in zip(weights, held_out, parts, strict=True):
            row[learn] = np.where(groups[learn], 1 / groups[learn].sum(), -1 / (~groups[learn]).sum())
            out[rest] = True
        along = weights @ products
        middle = (np.abs(weights) * along).sum(axis=1, keepdims=True) / 2
        equal = (weights * along).sum(axis=1) < SHORTEST**2
        result.append(np.nan if equal.any() else float(((along > middle) == groups)[held_out].mean()))
    return result


def _by_chance(vectors: Array, groups: Groups, splits: Splits, random: np.random.Generator, method: Method) -> float:
    """Return the accuracy with shuffled groups; they are shuffled again while they have equal means in a fold, as
    groups of few or repeated vectors can.
    """
    for _ in range(_TRIES):
        if not any(same_means(vectors[learn], groups[learn]) for learn, _ in splits):
            break
        groups = shuffle(groups, random, method=method)
        splits = folds(groups, method=method, seed=int(random.integers(1_000_000)))
    return _share(held_out_scores(vectors, groups, splits, method=method), groups)


def _share(scores: Array, second: Groups) -> float:
    """Return the share of items whose score has the sign of their group."""
    return float(((scores > 0) == second).mean())


def _tokens(
    text: str, model: "EmbeddingModel", vectors: Array, second: Groups, layer: int, method: Method
) -> pd.DataFrame:
    """Return the score of each token of a text along the direction of all words."""
    if not text.strip():
        return pd.DataFrame({"position": [], "token": [], "score": []}).astype({"position": int, "token": str})
    axis = direction(vectors, second, method=method)
    frame = model.tokenize(text)
    found = scores(model.hidden_states(text)[layer], axis, of=vectors, second=second)
    return pd.DataFrame({"position": range(len(frame)), "token": frame["token"].tolist(), "score": found})
