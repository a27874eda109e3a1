"""The second tab of the Arithmetic page: a formula, its neighbours, an honest analogy, its map and vector."""

from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from embtools.arithmetic import analogy
from embtools.charts.arithmetic import analogy as charts
from embtools.formula import expression, parser
from embtools.ui import cached, figures, page
from embtools.ui.arithmetic.word_finder import word_finder
from embtools.ui.last_good import last_good


def show(model: str) -> str:
    """The second tab: a formula in both spellings, its neighbours, map, honest analogy and vector."""
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.text_input("Formula", "king - man + woman", key="arithmetic_formula", bind="query-params")
        problems = st.container()
        with suppress(ValueError):  # said below, where the formula is evaluated
            _keep_in_step()
        st.text_input(
            "The same as an analogy",
            key="arithmetic_analogy",
            on_change=_from_analogy,
            placeholder="man is to king as woman is to ?",
        )
        expected = st.text_input(
            "Expected word",
            "queen",
            key="arithmetic_expected",
            bind="query-params",
            help="Where does this word stand, with the formula's own words in and out?",
        )
        inputs = st.toggle(
            "Keep the formula's own words in the ranking", True, key="arithmetic_inputs", bind="query-params"
        )
        whole = st.toggle("Whole words only", key="arithmetic_whole", bind="query-params")
        metric = (
            st.segmented_control(
                "Nearness",
                ["cosine", "euclidean"],
                default="cosine",
                required=True,
                key="arithmetic_metric",
                bind="query-params",
            )
            or "cosine"
        )
        k = st.slider("Neighbours", 3, 50, 10, key="arithmetic_neighbours", bind="query-params")
        word_finder(model)
    asked = (st.session_state.arithmetic_formula, k, inputs, metric, whole)
    shown = last_good(
        "formula", model, lambda question: cached.compute(_near, model, *question), asked, _FIRST, problems
    )
    if shown is None:
        return ""
    asked, near = shown
    text = asked[0]
    with right:
        st.metric("Nearest", page.plain(near["token"].iloc[0]), border=True)
        figures.chart(
            cached.figure(charts.neighbours, near),
            near,
            name="neighbours",
            alt=f"The {len(near)} nearest words: " + ", ".join(near["token"].head(5)) + " …",
        )
        code = [
            f"formula = {text!r}",
            f"near = embtools.nearest(formula, model, k={asked[1]}, inputs={asked[2]}, metric={asked[3]!r},",
            f"                        whole_words={asked[4]})",
            "print(near)",
        ]
        if expected.strip():
            code += _analogy(model, text, expected, asked[4], problems)
        code += _map(model, text)
        code += _vectors(model, text)
    return "\n".join(code)


def _map(model: str, text: str) -> list[str]:
    try:
        points, explained = cached.compute(analogy.word_map, model, text)
    except ValueError as error:  # a vector of zeros has distances, but no direction
        page.problem(error)
        return []
    figures.chart(
        cached.figure(charts.word_map, points, explained, expression.coefficients(parser.parse(text))),
        points,
        name="map",
        alt=f"Plane of the formula's words; the nearest other word is {points['label'].iloc[-1]}.",
    )
    return [
        "from embtools.arithmetic.analogy import word_map",
        "points, explained = word_map(formula, model)",
        "print(points, explained)",
    ]


def _near(text: str, k: int, inputs: bool, metric: Any, whole: bool, *, model: Any) -> pd.DataFrame:
    return analogy.nearest(text, model, k, inputs=inputs, metric=metric, whole_words=whole)


def _vectors(model: str, text: str) -> list[str]:
    """Length of each vector, and all its numbers as a strip."""
    vectors, numbers = cached.compute(_components, model, text)
    st.caption("Length of each vector")
    lengths = [float(np.linalg.norm(vector)) for vector in vectors.values()]
    figures.table(pd.DataFrame({"vector": list(vectors), "length": lengths}), name="lengths")
    figures.chart(cached.figure(charts.strip, vectors), numbers, name="vector", alt=charts.strip_alt(numbers))
    return [
        "import numpy as np",
        "from embtools.arithmetic.analogy import components",
        "numbers = components(formula, model)",
        "lengths = numbers.groupby('vector', sort=False)['value'].agg(np.linalg.norm)",
        "print(numbers, lengths, sep='\\n')",
    ]


def _components(text: str, *, model: Any) -> tuple[dict[str, Any], pd.DataFrame]:
    return analogy.vectors_of(text, model), analogy.components(text, model)


def _analogy(model: str, text: str, expected: str, whole: bool, problems: Any) -> list[str]:
    if expression.as_analogy(parser.parse(text)) is None:
        return []
    st.subheader("Honest analogy", anchor=False)
    try:
        ranks = cached.compute(analogy.analogy, model, text, expected, whole_words=whole)
    except ValueError as error:
        with problems:
            page.problem(error)
        return []
    figures.table(ranks, name="analogy")
    st.caption(
        "Rank of the expected word with the formula's own words in and out. If “nearest to … alone” does as well,"
        " the analogy explains nothing."
    )
    return [
        "from embtools.arithmetic.analogy import analogy",
        f"ranks = analogy(formula, {expected!r}, model, whole_words={whole})",
        "print(ranks)",
    ]


def _keep_in_step() -> None:
    parsed = parser.parse(st.session_state.arithmetic_formula)
    st.session_state["arithmetic_analogy"] = expression.as_analogy(parsed) or ""


def _from_analogy() -> None:
    """The second spelling was edited: write the first one, or leave the text there for the error to show."""
    text = st.session_state.arithmetic_analogy
    try:
        st.session_state.arithmetic_formula = str(parser.parse(text))
    except ValueError:
        st.session_state.arithmetic_formula = text


_FIRST = ("king - man + woman", 10, True, "cosine", False)
