"""A table of sentences with edits: their answers, and the change in log odds of target words."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from embtools.arithmetic import effects, many, rows
from embtools.arithmetic.many import ManyResults
from embtools.charts import arithmetic as charts
from embtools.messages import counted
from embtools.tables.columns import Chosen
from embtools.ui import (
    captions,
    entry,
    fields,
    figures,
    glossary,
    long_work,
    page,
    running,
    shown,
    spelling,
    texts,
    uploads,
)
from embtools.ui.arithmetic.examples import MANY_TAB, TABLES
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Flag, Number, Text
from embtools.ui.shown import Model, Models

TAB = MANY_TAB
PRESETS = TABLES
ROWS = Text("arithmetic_rows", TABLES["Five capitals"]["arithmetic_rows"], rows.MAX_CHARACTERS)
TARGETS = Text("arithmetic_many_targets", "", 500)
SCOPE = Choice("arithmetic_many_scope", "input", ("input", "tied"))
ANSWERS, CONTROLS = Number("arithmetic_many_k", 1, 1, 10, 1), Flag("arithmetic_many_controls", True)
FIELDS = (ROWS, TARGETS, SCOPE, ANSWERS, CONTROLS)
_PERCENT = ("probability_before", "probability_after")
_NO_WORD = (
    "There is no target word: none of the edits adds a word, or a function in its formula hides which one. Enter target"
    " words to measure how the edits change them."
)
_STRIPS = (
    "Each dot is a sentence. Its position shows how much the edit changes the [[log odds]], ln(p / (1 − p)). To the"
    " right of zero, the word became more probable. Diamonds are the means of the edit and of each [[control]], with"
    " 95% intervals over sentences if there are 8 or more."
)
_ADDED = " The added word is the word that each edit adds, such as france in rome - italy + france."
_SEVERAL = " Each word is tested separately."


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return ROWS, captions.Setting("scope", SCOPE), captions.changed("target words", TARGETS)


def show(models: Models) -> None:
    """Draw the fields; for each model the headline, the change in log odds, and the table of answers."""
    problems, target = _bar()
    table = running.attempt(lambda: rows.read_rows(spelling.text(ROWS, models[0].name)), problems)
    if table is None:
        return
    problem = _problem(models[0])
    if any(edits for _, edits in table):
        with target:
            _target_words(problem)

    def query(model: Model) -> Call:
        return Call(
            many.answer_rows,
            rows=rows.read_rows(spelling.text(ROWS, model.name)),
            k=int(ANSWERS.value),
            targets=() if problem else _targets(model),
            scope=SCOPE.value,
            with_controls=bool(CONTROLS.value),
        )

    def effort(query: Call) -> Call:
        return Call(many.effort, rows=query["rows"], with_controls=query["with_controls"])

    if not long_work.may_begin("arithmetic-many", f"Answer {counted(len(table), 'sentence')}", query, models, effort):
        return
    answers = running.ask(
        "results",
        query,
        models,
        label=f"Answering {counted(len(table), 'sentence')}",
        prints=("headline", "answers", "findings", "summary", "effects"),
    )
    if not answers:
        return
    for container in running.containers(answers):
        with container as answer:
            shown.headline(answer.value.headline)
    measured = [answer.value for answer in answers if not answer.value.effects.empty]
    for container in running.containers(answers, part="more"):
        with container as answer:
            _effects(answer.value, measured)
            _table(answer.value.answers)


def _bar() -> tuple[Any, Any]:
    """Draw the fields; returns the containers for errors in the sentences and for the target words."""
    left, middle, right = st.columns([5, 2, 4], gap="medium")
    with left:
        entry.text_area(
            "Sentences (one per line, edits after “|”)",
            height=150,
            help="For example: “Rome is the capital of ___. | rome = rome - italy + france”. Separate several edits"
            " with semicolons.",
            **ROWS.widget,
        )
        problems = st.container()
    with middle:
        st.segmented_control("Scope", required=True, help=glossary.definition("scope"), **SCOPE.widget)
        st.slider("Answers per sentence", **ANSWERS.widget)
    with right:
        target = st.container()
        with st.container(horizontal=True, vertical_alignment="center"):
            st.toggle("Run the controls", help=glossary.definition("control"), **CONTROLS.widget)
            uploads.table("sentence, edits", "arithmetic_file", _read)
    return problems, target


def _targets(model: Model) -> tuple[str, ...]:
    return fields.words(spelling.text(TARGETS, model.name))


def _problem(model: Model) -> ValueError | None:
    """Return what is wrong with the target words; the added words are then measured instead."""
    try:
        running.run(Call(many.target_words, words=_targets(model)), model)
    except ValueError as error:
        return error
    return None


def _target_words(problem: ValueError | None) -> None:
    entry.text_input(
        "Target words (up to 5)",
        placeholder="she, he",
        help="The change in log odds of each of these words is measured in every sentence. Put commas between them. If"
        " this is empty, the word that each edit adds is measured.",
        **TARGETS.widget,
    )
    if problem:
        texts.problem(problem, TARGETS)


def _effects(results: ManyResults, measured: Sequence[ManyResults]) -> None:
    """Draw a sentence and a strip for each target word, and the summary table."""
    if results.effects.empty:
        if results.edited and results.answered:
            st.text(_NO_WORD)
        return
    for sentence in results.findings:
        st.text(sentence)
    figures.show(charts.effects, results, name="effects", beside=measured)
    summary = results.summary
    added = (summary["target"] == effects.ADDED_WORD).any()
    page.caption(_STRIPS + (_ADDED if added else "") + (_SEVERAL if summary["target"].nunique() > 1 else ""))
    if results.caution:
        st.caption(results.caution)
    figures.as_table(summary, f"effects-summary{shown.suffix()}", "Means, intervals and sign tests")


def _table(answers: pd.DataFrame) -> None:
    failed = answers["problem"].any()
    visible = answers if failed else answers.drop(columns="problem")
    percent = {
        c: st.column_config.NumberColumn(format="percent")
        for c in answers.columns.intersection([*_PERCENT, *answers.select_dtypes("float").columns])
    }
    # The finding is shown next to its sentence; a column that is 1 in every row is only in the CSV.
    headlines = answers.columns.intersection(["problem", "finding"] if failed else ["finding"])
    same = [c for c in ("mask", "rank") if answers[c].dropna().eq(1).all()]
    order = [c for c in visible.columns if c not in (*headlines, *same, "matching_control")]
    figures.table(
        visible,
        "Answers for all sentences",
        name=f"many{shown.suffix()}",
        column_config=percent,
        column_order=[*order[:3], *headlines, *order[3:]],
    )


def _read(source: str | bytes, columns: Chosen | None = None) -> dict[str, Any]:
    found = rows.read_table(source, columns)
    return uploads.Filled({ROWS.key: rows.write_rows(found.value)}, counted(len(found.value), "row"), found.notes)
