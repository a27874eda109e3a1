"""Below the groups: how far apart their answers lie, and what lies between one group and the others."""

import streamlit as st

from embtools.bias import groups as bias_groups
from embtools.bias.groups import GroupAnswers
from embtools.charts.bias import groups as charts
from embtools.ui import cached, figures, page, state
from embtools.ui.fields import Choice
from embtools.ui.share import Code

APART, BETWEEN = "How far apart?", "From one group to the others"
MORE = Choice("bias_more", APART, (APART, BETWEEN))
FIELDS = (MORE,)


def show(
    model: str,
    asked: tuple[str, tuple[str, ...]],
    result: GroupAnswers,
    averaged: tuple[str, ...],
    lean: float,
    code: Code,
) -> None:
    """The two tabs on the answers to a sentence and its groups; `averaged`: what is said of the average."""
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                _distances(result, averaged, code) if name == APART else _curve(model, asked, result, lean, code)


def _distances(result: GroupAnswers, averaged: tuple[str, ...], code: Code) -> None:
    """How far apart the answers lie, and whether the average does more than any mixture."""
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
            "Distances in [[bits]]: 0 the same answers, 1 none in common. The [[control]] mixes the first group with"
            " unrelated words in the average's place: where it is as near, any mixture would do."
        )
    with right:
        figures.table(result.distances, name="distances-by-group")


def _curve(model: str, asked: tuple[str, tuple[str, ...]], result: GroupAnswers, lean: float, code: Code) -> None:
    """The first words of the chart over the weight of the average."""
    code.drop("distances")
    single = [g for g in result.groups if g not in result.left_out]
    if not result.formula:
        st.text("There is no average: it needs two groups that are one word piece each. Choose more common words.")
        return
    tokens = tuple(result.union["token"].head(6))
    curve = cached.compute(bias_groups.lean_curve, model, *asked, tokens)
    figures.chart(
        cached.figure(charts.lean, curve, lean, single[0], single[1] if len(single) == 2 else "the others"),
        curve,
        name="weight-of-average",
        alt=charts.lean_alt(curve),
    )
    page.seen(
        "What you see: the [[probability]] of the first words while the average moves from the first group alone to the"
        " others alone; the dotted line is where the slider stands."
    )
    code.add("curve", f"curve = lean_curve(template, groups, {tokens!r}, model)", "print(curve)")
