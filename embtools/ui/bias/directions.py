"""Expander below the occupations: is there a single gender direction, and how much similarity comes from it?"""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from embtools.bias import directions
from embtools.bias.occupations import Occupations, indirect_bias
from embtools.ui import entry, figures, glossary, page, running, shown
from embtools.ui.bias import lists
from embtools.ui.call import Call
from embtools.ui.fields import Text
from embtools.ui.running import Answer
from embtools.ui.shown import Model

REFERENCE = Text("bias_reference", "dancer")
FIELDS = (REFERENCE,)


def show(answers: Sequence[Answer[Occupations]]) -> None:
    """Draw the expander for the words that were scored."""
    with figures.expander("one-direction", "Check the direction", ":material/straighten:") as opened:
        if not opened:
            return
        alone = len(answers) == 1
        left, right = st.columns(2, gap="large") if alone else (st.container(), st.container())
        with left:
            for container in running.containers(answers, part="shares"):
                with container as answer:
                    _shares(answer.model)
        with right:
            _similarities(answers)


def _shares(model: Model) -> None:
    male, female = lists.ten_pairs(model.name)
    query = Call(directions.explained, first=male, second=female)
    shares: pd.DataFrame | None = running.detail("shares", query, model)
    if shares is None:  # a model without all of these words
        return
    page.caption(
        "Each row is a [[principal component]] of the ten pairs' differences. The table shows its share of the"
        " differences, and the corresponding share for ten pairs of unrelated words (*random*). If only the first"
        " component has a large share, the pairs differ in a single direction."
    )
    figures.table(shares, "Share of each principal component", name=f"one-direction{shown.suffix()}")


def _similarities(answers: Sequence[Answer[Occupations]]) -> None:
    entry.text_input(
        "Reference word for indirect bias",
        help=f"{glossary.definition('indirect bias')} All words are compared with this word. The column beta"
        " shows the result.",
        **REFERENCE.widget,
    )
    scored = {answer.model: answer for answer in answers}

    def query(model: Model, reference: str = "") -> Call:
        answer = scored[model]
        words = tuple(answer.value.summary["occupation"])
        groups = {name: answer.query[name] for name in ("first", "second", "pairs")}
        return Call(indirect_bias, words=words, reference=reference or REFERENCE.value.strip(), **groups)

    def first(model: Model) -> Call:
        return query(model, str(scored[model].value.summary["occupation"].iloc[0]))

    results = running.ask("indirect", query, tuple(scored), first)
    for container in running.containers(results) if results else ():
        with container as result:
            figures.table(result.value, "Indirect bias of word pairs", name=f"indirect-bias{shown.suffix()}")
