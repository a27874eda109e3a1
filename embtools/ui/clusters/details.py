"""The results below the map: found clusters, a second map, and expanders with the tests of the map and the groups."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.clusters import dimensions as curves
from embtools.charts.clusters import maps as charts
from embtools.clusters import maps
from embtools.clusters.dimensions import GroupDimensions
from embtools.clusters.kmeans import FoundClusters
from embtools.ui import cached, figures, jobs, page, state
from embtools.ui.clusters import computing, selected, trust
from embtools.ui.clusters.picture import draw, map_texts
from embtools.ui.clusters.results import Picture, Results
from embtools.ui.share import Code

_NUMBERS = {
    **{
        c: st.column_config.NumberColumn(format="%.2f")
        for c in ("value", "shuffled", "shuffled_low", "shuffled_high", "stability")
    },
    "p_value": st.column_config.NumberColumn(format="%.3f"),
    "meaning": st.column_config.TextColumn(width="large"),
}
_MEASURES = ("measure", "value", "shuffled", "meaning")  # only one measure has a p-value
_COLUMNS = {
    "f": st.column_config.NumberColumn("F", format="%.1f"),
    "p_adjusted": st.column_config.NumberColumn("p (adjusted)", format="%.3f"),
    "share": st.column_config.NumberColumn("share of the differences", format="percent"),
    "own_share": st.column_config.NumberColumn("share of its variance between groups", format="percent"),
    "highest_group": st.column_config.TextColumn("highest group"),
    "lowest_group": st.column_config.TextColumn("lowest group"),
}
_FOUND: dict[str, Any] = {
    "main_group": st.column_config.TextColumn("main group"),
    "share": st.column_config.NumberColumn("share of the main group", format="percent"),
    "typical": st.column_config.TextColumn("most typical words", width="large"),
}


def show(model: str, results: Results, code: Code) -> None:
    """Show the optional additions to the map, then the expanders with tests."""
    if results.first is None:
        return
    if results.found:
        _clusters(results.found)
    if results.second:
        _second(model, results)
    _fold("trust", "How far can this map be trusted?", _trust, results)
    _fold("groups", "Are the groups real, or only visible on the map?", _groups, model, results.first, code)
    if len(results.first.drawn.map) <= charts.SVG_POINTS:
        _fold("dimensions", "Do a few dimensions separate the groups?", _dimensions, model, results.first, code)


def _fold(name: str, label: str, fill: Any, *arguments: Any) -> None:
    fold = state.fold(name, label)
    if fold.open:
        with fold:
            fill(*arguments)


def _clusters(found: FoundClusters) -> None:
    """Show how well the clusters are separated, compared with chance, and what is in them."""
    st.header("Clusters found by k-means", anchor=False)
    sample = f", measured on {found.measured:,} of the words" if found.measured < len(found.names) else ""
    page.seen(
        f"The clusters were found by [[k-means]] in the original space. Mean [[silhouette]]: **{found.silhouette:.2f}**"
        f"{sample}. For random points from a single Gaussian with the same mean and covariance it is {found.low:.2f} to"
        f" {found.high:.2f}. k-means divides any set of points, so only a clearly higher value shows real clusters."
    )
    figures.table(found.table, name="found-clusters", column_config=_FOUND)


@state.fragment
def _second(model: str, results: Results) -> None:
    if not results.is_current(model):
        st.rerun()  # a selection on one map is marked on the other
    second = results.second
    if results.first is None or second is None:
        return
    highlight, _ = selected.highlight(model, second)
    st.header(f"The same words by {second.drawn.view.method}", anchor=False)
    drawn = second.drawn.map

    def below() -> None:
        st.html(trust.html(drawn.trust))
        page.seen(f"{map_texts(model, second).trust} What both maps show is more reliable.")

    draw(model, results, second, highlight, selected.SECOND, below)


def _trust(results: Results) -> None:
    if results.first is None:
        return
    drawn = results.first.drawn.map
    page.seen(
        "Each measure compares the map with the space; 1 is perfect. The column *shuffled* gives the value for the same"
        " map after its points were shuffled. See [[trustworthiness]] and [[continuity]]."
    )
    if drawn.measured < len(drawn):
        st.caption(f"Measured on a random sample of {drawn.measured:,} of the {len(drawn):,} points.")
    figures.table(drawn.trust, name="trust", column_config=_NUMBERS, column_order=_MEASURES)
    if results.stable is not None:
        mean = results.stable["stability"].mean()
        page.seen(
            f"On average **{mean:.0%}** of a word's neighbours on this map stay its neighbours when t-SNE starts from"
            f" random positions (mean of {maps.STABILITY_RUNS} starts). See [[stability]]."
        )
        figures.table(results.stable.sort_values("stability"), name="stability", column_config=_NUMBERS)


def _groups(model: str, picture: Picture, code: Code) -> None:
    try:
        numbers: pd.DataFrame = cached.compute(computing.groups, model, model, picture.query)
    except ValueError as error:
        st.text(str(error))
        return
    page.seen(
        "Three ways to test your groups: the [[silhouette]], the nearest neighbour of each word, and [[k-means]]"
        " clusters. Each value is compared with [[shuffled groups]]: their mean (*shuffled*) and the range that"
        " contains 95% of them (*shuffled_low* to *shuffled_high*). The [[p-value]] is the share of shuffles"
        " with at least this value."
    )
    if picture.drawn.view.method == "group means":
        st.caption(
            "This map was drawn from the groups, so its own silhouette proves nothing. Use the values for the space."
        )
    figures.table(numbers, name="groups", column_config=_NUMBERS)
    code.add("groups", "print(maps.groups(words, model, view=view))")


def _dimensions(model: str, picture: Picture, code: Code) -> None:
    try:
        found: GroupDimensions = jobs.run(
            "clusters-dimensions", computing.dimensions, model, model, picture.query, label="Testing the dimensions"
        )
    except ValueError as error:
        st.text(str(error))
        return
    words = picture.drawn.map.points[picture.drawn.map.points["kind"] == "word"]
    if alone := int((words.groupby("group").size() == 1).sum()):
        st.caption(
            f"{alone} groups of one word are left out: their words cannot be assigned to a group by other words."
            if alone > 1
            else "One group of one word is left out: its word cannot be assigned to a group by other words."
        )
    page.seen(
        "These charts show how the differences between your groups are spread over [[dimension|dimensions]] and over"
        " [[PCA|principal components]], compared with [[shuffled groups]]."
    )
    for sentence in found.sentences:
        st.markdown(f"- {sentence}")
    left, right = st.columns(2, gap="large")
    with left:
        figures.chart(
            cached.figure(curves.curves, found.curve, "share", "share of the differences"),
            found.curve,
            name="carriers",
            alt=curves.share_alt(found),
        )
    with right:
        figures.chart(
            cached.figure(curves.curves, found.accuracy, "accuracy", "words assigned to the right group"),
            found.accuracy,
            name="guessed",
            alt=curves.accuracy_alt(found),
        )
    page.seen(
        f"**{found.clear}** of {found.total} dimensions differ more between your groups than any dimension does"
        " between shuffled groups in 95% of the shuffles. The table shows the ten dimensions with the highest [[F]] in"
        " an analysis of variance. The adjusted p is the share of shuffles in which any dimension reaches this F."
    )
    figures.table(found.dimensions.head(10), name="dimensions", column_config=_COLUMNS)
    code.add(
        "dimensions",
        "spread = maps.dimensions(words, model, view=view)",
        "print(spread.half, spread.curve, spread.accuracy, (spread.clear, spread.total), sep='\\n')",
        "print(spread.dimensions.head(10))",
    )
