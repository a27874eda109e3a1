"""A table of sentences with edits: their answers, and the change in log odds of target words."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.arithmetic import effects, many, phrases, rows
from embtools.charts.arithmetic import effects as charts
from embtools.progress import Progress, silent
from embtools.ui import cached, fields, figures, glossary, jobs, page, spelling, texts, uploads
from embtools.ui.arithmetic.examples import MANY_TAB, TABLES
from embtools.ui.fields import Choice, Flag, Number, Text
from embtools.ui.share import Code

TAB = MANY_TAB
PRESETS = TABLES
FIRST = TABLES["Five capitals"]["arithmetic_rows"]
ROWS = Text("arithmetic_rows", FIRST, rows.MAX_CHARACTERS)
TARGETS = Text("arithmetic_many_targets", "", 500)
SCOPE = Choice("arithmetic_many_scope", "input", ("input", "tied"))
ANSWERS, CONTROLS = Number("arithmetic_many_k", 1, 1, 10, 1), Flag("arithmetic_many_controls", True)
FIELDS = (ROWS, TARGETS, SCOPE, ANSWERS, CONTROLS)
_PERCENT = ("probability_before", "probability_after")
_SECONDS = 2e-11  # per token and model parameter, on one core
_NO_WORD = (
    "There is no target word: none of the edits adds a word, or a function in its formula hides which one. Enter target"
    " words to measure how the edits change them."
)
_STRIPS = (
    "Each dot is a sentence. Its position is the change in [[log odds]], ln(p / (1 − p)), caused by the edit: right of"
    " zero, the word became more probable. Diamonds are the means of the edit and of each [[control]], with 95%"
    " intervals ([[bootstrap]] over sentences)."
)
_ADDED = " The added word is the word that each edit adds, such as france in rome - italy + france."
_SEVERAL = " Each word is tested separately."


def show(model: str, code: Code) -> None:
    """Draw the fields, the headline, the change in log odds, and the table of answers."""
    left, right = st.columns([3, 1], gap="medium")
    with left:
        st.text_area(
            "Sentences (one per line, edits after “|”)",
            height=150,
            help="For example: “Rome is the capital of ___. | rome = rome - italy + france”. Separate several edits"
            " with semicolons.",
            **ROWS.widget,
        )
        problems = st.container()
    with right:
        st.segmented_control("Scope", required=True, help=glossary.definition("scope"), **SCOPE.widget)
        st.slider("Answers per sentence", **ANSWERS.widget)
        st.toggle("Run the controls", help=glossary.definition("control"), **CONTROLS.widget)
        uploads.table("sentence, edits", "arithmetic_file", _read)
    try:
        table = rows.read_rows(spelling.text(ROWS, model))
        seconds = cached.compute(_seconds, model, table, CONTROLS.value)
    except ValueError as error:
        with problems:
            texts.problem(error)
        return
    targets, problem = _targets(model)
    asked = (table, ANSWERS.value, targets, SCOPE.value, CONTROLS.value)
    if not jobs.on_request("arithmetic-many", f"Answer {phrases.sentences(len(table))}", seconds, (model, asked)):
        return
    try:
        results = jobs.run(
            "arithmetic-many", _answers, model, *asked, label=f"Answering {phrases.sentences(len(table))}"
        )
    except ValueError as error:
        texts.problem(error)
        return
    st.header(many.headline(results.answers), anchor=False)
    code.add(
        "many",
        f"rows = {table!r}",
        f"results = answer_rows(rows, model, k={asked[1]}, targets={targets!r}, scope={asked[3]!r},",
        f"                      with_controls={asked[4]})",
        "print(headline(results.answers), results.answers, sep='\\n')",
    )
    _effects(results, problem, code)
    _table(results.answers)


def _targets(model: str) -> tuple[tuple[str, ...], ValueError | None]:
    """Return the target words of the field and None, or no words and the error in them."""
    words = fields.words(spelling.text(TARGETS, model))
    try:
        cached.compute(many.target_words, model, words)
    except ValueError as error:
        return (), error
    return words, None


def _answers(
    table: rows.Rows,
    k: int,
    targets: tuple[str, ...],
    scope: Any,
    with_controls: bool,
    *,
    model: Any,
    progress: Progress = silent,
) -> many.ManyResults:
    rest: dict[str, Any] = {"scope": scope, "with_controls": with_controls, "progress": progress}
    return many.answer_rows(table, model, k=k, targets=targets, **rest)


def _seconds(table: rows.Rows, with_controls: bool, *, model: Any) -> float:
    """Estimate the seconds for the table, with four characters per token."""
    runs = 17 if with_controls else 2
    tokens = sum((2 + len(sentence) / 4) * (runs if edits else 1) for sentence, edits in table)
    return tokens * model.parameters * _SECONDS


def _effects(results: many.ManyResults, problem: ValueError | None, code: Code) -> None:
    """Draw the field for target words, a sentence and a strip for each, and the summary table."""
    if not results.answers["edits"].astype(bool).any():
        return
    st.text_input(
        "Target words (comma-separated, up to 5)",
        placeholder="she, he",
        help="The change in log odds of each of these words is measured in every sentence. If this is empty, the word"
        " that each edit adds is measured.",
        **TARGETS.widget,
    )
    if problem:
        texts.problem(problem, TARGETS)
    if results.effects.empty:
        if (results.answers["problem"] == "").any():
            st.text(_NO_WORD)
        return
    summary = effects.summary(results.effects)
    for sentence in effects.findings(summary):
        st.text(sentence)
    figures.chart(
        cached.figure(charts.strips, results.effects, summary), results.effects, name="effects", alt=charts.alt(summary)
    )
    added = (summary["target"] == effects.ADDED_WORD).any()
    page.seen(_STRIPS + (_ADDED if added else "") + (_SEVERAL if summary["target"].nunique() > 1 else ""))
    if caution := effects.caution(summary):
        st.caption(caution)
    figures.folded(summary, "effects-summary", "Means, intervals and sign tests")
    code.add(
        "effects",
        "summary = effects.summary(results.effects)",
        "print(*effects.findings(summary), summary, results.effects, sep='\\n')",
    )


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
    figures.table(visible, name="many", column_config=percent, column_order=[*order[:3], *headlines, *order[3:]])


def _read(data: bytes) -> dict[str, Any]:
    return {ROWS.key: rows.write_rows(rows.from_csv(data))}
