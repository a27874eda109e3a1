"""The clusters found by k-means: how well they are separated, compared with chance, and what is in them."""

from typing import Any

import streamlit as st

from embtools.clusters.kmeans import FoundClusters
from embtools.statistics.decimals import decimal
from embtools.ui import figures, page, shown

_COLUMNS: dict[str, Any] = {
    "main_group": st.column_config.TextColumn("main group"),
    "share": st.column_config.NumberColumn("share of the main group", format="percent"),
    "typical": st.column_config.TextColumn("most typical words", width="large"),
}


def show(result: FoundClusters) -> None:
    """Draw the clusters of one model."""
    shown.section("Clusters found by k-means")
    sample = f", measured on {result.measured:,} of the words" if result.measured < len(result.names) else ""
    page.caption(
        "The clusters were found by [[k-means]] in the original space. Mean [[silhouette]]:"
        f" **{decimal(result.silhouette)}**{sample}. For random points from a single Gaussian with the same mean and"
        f" covariance it is {decimal(result.low)} to {decimal(result.high)}. k-means divides any set of points, so only"
        " a clearly higher value shows real clusters."
    )
    figures.table(
        result.table, "Clusters found by k-means", name=f"found-clusters{shown.suffix()}", column_config=_COLUMNS
    )
