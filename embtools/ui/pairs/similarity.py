"""Panel for the similarity of two texts, by layer combination and pooling, compared with random pairs."""

from typing import Any

import streamlit as st

from embtools.charts import grids
from embtools.charts import pairs as charts
from embtools.pairs.text_similarity import Similarity, similarity
from embtools.statistics.decimals import decimal
from embtools.ui import captions, combinations, figures, glossary, page, running, shown
from embtools.ui.call import Call
from embtools.ui.lesson_answers import Reading
from embtools.ui.pairs import pair
from embtools.ui.shown import Model, Models

TAB = "Similarity"
USES_EDIT = True
COMBINATION = combinations.combination("pairs_recipe")
POOLING = combinations.sentence_pooling("pairs_pooling")
FIELDS = (*pair.FIELDS, COMBINATION, POOLING)
PRESETS: dict[str, dict[str, Any]] = {
    "A paraphrase": pair.of("How do I get to the station?", "Which is the way to the railway station?"),
    "Dog bites man": pair.of("The dog bit the man.", "The man bit the dog."),
    "Wonderful and terrible": pair.of("The film was wonderful.", "The film was terrible."),
    "The store": {},
}
FIRST = Call(similarity, first=pair.FIRST.default, second=pair.SECOND.default)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return *pair.FIELDS, captions.Setting("layer combination", COMBINATION), captions.Setting("pooling", POOLING)


def show(models: Models) -> None:
    """Draw the two texts; for each model their cosine among those of random pairs, and all layer combinations."""
    problems = pair.bar()
    chosen = COMBINATION.value, POOLING.value
    answers = running.ask(
        "similar",
        _query,
        models,
        FIRST,
        label="Reading random texts for comparison",
        container=problems,
        prints=(f"headline{chosen}", "shared", "frame", f"random{chosen}"),
    )
    if not answers:
        return
    results = [answer.value for answer in answers]
    offered = [
        name for name in results[0].pairs.combinations if all(name in result.pairs.combinations for result in results)
    ]
    COMBINATION.keep_among(offered)
    chosen = COMBINATION.value, POOLING.value
    for container in running.containers(answers):
        with container as answer:
            left, right = shown.split([3, 2], gap="large")
            with left, st.container(key=f"hero{shown.suffix()}"):
                _among_random(answer.value, chosen, next((each for each in results if each is not answer.value), None))
            with right:
                _all_combinations(answer.value, chosen)
    layers, pooling, _ = st.columns([3, 3, 4])
    with layers:
        st.selectbox(
            "Layer combination", help=glossary.definition("layer combination"), **COMBINATION.among(tuple(offered))
        )
    with pooling:
        st.selectbox("Pooling", help=glossary.definition("pooling"), **POOLING.widget)


def _among_random(result: Similarity, chosen: tuple[str, str], other: Similarity | None) -> None:
    shown.headline(result.headline(*chosen))
    figures.show(charts.random_cosines, result, *chosen, other, name="among-random")
    short, long = result.pairs.lengths
    length = f"{short} [[word piece|tokens]]" if short == long else f"{short} and {long} [[word piece|tokens]]"
    page.caption(
        f"The blue line is the [[cosine]] of your two texts. The curves show the cosines of"
        f" {len(result.random(*chosen)):,} random pairs of about the same length ({length}). Each random text is built"
        " from sentences of the built-in corpus on one topic. The length matters because longer texts are more similar,"
        f" whatever they say. Based on [[shared words]] alone, without a model, the cosine of your two texts is"
        f" {decimal(result.shared)}."
    )


def _all_combinations(result: Similarity, chosen: tuple[str, str]) -> None:
    title = "Share of random pairs that are less similar"
    ties = "Equally similar pairs count half."
    shown.section(title)
    figures.show(grids.combinations, result.frame, "above", chosen, 0.5, title, ties, name="similarity-combinations")
    page.caption(
        "Each cell is the share of random pairs on different topics that are less similar than your two texts, for one"
        f" [[layer combination]] and [[pooling]]. {ties} A share of 1 means that all random pairs are less similar. You"
        " can compare these shares between layers, but not the cosines themselves (see [[anisotropy]])."
    )


def _query(_: Model) -> Call:
    return Call(similarity, first=pair.FIRST.value.strip(), second=pair.SECOND.value.strip())


def _above(result: Similarity) -> float:
    cells = result.frame.set_index(["combination", "pooling"])
    return float(cells.at[(COMBINATION.value, POOLING.value), "above"])


READINGS = {"above-random": Reading(_query, "Random pairs that are less similar", "number", _above, "%")}
