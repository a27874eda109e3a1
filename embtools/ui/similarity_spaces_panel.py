"""The third and fourth tab of the Similarity page: two models or layers side by side, and the odd one out."""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from embtools import odd_one_out, similarity
from embtools.catalogue import CATALOGUE
from embtools.ui import cached, frame, lasting, share
from embtools.ui.charts import similarity as charts
from embtools.ui.similarity_inputs import ODD, PUZZLES, Asked, Call, called, checked, compared, space_fields
from embtools.words import split


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
        other = frame.loaded(str(other))
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
    good = lasting.last_good("similarity-second", other, partial(cached.call, checked, other), wanted, static)
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
        test = similarity.mantel(first.values, second.values, permutations=999)
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
            pairs = similarity.pair_table(result)
            share.chart(
                cached.drawn(charts.heatmap, table, words),
                pairs,
                name=f"similarity-{name}",
                alt=f"{title}. {charts.heatmap_alt(pairs, len(words))}",
            )
    st.markdown(f"**Difference: {titles[1]} minus {titles[0]}**")
    difference = similarity.difference(*tables, standardise=standardise)
    frame_ = _difference_table(words, tables, difference)
    most = frame_.iloc[0]
    share.chart(
        cached.drawn(charts.heatmap, difference, words, kind="difference"),
        frame_,
        name="difference",
        alt=f"Heatmap of the difference, largest for {most['first']} and {most['second']}: {most['difference']:+.2f}.",
    )
    st.caption(
        "In the order of the first tree. Orange: less alike in the second; purple: more alike."
        + (" In units of each table's own spread." if standardise else "")
    )
    return (
        "from embtools.similarity import difference, mantel, similarity_matrix\n\n"
        f"other = embtools.load_model({other!r})\nfirst = similarity_matrix({asked.code()})\n"
        f"second = similarity_matrix({second_asked.code('other')})\n"
        f"{tested}print(first, second, difference(first, second, standardise={standardise}), sep='\\n')"
    )


def odd_one(model: str, asked: Asked) -> str:
    """Which word fits least; returns code for "copy as Python"."""
    with st.container(horizontal=True):
        for name, words in PUZZLES.items():
            st.button(name, on_click=frame.set_state, args=({"similarity_odd": words},), key=f"odd-{name}")
        st.button("The list above", on_click=frame.set_state, args=({"similarity_odd": ", ".join(asked.words)},))
    text = st.text_input("Words, three or more", ODD, key="similarity_odd", bind="query-params", max_chars=8_000)
    wanted = Asked(split(text), asked.pieces, asked.layer, asked.template)
    good = lasting.last_good(
        "similarity-odd",
        model,
        called(odd_one_out.odd_one_out, model),
        Call((wanted.words,), wanted.space),
        Call((split(ODD),)),
    )
    if good is None:
        return ""
    puzzle, result = Asked(good[0].arguments[0], **good[0].named), good[1]
    worst, n = result.iloc[0], len(result)
    with st.container(horizontal=True):
        st.metric(
            "Odd one out",
            frame.plain(worst["word"]),
            f"{result['cosine'][1] - worst['cosine']:.2f} below the next",
            delta_color="off",
            delta_arrow="off",
            border=True,
        )
        if n > 3:
            st.metric(
                "Stays the same",
                f"{worst['kept']} of {n - 1}",
                "with another word left out",
                delta_color="off",
                delta_arrow="off",
                border=True,
                help="How often the answer stays the same when one of the other words is left out.",
            )
        played = _quiz(model)
    share.chart(
        cached.drawn(charts.odd_one_out, result),
        result,
        name="odd-one-out",
        alt=f"Mean cosine with the others; {worst['word']} is lowest with {worst['cosine']:.2f}.",
    )
    return f"from embtools.odd_one_out import odd_one_out, quiz\n\nprint(odd_one_out({puzzle.code()}))\n{played}"


def _quiz(model: str) -> str:
    """How often the odd one is found in puzzles drawn at random; returns a line of Python for it."""
    try:
        quiz = lasting.stoppable("similarity-quiz", odd_one_out.quiz, model, label="Playing random puzzles")
    except ValueError as error:  # a model that reads few of the words, or a stop
        frame.problem(error)
        return ""
    st.metric(
        "Found in random puzzles",
        f"{quiz.right / quiz.rounds:.0%}",
        "guessing: 25%",
        delta_color="off",
        delta_arrow="off",
        border=True,
        help=f"{quiz.rounds} puzzles: three words of one built-in list, one of another, by static embeddings."
        f" 95 % interval {quiz.low:.0%} to {quiz.high:.0%}.",
    )
    return "print(quiz(model))"


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
