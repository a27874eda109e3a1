"""Expander below the occupations: is there a single gender direction, and how much similarity comes from it?"""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.bias import directions
from embtools.ui import cached, figures, glossary, jobs, page, state, texts
from embtools.ui.bias import lists
from embtools.ui.fields import Text
from embtools.ui.share import Code

REFERENCE = Text("bias_reference", "dancer")
FIELDS = (REFERENCE,)
Axis = tuple[tuple[str, ...], tuple[str, ...], Any]
"""First words, second words and the method to find their direction."""


def show(model: str, known: tuple[str, ...], axis: Axis, code: Code) -> None:
    """Draw the expander; `known` are the words that were scored."""
    expander = state.fold("one-direction", "Check the direction", ":material/straighten:")
    if not expander.open:
        return
    with expander:
        left, right = st.columns(2, gap="large")
        with left:
            _shares(model, code)
        with right:
            _similarities(model, known, axis, code)


def _shares(model: str, code: Code) -> None:
    ten = lists.ten_pairs(model)
    try:
        shares = cached.compute(directions.explained, model, *ten)
    except ValueError as error:  # a model without all of these words
        texts.problem(error)
        return
    page.seen(
        "Each row is a [[principal component]] of the ten pairs' differences, with its share of the differences and the"
        " share for ten pairs of unrelated words (*random*). If only the first component has a large share, the pairs"
        " differ in a single direction."
    )
    figures.table(shares, name="one-direction")
    code.add(
        "shares",
        f"shares = directions.explained(*{ten!r}, model)",
        "print(shares)",
    )


def _similarities(model: str, known: tuple[str, ...], axis: Axis, code: Code) -> None:
    st.text_input(
        "Reference word for indirect bias",
        help=f"{glossary.definition('indirect bias')} All words are compared with this word. The column beta"
        " shows the result.",
        **REFERENCE.widget,
    )
    answer = jobs.ask(
        "bias-reference", _indirect_bias, model, (REFERENCE.value.strip(), known, axis), (known[0], known, axis)
    )
    if answer is None:
        return
    reference = answer.asked[0]
    with jobs.results(answer, "bias-reference", reference):
        figures.table(answer.value, name="indirect-bias")
    code.add(
        "indirect-bias",
        f"others = tuple(word for word in summary['occupation'] if word != {reference!r})",
        f"indirect = directions.indirect_bias(others, model, reference={reference!r}, axis=axis)",
        "indirect = indirect.sort_values('cosine', ascending=False)",
        "print(indirect)",
    )


def _indirect_bias(reference: str, known: tuple[str, ...], axis: Axis, *, model: Any) -> pd.DataFrame:
    others = tuple(word for word in known if word != reference)
    frame = directions.indirect_bias(
        others, model, reference=reference, axis=directions.direction(axis[0], axis[1], model, how=axis[2])
    )
    return frame.sort_values("cosine", ascending=False, ignore_index=True)
