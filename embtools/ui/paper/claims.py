"""The tab of claims: how many hold, all of them in one chart, and for each article its claims as cards."""

from html import escape
from typing import Any

import streamlit as st

from embtools.charts import paper as charts
from embtools.models.catalogue import BUNDLED
from embtools.paper import claims, reports
from embtools.paper.claims import Claim
from embtools.paper.measured import CANNOT, FAILS, HOLDS, PART, Condition, Measured
from embtools.paper.reports import MARKS, UNKNOWN, Report
from embtools.paper.study_result import TITLES
from embtools.ui import captions, figures, long_work, menu, models, page, running, shown, state
from embtools.ui.call import Call
from embtools.ui.fields import Choice
from embtools.ui.paper.links import LINKS, MANY, STUDIES
from embtools.ui.shown import Model, Models

TAB = "Claims"
_TEXTS = ("math", "embeddings", "context", "lecture", "sentences")  # for addresses
TEXT = Choice("paper_text", claims.texts()[0], dict(zip(_TEXTS, claims.texts(), strict=True)))
FIELDS = (TEXT,)
PRESETS: dict[str, dict[str, Any]] = {}
ONE_MODEL = True  # it shows stored figures
FIRST = Call(reports.report)
_NAME = "claims"  # of the chart
_BADGES = {
    HOLDS: (":material/check_circle:", "blue"),
    PART: (":material/contrast:", "orange"),
    FAILS: (":material/cancel:", "red"),
    CANNOT: (":material/help:", "gray"),
}
_PAGES = {each.name: each for each in menu.PAGES}


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return ()


def show(models: Models) -> None:
    """Draw the finding and two charts; below them a tab for each article."""
    model = models[0]
    query = Call(reports.report, computed=_computed(model))
    for answer in running.ask("results", query, (model,), FIRST, prints=("headline", "table", "comparison")):
        with st.container(key="hero"):
            _hero(model, answer.value)
        for name, tab in state.tabs(TEXT).items():
            if tab.open:
                with tab:
                    _cards(model, name, answer.value)


def _hero(model: Model, report: Report) -> None:
    shown.headline(report.headline)
    with st.container(key="paper-bar", horizontal=True, vertical_alignment="center", gap="small"):
        if model.name == BUNDLED:
            st.badge("Small model: figures differ from those of BERT base", icon=":material/memory:", color="gray")
        if model.facts.cased:
            st.badge("Names are written with capitals", icon=":material/match_case:", color="orange")
        _compute_all(model)
    left, right = st.columns([5, 6], gap="medium")
    with left:
        figures.show(charts.verdicts, report, name=_NAME, options={"pick": _PICK})
        page.caption(
            "Each mark is a claim, and each row is one of the five articles. Click a mark to open the cards of its"
            " article. Each [[verdict]] follows from the conditions on the card."
        )
    with right:
        if len(report.comparison):
            figures.show(charts.numbers, report, name="beside")
            page.caption(
                "Each row is a number from an article. The ring is the published number, the dot is this model's"
                " number. The numbers are probabilities, [[cosine|cosines]] and, for C3, shares of a mix. The card of"
                " each claim names the model behind the published number."
            )
        else:
            st.text("No number has been computed for this model yet. Press “Compute all”, or “Compute now” on a card.")


_PICK = figures.Pick(
    lambda text: state.put({TEXT.key: text}),
    lambda row: row["text"],
    lambda point: claims.texts()[round(point["y"])],
)
"""A mark and a row of the table open the cards of the article of their claim."""


def _cards(model: Model, text: str, report: Report) -> None:
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
            _compute_one(model, claim)


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
    for label, (target, settings) in MANY.get(name, ()):
        many, address = _PAGES[target], {**settings, **chosen, state.BACK.key: "paper"}
        st.page_link(many.script, label=label, icon=many.icon, query_params=address)
    if name in STUDIES:
        label, study = STUDIES[name]
        values = {"paper_tab": "Studies", "paper_study": TITLES[study]}
        st.button(
            label, icon=":material/list:", type="tertiary", key=f"study-of-{name}", on_click=state.put, args=(values,)
        )


def _computed(model: Model) -> tuple[str, ...]:
    """Return the ids of the claims whose results were computed here and can be shown at once."""
    return tuple(claim.id for claim in claims.claims() if running.known(_one(claim), model))


def _compute_one(model: Model, claim: Claim) -> None:
    """Draw the button that computes a claim, and do the work when it is pressed."""
    _work(f"paper-{claim.id}", "Compute now", _one(claim), model, (claim.id,))


def _compute_all(model: Model) -> None:
    """Draw the button that computes all claims not yet computed here, with a progress bar and Stop."""
    names = tuple(claim.id for claim in claims.claims() if not running.known(_one(claim), model))
    if names:
        _work("paper-all", "Compute all", Call(claims.measure_all), model, names)


def _one(claim: Claim) -> Call:
    return Call(claims.measure, name=claim.id)


def _work(name: str, what: str, query: Call, model: Model, names: tuple[str, ...]) -> None:
    seconds = running.run(Call(claims.effort, names=names), model)
    if long_work.requested(name, what, seconds, (model, query), unasked=False):
        label = f"Computing {', '.join(names) if len(names) < 4 else f'{len(names)} claims'}"
        if running.attempt(lambda: running.run(query, model, label=label)) is not None:  # it was not stopped
            st.rerun()
