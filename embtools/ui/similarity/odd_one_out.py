"""The fourth tab of the Similarity page: the odd one out, and the game."""

import streamlit as st

from embtools.charts.similarity import matrix as charts
from embtools.similarity import odd_one_out
from embtools.ui import cached, figures, jobs, last_good, page
from embtools.ui.similarity.inputs import ODD, PUZZLES, Asked, Call, called
from embtools.words.vectors import split


def odd_one(model: str, asked: Asked) -> str:
    """Which word fits least; returns code for "copy as Python"."""
    with st.container(horizontal=True):
        for name, words in PUZZLES.items():
            st.button(name, on_click=page.set_state, args=({"similarity_odd": words},), key=f"odd-{name}")
        st.button("The list above", on_click=page.set_state, args=({"similarity_odd": ", ".join(asked.words)},))
    text = st.text_input("Words, three or more", ODD, key="similarity_odd", bind="query-params", max_chars=8_000)
    wanted = Asked(split(text), asked.pieces, asked.layer, asked.template)
    good = last_good.last_good(
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
            page.plain(worst["word"]),
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
    figures.chart(
        cached.figure(charts.odd_one_out, result),
        result,
        name="odd-one-out",
        alt=f"Mean cosine with the others; {worst['word']} is lowest with {worst['cosine']:.2f}.",
    )
    return (
        "from embtools.similarity.odd_one_out import odd_one_out, quiz\n\n"
        f"print(odd_one_out({puzzle.code()}))\n{played}"
    )


def _quiz(model: str) -> str:
    """How often the odd one is found in puzzles drawn at random; returns a line of Python for it."""
    try:
        quiz = jobs.stoppable("similarity-quiz", odd_one_out.quiz, model, label="Playing random puzzles")
    except ValueError as error:  # a model that reads few of the words, or a stop
        page.problem(error)
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
