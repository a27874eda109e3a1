"""Two tabs below the groups: distances between answers, and answers by weight of the average."""

import streamlit as st

from embtools.bias import groups as bias_groups
from embtools.bias.groups import GroupAnswers
from embtools.charts.bias import groups as charts
from embtools.ui import cached, figures, page, state
from embtools.ui.fields import Choice
from embtools.ui.share import Code

DISTANCES, WEIGHT = "Distances", "Weight of the average"
MORE = Choice("bias_more", DISTANCES, (DISTANCES, WEIGHT))
FIELDS = (MORE,)


def show(
    model: str,
    query: tuple[str, tuple[str, ...]],
    result: GroupAnswers,
    averaged: tuple[str, ...],
    lean: float,
    code: Code,
) -> None:
    """Draw the two tabs; `averaged` are the sentences about the average."""
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                _distances(result, averaged, code) if name == DISTANCES else _curve(model, query, result, lean, code)


def _distances(result: GroupAnswers, averaged: tuple[str, ...], code: Code) -> None:
    """Draw the distances between the answers, and whether the average is closer than any mixture."""
    code.drop("curve")
    lines = ["print(result.distances)"]
    if averaged:
        lines.append("print(verdict.averaging(verdict.spread(result)), verdict.scopes(result.scope_gap), sep='\\n')")
    code.add("distances", *lines)
    left, right = st.columns([3, 2], gap="large")
    with left:
        for sentence in averaged:
            st.text(sentence)
        page.seen(
            "Distances between answers are in [[bits]]: 0 means the same answers, 1 means no answer in common. In the"
            " [[control]], the first group is mixed with unrelated words instead of the other groups. If the control is"
            " as close to the groups as the average is, any mixture would do the same."
        )
    with right:
        figures.table(result.distances, name="distances-by-group")


def _curve(model: str, query: tuple[str, tuple[str, ...]], result: GroupAnswers, lean: float, code: Code) -> None:
    """Draw the probabilities of the first words of the chart by weight of the average."""
    code.drop("distances")
    single = [g for g in result.groups if g not in result.left_out]
    if not result.formula:
        st.text(
            "There is no average, because it needs two groups that are a single token each. Choose more common words."
        )
        return
    tokens = tuple(result.union["token"].head(6))
    curve = cached.compute(bias_groups.lean_curve, model, *query, tokens)
    figures.chart(
        cached.figure(charts.lean, curve, lean, single[0], single[1] if len(single) == 2 else "the others"),
        curve,
        name="weight-of-average",
        alt=charts.lean_alt(curve),
    )
    page.seen(
        "Each line shows the [[probability]] of a word as the average moves from only the first group (left) to only"
        " the others (right). The dotted line marks the current position of the slider."
    )
    code.add("curve", f"curve = lean_curve(template, model, groups=groups, tokens={tokens!r})", "print(curve)")
