"""Details of a token under tabs: all tokens with their ids, the terms, the numbers, and the answer at the mask."""

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts import inputs as charts
from embtools.inputs import comparison
from embtools.inputs.comparison import Arrangements, Comparison, OtherWords
from embtools.ui import figures, page, running, shown, state
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number
from embtools.ui.inputs.token_fields import OWN, POSITION, SECOND, TEXT
from embtools.ui.running import Answer
from embtools.ui.texts import plain

PIECES, TERMS, NUMBERS, ANSWER = "Tokens, ids, segments", "Terms", "Single numbers", "Answer at the mask"
MORE = Choice("inputs_more", PIECES, {"tokens": PIECES, "terms": TERMS, "numbers": NUMBERS, "answer": ANSWER})
DIMENSION = Number("inputs_dimension", 0, 0, 4_095, 1)
FIELDS = (MORE, DIMENSION)
MASK = "[MASK]"


def show(answers: Sequence[Answer[Comparison]]) -> None:
    """Show the tabs."""
    drawn = {PIECES: _pieces, TERMS: _terms, NUMBERS: _numbers, ANSWER: _answers}
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                drawn[name](answers)


def _like(answer: Answer[Comparison], function: Any, **more: Any) -> Call:
    """Return the query of another function about the same token of the same texts."""
    return Call(function, **answer.query.arguments, **more)


def _pieces(answers: Sequence[Answer[Comparison]]) -> None:
    for container in running.containers(answers, part="more"):
        with container as answer:
            _tokens(answer)


def _tokens(answer: Answer[Comparison]) -> None:
    facts, frame = answer.model.facts, answer.value.tokens
    alone = frame["text"].nunique() == 1 or not answer.query["pair"]
    t = int((frame["text"] == 1).sum()) if alone else len(frame)
    shape = (facts.layers + 1, 1, t, facts.dimensions)
    text = (
        f"{'Text 1' if alone and frame['text'].nunique() > 1 else 'This input'} has **{t}** [[word piece|tokens]]. BERT"
        f" turns them into **{' × '.join(map(str, shape))} = {math.prod(shape):,}** numbers"
        " ([[layer|layers]], including layer 0, × texts × tokens × [[dimension|dimensions]])."
    )
    if not facts.has_segments:
        text += " This model has no segments."
    elif alone:
        text += (
            " A text that is read alone has [[segment id|segment]] 0. The article “Understanding BERT” gives it segment"
            " 1. The model accepts this, but it was trained with 0."
        )
    else:
        text += " In a pair, the first text with its [SEP] has [[segment id|segment]] 0, the second has segment 1."
    page.caption(text)
    figures.table(
        frame if facts.has_segments else frame.drop(columns=["segment", "segment_in_article"]),
        "Tokens of the input",
        name=f"pieces{shown.suffix()}",
        column_config={
            "segment": "segment (BERT)",
            "segment_in_article": "segment (“Understanding BERT”)",
            "first_value": st.column_config.NumberColumn("first number of the input", format="%.4f"),
        },
    )


def _terms(answers: Sequence[Answer[Comparison]]) -> None:
    for container in running.containers(answers, part="more"):
        with container as answer:
            result = answer.value.terms
            if len(result.occurrences) > 1 and not result.table["same"].all():
                query = _like(answer, comparison.compare_words)
                nearest: OtherWords | None = running.detail(
                    "nearest", query, answer.model, prints=("sentence", "others")
                )
                if nearest is not None:
                    st.text(nearest.sentence)
            figures.table(
                result.table,
                "Differences between the two positions, term by term",
                name=f"differences{shown.suffix()}",
                column_config={
                    "length_1": "length, 1st",
                    "length_2": "length, 2nd",
                    "largest_difference": "largest difference in a number",
                    "same": "all numbers the same",
                },
            )
    page.caption(
        "The table compares the two vectors of each term by [[Euclidean distance]] and [[cosine]]. If they are the"
        " same, all numbers agree to the last digit."
    )


def _numbers(answers: Sequence[Answer[Comparison]]) -> None:
    most = min(answer.model.facts.dimensions for answer in answers) - 1
    if DIMENSION.value > most:
        DIMENSION.correct(most)
    st.slider("Dimension", **(DIMENSION.widget | {"max_value": most}))
    for container in running.containers(answers, part="more"):
        with container as answer:
            page.caption(
                f"The table follows one of the {answer.model.facts.dimensions} numbers from the embeddings to the input"
                " of the encoder. The [[layer norm]] subtracts the mean of all numbers of the sum and divides by their"
                " standard deviation; then it multiplies each dimension by a learnt weight and adds a learnt bias."
            )
            query = _like(answer, comparison.follow_dimension, dimension=int(DIMENSION.value))
            steps: pd.DataFrame | None = running.detail("steps", query, answer.model)
            if steps is not None:
                names = {"value_1": "1st position", "value_2": "2nd position"}
                figures.table(steps, "How one number is computed", name=f"steps{shown.suffix()}", column_config=names)


def _answers(answers: Sequence[Answer[Comparison]]) -> None:
    for container in running.containers(answers, part="more"):
        with container as answer:
            _answer(answer)


def _answer(answer: Answer[Comparison]) -> None:
    query = _like(answer, comparison.rearrange)
    result: Arrangements | None = running.detail("rearranged", query, answer.model, prints=("headline", "frame"))
    if result is None:
        if MASK not in TEXT.value and not shown.suffix():
            masked = _masked(TEXT.value, answer.value.terms.piece)
            st.button(
                plain(f"Use: {masked}"),
                type="tertiary",
                key="use-mask",
                on_click=state.put,
                args=({TEXT.key: masked, SECOND.key: "", POSITION.key: OWN},),
            )
        return
    st.subheader(plain(result.headline), anchor=False)
    figures.show(charts.arrangements, result, name="answers")
    page.caption(
        "Each bar is the [[probability]] of the answer to the text as written, after the same words were given other"
        " positions or segments. If it stays high, the words alone are enough. If it falls, BERT uses their order."
    )


def _masked(text: str, piece: str) -> str:
    """Return the text with its last word masked that is not the chosen token.

    >>> _masked("I found a rock.", "rock")
    'I found [MASK] rock.'
    """
    words = text.split()
    for number in range(len(words) - 1, -1, -1):
        core = words[number].strip(".,;:!?")
        if core and core.lower() != piece.lower():
            return " ".join([*words[:number], words[number].replace(core, MASK), *words[number + 1 :]])
    return f"{text} {MASK}"
