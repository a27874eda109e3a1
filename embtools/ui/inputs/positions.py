"""The tab about the embeddings of positions and segments, as a heatmap and on a map."""

import streamlit as st

from embtools.charts import inputs as charts
from embtools.inputs.position_vectors import Positions, positions
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.ui import captions, figures, page, running, shown, state
from embtools.ui.call import Call
from embtools.ui.fields import Number
from embtools.ui.shown import Models

TAB = "Positions and segments"
COUNT = Number("inputs_positions", 64, 8, 512, 8)
FIELDS = (COUNT,)
PRESETS = {"64 positions": {}, "The first 16": {COUNT.key: 16}, "All 512": {COUNT.key: 512}}
FIRST = Call(positions, count=COUNT.default)
_FEW = Call(positions, count=8)  # any model has as many


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (captions.Setting("number of positions", COUNT),)


@state.fragment
def show(models: Models) -> None:
    """Show for each model the headline, the heatmap next to the map, and the mean cosine by distance below."""
    st.slider("Number of positions", **COUNT.widget)
    answers = running.ask(
        "found",
        Call(positions, count=int(COUNT.value)),
        models,
        _FEW,
        prints=("headline", "points", "table", "by_distance"),
    )
    if not answers:
        return
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            shown.headline(answer.value.headline)
            left, right = shown.split([1, 1], gap="medium")
            with left:
                _cosines(answer.value)
            with right:
                _map(answer.value)
            figures.show(charts.by_distance, answer.value, name="cosine-by-distance", beside=results)


def _cosines(result: Positions) -> None:
    figures.show(charts.cosines, result, name="positions")
    both = (
        f" The cosine of the two [[segment id|segments]] is {decimal(result.cosines[-1, -2])}."
        if result.points["kind"].eq("segment").any()
        else " This model has no segment embeddings."
    )
    page.caption(
        "Each cell is the [[cosine]] of two [[position embedding|position embeddings]]. A blue band along the"
        f" diagonal means that nearby positions are similar; orange is below zero.{both}"
    )


def _map(result: Positions) -> None:
    figures.show(charts.position_map, result, name="position-map")
    page.caption(
        f"The [[PCA]] map shows the same embeddings and keeps {rounded(result.explained)} of their variance."
        " Positions are joined in order, from blue (first) to orange (last). Position 0, which always holds"
        " [CLS], may be outside the map."
    )
