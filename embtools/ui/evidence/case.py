"""The case that was clicked: all its sentences and conditions, and a link that opens it on Arithmetic."""

from functools import partial
from typing import Any

import streamlit as st

from embtools.evidence.result import Battery
from embtools.mask_filling import cases
from embtools.ui import compare, figures, models, page, shown, state
from embtools.ui.evidence.inputs import CASE
from embtools.ui.running import Answer
from embtools.ui.texts import plain

_SEPARATOR = "|"
_PAGE, _CLICKED, _LINK = "evidence", "evidence-case-clicked", "evidence-case-link"


def pick() -> figures.Pick:
    """Return how a chart of cases, and its table, choose one in the column that is drawn: a click opens it on
    Arithmetic in the run that follows, a row only selects it."""
    return figures.Pick(
        partial(_open, shown.suffix()), lambda row: _SEPARATOR.join(row[["a", "b", "c"]]), by_row=_select
    )


def heading(answer: Answer[Battery]) -> None:
    """Draw one line above the grid: the case that was clicked and the link to it."""
    chosen, clicked = _chosen(answer), st.session_state.pop(f"{_CLICKED}{shown.suffix()}", False)
    if chosen is None:
        return
    a, b, c = chosen
    (row,) = answer.value.grid.query("a == @a and b == @b and c == @c").itertuples()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{plain(a)}: {plain(b)} → {plain(c)}**, {row.state}", width="content")
        _link(answer, a, b, c)
    if clicked and _leads_away(answer):
        page.follow(f"{_LINK}{shown.suffix()}", by_touch=False)


def hint(answer: Answer[Battery]) -> str:
    """Return what a click on a cell does, for the caption of the grid."""
    if not _leads_away(answer):
        return "Click a cell to see its case."
    return (
        "Click a cell to open its case on Arithmetic. On a touch screen, a tap only selects the case and shows a link"
        " to it."
    )


def details(answer: Answer[Battery]) -> None:
    """Draw the table of the case that was clicked."""
    chosen = _chosen(answer)
    if chosen is None:
        return
    rows = answer.value.case(*chosen)
    rows["sentence"] = [cases.filled(sentence, chosen[0]) for sentence in rows["sentence"]]
    st.subheader("Selected case", anchor=False)
    figures.table(
        rows.drop(columns=["a", "b", "c", "correct"]), name=f"case{shown.suffix()}", column_order=_order(rows)
    )


def _select(case: Any) -> None:
    state.put({CASE.key: str(case)})


def _open(suffix: str, case: Any) -> None:
    """Select a case; the run that follows opens it on Arithmetic."""
    state.put({CASE.key: str(case), f"{_CLICKED}{suffix}": True})


def _leads_away(answer: Answer[Battery]) -> bool:
    """Return whether a click opens Arithmetic: not from a lesson, and not for an edit that Arithmetic cannot show."""
    return state.page() == _PAGE and answer.query["strength"] >= 0


def _chosen(answer: Answer[Battery]) -> tuple[str, str, str] | None:
    words = str(CASE.value).split(_SEPARATOR)
    if len(words) != 3 or answer.value.case(*words).empty:
        return None
    return words[0], words[1], words[2]


def _link(answer: Answer[Battery], a: str, b: str, c: str) -> None:
    query = answer.query
    if query["strength"] < 0:
        st.text("Arithmetic has no negative strengths.")
        return
    edit = cases.filled_edit(cases.read_edit(query["cases"].edit), a, b, c)
    address = {
        "arithmetic_text": cases.filled(query["cases"].sentences[0], a),
        "arithmetic_edits": edit,
        "arithmetic_scope": query["scope"],
        "arithmetic_strength": f"{query['strength']:.10g}",
        models.MODEL.key: answer.model.name,
        **({state.BACK.key: _PAGE} if state.page() == _PAGE else {}),
    }
    parameters = page.common() | address
    if shown.suffix():  # a case of the second model
        parameters.pop(compare.WITH.key, None)
    with st.container(key=f"{_LINK}{shown.suffix()}", width="content"):
        st.page_link(
            "pages/arithmetic.py",
            label="Open this case on Arithmetic",
            icon=":material/calculate:",
            query_params=parameters,
        )


def _order(rows: Any) -> list[str]:
    first = ["condition", "sentence", "answer_before", "answer", "changed"]
    return [*first, *(name for name in rows.columns if name not in (*first, "a", "b", "c", "correct", "measure"))]
