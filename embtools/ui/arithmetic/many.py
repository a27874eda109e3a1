"""The third tab of the Arithmetic page: a table of sentences and edits in, a table of answers out."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.arithmetic import many, verdict
from embtools.progress import Progress, silent
from embtools.ui import cached, figures, glossary, jobs, spelling, texts, uploads
from embtools.ui.arithmetic.examples import MANY_TAB, TABLES
from embtools.ui.fields import Choice, Flag, Number, Text
from embtools.ui.share import Code

TAB = MANY_TAB
PRESETS = TABLES
FIRST = TABLES["Five capitals"]["arithmetic_rows"]
ROWS = Text("arithmetic_rows", FIRST, many.MAX_CHARACTERS)
SCOPE = Choice("arithmetic_many_scope", "input", ("input", "tied"))
ANSWERS, CONTROLS = Number("arithmetic_many_k", 1, 1, 10, 1), Flag("arithmetic_many_controls", True)
FIELDS = (ROWS, SCOPE, ANSWERS, CONTROLS)
_PERCENT = ("probability_before", "probability_after")
_SECONDS = 2e-11  # for a word piece and a parameter of the model, on one core


def show(model: str, code: Code) -> None:
    """The table to be answered beside its settings, and below it the answers."""
    left, right = st.columns([3, 1], gap="medium")
    with left:
        st.text_area(
            "A sentence a line, edits after a bar",
            height=150,
            help="Rome is the capital of ___. | rome = rome - italy + france. Several edits stand between semicolons.",
            **ROWS.widget,
        )
        problems = st.container()
    with right:
        st.segmented_control("Scope", required=True, help=glossary.definition("scope"), **SCOPE.widget)
        st.slider("Answers a sentence", **ANSWERS.widget)
        st.toggle("With controls", help=glossary.definition("control"), **CONTROLS.widget)
        uploads.table("sentence, edits", "arithmetic_file", _read)
    try:
        rows = many.read_rows(spelling.text(ROWS, model))
        seconds = cached.compute(_seconds, model, rows, CONTROLS.value)
    except ValueError as error:
        with problems:
            texts.problem(error)
        return
    asked = (rows, ANSWERS.value, SCOPE.value, CONTROLS.value)
    if not jobs.on_request("arithmetic-many", f"Answer {len(rows)} sentences", seconds, (model, asked)):
        return
    try:
        frame = jobs.run("arithmetic-many", _answers, model, *asked, label=f"Answering {len(rows)} sentences")
    except ValueError as error:
        texts.problem(error)
        return
    _results(frame)
    code.add(
        "many",
        f"rows = {rows!r}",
        f"found = answers(rows, {asked[1]}, model=model, scope={asked[2]!r}, with_controls={asked[3]})",
        "print(verdict.of_many(found), found, sep='\\n')",
    )


def _answers(
    rows: many.Rows, k: int, scope: Any, with_controls: bool, *, model: Any, progress: Progress = silent
) -> pd.DataFrame:
    return many.answers(rows, k, model=model, scope=scope, with_controls=with_controls, progress=progress)


def _seconds(rows: many.Rows, with_controls: bool, *, model: Any) -> float:
    """About how long the table takes: letters stand for pieces, four to one."""
    runs = 17 if with_controls else 2
    pieces = sum((2 + len(sentence) / 4) * (runs if edits else 1) for sentence, edits in rows)
    return pieces * model.parameters * _SECONDS


def _results(frame: pd.DataFrame) -> None:
    st.header(verdict.of_many(frame), anchor=False)
    failed = frame["problem"].any()
    shown = frame if failed else frame.drop(columns="problem")
    percent = {
        c: st.column_config.NumberColumn(format="percent")
        for c in frame.columns.intersection([*_PERCENT, *frame.select_dtypes("float").columns])
    }
    # What is found stands where it is seen; a number that is 1 in every line is left to the CSV.
    said = frame.columns.intersection(["problem", "finding"] if failed else ["finding"])
    same = [c for c in ("mask", "rank") if frame[c].max() == 1]
    order = [c for c in shown.columns if c not in (*said, *same)]
    figures.table(shown, name="many", column_config=percent, column_order=[*order[:3], *said, *order[3:]])


def _read(data: bytes) -> dict[str, Any]:
    return {ROWS.key: many.write_rows(many.from_csv(data))}
