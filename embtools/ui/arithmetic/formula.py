"""One formula or analogy: its map, the nearest words, the rank of an expected word, and the vectors."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pandas as pd
import streamlit as st

from embtools.arithmetic import formula, nearest_tokens
from embtools.arithmetic.formula import NearestWords
from embtools.charts import arithmetic as charts
from embtools.formula import expression, parser
from embtools.rooms.question import Ask
from embtools.ui import captions, entry, figures, glossary, page, running, shown, spelling
from embtools.ui.arithmetic import expected_word
from embtools.ui.arithmetic.examples import FORMULAS
from embtools.ui.arithmetic.word_finder import FIND, word_finder
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Flag, Number, Text
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.spaces import Spaces
from embtools.ui.vectors_of import VectorsOf

FORMULA = Text("arithmetic_formula", "king - man + woman")
NEIGHBOURS = Number("arithmetic_neighbours", 10, 3, 50, 1)
METRIC, WHOLE = Choice("arithmetic_metric", "cosine", ("cosine", "euclidean")), Flag("arithmetic_whole")
PROCESSED, OF = Spaces("arithmetic"), VectorsOf("arithmetic")
FIELDS = (FORMULA, expected_word.EXPECTED, NEIGHBOURS, METRIC, WHOLE, FIND, *OF.fields, *PROCESSED.fields)
ASKED_ABOUT = (FORMULA,)
PRESETS = FORMULAS
_SECOND = "arithmetic_analogy"  # follows from the formula, so it needs no parameter in the address


def FIRST(model: Model) -> Call:
    """Return the query of the defaults, in the model's spelling."""
    return Call(formula.nearest_words, expression=spelling.quietly(FORMULA.default, model.name))


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (
        FORMULA,
        *OF.caption(),
        captions.Setting("metric", METRIC),
        captions.changed("only whole words", WHOLE),
        PROCESSED.caption(),
    )


def show(models: Models) -> None:
    """Draw the fields below `OF`; for each model the map, the nearest words, the expected word and the vectors."""
    models = OF.models(models)
    problems = _bar()
    PROCESSED.badge(fitted="the words of your file" if OF.only_file else "the whole vocabulary")
    answers = running.ask(
        "near",
        _query,
        PROCESSED.within(models),
        FIRST,
        container=problems,
        suggest=FORMULA,
        prints=("headline", "kept", "left_out"),
    )
    if not answers:
        return
    running.say(nearest_tokens.near_in_both, answers, parts="left_out")
    if OF.file is None:
        running.token_differences(answers, lambda answer: answer.value.words)
    frames = [frame for each in answers for frame in (each.value.kept, each.value.left_out)]
    beside = frames if len(answers) > 1 else ()
    with st.container(key="fresh-arithmetic-formula"):  # the style sheet finds it by this name
        for container in running.containers(answers):
            with container as answer:
                _results(answer, beside)
                expected_word.show(answer)
                _vectors(answer)
        _settings(models)


def _query(model: Model) -> Call:
    return Call(
        formula.nearest_words,
        expression=FORMULA.value if model.vectors is not None else spelling.text(FORMULA, model.name),
        k=int(NEIGHBOURS.value),
        metric=METRIC.value,
        whole_words=bool(WHOLE.value),
    )


def question(models: Models) -> Ask:
    """Ask a class about the nearest word."""
    (model,) = PROCESSED.within(OF.models(models)[:1])
    near: NearestWords = running.run(_query(model), model)
    return near.question


def _bar() -> Any:
    """Draw the fields in a row; returns the container for errors in the formula."""
    with suppress(ValueError):  # the error is shown where the formula is evaluated
        st.session_state[_SECOND] = expression.as_analogy(parser.parse(FORMULA.value)) or ""
    typed, second, expected = st.columns([5, 5, 3], gap="small")
    with typed:
        entry.text_input("Formula", on_change=expected_word.forget, **FORMULA.widget)
        problems = st.container()
    with second:
        st.text_input(
            "Same formula as an analogy",
            key=_SECOND,
            on_change=_from_analogy,
            placeholder="man is to king as woman is to ?",
        )
    with expected:
        expected_word.field(FORMULA.value)
    return problems


def _from_analogy() -> None:
    """Convert an edited analogy to a formula; text that cannot be read is copied there, so that the error is shown."""
    text = st.session_state[_SECOND]
    expected_word.forget()
    try:
        st.session_state[FORMULA.key] = str(parser.parse(text))
    except ValueError:
        st.session_state[FORMULA.key] = text


def _results(answer: Answer[NearestWords], beside: Sequence[pd.DataFrame]) -> None:
    shown.headline(answer.value.headline)
    # With two models, their bars are next to each other and the maps are below.
    mapped, ranked = shown.split([5, 6]) if shown.alone() else reversed(shown.split([6, 5]))
    with mapped:
        _map(answer)
    with ranked:
        _rankings(answer.value, beside)
    measure = (
        "longer bars mean a higher [[cosine]] (1 is the same direction). A sum stays similar to each of its words, so"
        " these are often its nearest neighbours (hatched). Most publications exclude them without saying so."
    )
    if answer.query["metric"] == "euclidean":
        measure = "shorter bars mean a smaller [[Euclidean distance|euclidean distance]] (0 is the same vector)."
        measure += " The formula's own words are hatched."
    text = (
        "The map shows the [[embedding|embeddings]] of the formula's words, projected onto a plane ([[PCA]]). The bars"
    )
    page.caption(f"{text} show the words nearest to the result; {measure}")


def _rankings(near: NearestWords, beside: Sequence[pd.DataFrame]) -> None:
    """Draw the nearest words on one scale, with the formula's own words kept and excluded."""
    for container, frame, title, name in zip(
        st.columns(2, gap="medium"),
        (near.kept, near.left_out),
        ("Own words kept", "Own words excluded"),
        ("neighbours", "neighbours-out"),
        strict=True,
    ):
        with container:
            st.subheader(title, anchor=False)
            if not frame.empty:  # a file may have no other words
                figures.show(charts.neighbours, frame, near.own, title, name=name, beside=beside)


def _map(answer: Answer[NearestWords]) -> None:
    query = Call(nearest_tokens.word_map, expression=answer.value.expression)
    points = running.detail("points", query, answer.model, prints=("[0]", "[1]"))
    if points is not None:  # a vector of zeros has distances, but no direction
        figures.show(charts.word_map, *points, answer.value.weights, name="formula-map")


def _vectors(answer: Answer[NearestWords]) -> None:
    """Draw the components of each vector as a strip of colour, with a table of their lengths."""
    with figures.expander("vectors", "All components of the vectors", ":material/view_column:") as opened:
        if not opened:
            return
        query = Call(formula.formula_vectors, expression=answer.value.expression)
        vectors = running.detail("vectors", query, answer.model, prints=("numbers", "lengths"))
        figures.show(charts.vector_strips, vectors, name="vector")
        st.caption("Length of each vector")
        figures.table(vectors.lengths, "Length of each vector", name=f"lengths{shown.suffix()}")


def _settings(models: Models) -> None:
    with figures.expander("which", "Settings and token check", ":material/tune:") as opened:
        if not opened:
            return
        left, right = st.columns(2, gap="medium")
        with left:
            st.slider("Number of neighbours", **NEIGHBOURS.widget)
            st.segmented_control("Measure", required=True, help=glossary.definition("cosine"), **METRIC.widget)
            st.toggle("Whole words only", **WHOLE.widget)
            PROCESSED.show()
        with right:
            if not OF.only_file:
                word_finder(models)


READINGS = {
    "nearest": Reading(_query, "Nearest word, own words kept", "word", lambda near: near.kept["token"].iloc[0]),
    "nearest-other": Reading(
        _query, "Nearest word, own words excluded", "word", lambda near: near.left_out["token"].iloc[0]
    ),
}
