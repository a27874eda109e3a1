"""How the differences between the groups are spread over dimensions."""

import streamlit as st

from embtools.charts import clusters as charts
from embtools.clusters import maps
from embtools.clusters.map_result import Map
from embtools.clusters.points import NO_LABEL
from embtools.ui import figures, page, running, shown
from embtools.ui.call import Call

_COLUMNS = {
    "f": st.column_config.NumberColumn("F", format="%.1f"),
    "p_adjusted": st.column_config.NumberColumn("p (adjusted)", format="%.3f"),
    "share": st.column_config.NumberColumn("share of the differences", format="percent"),
    "own_share": st.column_config.NumberColumn("share of its variance between groups", format="percent"),
    "highest_group": st.column_config.TextColumn("highest group"),
    "lowest_group": st.column_config.TextColumn("lowest group"),
}


def show(answer: running.Answer[Map]) -> None:
    """Draw the curves and the ten dimensions that differ most between the groups, for one model."""
    groups = answer.value.points.query("kind == 'word'")["group"]
    sizes = groups[groups != NO_LABEL].value_counts()
    alone = int((sizes == 1).sum())
    if answer.value.reason or len(sizes) - alone < 2:
        st.text(answer.value.reason or "Only one group has several words. Add words to another group to compare them.")
        return
    result = running.detail(
        "spread",
        Call(maps.dimensions, words=answer.query["words"], view=answer.query["view"]),
        answer.model,
        label="Testing the dimensions",
        prints=("sentences", "curve", "accuracy", "clear", "total", "dimensions.head(10)"),
    )
    if result is None:
        return
    if alone:
        st.caption(
            f"{alone} groups of one word are left out: their words cannot be assigned to a group by other words."
            if alone > 1
            else "One group of one word is left out: its word cannot be assigned to a group by other words."
        )
    page.caption(
        "These charts show how the differences between your groups are spread over [[dimension|dimensions]] and over"
        " [[PCA|principal components]], compared with [[shuffled groups]]."
    )
    for sentence in result.sentences:
        st.markdown(f"- {sentence}")
    left, right = shown.split([1, 1], gap="large")
    with left:
        figures.show(charts.shares, result, name="carriers", same_axes=not shown.alone())
    with right:
        figures.show(charts.accuracies, result, name="guessed", same_axes=not shown.alone())
    page.caption(
        "[[F]], from an analysis of variance, shows how much a dimension differs between groups. For each shuffle,"
        f" the highest F of all dimensions is found. In **{result.clear}** of {result.total} dimensions, the F of your"
        " groups exceeds at least 95% of these highest values. The table shows the ten dimensions with the"
        " highest F. The adjusted p is the share of shuffles in which at least one dimension reaches this F."
    )
    figures.table(
        result.dimensions.head(10),
        "Dimensions that separate the groups best",
        name=f"dimensions{shown.suffix()}",
        column_config=_COLUMNS,
    )
