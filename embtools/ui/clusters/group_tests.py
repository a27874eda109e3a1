"""Tests of whether the groups are real, or only visible on the map."""

import streamlit as st

from embtools.clusters import maps
from embtools.clusters.map_result import Map
from embtools.statistics.neighbour_test import SHUFFLES
from embtools.ui import figures, page, running, shown
from embtools.ui.call import Call
from embtools.ui.clusters.trust import NUMBERS


def show(answer: running.Answer[Map]) -> None:
    """Draw the table of the tests for one model."""
    if answer.value.reason:
        st.text(answer.value.reason)
        return
    query = Call(maps.groups, words=answer.query["words"], view=answer.query["view"])
    numbers = running.detail("separation", query, answer.model)
    if numbers is None:
        return
    page.caption(
        "Three ways to test your groups: the [[silhouette]], the nearest neighbour of each word, and [[k-means]]"
        " clusters. Each value is compared with those of [[shuffled groups]]: their mean (*shuffled*) and the range"
        " that contains 95% of them (*shuffled_low* to *shuffled_high*). The [[p-value]] is the share of shuffles"
        f" with at least this value; with {SHUFFLES} shuffles it cannot be below {1 / (1 + SHUFFLES):.3f}."
    )
    if answer.value.view.method == "group means":
        st.caption(
            "This map was drawn from the groups, so its own silhouette proves nothing. Use the values for the space."
        )
    figures.table(
        numbers,
        "Measures of the groups, with shuffled labels for comparison",
        name=f"groups{shown.suffix()}",
        column_config=NUMBERS,
    )
