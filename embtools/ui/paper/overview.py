"""The panel of the Paper page: how many claims hold, all of them in one chart, and the cards of one article."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.paper import beside as numbers
from embtools.charts.paper import verdicts
from embtools.models.catalogue import BUNDLED
from embtools.paper import claims, report
from embtools.paper.measured import Measured
from embtools.ui import cached, figures, page, spelling, state, texts
from embtools.ui.fields import Choice
from embtools.ui.paper import cards, results
from embtools.ui.paper.results import Known
from embtools.ui.share import Code

TAB = "Claims"
TEXT = Choice("paper_text", claims.texts()[0], claims.texts())
FIELDS = (TEXT,)
PRESETS: dict[str, dict[str, Any]] = {}
_NAME = "claims"  # of the chart


def show(model: str, code: Code) -> None:
    """Show the finding and two charts; below them a tab for each article."""
    seen = results.known(model)
    with st.container(key="hero"):
        _hero(model, seen)
    for name, tab in state.tabs(TEXT).items():
        if tab.open:
            with tab:
                cards.show(model, name, seen)
    code.add("claims", *_code(seen))


@dataclass(frozen=True)
class _Told:
    """The headline, the frames of both charts (claims with verdicts, and published numbers), and their alt texts."""

    finding: str
    table: pd.DataFrame
    beside: pd.DataFrame
    alts: tuple[str, str]


def _told(found: dict[str, Measured]) -> _Told:
    table, beside = report.table(found), report.beside(found)
    return _Told(report.finding(found), table, beside, (verdicts.grid_alt(table), numbers.alt(beside)))


def _hero(model: str, seen: Known) -> None:
    told = cached.derive(_told, seen.found, (model, seen.computed))
    table, beside = told.table, told.beside
    st.header(texts.plain(told.finding), anchor=False)
    with st.container(key="paper-bar", horizontal=True, vertical_alignment="center", gap="small"):
        if model == BUNDLED:
            st.badge("small model: figures differ from BERT base", icon=":material/memory:", color="gray")
        if spelling.cased(model):
            st.badge("names are written with capitals", icon=":material/match_case:", color="orange")
        results.compute_all(model)
    left, right = st.columns([5, 6], gap="medium")
    with left:
        figures.chart(
            cached.figure(verdicts.grid, table),
            table,
            name=_NAME,
            alt=told.alts[0],
            select=("points",),
            on_select=_pick,
        )
        page.seen(
            "Each mark is a claim, each row one of five articles. Click a mark to open its cards. Each [[verdict]]"
            " follows from the conditions on its card."
        )
    with right:
        if len(beside):
            figures.chart(cached.figure(numbers.dumbbells, beside), beside, name="beside", alt=told.alts[1])
            page.seen(
                "Each row is a number that an article prints. Ring: the published number. Point: this model's. They are"
                " probabilities, [[cosine|cosines]] and, for C3, shares of a mix. The card of each claim names the"
                " model that the published number comes from."
            )
        else:
            st.text("No number has been computed for this model yet. Press “Compute all” or “Compute now” to start.")


def _pick() -> None:
    """Open the cards of the article whose claim was clicked."""
    points = st.session_state[f"chart-{_NAME}"]["selection"]["points"]
    if points:
        state.put({TEXT.key: claims.texts()[-1 - round(points[0]["y"])]})


def _code(seen: Known) -> list[str]:
    """Return the copied code: it reads what is stored and computes what was computed here."""
    asked = f", {list(seen.computed)!r}" if len(seen.computed) < len(claims.claims()) else ""
    more = [f"results |= claims.measure_all(model{asked})"] if seen.computed else []
    return [
        "results = stored.read(model)  # claims.measure_all(model) computes all of them again",
        *more,
        "print(report.finding(results))",
        "print(report.table(results), report.beside(results), sep='\\n')",
    ]
