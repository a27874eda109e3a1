"""How well a direction between two groups separates items that it was not made from, in every layer."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.directions.groups import FOLDS, TEMPLATE, WORDS, folds, group_states, held_out_scores, scores, tokens_of
from embtools.directions.groups import shuffled as shuffle
from embtools.directions.near_copies import SHARE, near_copies
from embtools.limits import within
from embtools.messages import shortened
from embtools.progress import Progress, part, silent, through
from embtools.spaces.two_groups import DIFFERENCE, LOGISTIC, Groups, Method, direction
from embtools.statistics.decimals import decimal
from embtools.statistics.intervals import wilson
from embtools.statistics.reporting import LEVEL, control_p, p_value
from embtools.vectors import Array
from embtools.words.templates import seconds

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_DRAWS = 200
FIRST, SECOND = "first", "second"


@dataclass(frozen=True)
class Direction:
    """A direction between two groups of words or sentences, tested on those that it was not made from.

    names    both groups by their first items
    layer    the layer that is shown (0: embedding output)
    method   how the direction was found
    layers   layer, accuracy (share of held-out words on their own group's side) with its 95% interval (ci_low,
             ci_high), shuffled and shuffled_95 (mean and 95th percentile of the accuracy with shuffled groups), cosine
             (with the direction of the method in `compared`), distance (between the means of the groups, along the
             direction)
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
        row = self.row
        verdict = (
            f"So the direction also holds for {self.kind} that it was not made from."
            if self.p <= LEVEL
            else f"So nothing shows that the direction holds for other {self.kind}."
        )
        return (
            f"After layer {self.layer}, {row['accuracy']:.0%} of the held-out {self.kind} are on their own"
            f" group's side (95% interval {row['ci_low']:.0%} to {row['ci_high']:.0%}); with shuffled groups,"
            f" {row['shuffled']:.0%} on average ({p_value(self.p)}). {verdict}"
        )

    @property
    def mistakes(self) -> str:
        """The words or sentences on the wrong side, and how many sentences are nearly the same as another one."""
        wrong = self.words.loc[~self.words["correct"], self.item].tolist()
        both = f"The cosine with the direction by {compared(self.method)} is {decimal(self.row['cosine'])}."
        both += self._near_copies
        if not wrong:
            return f"Every {self.item} is on its own group's side. {both}"
        most = 8 if self.kind == WORDS else 3
        more = f" and {len(wrong) - most} more" if len(wrong) > most else ""
        named = ", ".join(wrong[:most] if self.kind == WORDS else (f"“{shortened(text, 60)}”" for text in wrong[:most]))
        return f"On the wrong side: {named}{more}. {both}"

    @property
    def _near_copies(self) -> str:
        if self.kind == WORDS or not (count := near_copies(self.words["sentence"], self.words["group"])):
            return ""
        return (
            f" {count} of {len(self.words)} sentences are nearly the same as another sentence of their group"
            f" ({SHARE:.0%} of all words in common). New sentences will be on the right side less often."
        )


def find_direction(
    first: Sequence[str],
    second: Sequence[str],
    model: "EmbeddingModel",
    *,
    layer: int,
    template: str = TEMPLATE,
    method: Method = DIFFERENCE,
    text: str = "",
    draws: int = 20,
    seed: int = 0,
    progress: Progress = silent,
) -> Direction:
    """Find the direction between two groups in every layer, and test it on held-out words or sentences.

    An item is held out of the direction that it is tested on: five folds. It is on the right side if its score has the
    sign of its group. The control shuffles the groups and repeats everything.

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
        See `embtools.directions.groups.direction`. With pairs, both words of a pair are held out together, and the
        control swaps the groups within pairs.
    text : str, default ""
        A sentence whose tokens are scored along the direction.
    draws : int, default 20
        Number of times that the groups are shuffled.
    seed : int, default 0
        Seed of the folds and of the shuffling.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    Direction

    Raises
    ------
    ValueError
        For a layer that does not exist, too many draws, and as `group_states` and `direction` do.

    References
    ----------
    Kim et al. 2018, "Interpretability Beyond Feature Attribution: Testing with Concept Activation Vectors".
    Bolukbasi et al. 2016, "Man is to Computer Programmer as Woman is to Homemaker?", for the component of pairs.
    """
    within(draws, MAX_DRAWS, "draws")
    check_layer(layer, model)
    read = group_states(tuple(first), tuple(second), model, template=template, progress=part(progress, 0.0, 0.3))
    random, second_group = generator(seed), read.second
    every = [second_group, *(shuffle(second_group, random, method=method) for _ in range(draws))]
    splits = [folds(groups, method=method, seed=seed) for groups in every]
    rows, held_out = [], np.zeros(0)
    shuffled: tuple[float, ...] = ()
    for number in through(range(model.layers + 1), part(progress, 0.3, 0.7)):
        vectors = turned(read.states[number])
        found, *others = (
            held_out_scores(vectors, groups, parts, method=method) for groups, parts in zip(every, splits, strict=True)
        )
        right = int(((found > 0) == second_group).sum())
        chance = [float(((score > 0) == groups).mean()) for score, groups in zip(others, every[1:], strict=True)]
        axis, other = (direction(vectors, second_group, method=each) for each in (method, compared(method)))
        distance = float((vectors[second_group].mean(0) - vectors[~second_group].mean(0)) @ axis)
        share, interval = right / len(second_group), wilson(right, len(second_group))
        rows.append(
            (number, share, *interval, np.mean(chance), np.quantile(chance, 0.95), float(axis @ other), distance)
        )
        if number == layer:
            shuffled, held_out = tuple(chance), found
    columns = ["layer", "accuracy", "ci_low", "ci_high", "shuffled", "shuffled_95", "cosine", "distance"]
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
        _tokens(text, model, read.states[layer], second_group, layer, method),
        shuffled,
        read.kind,
    )


def effort(
    first: Sequence[str],
    second: Sequence[str],
    model: "EmbeddingModel",
    *,
    method: Method = DIFFERENCE,
    draws: int = 20,
) -> float:
    """Return about how many seconds `find_direction` takes.

    Parameters
    ----------
    first, second
        As in `find_direction`.
    model : EmbeddingModel
    method, draws
        As in `find_direction`.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        For an item that cannot be read.
    """
    count = len(first) + len(second)
    fits = (model.layers + 1) * FOLDS * (draws + 1)
    tokens = tokens_of((*first, *second), model)
    return seconds(tokens, model) + fits * (1e-4 * count if method == LOGISTIC else 4e-6 * count)


def compared(method: Method) -> Method:
    """Return the method whose direction is compared with this one's: the means, or a regression for the means."""
    return LOGISTIC if method == DIFFERENCE else DIFFERENCE


def turned(vectors: Array) -> Array:
    """Return n vectors (n, d) in at most n coordinates, with the same lengths and angles, so that fitting is fast."""
    x = np.asarray(vectors, np.float64)
    return x @ np.linalg.svd(x, full_matrices=False)[2].T


def check_layer(layer: int, model: "EmbeddingModel") -> None:
    """Raise ValueError for a layer that the model does not have; 0 is the embedding output."""
    if not 0 <= layer <= model.layers:
        raise ValueError(f"There is no layer {layer}. Choose 0 (embedding output) to {model.layers}.")


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
