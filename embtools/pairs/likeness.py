"""How alike two sentences are under every recipe and pooling, measured by how alike two sentences are anyway."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.chance import checked_seed
from embtools.progress import Progress, silent
from embtools.recipes import (
    SENTENCE_POOLINGS,
    check_recipe,
    check_sentence_pooling,
    combine,
    pool,
    read_states,
    recipe_names,
)
from embtools.statistics.ranks import compared
from embtools.vectors import Array, cosine
from embtools.words.overlap import shared_words

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

A_TOPIC = 4  # sentences of each subject of the corpus
SPREAD = 0.05
"""A share of random pairs; what more than that share reaches is nothing special."""


@dataclass(frozen=True)
class Yardstick:
    """How alike random pairs of sentences of the built-in corpus are under every recipe and pooling.

    recipes   r names
    others    cosines (r, 3 sentence poolings, m) of pairs on different subjects
    same      cosines (r, 3, s) of pairs on the same subject
    """

    recipes: tuple[str, ...]
    others: Array
    same: Array


def yardstick(model: "EmbeddingModel", *, seed: int = 0, progress: Progress = silent) -> Yardstick:
    """The yardstick from `A_TOPIC` sentences of each subject, drawn by `seed`.

    `progress` is told 0 … 1 and may raise to stop. Raises ValueError for a model that cannot read the sentences.
    """
    drawn = wordlists.load("corpus").groupby("topic", sort=False).sample(A_TOPIC, random_state=checked_seed(seed))
    cosines = _cosines(drawn["sentence"].tolist(), model, progress)
    first, second = np.triu_indices(len(drawn), 1)
    topic = drawn["topic"].to_numpy()
    equal = topic[first] == topic[second]
    return Yardstick(
        recipe_names(model.layers),
        cosines[..., first[~equal], second[~equal]],
        cosines[..., first[equal], second[equal]],
    )


def likeness(first: str, second: str, yard: Yardstick, model: "EmbeddingModel") -> pd.DataFrame:
    """Two sentences under every recipe and sentence pooling, beside the yardstick.

    Columns: recipe, pooling, cosine, random and same_topic (the mean cosines of the yardstick's pairs), above (the
    share of random pairs that are less alike; equal ones count half). Raises ValueError as `EmbeddingModel.tokenize`.
    """
    cosines = _cosines([first, second], model)[..., 0, 1]
    above = (1 + compared(cosines[..., None], yard.others)).mean(axis=-1) / 2
    names = [(recipe, pooling) for recipe in yard.recipes for pooling in SENTENCE_POOLINGS]
    return pd.DataFrame(names, columns=["recipe", "pooling"]).assign(
        cosine=cosines.ravel(),
        random=yard.others.mean(axis=-1).ravel(),
        same_topic=yard.same.mean(axis=-1).ravel(),
        above=above.ravel(),
    )


def of(yard: Yardstick, recipe: str, pooling: str) -> pd.DataFrame:
    """The yardstick's pairs under one recipe and pooling: pair ("different topics" or "same topic"), cosine."""
    check_recipe(recipe, yard.recipes)
    check_sentence_pooling(pooling)
    place = yard.recipes.index(recipe), SENTENCE_POOLINGS.index(pooling)
    kinds = {"different topics": yard.others[place], "same topic": yard.same[place]}
    return pd.concat([pd.DataFrame({"pair": kind, "cosine": values}) for kind, values in kinds.items()])


def words_shared(first: str, second: str) -> float:
    """The control without a model: the cosine of two sentences by the words they share.

    >>> words_shared("The king slept.", "A queen woke.")
    0.0
    """
    return float(shared_words([first, second])[0, 1])


def finding(found: pd.DataFrame, recipe: str, pooling: str) -> str:
    """What `likeness` says of two sentences under one recipe and pooling, in a sentence."""
    row = found.set_index(["recipe", "pooling"]).loc[(recipe, pooling)]
    measured = f"cosine {row['cosine']:.2f}, random pairs {row['random']:.2f} on average"
    if row["above"] > 1 - SPREAD:
        return f"The two are more alike than {_share(row['above'])} of random pairs of sentences ({measured})."
    if row["above"] < SPREAD:
        return f"The two are less alike than {_share(1 - row['above'])} of random pairs of sentences ({measured})."
    return f"Nothing special: {_share(1 - row['above'])} of random pairs of sentences are as much alike ({measured})."


def _share(share: float) -> str:
    return f"{share:.0%}" if share <= 0.995 or share == 1 else "over 99%"


def _cosines(texts: Sequence[str], model: "EmbeddingModel", progress: Progress = silent) -> Array:
    """Cosines (r, 3, n, n) of n texts under every recipe and sentence pooling."""
    states = read_states(texts, model, progress=progress)
    recipes = recipe_names(model.layers)
    cosines = np.empty((len(recipes), len(SENTENCE_POOLINGS), len(texts), len(texts)))
    for r, recipe in enumerate(recipes):
        tokens = [combine(states[i], recipe) for i in range(len(texts))]
        for p, pooling in enumerate(SENTENCE_POOLINGS):
            vectors = np.stack([pool(t, pooling) for t in tokens])
            cosines[r, p] = cosine(vectors, vectors)
    return cosines
