"""The claims of one text as cards: both figures, the verdict and how it follows, and the way to try it."""

from html import escape

import streamlit as st

from embtools.models.catalogue import BUNDLED
from embtools.paper import claims
from embtools.paper.claims import Claim
from embtools.paper.measured import CANNOT, LATER, NOT, PART, STANDS, Measured
from embtools.ui import models, page
from embtools.ui.paper import results
from embtools.ui.paper.links import LINKS
from embtools.ui.paper.results import Known

_BADGES = {
    STANDS: (":material/check_circle:", "blue"),
    PART: (":material/contrast:", "orange"),
    NOT: (":material/cancel:", "red"),
    CANNOT: (":material/help:", "gray"),
    LATER: (":material/hourglass_empty:", "gray"),
}
_PAGES = {each.name: each for each in page.PAGES}


def show(model: str, text: str, seen: Known) -> None:
    """The cards of a text, two beside each other."""
    with st.container(key="claims"):
        for claim in claims.claims():
            if claim.text == text:
                with st.container(border=True, key=f"claim-{claim.id}"):
                    _card(model, claim, seen.found.get(claim.id), claim.id in seen.computed)


def _card(model: str, claim: Claim, found: Measured | None, computed: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(claim.id, anchor=False, width="content")
        if found is None:
            st.badge("not computed yet", color="gray")
        else:
            icon, colour = _BADGES[found.verdict]
            st.badge(found.verdict, icon=icon, color=colour)  # type: ignore[arg-type]
        if model == BUNDLED and found is not None and not found.later:
            st.badge("this is the small model", color="gray")
    st.html(body(claim, found))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if claim.id in LINKS:
            _link(model, claim.id)
        if not computed and not (found is not None and found.later):
            results.compute_one(model, claim)
        elif computed:
            st.caption("Computed on this server.")


def body(claim: Claim, found: Measured | None) -> str:
    """Claim, figures and criterion as HTML: constant texts and a model's own words, escaped."""
    rows = [("Published", claim.published)]
    if found is not None and found.answer:
        rows.append(("This model", found.answer))
    listed = "".join(f"<dt>{name}</dt><dd>{_safe(value)}</dd>" for name, value in rows)
    checks = "".join(
        f"<li><b>{'✓' if check.holds else '✗'}</b> {_safe(check.says)}</li>"
        for check in (found.checks if found is not None else ())
    )
    return (
        f'<div class="claim"><p>{_safe(claim.claim)}</p><dl>{listed}</dl>'
        + (f"<ul>{checks}</ul>" if checks else "")
        + f"<small>{_safe(claim.note)}</small></div>"
    )


def _safe(text: str) -> str:
    return escape(text, quote=False)


def _link(model: str, name: str) -> None:
    target, asked = LINKS[name]
    where = _PAGES.get(target)
    script, title, icon = (where.script, where.title, where.icon) if where else ("app.py", "Home", ":material/home:")
    chosen = {} if model == models.MODEL.default else {models.MODEL.key: model}
    st.page_link(script, label=f"Try it on {title}", icon=icon, query_params={**asked, **chosen})
