"""The panel of the Paper page: how many claims hold, all of them in one chart, and the cards of one article."""

from typing import Any

import streamlit as st

from embtools.charts import paper as charts
from embtools.models.catalogue import BUNDLED
from embtools.paper import claims
from embtools.paper import reports as reports
from embtools.paper.reports import Report
from embtools.ui import captions, figures, page, running, shown, state
from embtools.ui.call import Call
from embtools.ui.fields import Choice
from embtools.ui.paper import cards, results
from embtools.ui.shown import Model, Models

TAB = "Claims"
_TEXTS = ("math", "embeddings", "context", "lecture", "sentences")  # for addresses
TEXT = Choice("paper_text", claims.texts()[0], dict(zip(_TEXTS, claims.texts(), strict=True)))
FIELDS = (TEXT,)
PRESETS: dict[str, dict[str, Any]] = {}
ONE_MODEL = True  # it shows stored figures
FIRST = Call(reports.report)
_NAME = "claims"  # of the chart


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return ()


def show(models: Models) -> None:
    """Draw the finding and two charts; below them a tab for each article."""
    model = models[0]
    query = Call(reports.report, computed=results.computed(model))
    for answer in running.ask("results", query, (model,), FIRST, prints=("headline", "table", "comparison")):
        with st.container(key="hero"):
            _hero(model, answer.value)
        for name, tab in state.tabs(TEXT).items():
            if tab.open:
                with tab:
                    cards.show(model, name, answer.value)


def _hero(model: Model, report: Report) -> None:
    shown.headline(report.headline)
    with st.container(key="paper-bar", horizontal=True, vertical_alignment="center", gap="small"):
        if model.name == BUNDLED:
            st.badge("Small model: figures differ from those of BERT base", icon=":material/memory:", color="gray")
        if model.facts.cased:
            st.badge("Names are written with capitals", icon=":material/match_case:", color="orange")
        results.compute_all(model)
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
