"""Two tabs below the groups: distances between answers, and answers by weight of the average."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from embtools.bias import groups as numbers
from embtools.bias.answers_by_group import GroupAnswers
from embtools.charts import bias as charts
from embtools.ui import figures, page, running, shown, state
from embtools.ui.call import Call
from embtools.ui.fields import Choice
from embtools.ui.running import Answer
from embtools.ui.shown import Model

DISTANCES, WEIGHT = "Distances", "Weight of the average"
MORE = Choice("bias_more", DISTANCES, {"distances": DISTANCES, "weight": WEIGHT})
FIELDS = (MORE,)
_WORDS = 6  # lines in the chart: the first words of the answers


def prints() -> tuple[str, ...]:
    """Return the parts of the answers that the open tab shows."""
    return ("distances", "spread.sentence", "scopes") if MORE.value == DISTANCES else ()


def show(answers: Sequence[Answer[GroupAnswers]], lean: float) -> None:
    """Draw the two tabs; `lean` is the current weight of the average."""
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                if name == WEIGHT:
                    _curves(answers, lean)
                    return
                for container in running.containers(answers, part="distances", gap="large"):
                    with container as answer:
                        _distances(answer.value)


def _distances(result: GroupAnswers) -> None:
    """Draw the distances between the answers, and whether the average is closer than any mixture."""
    left, right = shown.split([3, 2], gap="large")
    with left:
        if result.formula:
            st.text(result.spread.sentence)
            st.text(result.scopes)
        page.caption(
            "Distances between answers are in [[bits]]: 0 means the same answers, 1 means no answer in common. In the"
            " [[control]], the first group is mixed with unrelated words instead of the other groups. If the control is"
            " as close to the groups as the average is, any mixture would do the same."
        )
    with right:
        figures.table(
            result.distances,
            "Distances between the groups and their average",
            name=f"distances-by-group{shown.suffix()}",
        )


def _curves(answers: Sequence[Answer[GroupAnswers]], lean: float) -> None:
    """Draw the probabilities of the first words of the chart by weight of the average."""
    averaged = {answer.model: answer for answer in answers if answer.value.formula}

    def query(model: Model) -> Call:
        answer = averaged[model]
        same = {name: answer.query[name] for name in ("template", "groups", "scope")}
        return Call(numbers.lean_curve, **same, tokens=tuple(answer.value.union["token"].head(_WORDS)))

    computed = running.ask("curve", query, tuple(averaged)) if averaged else ()
    curves: dict[Model, pd.DataFrame] = {each.model: each.value for each in computed}
    every = list(curves.values())
    for container in running.containers(answers, part="weight", gap="large"):
        with container as answer:
            if answer.model in curves:
                result = answer.value.averaged
                figures.show(charts.curve, curves[answer.model], lean, result, name="weight-of-average", beside=every)
            elif answer.model not in averaged:
                st.text(
                    "There is no average, because it needs two groups that are a single token each. Choose more common"
                    " words."
                )
    if curves:
        page.caption(
            "Each line shows the [[probability]] of a word as the average moves from only the first group (left) to"
            " only the others (right). The dotted line marks the current position of the slider."
        )
