"""A formula over static embeddings: its map, the nearest words, the rank of an expected word, the vectors."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from embtools.arithmetic import analogy
from embtools.charts.arithmetic import analogy as charts
from embtools.formula import expression, parser
from embtools.ui import cached, figures, glossary, jobs, page, spelling, state, texts
from embtools.ui.arithmetic import expected_word
from embtools.ui.arithmetic.examples import FORMULA_TAB, FORMULAS
from embtools.ui.arithmetic.word_finder import FIND, word_finder
from embtools.ui.compare import Beside
from embtools.ui.fields import Choice, Flag, Number, Text
from embtools.ui.share import Code
from embtools.ui.spaces import Spaces

TAB = FORMULA_TAB
COMPARES = True
FORMULA = Text("arithmetic_formula", "king - man + woman")
NEIGHBOURS = Number("arithmetic_neighbours", 10, 3, 50, 1)
METRIC, WHOLE = Choice("arithmetic_metric", "cosine", ("cosine", "euclidean")), Flag("arithmetic_whole")
PROCESSED = Spaces("arithmetic")
FIELDS = (FORMULA, expected_word.EXPECTED, NEIGHBOURS, METRIC, WHOLE, FIND, *PROCESSED.fields)
PRESETS = FORMULAS
_SECOND = "arithmetic_analogy"  # follows from the formula, so it needs no parameter in the address
_Near = tuple[pd.DataFrame, pd.DataFrame]


def show(model: str, code: Code) -> None:
    """Draw the fields, the map next to the nearest words, the expected word, and the expanders."""
    problems = _bar()
    PROCESSED.badge()
    space_model = PROCESSED.seen(model, code)
    answer = jobs.ask(
        "arithmetic-formula",
        _near,
        space_model,
        (spelling.text(FORMULA, model), NEIGHBOURS.value, METRIC.value, WHOLE.value),
        (spelling.quietly(FORMULA.default, model), 10, "cosine", False),
        place=problems,
        mends=FORMULA,
    )
    if answer is None:
        return
    text, _, _, whole = answer.asked
    with jobs.results(answer, "arithmetic-formula", text):
        _results(space_model, answer, code)
        expected_word.show(space_model, text, whole, code)
        _vectors(space_model, text, code)
        _settings(model)


def _bar() -> Any:
    """Draw the fields in a row; returns the container for errors in the formula."""
    with suppress(ValueError):  # the error is shown where the formula is evaluated
        st.session_state[_SECOND] = expression.as_analogy(parser.parse(FORMULA.value)) or ""
    formula, second, expected = st.columns([5, 5, 3], gap="small")
    with formula:
        st.text_input("Formula", on_change=expected_word.forget, **FORMULA.widget)
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


def _near(text: str, k: int, metric: Any, whole: bool, *, model: Any) -> _Near:
    """Return the nearest words with the formula's own words kept, and with them excluded."""
    kept, left_out = (
        analogy.nearest(text, model, k=k, inputs=inputs, metric=metric, whole_words=whole) for inputs in (True, False)
    )
    return kept, left_out


def _results(model: str, answer: jobs.Answer[_Near], code: Code) -> None:
    text, k, metric, whole = answer.asked
    kept, left_out = answer.value
    tree = parser.parse(text)
    named = f"metric={metric!r}, whole_words={whole}"
    code.add(
        "formula",
        f"formula = {text!r}",
        f"kept = nearest(formula, model, k={k}, {named})",
        f"left_out = nearest(formula, model, k={k}, inputs=False, {named})",
        "print(kept, left_out, sep='\\n')",
    )
    headline = analogy.conclusion(tree, kept, left_out)
    beside = Beside(model, code, [5, 6], more="Map and details", detail_first=True, finding=headline)
    with beside.detail:
        _map(model, text, code)

    def text_for(name: str) -> str:
        return text if answer.stale else spelling.text(FORMULA, name)

    second_result = beside.ask(
        "arithmetic-formula",
        _near,
        lambda name: (text_for(name), k, metric, whole),
        words=lambda name: expression.words(parser.parse(text_for(name))),
        mends=FORMULA,
        meanwhile=lambda: _rankings(answer.value, tree, None, "", beside.alt),
    )
    most = 1.12 * max(float(near.iloc[:, 2].max()) for near in (*answer.value, *(second_result or ())))
    with beside.first:
        _rankings(answer.value, tree, most if second_result else None, "", beside.alt)
    if second_result:
        names = (beside.title, beside.other_title)
        beside.say(analogy.near_in_both(left_out, second_result[1], names))
        other_tree = parser.parse(text_for(beside.other))
        beside.finding(analogy.conclusion(other_tree, *second_result), second=True)
        with beside.second:
            _rankings(second_result, other_tree, most, "-second", partial(beside.alt, second=True))
        beside.code(
            f"other_formula = {text_for(beside.other)!r}",
            f"other_kept = nearest(other_formula, other, k={k}, {named})",
            f"other_left_out = nearest(other_formula, other, k={k}, inputs=False, {named})",
            "print(other_kept, other_left_out, sep='\\n')",
            f"print(near_in_both(left_out, other_left_out, {names!r}))",
        )
    page.seen(
        "The map shows the [[embedding|embeddings]] of the formula's words, projected onto a plane ([[PCA]]). The bars"
        " show the words nearest to the result; longer bars mean a higher [[cosine]] (1 is the same direction). A sum"
        " stays similar to each of its words, so these are often its nearest neighbours (hatched). Most publications"
        " exclude them without saying so."
        if metric == "cosine"
        else "The map shows the [[embedding|embeddings]] of the formula's words, projected onto a plane ([[PCA]]). The"
        " bars show the words nearest to the result; shorter bars mean a smaller [[Euclidean distance|euclidean"
        " distance]] (0 is the same vector). The formula's own words are hatched."
    )


def _rankings(result: _Near, tree: Any, most: float | None, suffix: str, alt: Callable[[str], str]) -> None:
    """Draw the nearest words on one scale, with the formula's own words kept and excluded."""
    containers = st.columns(2, gap="medium")
    for container, near, title, name in zip(
        containers, result, ("Own words kept", "Own words excluded"), ("neighbours", "neighbours-out"), strict=True
    ):
        with container:
            st.subheader(title, anchor=False)
            figures.chart(
                cached.figure(charts.neighbours, near, expression.words(tree), most),
                near,
                name=name + suffix,
                alt=alt(f"{title}. The {len(near)} nearest words: " + ", ".join(near["token"].head(5)) + " …"),
            )


def _map(model: str, text: str, code: Code) -> None:
    try:
        points, explained = cached.compute(analogy.word_map, model, text)
    except ValueError as error:  # a vector of zeros has distances, but no direction
        texts.problem(error)
        return
    figures.chart(
        cached.figure(charts.word_map, points, explained, expression.coefficients(parser.parse(text))),
        points,
        name="formula-map",
        alt=f"Map of the formula's words and its result. The nearest other word is {points['label'].iloc[-1]}.",
    )
    code.add("map", "points, explained = word_map(formula, model)", "print(points, explained)")


def _vectors(model: str, text: str, code: Code) -> None:
    """Draw the components of each vector as a strip of colour, with a table of their lengths."""
    fold = state.fold("vectors", "All components of the vectors", ":material/view_column:")
    if not fold.open:
        return
    with fold:
        vectors, numbers = cached.compute(_components, model, text)
        lengths = [float(np.linalg.norm(vector)) for vector in vectors.values()]
        figures.chart(cached.figure(charts.strip, vectors), numbers, name="vector", alt=charts.strip_alt(numbers))
        st.caption("Length of each vector")
        figures.table(pd.DataFrame({"vector": list(vectors), "length": lengths}), name="lengths")
    code.add(
        "vectors",
        "numbers = components(formula, model)",
        "lengths = numbers.groupby('vector', sort=False)['value'].agg(np.linalg.norm)",
        "print(numbers, lengths, sep='\\n')",
    )


def _components(text: str, *, model: Any) -> tuple[dict[str, Any], pd.DataFrame]:
    return analogy.vectors_of(text, model), analogy.components(text, model)


def _settings(model: str) -> None:
    fold = state.fold("which", "Settings and token check", ":material/tune:")
    if fold.open:
        with fold:
            left, right = st.columns(2, gap="medium")
            with left:
                st.slider("Number of neighbours", **NEIGHBOURS.widget)
                st.segmented_control("Measure", required=True, help=glossary.definition("cosine"), **METRIC.widget)
                st.toggle("Whole words only", **WHOLE.widget)
                PROCESSED.show()
            with right:
                word_finder(model)
