"""Three panels about words at one mask: chosen words, the strength curve, and random answers.

Each panel returns its lines of Python code, which use `text`, `change`, `leave_out` and `temperature`.
"""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.arithmetic import candidates, controls
from embtools.arithmetic.controls import Experiment
from embtools.arithmetic.strength import strength_curve
from embtools.charts.arithmetic import strength as strength_charts
from embtools.mask_filling import sampling
from embtools.progress import Progress, silent
from embtools.ui import cached, fields, figures, jobs, page, state
from embtools.ui.arithmetic import edit_query
from embtools.ui.arithmetic.edit_query import Query
from embtools.ui.fields import Choice, Number, Text

CURVE, CANDIDATES = Text("arithmetic_curve"), Text("arithmetic_candidates")
CURVE_AS = Choice("arithmetic_curve_as", "probability", ("probability", "log-odds"))
DRAWN = Number("arithmetic_drawn", 1, 1, 999_999, 1)
_DRAWS = 100
_PROBABILITIES = ("probability_before", "probability_after", "change")
_CURVE = (
    "Each line is a word. The strength goes from the original vector (0) to the result of the formula (1) and beyond"
    " it, to twice the change (2)."
)
TEMPERATURE_HELP = (
    "The scores are divided by the temperature. Values below 1 make probable words more probable; values above 1 make"
    " the probabilities more equal."
)
_SHARES = {column: st.column_config.NumberColumn(format="percent") for column in ("share", "probability")}


def chosen_words(model: str, query: Query, mask: int) -> list[str]:
    """Show the probabilities of the words that the visitor enters, also of words of several tokens."""
    st.text_input(
        "Words to score (comma-separated)",
        placeholder="france, italy, new york",
        help="Words of several tokens are allowed: their probability is the product of the tokens' probabilities, each"
        " given the tokens before it.",
        **CANDIDATES.widget,
    )
    selected = fields.words(CANDIDATES.value)
    if not selected:
        return []
    table = jobs.run(
        "arithmetic-candidates",
        candidates.candidates,
        model,
        query.text,
        selected,
        query.change,
        mask=mask,
        temperature=query.temperature,
        label="Scoring words",
    )
    percent = {c: st.column_config.NumberColumn(format="percent") for c in _PROBABILITIES}
    figures.table(table, name="candidates", column_config=percent)
    return [
        f"scored = candidates(text, model, words={selected!r}, change=change, mask={mask}, temperature=temperature)",
        "print(scored)",
    ]


def curve(model: str, query: Query, result: Experiment, mask: int) -> list[str]:
    """Draw how the probability or log odds of words depend on the strength of the edit."""
    top = leading(result, mask)
    with st.container(horizontal=True):
        st.text_input(
            "Words in the chart (comma-separated)",
            placeholder=", ".join(top),
            help="If this is empty, the top answers before and after the edit are shown.",
            **CURVE.widget,
        )
        st.segmented_control("Scale", required=True, **CURVE_AS.widget)
    shown = fields.words(CURVE.value) or top
    points = jobs.run(
        "arithmetic-curve", _curve, model, query, shown, mask=mask, label="Running BERT at each strength"
    )  # fmt: skip
    column = CURVE_AS.value.replace("-", "_")
    figures.chart(
        cached.figure(strength_charts.curve, points, column, query.change.strength),
        points,
        name="strength",
        alt=strength_charts.alt(points),
    )
    page.seen(_CURVE)
    return [
        f"curve = strength_curve(text, model, change=change, words={shown!r}, mask={mask},",
        "                       leave_out=leave_out, temperature=temperature)",
        "print(curve)",
    ]


def _curve(query: Query, drawn: tuple[str, ...], *, mask: int, model: Any, progress: Progress = silent) -> pd.DataFrame:
    return strength_curve(
        query.text,
        model,
        change=query.change,
        words=drawn,
        mask=mask,
        leave_out=edit_query.left_out(query, model=model),
        temperature=query.temperature,
        progress=progress,
    )


def random_answers(model: str, query: Query, mask: int) -> list[str]:
    """Show a random answer at the temperature of the settings, and the shares of 100 random answers."""
    with st.container(horizontal=True, vertical_alignment="center"):
        next_seed = DRAWN.value % DRAWN.high + 1
        st.button("Draw another answer", icon=":material/casino:", on_click=state.put, args=({DRAWN.key: next_seed},))
        st.slider(
            "Temperature",
            help=TEMPERATURE_HELP,
            **edit_query.TEMPERATURE.widget,
        )
    draws = cached.compute(_draws, model, query, mask, DRAWN.value)
    st.text(f"Random answer: {draws['token'].iloc[0]}")
    page.seen(
        "BERT can also answer at random: the higher the [[probability]] of a word, the more often it is drawn. Below"
        f" are the results of {_DRAWS} random draws. The shares vary around the probabilities, as with dice."
    )
    figures.table(sampling.tally(draws), name="drawn", column_config=_SHARES)
    return [
        f"draws = random_answers(text, model, change=change, draws={_DRAWS}, mask={mask}, temperature=temperature,",
        f"                       leave_out=leave_out, seed={DRAWN.value})",
        "print(draws['token'].iloc[0])",
        "counts = tally(draws)",
        "print(counts)",
    ]


def _draws(query: Query, mask: int, seed: int, *, model: Any) -> pd.DataFrame:
    leave_out = edit_query.left_out(query, model=model)
    return sampling.random_answers(
        query.text,
        model,
        change=query.change,
        draws=_DRAWS,
        mask=mask,
        temperature=query.temperature,
        leave_out=leave_out,
        seed=seed,
    )


def leading(result: Experiment, mask: int) -> tuple[str, ...]:
    """Return the top three answers after the edit and the top two before it, each once."""
    answers = result.answers[result.answers["mask"] == mask]
    return tuple(controls.leading(answers, 3, 2)["token"])
