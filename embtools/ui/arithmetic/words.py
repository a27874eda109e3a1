"""Chosen words at one mask: their probabilities, over the strength of the edit, and over the layers.

Each panel returns its lines of "copy as Python". They read `text`, `change`, `leave_out` and `temperature`.
"""

import pandas as pd
import streamlit as st

from embtools.arithmetic import candidates
from embtools.arithmetic.logit_lens import lens
from embtools.arithmetic.strength import strength_curve
from embtools.charts.arithmetic import edit as charts
from embtools.ui import cached, figures, jobs, page
from embtools.ui.arithmetic.inputs import Asked
from embtools.ui.fields import words_of


def scored(model: str, asked: Asked, mask: int) -> list[str]:
    """Just the words that were asked for, those of several pieces too."""
    if not asked.candidates:
        return []
    st.subheader("Candidates", anchor=False)
    try:
        table = jobs.stoppable(
            "arithmetic-candidates",
            candidates.candidates,
            model,
            asked.text,
            asked.candidates,
            asked.change,
            mask=mask,
            temperature=asked.temperature,
            label="Scoring the candidates",
        )
    except ValueError as error:
        page.problem(error)
        return []
    figures.table(table, name="candidates", column_config=PERCENT)
    st.caption("Several pieces: product over the pieces, left to right, each given those before it.")
    return [
        "from embtools.arithmetic.candidates import candidates",
        f"scored = candidates(text, {asked.candidates!r}, change, model=model, mask={mask}, temperature=temperature)",
        "print(scored)",
    ]


# No fragment: the link and the code at the foot of the page name the words of the curve.
def curve(model: str, asked: Asked, shown: pd.DataFrame, mask: int, leave_out: tuple[str, ...]) -> list[str]:
    """Words over the strength of the edit, as probability or log-odds."""
    st.subheader("From the original to the edited vector, and past it", anchor=False)
    top = leading(shown)
    with st.container(horizontal=True):
        chosen = words_of(
            st.text_input(
                "Words of the curve",
                key="arithmetic_curve",
                bind="query-params",
                placeholder=", ".join(top),
                help="Words separated by commas; empty: the first answers before and after.",
            )
        )
        column = (
            st.segmented_control(
                "Show",
                ["probability", "log_odds"],
                default="probability",
                required=True,
                key="arithmetic_curve_as",
                bind="query-params",
                format_func=lambda c: c.replace("_", "-"),
            )
            or "probability"
        )
    try:
        points = jobs.stoppable(
            "arithmetic-curve",
            strength_curve,
            model,
            asked.text,
            asked.change,
            chosen or top,
            mask=mask,
            leave_out=leave_out,
            temperature=asked.temperature,
            label="Trying each strength",
        )
    except ValueError as error:
        page.problem(error)
        return []
    figures.chart(
        cached.figure(charts.strength, points, column, asked.change.strength),
        points,
        name="strength",
        alt=charts.strength_alt(points),
    )
    return [
        "from embtools.arithmetic.strength import strength_curve",
        f"curve = strength_curve(text, change, {chosen or top!r}, model=model, mask={mask},",
        "                       leave_out=leave_out, temperature=temperature)",
        "print(curve)",
    ]


def layers(model: str, asked: Asked, shown: pd.DataFrame, mask: int) -> list[str]:
    """The leading words after each layer, folded."""
    words = leading(shown)
    _folded_layers(model, asked, words, mask)
    return [
        "from embtools.arithmetic.logit_lens import lens",
        f"layers = lens(text, change, {words!r}, model=model, mask={mask}, temperature=temperature)",
        "print(layers)",
    ]


@st.fragment
def _folded_layers(model: str, asked: Asked, words: tuple[str, ...], mask: int) -> None:
    fold = st.expander(
        "Where in the network does the answer turn?", icon=":material/layers:", key="fold-lens", on_change="rerun"
    )
    if not fold.open:
        return
    with fold:
        points = cached.compute(
            lens, model, asked.text, asked.change, words, mask=mask, temperature=asked.temperature
        )  # fmt: skip
        figures.chart(cached.figure(charts.layers, points), points, name="layers", alt=charts.layers_alt(points))
        st.caption(
            "The answer read off after each layer with the head of the last one (the “logit lens”, nostalgebraist"
            " 2020). The head never learnt to read early layers: take them as a sketch."
        )


def leading(shown: pd.DataFrame) -> tuple[str, ...]:
    """The first two answers before and the first three after, each once."""
    words = shown["token"].tolist()
    before, after = (shown[ranks].to_numpy().argsort(kind="stable") for ranks in ("rank_before", "rank_after"))
    return tuple(dict.fromkeys(words[row] for row in (*before[:2], *after[:3])))


PERCENT = {c: st.column_config.NumberColumn(format="percent") for c in ("before", "probability", "change")}
