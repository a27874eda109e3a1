"""How far a map can be trusted: its measures in one line, and as a table; and tests of whether the groups are real, or
only visible on the map.
"""

import pandas as pd
import streamlit as st

from embtools.clusters import maps
from embtools.clusters.map_result import Map
from embtools.clusters.maps import STABILITY_RUNS
from embtools.statistics.decimals import decimal
from embtools.statistics.neighbour_test import SHUFFLES
from embtools.statistics.percentages import rounded
from embtools.ui import figures, glossary, page, running, shown
from embtools.ui.call import Call

NUMBERS = {
    **{
        c: st.column_config.NumberColumn(format="%.2f")
        for c in ("value", "shuffled", "shuffled_low", "shuffled_high", "stability")
    },
    "p_value": st.column_config.NumberColumn(format="%.3f"),
    "meaning": st.column_config.TextColumn(width="large"),
}
_DISTANCES = {"cosine": "[[cosine]] distances", "euclidean": "[[Euclidean distance|Euclidean]], as this map shows them"}
_MEASURES = ("measure", "value", "shuffled", "meaning")  # only one measure has a p-value


def html(trust: pd.DataFrame, stable: pd.DataFrame | None = None) -> str:
    """Return the line of measures of `trust.trust` and `maps.stability` as HTML: a dot for each, and a ring for the
    value of a shuffled map."""
    items = [_item(row.measure, row.value, row.shuffled) for row in trust.itertuples()]
    if stable is not None:
        items.append(_item("stability", float(stable["stability"].mean())))
    return f'<ul class="strip" aria-label="How far the map can be trusted">{"".join(items)}</ul>'


def show(drawn: Map, stable: pd.DataFrame | None) -> None:
    """Draw the measures of a map as a table. stable: frame of `maps.stability`, or None."""
    page.caption(
        "Each measure compares the map with the space; 1 is perfect. The column *shuffled* gives the value for the same"
        f" map after its points were shuffled. Distances in the space are {_DISTANCES[drawn.view.shows]}. See"
        " [[trustworthiness]] and [[continuity]]."
    )
    if drawn.measured < len(drawn):
        st.caption(f"Measured on a random sample of {drawn.measured:,} of the {len(drawn):,} points.")
    figures.table(
        drawn.trust,
        "How well the map keeps neighbours",
        name=f"trust{shown.suffix()}",
        column_config=NUMBERS,
        column_order=_MEASURES,
    )
    if stable is not None:
        mean = stable["stability"].mean()
        page.caption(
            f"On average **{rounded(mean)}** of a word's neighbours on this map stay its neighbours when t-SNE starts"
            f" from random positions (mean of {STABILITY_RUNS} starts). See [[stability]]."
        )
        ordered = stable.sort_values("stability")
        figures.table(
            ordered, "Stability of each word’s neighbours", name=f"stability{shown.suffix()}", column_config=NUMBERS
        )


def show_groups(answer: running.Answer[Map]) -> None:
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


def _item(measure: str, value: float, shuffled: float | None = None) -> str:
    ring = chance = ""
    if shuffled is not None:
        ring = f'<i class="chance" style="left: {_at(shuffled)}"></i>'
        chance = f" <small>({decimal(shuffled)} shuffled)</small>"
    return (
        f"<li>{glossary.html(f'[[{measure}]]')}"
        f'<span class="scale">{ring}<i style="left: {_at(value)}"></i></span>'
        f" <strong>{decimal(value)}</strong>{chance}</li>"
    )


def _at(value: float) -> str:
    """Return the position of a value on its scale as a CSS percentage, clipped to 0 to 100%."""
    return rounded(min(max(value, 0.0), 1.0))
