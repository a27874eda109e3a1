"""Panel for the similarity of two texts, by layer combination and pooling, compared with random pairs."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts import grids
from embtools.charts.pairs import similarity as charts
from embtools.pairs import similarity
from embtools.pairs.similarity import RandomPairs
from embtools.progress import Progress, silent
from embtools.recipes import SECOND_TO_LAST, SENTENCE_POOLINGS, recipe_names
from embtools.ui import cached, figures, glossary, jobs, page, texts
from embtools.ui.fields import Choice
from embtools.ui.pairs import pair
from embtools.ui.share import Code

TAB = "Similarity"
RECIPE = Choice("pairs_recipe", SECOND_TO_LAST)
POOLING = Choice("pairs_pooling", "sentence: mean", SENTENCE_POOLINGS)
FIELDS = (*pair.FIELDS, RECIPE, POOLING)
PRESETS: dict[str, dict[str, Any]] = {
    "A paraphrase": pair.of("How do I get to the station?", "Which is the way to the railway station?"),
    "Dog bites man": pair.of("The dog bit the man.", "The man bit the dog."),
    "Wonderful and terrible": pair.of("The film was wonderful.", "The film was terrible."),
    "The store": {},
}


@dataclass(frozen=True)
class Similarity:
    """Similarity of two texts, the random pairs of their lengths, and the control without a model."""

    pairs: RandomPairs
    frame: pd.DataFrame
    shared: float


def compared(name: str, first: str, second: str, *, model: Any, progress: Progress = silent) -> Similarity:
    """Compare two texts with random pairs of their lengths, which are encoded once per model (hence its name)."""
    pairs = cached.compute(random_pairs, name, similarity.lengths(first, second, model), progress=progress)
    return Similarity(
        pairs, similarity.compare(first, second, model, pairs=pairs), similarity.words_shared(first, second)
    )


def random_pairs(lengths: tuple[int, int], *, model: Any, progress: Progress = silent) -> RandomPairs:
    """Cosines of random pairs of texts with these lengths."""
    return similarity.random_pairs(model, lengths=lengths, progress=progress)


def show(model: str, code: Code) -> None:
    """Draw the two texts, their cosine among those of random pairs, and a grid of all layer combinations."""
    problems = pair.bar()
    recipes = recipe_names(cached.model(model).layers)
    answer = jobs.ask(
        "pairs-similarity",
        compared,
        model,
        (model, pair.FIRST.value.strip(), pair.SECOND.value.strip()),
        (model, pair.FIRST.default, pair.SECOND.default),
        label="Reading random texts for comparison",
        place=problems,
    )
    if answer is None:
        return
    recipe = RECIPE.value if RECIPE.value in recipes else RECIPE.default
    result, (_, first, second) = answer.value, answer.asked
    left, right = st.columns([3, 2], gap="large")
    with left, st.container(key="hero"), jobs.results(answer, "pairs-similarity", f"{first[:80]} | {second[:80]}"):
        _among(result, recipe, POOLING.value)
        layers, pooling = st.columns(2)
        with layers:
            st.selectbox("Layer combination", help=glossary.definition("recipe"), **RECIPE.among(recipes))
        with pooling:
            st.selectbox("Pooling", help=glossary.definition("pooling"), **POOLING.widget)
    with right:
        _every(result, recipe, POOLING.value)
    code.add(
        "similarity",
        f"one, other = {first!r}, {second!r}",
        "pairs = similarity.random_pairs(model, lengths=similarity.lengths(one, other, model))",
        "frame = similarity.compare(one, other, model, pairs=pairs)",
        f"print(similarity.finding(frame, {recipe!r}, {POOLING.value!r}), similarity.words_shared(one, other))",
        f"print(frame, similarity.random_cosines(pairs, {recipe!r}, {POOLING.value!r}), sep='\\n')",
    )


def _among(result: Similarity, recipe: str, pooling: str) -> None:
    cosines = similarity.random_cosines(result.pairs, recipe, pooling)
    cosine = float(result.frame.set_index(["recipe", "pooling"]).loc[(recipe, pooling), "cosine"])
    st.header(texts.plain(similarity.finding(result.frame, recipe, pooling)), anchor=False)
    figures.chart(
        cached.figure(charts.histogram, cosines, cosine), cosines, name="among-random", alt=charts.alt(cosines, cosine)
    )
    short, long = result.pairs.lengths
    length = f"{short} [[word piece|tokens]]" if short == long else f"{short} and {long} [[word piece|tokens]]"
    page.seen(
        f"The blue line is the [[cosine]] of your two texts. The curves show the cosines of {len(cosines):,} random"
        f" pairs of about the same length ({length}). Each random text is built from sentences of the built-in corpus"
        " on one topic. The length matters because longer texts are more similar, whatever they say. By [[shared"
        f" words]] alone, without a model, the cosine of your two texts is {result.shared:.2f}."
    )


def _every(result: Similarity, recipe: str, pooling: str) -> None:
    st.header("Share of random pairs that are less similar", anchor=False)
    figures.chart(
        cached.figure(grids.grid, result.frame, "above", (recipe, pooling), 0.5),
        result.frame,
        name="similarity-combinations",
        alt=grids.grid_alt(result.frame, "above", "Share of random pairs that are less similar"),
    )
    page.seen(
        "Each cell is the share of random pairs on different topics that are less similar than your two texts, for one"
        " [[recipe|layer combination]] and [[pooling]]. 1 means all of them. You can compare these shares between"
        " layers, but not the cosines themselves ([[anisotropy]])."
    )
