"""The third and fourth tab of the Similarity page: two models or layers side by side, and the odd one out."""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from embtools.charts.similarity import matrix as charts
from embtools.models.catalogue import CATALOGUE
from embtools.similarity import matrix
from embtools.statistics import permutations
from embtools.ui import cached, figures, last_good, page
from embtools.ui.similarity.inputs import Asked, checked, compared, space_fields


def two_spaces(model: str, asked: Asked) -> str:
    """Two models or layers side by side, with their difference; returns code for "copy as Python"."""
    with st.container(horizontal=True):
        other = st.selectbox(
            "Second model",
            list(CATALOGUE),
            index=list(CATALOGUE).index(model),
            key="similarity_other",
            bind="query-params",
        )
        other = page.loaded(str(other))
        layer, template = space_fields(other, "similarity_other", cached.model(other).layers + 1)
        standardise = st.toggle(
            "Standardise",
            True,
            key="similarity_standardise",
            bind="query-params",
            help="Take each table's mean away and divide by its spread, before the difference: the cosines of two"
            " spaces have different levels, which says nothing about single pairs.",
        )
    wanted = Asked(asked.words, asked.pieces, layer, template)
    static = Asked(asked.words, asked.pieces)
    good = last_good.last_good("similarity-second", other, partial(cached.compute, checked, other), wanted, static)
    if good is None:
        return ""
    second_asked = replace(good[0], words=asked.words, pieces=asked.pieces)
    try:
        first, second = compared(model, asked), compared(other, second_asked)
    except ValueError:  # told above: the second model cannot read this list
        return ""
    titles = [_title(model, asked), _title(other, second_asked)]
    order = np.ix_(first.order, first.order)
    words = [first.words[i] for i in first.order]
    tables = [first.values[order], second.values[order]]
    tested = ""
    try:
        test = permutations.mantel(first.values, second.values, permutations=999)
        tested = "print(mantel(first, second, permutations=999))\n"
        st.metric(
            "The two order the pairs alike",
            f"ρ = {test.rho:+.2f}",
            f"p = {test.p:.3f} (Mantel)",
            delta_color="off",
            delta_arrow="off",
            border=True,
            width="content",
            help="Spearman's rank correlation over all pairs; the words are shuffled 999 times for p.",
        )
    except ValueError as error:
        st.caption(str(error))
    for column, title, result, table, name in zip(
        st.columns(2), titles, (first, second), tables, ("first", "second"), strict=True
    ):
        with column:
            st.markdown(f"**{title}**")
            pairs = matrix.pair_table(result)
            figures.chart(
                cached.figure(charts.heatmap, table, words),
                pairs,
                name=f"similarity-{name}",
                alt=f"{title}. {charts.heatmap_alt(pairs, len(words))}",
            )
    st.markdown(f"**Difference: {titles[1]} minus {titles[0]}**")
    difference = matrix.difference(*tables, standardise=standardise)
    frame_ = _difference_table(words, tables, difference)
    most = frame_.iloc[0]
    figures.chart(
        cached.figure(charts.heatmap, difference, words, kind="difference"),
        frame_,
        name="difference",
        alt=f"Heatmap of the difference, largest for {most['first']} and {most['second']}: {most['difference']:+.2f}.",
    )
    st.caption(
        "In the order of the first tree. Orange: less alike in the second; purple: more alike."
        + (" In units of each table's own spread." if standardise else "")
    )
    return (
        "from embtools.similarity.matrix import difference, similarity_matrix\n"
        "from embtools.statistics.permutations import mantel\n\n"
        f"other = embtools.load_model({other!r})\nfirst = similarity_matrix({asked.code()})\n"
        f"second = similarity_matrix({second_asked.code('other')})\n"
        f"{tested}print(first, second, difference(first, second, standardise={standardise}), sep='\\n')"
    )


def _title(model: str, asked: Asked) -> str:
    space = "static embeddings" if asked.layer is None else f"layer {asked.layer}"
    return f"{CATALOGUE[model].title}, {space}"


def _difference_table(words: list[str], tables: list[np.ndarray], difference: np.ndarray) -> pd.DataFrame:
    i, j = np.triu_indices(len(words), 1)
    found = pd.DataFrame(
        {
            "first": [words[k] for k in i],
            "second": [words[k] for k in j],
            "in the first": tables[0][i, j],
            "in the second": tables[1][i, j],
            "difference": difference[i, j],
        }
    )
    return found.sort_values("difference", key=lambda d: -d.abs(), ignore_index=True)
