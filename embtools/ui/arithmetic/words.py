"""Some words at one mask: their probabilities, over the strength of the edit, and answers drawn by chance.

Each panel returns its lines of code, which read `text`, `change`, `leave_out` and `temperature`.
"""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.arithmetic import candidates, controls
from embtools.arithmetic.controls import Experiment
from embtools.arithmetic.strength import strength_curve
from embtools.charts.arithmetic import strength as strength_charts
from embtools.mask_filling import drawing
from embtools.progress import Progress, silent
from embtools.ui import cached, fields, figures, jobs, page, state
from embtools.ui.arithmetic import asking
from embtools.ui.arithmetic.asking import Asked
from embtools.ui.fields import Choice, Number, Text

CURVE, CANDIDATES = Text("arithmetic_curve"), Text("arithmetic_candidates")
CURVE_AS = Choice("arithmetic_curve_as", "probability", ("probability", "log-odds"))
DRAWN = Number("arithmetic_drawn", 1, 1, 999_999, 1)
_DRAWS = 100
_SHARES = {column: st.column_config.NumberColumn(format="percent") for column in ("share", "probability")}


def chosen(model: str, asked: Asked, mask: int) -> list[str]:
    """Just the words that were asked for, those of several pieces too."""
    st.text_input(
        "Score just these words",
        placeholder="france, italy, new york",
        help="Between commas. Words of several pieces too: the product over the pieces, each given those before it.",
        **CANDIDATES.widget,
    )
    asked_for = fields.words(CANDIDATES.value)
    if not asked_for:
        return []
    table = jobs.run(
        "arithmetic-candidates",
        candidates.candidates,
        model,
        asked.text,
        asked_for,
        asked.change,
        mask=mask,
        temperature=asked.temperature,
        label="Scoring the words",
    )
    percent = {c: st.column_config.NumberColumn(format="percent") for c in ("before", "probability", "change")}
    figures.table(table, name="candidates", column_config=percent)
    return [
        f"scored = candidates(text, {asked_for!r}, change, model=model, mask={mask}, temperature=temperature)",
        "print(scored)",
    ]


def curve(model: str, asked: Asked, result: Experiment, mask: int) -> list[str]:
    """Words over the strength of the edit, as probability or log-odds."""
    top = leading(result, mask)
    with st.container(horizontal=True):
        st.text_input(
            "Words of the curve",
            placeholder=", ".join(top),
            help="Words separated by commas; empty: the first answers before and after.",
            **CURVE.widget,
        )
        st.segmented_control("Show", required=True, **CURVE_AS.widget)
    drawn = fields.words(CURVE.value) or top
    points = jobs.run(
        "arithmetic-curve", _curve, model, asked, drawn, mask=mask, label="Trying each strength"
    )  # fmt: skip
    column = CURVE_AS.value.replace("-", "_")
    figures.chart(
        cached.figure(strength_charts.curve, points, column, asked.change.strength),
        points,
        name="strength",
        alt=strength_charts.alt(points),
    )
    page.seen("You see how the answers move from the original vector (0) to the edited one (1) and past it.")
    return [
        f"curve = strength_curve(text, change, {drawn!r}, model=model, mask={mask},",
        "                       leave_out=leave_out, temperature=temperature)",
        "print(curve)",
    ]


def _curve(asked: Asked, drawn: tuple[str, ...], *, mask: int, model: Any, progress: Progress = silent) -> pd.DataFrame:
    return strength_curve(
        asked.text,
        asked.change,
        drawn,
        model=model,
        mask=mask,
        leave_out=asking.left_out(asked, model=model),
        temperature=asked.temperature,
        progress=progress,
    )


def draw(model: str, asked: Asked, mask: int) -> list[str]:
    """An answer drawn by chance at the temperature of the settings, and how a hundred such draws fall."""
    with st.container(horizontal=True, vertical_alignment="center"):
        again = DRAWN.value % DRAWN.high + 1
        st.button("Draw again", icon=":material/casino:", on_click=state.put, args=({DRAWN.key: again},))
        st.slider(
            "Temperature",
            help="Scores are divided by it: below 1 sharpens the answers, above 1 flattens them.",
            **asking.TEMPERATURE.widget,
        )
    draws = cached.compute(_draws, model, asked, mask, DRAWN.value)
    st.text(f"Drawn: {draws['token'].iloc[0]}")
    page.seen(
        f"Instead of its first answer every time, BERT can say each word as often as its [[probability]] says. Below,"
        f" how {_DRAWS} draws fell: the drawn shares stray around the probabilities, as dice do."
    )
    figures.table(drawing.tally(draws), name="drawn", column_config=_SHARES)
    return [
        f"draws = drawn(text, change, {_DRAWS}, model=model, mask={mask}, temperature=temperature,",
        f"              leave_out=leave_out, seed={DRAWN.value})",
        "print(draws['token'].iloc[0])",
        "fallen = tally(draws)",
        "print(fallen)",
    ]


def _draws(asked: Asked, mask: int, seed: int, *, model: Any) -> pd.DataFrame:
    leave_out = asking.left_out(asked, model=model)
    return drawing.drawn(
        asked.text,
        asked.change,
        _DRAWS,
        model=model,
        mask=mask,
        temperature=asked.temperature,
        leave_out=leave_out,
        seed=seed,
    )


def leading(result: Experiment, mask: int) -> tuple[str, ...]:
    """The first three answers after the edit and the first two before it, each once."""
    shown = result.answers[result.answers["mask"] == mask]
    return tuple(controls.leading(shown, 3, 2)["token"])
