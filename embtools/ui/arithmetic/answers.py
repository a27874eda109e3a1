"""The answers before and after an edit, and what could refute them: drawn again at each step of the strength."""

from contextlib import suppress
from typing import Any

import pandas as pd
import streamlit as st

from embtools.arithmetic import controls, scopes, verdict
from embtools.arithmetic.controls import Experiment
from embtools.charts.arithmetic import edit as charts
from embtools.mask_filling.edits import Change
from embtools.progress import Progress, silent
from embtools.ui import cached, figures, jobs, page, state
from embtools.ui.arithmetic import asking
from embtools.ui.arithmetic.asking import Asked
from embtools.ui.share import Code

PERCENT = {c: st.column_config.NumberColumn(format="percent") for c in ("before", "probability", "change")}


def experiment(text: str, change: Change, asked: Asked, *, model: Any, progress: Progress = silent) -> Experiment:
    """The edit beside its controls, as the page asks for it."""
    return controls.experiment(
        text,
        change,
        asked.k,
        model=model,
        leave_out=asking.left_out(asked, model=model),
        temperature=asked.temperature,
        draws=asked.draws,
        progress=progress,
    )


def show(model: str, read: Asked, code: Code) -> None:
    """The hero of the page, for the sentence and edits that were read."""
    asked = asking.completed(read)
    try:  # here, where it can be stopped; the fragment finds it remembered
        jobs.run(
            "arithmetic", experiment, model, asked.text, asked.change, asked, label="Asking BERT, and the controls"
        )
    except ValueError as error:
        page.problem(error)
        return
    _hero(model, read, code)


@state.fragment
def _hero(model: str, read: Asked, code: Code) -> None:
    edited = bool(read.change.edits)
    left, right = st.columns([3, 2], gap="large")
    if edited:
        with left:
            st.slider(
                "Strength: 0 is the original word, 1 the formula's value, 2 as far again", **asking.STRENGTH.widget
            )
    asked = asking.completed(read)
    try:
        result = cached.compute(experiment, model, asked.text, asked.change, asked)
    except ValueError as error:
        page.problem(error)
        return
    masks = sorted(result.answers["mask"].unique())
    for mask in masks:
        shown = result.answers[result.answers["mask"] == mask]
        with left:
            if len(masks) > 1:
                st.subheader(f"Mask {mask} of {len(masks)}", anchor=False)
            st.subheader(page.plain(verdict.finding(result, int(mask))), anchor=False)
            figures.chart(
                cached.figure(charts.bars, shown, edited),
                shown if len(masks) > 1 else shown.drop(columns="mask"),
                name=f"answers-{mask}",
                alt=charts.change_alt(shown, edited),
            )
        with right:
            if edited:
                _chance(model, asked, result, int(mask))
            else:
                st.text("Nothing is edited. Write an edit such as word = word - old + new.")
    code.add("answers", *_code(asked, len(masks)))


def _chance(model: str, asked: Asked, result: Experiment, mask: int) -> None:
    """The strip of controls for the winning word, and what it says."""
    st.subheader("Could it be chance?", anchor=False)
    lines = result.summary[result.summary["mask"] == mask]
    if lines.empty:
        st.text("This edit has no parts that could be tested one by one.")
        return
    after = result.answers[result.answers["mask"] == mask].sort_values("rank_after").iloc[0]
    figures.chart(
        cached.figure(charts.chance, lines, str(after["token"]), float(after["probability"])),
        lines.assign(question=lines["control"].map(controls.CONTROLS)),
        name=f"controls-{mask}",
        alt=charts.chance_alt(lines, str(after["token"]), float(after["probability"])),
    )
    for sentence in filter(None, verdict.verdict(result, mask)):
        st.text(sentence)
    # A model that is not tied, or a word that is not in the sentence, has one scope only: nothing to compare.
    with suppress(ValueError):
        both = cached.compute(_both_scopes, model, asked)
        st.caption(page.plain(scopes.sentence(both, asked.change.scope, mask)))


def _both_scopes(asked: Asked, *, model: Any) -> pd.DataFrame:
    leave_out = asking.left_out(asked, model=model)
    return scopes.first_answers(
        asked.text, asked.change, model=model, leave_out=leave_out, temperature=asked.temperature
    )


def _code(asked: Asked, masks: int) -> list[str]:
    leave_out = repr(list(asked.leave_out))
    lines = []
    if asked.hide_offensive:
        lines = ["offensive = [w for w in wordlists.load('offensive')['word'] if w in model.ids]"]
        leave_out = f"{leave_out} + offensive"
    lines += [
        f"text = {asked.text!r}",
        f"change = {asked.change!r}",
        f"leave_out = {leave_out}",
        f"temperature = {asked.temperature!r}",
        f"result = experiment(text, change, {asked.k}, model=model, leave_out=leave_out,",
        f"                    temperature=temperature, draws={asked.draws}, seed=0)",
        "print(result.answers, result.summary, result.controls, result.marks, sep='\\n')",
    ]
    if asked.change.edits:
        lines += [f"print(*verdict(result, mask={mask}), sep='\\n')" for mask in range(1, masks + 1)]
        lines += ["print(first_answers(text, change, model=model, leave_out=leave_out, temperature=temperature))"]
    return lines
