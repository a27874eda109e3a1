"""What stands below the map: clusters that were found, a second map, and in folds the tests of trust and of groups."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.clusters import dimensions as curves
from embtools.charts.clusters import maps as charts
from embtools.clusters import dimensions, maps
from embtools.clusters.dimensions import GroupDimensions
from embtools.clusters.found import Found
from embtools.ui import cached, figures, jobs, page, state
from embtools.ui.clusters import computing, selected, strip
from embtools.ui.clusters.picture import draw, said
from embtools.ui.clusters.sight import Picture, Sight
from embtools.ui.share import Code

_NUMBERS = {
    **{c: st.column_config.NumberColumn(format="%.2f") for c in ("value", "shuffled", "low", "high", "stable")},
    "p": st.column_config.NumberColumn(format="%.3f"),
    "meaning": st.column_config.TextColumn(width="large"),
}
_MEASURES = ("measure", "value", "shuffled", "meaning")  # p belongs to one of them alone
_COLUMNS = {
    "f": st.column_config.NumberColumn("F", format="%.1f"),
    "p": st.column_config.NumberColumn("p, of all dimensions", format="%.3f"),
    "share": st.column_config.NumberColumn("share of the differences", format="percent"),
    "own": st.column_config.NumberColumn("of its variance between groups", format="percent"),
}
_FOUND: dict[str, Any] = {
    "main_group": st.column_config.TextColumn("main group"),
    "share": st.column_config.NumberColumn("its share", format="percent"),
    "typical": st.column_config.TextColumn("most typical words", width="large"),
}


def show(model: str, seen: Sight, code: Code) -> None:
    """What was asked for besides the map, and the folds."""
    if seen.first is None:
        return
    if seen.found:
        _clusters(seen.found)
    if seen.second:
        _second(model, seen)
    _fold("trust", "How far can this map be trusted?", _trust, seen)
    _fold("groups", "Are the groups in the space, or only in the eye?", _groups, model, seen.first, code)
    if len(seen.first.drawn.map) <= charts.SVG_POINTS:
        _fold("dimensions", "Do a few dimensions carry the groups?", _dimensions, model, seen.first, code)


def _fold(name: str, label: str, fill: Any, *arguments: Any) -> None:
    fold = state.fold(name, label)
    if fold.open:
        with fold:
            fill(*arguments)


def _clusters(found: Found) -> None:
    """How good the clusters are, beside luck; and what is in them."""
    st.header("Clusters that nobody named", anchor=False)
    on = f", on {found.measured:,} of the words" if found.measured < len(found.names) else ""
    page.seen(
        f"[[k-means]] in the space behind the map. Mean [[silhouette]] **{found.silhouette:.2f}**{on}; the same for"
        f" single Gaussian clouds with the words' mean and covariance: {found.low:.2f} to {found.high:.2f}. k-means"
        " divides any cloud, so only what lies clearly above is a finding."
    )
    figures.table(found.table, name="found-clusters", column_config=_FOUND)


@state.fragment
def _second(model: str, seen: Sight) -> None:
    if not seen.same(model):
        st.rerun()  # what is selected on one map is marked on the other
    second = seen.second
    if seen.first is None or second is None:
        return
    look, _ = selected.look(model, second)
    st.header(f"The same words by {second.drawn.view.method}", anchor=False)
    drawn = second.drawn.map

    def below() -> None:
        st.html(strip.html(drawn.trust))
        page.seen(f"{said(model, second).trust} What holds on both maps is safer.")

    draw(model, seen, second, look, selected.SECOND, below)


def _trust(seen: Sight) -> None:
    if seen.first is None:
        return
    drawn = seen.first.drawn.map
    page.seen(
        "Each measure compares who is near on the map with who is near in the space: 1 is perfect, *shuffled* is the"
        " same map with its points in each other's places. See [[trustworthiness]], [[continuity]]."
    )
    if drawn.measured < len(drawn):
        st.caption(f"Measured on {drawn.measured:,} of the {len(drawn):,} points, drawn by the seed.")
    figures.table(drawn.trust, name="trust", column_config=_NUMBERS, column_order=_MEASURES)
    if seen.stable is not None:
        mean = seen.stable["stable"].mean()
        page.seen(
            f"When t-SNE starts elsewhere, **{mean:.0%}** of a word's neighbours on this map return (mean of"
            f" {maps.STABILITY_RUNS} random starts). See [[stability]]."
        )
        figures.table(seen.stable.sort_values("stable"), name="stability", column_config=_NUMBERS)


def _groups(model: str, picture: Picture, code: Code) -> None:
    try:
        numbers: pd.DataFrame = cached.compute(computing.groups, model, model, picture.asked)
    except ValueError as error:
        st.text(str(error))
        return
    page.seen(
        "[[silhouette|Silhouettes]], nearest words and [[k-means]] clusters against your groups, each beside"
        " [[shuffled groups]]; the [[p-value]] is the share of shuffles that do as well."
    )
    if picture.drawn.view.method == "group means":
        st.caption("This map was told the groups: its own silhouette proves nothing. Look at the numbers of the space.")
    figures.table(numbers, name="groups", column_config=_NUMBERS)
    code.add("groups", "print(maps.groups(read, drawn, view))")


def _dimensions(model: str, picture: Picture, code: Code) -> None:
    try:
        found: GroupDimensions = jobs.run(
            "clusters-dimensions", computing.dimensions, model, model, picture.asked, label="Testing the dimensions"
        )
    except ValueError as error:
        st.text(str(error))
        return
    words = picture.drawn.map.points[picture.drawn.map.points["kind"] == "word"]
    if alone := int((words.groupby("group").size() == 1).sum()):
        st.caption(
            f"Without {alone} group{'s' if alone > 1 else ''} of one word: it cannot be guessed from the others."
        )
    page.seen(
        "How the differences between your groups are spread over [[dimension|dimensions]] and over"
        " [[PCA|principal components]], beside [[shuffled groups]]."
    )
    for sentence in dimensions.concentration(found):
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
            cached.figure(curves.curves, found.accuracy, "accuracy", "groups guessed right"),
            found.accuracy,
            name="guessed",
            alt=curves.accuracy_alt(found),
        )
    page.seen(
        f"**{found.clear}** of {found.total} dimensions differ more between groups than any dimension does between"
        " shuffled groups (in 95% of shuffles). The ten that differ most, by the [[F]] of an analysis of variance,"
        " with the share of shuffles in which any dimension reaches such an F (p):"
    )
    figures.table(found.dimensions.head(10), name="dimensions", column_config=_COLUMNS)
    code.add(
        "dimensions",
        "carried = maps.dimensions(read, view)",
        "print(carried.half, carried.curve, carried.accuracy, (carried.clear, carried.total), sep='\\n')",
        "print(carried.dimensions.head(10))",
    )
