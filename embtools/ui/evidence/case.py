"""The case that was clicked: all its sentences and conditions, and a link that opens it on Arithmetic."""

from typing import Any

import streamlit as st

from embtools.evidence.result import Battery
from embtools.mask_filling import cases
from embtools.ui import back, figures, models, page, shown, state
from embtools.ui.evidence.inputs import CASE
from embtools.ui.running import Answer
from embtools.ui.texts import plain

_SEPARATOR = "|"


PICK = figures.Pick(lambda case: state.put({CASE.key: str(case)}), lambda row: _SEPARATOR.join(row[["a", "b", "c"]]))
"""How a chart whose marks are cases, and its table, choose one."""


def heading(answer: Answer[Battery]) -> None:
    """Draw one line above the grid: what to click, or the case that was clicked and the link to it."""
    chosen = _chosen(answer)
    if chosen is None:
        page.caption("Click a cell to see its case.")
        return
    a, b, c = chosen
    (row,) = answer.value.grid.query("a == @a and b == @b and c == @c").itertuples()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{plain(a)}: {plain(b)} → {plain(c)}**, {row.state}", width="content")
        _link(answer, a, b, c)


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
    edit = cases.filled_edit(cases.read_edit(query["edit"]), a, b, c)
    address = {
        "arithmetic_text": cases.filled(query["sentences"][0], a),
        "arithmetic_edits": edit,
        "arithmetic_scope": query["scope"],
        "arithmetic_strength": f"{query['strength']:.10g}",
        models.MODEL.key: answer.model.name,
        back.FIELD.key: "evidence",
    }
    st.page_link(
        "pages/arithmetic.py",
        label="Open this case on Arithmetic",
        icon=":material/calculate:",
        query_params=page.address(address),
    )


def _order(rows: Any) -> list[str]:
    first = ["condition", "sentence", "answer_before", "answer", "changed"]
    return [*first, *(name for name in rows.columns if name not in (*first, "a", "b", "c", "correct", "measure"))]
