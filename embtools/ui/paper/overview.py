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
_TEXTS = ("math", "embeddings", "context", "lecture", "sentences")  # for addresses
TEXT = Choice("paper_text", claims.texts()[0], dict(zip(_TEXTS, claims.texts(), strict=True)))
FIELDS = (TEXT,)
PRESETS: dict[str, dict[str, Any]] = {}
_NAME = "claims"  # of the chart


def show(model: str, code: Code) -> None:
    """Show the finding and two charts; below them a tab for each article."""
    known = results.known(model)
    with st.container(key="hero"):
        _hero(model, known)
    for name, tab in state.tabs(TEXT).items():
        if tab.open:
            with tab:
                cards.show(model, name, known)
    code.add("claims", *_code(known))


@dataclass(frozen=True)
class _View:
    """The headline, the frames of both charts (claims with verdicts, and published numbers), and their alt texts."""

    finding: str
    table: pd.DataFrame
    beside: pd.DataFrame
    alts: tuple[str, str]


def _view(measured: dict[str, Measured]) -> _View:
    table, beside = report.table(measured), report.beside(measured)
    return _View(report.finding(measured), table, beside, (verdicts.grid_alt(table), numbers.alt(beside)))


def _hero(model: str, known: Known) -> None:
    view = cached.derive(_view, known.results, (model, known.computed))
    table, beside = view.table, view.beside
    st.header(texts.plain(view.finding), anchor=False)
    with st.container(key="paper-bar", horizontal=True, vertical_alignment="center", gap="small"):
        if model == BUNDLED:
            st.badge("Small model: figures differ from BERT base", icon=":material/memory:", color="gray")
        if spelling.cased(model):
            st.badge("Names are written with capitals", icon=":material/match_case:", color="orange")
        results.compute_all(model)
    left, right = st.columns([5, 6], gap="medium")
    with left:
        figures.chart(
            cached.figure(verdicts.grid, table),
            table,
            name=_NAME,
            alt=view.alts[0],
            select=("points",),
            on_select=_pick,
        )
        page.seen(
            "Each mark is a claim, and each row is one of the five articles. Click a mark to open the cards of its"
            " article. Each [[verdict]] follows from the conditions on the card."
        )
    with right:
        if len(beside):
            figures.chart(cached.figure(numbers.dumbbells, beside), beside, name="beside", alt=view.alts[1])
            page.seen(
                "Each row is a number from an article. The ring is the published number, the dot is this model's"
                " number. The numbers are probabilities, [[cosine|cosines]] and, for C3, shares of a mix. The card of"
                " each claim names the model behind the published number."
            )
        else:
            st.text("No number has been computed for this model yet. Press “Compute all”, or “Compute now” on a card.")


def _pick() -> None:
    """Open the cards of the article whose claim was clicked."""
    points = st.session_state[f"chart-{_NAME}"]["selection"]["points"]
    if points:
        state.put({TEXT.key: claims.texts()[-1 - round(points[0]["y"])]})


def _code(known: Known) -> list[str]:
    """Return the code to copy: it reads the stored results and computes those that were computed here."""
    ids = f", names={list(known.computed)!r}" if len(known.computed) < len(claims.claims()) else ""
    more = [f"results |= claims.measure_all(model{ids})"] if known.computed else []
    return [
        "results = stored.read(model)  # claims.measure_all(model) computes all of them",
        *more,
        "print(report.finding(results))",
        "print(report.table(results), report.beside(results), sep='\\n')",
    ]
