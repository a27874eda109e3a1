"""Details of a token under tabs: all tokens with their ids, the terms, the numbers, and the answer at the mask."""

import math
from typing import Any

import streamlit as st

from embtools.charts.inputs import arrangements as charts
from embtools.inputs import arrangements, terms, verdict
from embtools.inputs.terms import Others
from embtools.ui import cached, figures, page, state, texts
from embtools.ui.fields import Choice, Number
from embtools.ui.inputs import asking
from embtools.ui.inputs.asking import Compared, Read
from embtools.ui.share import Code

PIECES, TERMS, NUMBERS, ANSWER = "Tokens, ids, segments", "Terms", "Single numbers", "Answer at the mask"
MORE = Choice("inputs_more", PIECES, (PIECES, TERMS, NUMBERS, ANSWER))
DIMENSION = Number("inputs_dimension", 0, 0, 4_095, 1)
FIELDS = (MORE, DIMENSION)
MASK = "[MASK]"


def show(model: str, read: Read, found: Compared, asked: tuple[Any, ...], code: Code) -> None:
    """Show the tabs."""
    drawn = {PIECES: _pieces, TERMS: _terms, NUMBERS: _numbers, ANSWER: _answers}
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                code.add("details", *drawn[name](model, read, found, asked))


def others(*asked: Any, model: Any) -> Others:
    """Return the nearest tokens at the second position, for the arguments of `asking.compared`."""
    return terms.others(asking.compared(*asked, model=model).terms, model)


def answers(*asked: Any, model: Any) -> Any:
    """Return the answers at the mask, for the arguments of `asking.compared`."""
    read = asking.read(*asked[:3], model=model)
    return arrangements.answers(read.frame, model, found=asking.compared(*asked, model=model).terms)


def _pieces(model: str, read: Read, found: Compared, asked: tuple[Any, ...]) -> list[str]:
    loaded = cached.model(model)
    frame = read.frame
    alone = frame["text"].nunique() == 1 or asked[2] == asking.ALONE
    t = int((frame["text"] == 1).sum()) if alone else len(frame)
    shape = (loaded.layers + 1, 1, t, loaded.dimensions)
    text = (
        f"{'Text 1' if alone and frame['text'].nunique() > 1 else 'This input'} has **{t}** [[word piece|tokens]]. BERT"
        f" turns them into **{' × '.join(map(str, shape))} = {math.prod(shape):,}** numbers"
        " ([[layer|layers]], including layer 0, × texts × tokens × [[dimension|dimensions]])."
    )
    if not loaded.has_segments:
        text += " This model has no segments."
    elif alone:
        text += (
            " A text that is read alone has [[segment id|segment]] 0. The article “Understanding BERT” gives it segment"
            " 1. The model accepts this, but it was trained with 0."
        )
    else:
        text += " In a pair, the first text with its [SEP] has [[segment id|segment]] 0, the second has segment 1."
    page.seen(text)
    shown = read.listing if loaded.has_segments else read.listing.drop(columns=["segment", "segment_in_article"])
    figures.table(
        shown,
        name="pieces",
        column_config={
            "segment": "segment (BERT)",
            "segment_in_article": "segment (“Understanding BERT”)",
            "first_value": st.column_config.NumberColumn("first number of the input", format="%.4f"),
        },
    )
    return ["print(terms.first_values(frame, model))"]


def _terms(model: str, read: Read, found: Compared, asked: tuple[Any, ...]) -> list[str]:
    lines: list[str] = []
    if len(found.terms.occurrences) > 1 and not found.table["same"].all():
        nearest = cached.compute(others, model, *asked)
        st.text(verdict.yardstick(found.terms, nearest))
        lines = ["nearest = terms.others(found, model)", "print(nearest, verdict.yardstick(found, nearest), sep='\\n')"]
    figures.table(
        found.table,
        name="differences",
        column_config={
            "length_1": "length, 1st",
            "length_2": "length, 2nd",
            "largest_difference": "largest difference of a number",
            "same": "all numbers the same",
        },
    )
    page.seen(
        "The table compares the two vectors of each term by [[Euclidean distance]] and [[cosine]]. If they are the"
        " same, all numbers agree to the last digit."
    )
    return lines


def _numbers(model: str, read: Read, found: Compared, asked: tuple[Any, ...]) -> list[str]:
    loaded = cached.model(model)
    most = loaded.dimensions - 1
    if DIMENSION.value > most:
        state.put({DIMENSION.key: most})
    st.slider("Dimension", **(DIMENSION.widget | {"max_value": most}))
    table = terms.steps(found.terms, loaded, dimension=int(DIMENSION.value))
    page.seen(
        f"The table follows one of the {loaded.dimensions} numbers from the embeddings to the input of the encoder. The"
        " [[layer norm]] subtracts the mean of all numbers of the sum and divides by their standard deviation; then it"
        " multiplies each dimension by a learnt weight and adds a learnt bias."
    )
    figures.table(table, name="steps", column_config={"value_1": "1st position", "value_2": "2nd position"})
    return [f"print(terms.steps(found, model, dimension={int(DIMENSION.value)}))"]


def _answers(model: str, read: Read, found: Compared, asked: tuple[Any, ...]) -> list[str]:
    try:
        table = cached.compute(answers, model, *asked)
    except ValueError as error:
        texts.problem(error)
        if MASK not in asking.TEXT.value:
            masked = _masked(asking.TEXT.value, found.terms.piece)
            st.button(
                texts.plain(f"Use: {masked}"),
                type="tertiary",
                key="use-mask",
                on_click=state.put,
                args=({asking.TEXT.key: masked, asking.SECOND.key: "", asking.POSITION.key: asking.OWN},),
            )
        return []
    st.subheader(texts.plain(verdict.arrangements(table)), anchor=False)
    figures.chart(cached.figure(charts.answers, table), table, name="answers", alt=charts.alt(table))
    page.seen(
        "Each bar is the [[probability]] of the answer to the text as written, after the same words were given other"
        " positions or segments. If it stays high, the words alone are enough. If it falls, BERT uses their order."
    )
    return [
        "table = arrangements.answers(frame, model, found=found)",
        "print(verdict.arrangements(table), table, sep='\\n')",
    ]


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
