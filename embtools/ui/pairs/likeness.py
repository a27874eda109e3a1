"""A tab of the Pairs page: how similar two texts are by every recipe and pooling."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts import grids
from embtools.charts.pairs import likeness as charts
from embtools.pairs import likeness
from embtools.pairs.likeness import Yardstick
from embtools.progress import Progress, silent
from embtools.recipes import SECOND_TO_LAST, SENTENCE_POOLINGS, recipe_names
from embtools.ui import cached, figures, glossary, jobs, page, texts
from embtools.ui.fields import Choice
from embtools.ui.pairs import pair
from embtools.ui.share import Code

TAB = "How alike"
RECIPE = Choice("pairs_recipe", SECOND_TO_LAST)
POOLING = Choice("pairs_pooling", "sentence: mean", SENTENCE_POOLINGS)
FIELDS = (*pair.FIELDS, RECIPE, POOLING)
PRESETS: dict[str, dict[str, Any]] = {
    "The same in other words": pair.of("How do I get to the station?", "Which is the way to the railway station?"),
    "Dog bites man": pair.of("The dog bit the man.", "The man bit the dog."),
    "Wonderful and terrible": pair.of("The film was wonderful.", "The film was terrible."),
    "The store": {},
}


@dataclass(frozen=True)
class Likeness:
    """Two texts under every recipe, the yardstick for their lengths, and the control without a model."""

    yard: Yardstick
    found: pd.DataFrame
    shared: float


def compared(name: str, first: str, second: str, *, model: Any, progress: Progress = silent) -> Likeness:
    """The two texts and random ones of their lengths, which are read once for each model, named for that reason."""
    yard = cached.compute(yardstick, name, likeness.lengths(first, second, model), progress=progress)
    return Likeness(yard, likeness.likeness(first, second, yard, model), likeness.words_shared(first, second))


def yardstick(lengths: tuple[int, int], *, model: Any, progress: Progress = silent) -> Yardstick:
    """How similar random pairs of texts of these lengths are."""
    return likeness.yardstick(model, lengths, progress=progress)


def show(model: str, code: Code) -> None:
    """The two texts, then their cosine among those of random pairs, next to every recipe."""
    problems = pair.bar()
    recipes = recipe_names(cached.model(model).layers)
    answer = jobs.ask(
        "pairs-likeness",
        compared,
        model,
        (model, pair.FIRST.value.strip(), pair.SECOND.value.strip()),
        (model, pair.FIRST.default, pair.SECOND.default),
        label="Reading sentences to compare with",
        place=problems,
    )
    if answer is None:
        return
    recipe = RECIPE.value if RECIPE.value in recipes else RECIPE.default
    result, (_, first, second) = answer.value, answer.asked
    left, right = st.columns([3, 2], gap="large")
    with left, st.container(key="hero"), jobs.results(answer, "pairs-likeness", f"{first[:80]} | {second[:80]}"):
        _among(result, recipe, POOLING.value)
        layers, pooling = st.columns(2)
        with layers:
            st.selectbox("Layers", help=glossary.definition("recipe"), **RECIPE.among(recipes))
        with pooling:
            st.selectbox("Pooling", help=glossary.definition("pooling"), **POOLING.widget)
    with right:
        _every(result, recipe, POOLING.value)
    code.add(
        "likeness",
        f"one, other = {first!r}, {second!r}",
        "yard = likeness.yardstick(model, likeness.lengths(one, other, model))",
        "alike = likeness.likeness(one, other, yard, model)",
        f"print(likeness.finding(alike, {recipe!r}, {POOLING.value!r}), likeness.words_shared(one, other))",
        f"print(alike, likeness.of(yard, {recipe!r}, {POOLING.value!r}), sep='\\n')",
    )


def _among(result: Likeness, recipe: str, pooling: str) -> None:
    yard = likeness.of(result.yard, recipe, pooling)
    cosine = float(result.found.set_index(["recipe", "pooling"]).loc[(recipe, pooling), "cosine"])
    st.header(texts.plain(likeness.finding(result.found, recipe, pooling)), anchor=False)
    figures.chart(cached.figure(charts.spread, yard, cosine), yard, name="among-random", alt=charts.alt(yard, cosine))
    short, long = result.yard.lengths
    length = (
        f"{short} [[word piece|word pieces]]" if short == long else f"{short} and {long} [[word piece|word pieces]]"
    )
    page.seen(
        f"The [[cosine]] of your two texts among those of {len(yard):,} random pairs of about the same length"
        f" ({length}). They are built from sentences of the built-in corpus, each text about one topic. Longer texts"
        f" are more similar, whatever they say. Without a model, by [[shared words]]: {result.shared:.2f}."
    )


def _every(result: Likeness, recipe: str, pooling: str) -> None:
    st.header("More similar than how many random pairs?", anchor=False)
    figures.chart(
        cached.figure(grids.grid, result.found, "above", (recipe, pooling), 0.5),
        result.found,
        name="likeness-recipes",
        alt=grids.grid_alt(result.found, "above", "Share of random pairs that are less similar"),
    )
    page.seen(
        "The share of random pairs on different topics that are less similar than your two texts, for every [[recipe]]"
        " and [[pooling]]: 1 means all of them. Raw cosines of two layers cannot be compared ([[anisotropy]]); these"
        " shares can."
    )
