"""More about a piece: all pieces with their ids, term by term, number by number, and the guess; only what is open."""

import math
from typing import Any

import streamlit as st

from embtools.charts.inputs import places as charts
from embtools.inputs import places, terms, verdict
from embtools.inputs.terms import Others
from embtools.ui import cached, figures, page, state, texts
from embtools.ui.fields import Choice, Number
from embtools.ui.inputs import asking
from embtools.ui.inputs.asking import Looked, Read
from embtools.ui.share import Code

PIECES, TERMS, NUMBERS, GUESS = "Pieces, ids, segments", "Term by term", "Number by number", "The guess"
MORE = Choice("inputs_more", PIECES, (PIECES, TERMS, NUMBERS, GUESS))
DIMENSION = Number("inputs_dimension", 0, 0, 4_095, 1)
FIELDS = (MORE, DIMENSION)
MASK = "[MASK]"


def show(model: str, read: Read, found: Looked, asked: tuple[Any, ...], code: Code) -> None:
    """The tabs."""
    drawn = {PIECES: _pieces, TERMS: _terms, NUMBERS: _numbers, GUESS: _guess}
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                code.add("details", *drawn[name](model, read, found, asked))


def others(*asked: Any, model: Any) -> Others:
    """The nearest pieces at the second place, for what `asking.looked` is asked."""
    return terms.others(asking.looked(*asked, model=model).terms, model)


def guesses(*asked: Any, model: Any) -> Any:
    """The guesses at the mask, for what `asking.looked` is asked."""
    read = asking.read(*asked[:3], model=model)
    return places.guesses(read.frame, asking.looked(*asked, model=model).terms, model)


def _pieces(model: str, read: Read, found: Looked, asked: tuple[Any, ...]) -> list[str]:
    loaded = cached.model(model)
    frame = read.frame
    alone = frame["text"].nunique() == 1 or asked[2] == asking.ALONE
    t = int((frame["text"] == 1).sum()) if alone else len(frame)
    shape = (loaded.layers + 1, 1, t, loaded.dimensions)
    text = (
        f"{'Text 1' if alone and frame['text'].nunique() > 1 else 'This input'} has **{t}** [[word piece|pieces]]; out"
        f" come **{' × '.join(map(str, shape))} = {math.prod(shape):,}**"
        " numbers ([[layer|layers]] and embeddings × texts × pieces × [[dimension|dimensions]])."
    )
    if not loaded.has_segments:
        text += " This model has no segments."
    elif alone:
        text += (
            " A text read alone is [[segment id|segment]] 0 throughout. “Understanding BERT” gives it 1: the model runs"
            " all the same, but it learnt with 0."
        )
    else:
        text += " Of a pair the first text, its [SEP] included, is [[segment id|segment]] 0, the second is 1."
    page.seen(text)
    shown = read.listing if loaded.has_segments else read.listing.drop(columns=["segment", "as_in_text"])
    figures.table(
        shown,
        name="pieces",
        column_config={
            "token": "piece",
            "segment": "segment (BERT)",
            "as_in_text": "segment (“Understanding BERT”)",
            "first_value": st.column_config.NumberColumn("first number of what enters", format="%.4f"),
        },
    )
    return ["print(terms.first_values(frame, model))"]


def _terms(model: str, read: Read, found: Looked, asked: tuple[Any, ...]) -> list[str]:
    lines: list[str] = []
    if len(found.terms.places) > 1 and not found.table["same"].all():
        nearest = cached.compute(others, model, *asked)
        st.text(verdict.yardstick(found.terms, nearest))
        lines = ["nearest = terms.others(found, model)", "print(nearest, verdict.yardstick(found, nearest), sep='\\n')"]
    figures.table(
        found.table,
        name="differences",
        column_config={
            "length_1": "length, 1st",
            "length_2": "length, 2nd",
            "largest": "largest difference of a number",
            "same": "every number the same",
        },
    )
    page.seen(
        "How far the two vectors of each term are apart: [[Euclidean distance]], [[cosine]]. What is the same is the"
        " same to the last digit."
    )
    return lines


def _numbers(model: str, read: Read, found: Looked, asked: tuple[Any, ...]) -> list[str]:
    loaded = cached.model(model)
    most = loaded.dimensions - 1
    if DIMENSION.value > most:
        state.put({DIMENSION.key: most})
    st.slider("Dimension", **(DIMENSION.widget | {"max_value": most}))
    table = terms.steps(found.terms, int(DIMENSION.value), loaded)
    page.seen(
        f"One number of the {loaded.dimensions}, from the three embeddings to what enters the encoder. The"
        " [[layer norm]] takes the mean of all numbers of the sum away, divides by their spread, and gives each"
        " dimension a weight and a bias that it has learnt."
    )
    figures.table(table, name="steps", column_config={"value_1": "1st place", "value_2": "2nd place"})
    return [f"print(terms.steps(found, {int(DIMENSION.value)}, model))"]


def _guess(model: str, read: Read, found: Looked, asked: tuple[Any, ...]) -> list[str]:
    try:
        table = cached.compute(guesses, model, *asked)
    except ValueError as error:
        texts.problem(error)
        if MASK not in asking.TEXT.value:
            hidden = _hidden(asking.TEXT.value, found.terms.piece)
            st.button(
                texts.plain(f"Use: {hidden}"),
                type="tertiary",
                key="use-mask",
                on_click=state.put,
                args=({asking.TEXT.key: hidden, asking.SECOND.key: "", asking.POSITION.key: asking.OWN},),
            )
        return []
    st.subheader(texts.plain(verdict.places(table)), anchor=False)
    figures.chart(cached.figure(charts.guesses, table), table, name="guesses", alt=charts.alt(table))
    page.seen(
        "The same words, told to stand elsewhere: how [[probability|probable]] the answer as written still is. Where"
        " it stays, the words alone were enough; where it goes, BERT had read their order."
    )
    return ["table = places.guesses(frame, found, model)", "print(verdict.places(table), table, sep='\\n')"]


def _hidden(text: str, piece: str) -> str:
    """The text with its last word hidden, but not the one that is looked at.

    >>> _hidden("I found a rock.", "rock")
    'I found [MASK] rock.'
    """
    words = text.split()
    for number in range(len(words) - 1, -1, -1):
        core = words[number].strip(".,;:!?")
        if core and core.lower() != piece.lower():
            return " ".join([*words[:number], words[number].replace(core, MASK), *words[number + 1 :]])
    return f"{text} {MASK}"
