"""Below the occupations: whether the groups' difference is one direction, and how much of likenesses comes from it."""

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
"""First words, second words and how their direction is found."""


def show(model: str, known: tuple[str, ...], axis: Axis, code: Code) -> None:
    """The fold; `known` are the words that were scored."""
    fold = state.fold("one-direction", "Is there one direction at all?", ":material/straighten:")
    if not fold.open:
        return
    with fold:
        left, right = st.columns(2, gap="large")
        with left:
            _shares(model, code)
        with right:
            _likenesses(model, known, axis, code)


def _shares(model: str, code: Code) -> None:
    ten = lists.ten_pairs(model)
    try:
        shares = cached.compute(directions.explained, model, *ten)
    except ValueError as error:  # a model without all of these words
        texts.problem(error)
        return
    page.seen(
        "Share of the ten pairs' differences on each [[principal component]], beside ten pairs of unrelated words. One"
        " large share at the top: there is one direction."
    )
    figures.table(shares, name="one-direction")
    code.add(
        "shares",
        f"shares = directions.explained(*{ten!r}, model)",
        "print(shares)",
    )


def _likenesses(model: str, known: tuple[str, ...], axis: Axis, code: Code) -> None:
    st.text_input(
        "How much of a likeness comes from the direction? Compare with",
        help=glossary.definition("indirect bias"),
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
        "likeness",
        f"others = tuple(word for word in summary['occupation'] if word != {reference!r})",
        f"likeness = directions.indirect_bias(others, {reference!r}, axis, model)",
        "likeness = likeness.sort_values('cosine', ascending=False)",
        "print(likeness)",
    )


def _indirect_bias(reference: str, known: tuple[str, ...], axis: Axis, *, model: Any) -> pd.DataFrame:
    others = tuple(word for word in known if word != reference)
    found = directions.indirect_bias(others, reference, directions.direction(axis[0], axis[1], model, axis[2]), model)
    return found.sort_values("cosine", ascending=False, ignore_index=True)
