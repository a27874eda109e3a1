"""The claims of one article as cards: both figures, the verdict, its conditions, and a link to try the claim."""

from html import escape

import streamlit as st

from embtools.paper import claims, studies
from embtools.paper.claims import Claim
from embtools.paper.measured import CANNOT, FAILS, HOLDS, PART, Condition, Measured
from embtools.paper.reports import MARKS, UNKNOWN, Report
from embtools.ui import back, menu, models, state
from embtools.ui.paper import results
from embtools.ui.paper.links import LINKS, MANY, STUDIES
from embtools.ui.shown import Model

_BADGES = {
    HOLDS: (":material/check_circle:", "blue"),
    PART: (":material/contrast:", "orange"),
    FAILS: (":material/cancel:", "red"),
    CANNOT: (":material/help:", "gray"),
}
_PAGES = {each.name: each for each in menu.PAGES}


def show(model: Model, text: str, report: Report) -> None:
    """Show the cards of an article in two columns."""
    with st.container(key="claims"):
        for claim in claims.claims():
            if claim.text == text:
                with st.container(border=True, key=f"claim-{claim.id}"):
                    _card(model, claim, report.results.get(claim.id), claim.id in report.computed)


def _card(model: Model, claim: Claim, result: Measured | None, computed: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(claim.id, anchor=False, width="content")
        if result is None:
            st.badge(UNKNOWN.capitalize(), color="gray")
        else:
            icon, colour = _BADGES[result.verdict]
            st.badge(result.verdict.capitalize(), icon=icon, color=colour)  # type: ignore[arg-type]
    st.html(body(claim, result))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _link(model, claim.id)
        if computed:
            st.caption("Computed on this server")
        else:
            results.compute_one(model, claim)


def body(claim: Claim, result: Measured | None) -> str:
    """Return claim, figures and conditions as HTML: constant texts and a model's own words, escaped."""
    rows = [("Published", f"{claim.published} (model: {claim.model})")]
    if result is not None and result.answer:
        rows.append(("This model", result.answer))
    if result is not None and result.many:
        rows.append(("Many words", result.many))
    listed = "".join(f"<dt>{name}</dt><dd>{_safe(value)}</dd>" for name, value in rows)
    conditions = "".join(map(_condition, result.conditions if result is not None else ()))
    return (
        f'<div class="claim"><p>{_safe(claim.claim)}</p><dl>{listed}</dl>'
        + (f"<ul>{conditions}</ul>" if conditions else "")
        + f"<small>{_safe(claim.note)}</small></div>"
    )


def _condition(condition: Condition) -> str:
    """Return a condition with its mark and its evidence as HTML."""
    label = {True: "holds", False: "fails", None: "undecided"}[condition.holds]
    mark = f'<b role="img" aria-label="{label}" title="{label}">{MARKS[condition.holds]}</b>'
    return f"<li>{mark} {_safe(condition.statement)} <span>{_safe(condition.evidence)}</span></li>"


def _safe(text: str) -> str:
    return escape(text, quote=False)


def _link(model: Model, name: str) -> None:
    target, values = LINKS[name]
    where = _PAGES.get(target)
    script, title, icon = (where.script, where.title, where.icon) if where else ("app.py", "Home", ":material/home:")
    chosen = {} if model.name == models.MODEL.default else {models.MODEL.key: model.name}
    st.page_link(script, label=f"Try it on {title}", icon=icon, query_params={**values, **chosen})
    evidence = _PAGES["evidence"]
    for label, settings in MANY.get(name, ()):
        address = {**settings, **chosen, back.FIELD.key: "paper"}
        st.page_link(evidence.script, label=label, icon=evidence.icon, query_params=address)
    if name in STUDIES:
        label, study = STUDIES[name]
        values = {"paper_tab": "Studies", "paper_study": studies.TITLES[study]}
        st.button(
            label, icon=":material/list:", type="tertiary", key=f"study-of-{name}", on_click=state.put, args=(values,)
        )
