"""The tab about the embeddings of positions and segments, as a heatmap and on a map."""

import streamlit as st

from embtools.charts.inputs import positions as charts
from embtools.inputs import positions, verdict
from embtools.ui import cached, figures, jobs, page, state
from embtools.ui.fields import Number
from embtools.ui.share import Code

TAB = "Positions and segments"
COUNT = Number("inputs_positions", 64, 8, 512, 8)
FIELDS = (COUNT,)
PRESETS = {"64 positions": {}, "The first 16": {COUNT.key: 16}, "All 512": {COUNT.key: 512}}


@state.fragment
def show(model: str, code: Code) -> None:
    """Show the headline, the heatmap next to the map, and the mean cosine by distance below."""
    st.slider("Number of positions", **COUNT.widget)
    answer = jobs.ask("inputs-positions", positions.positions, model, (COUNT.value,), (8,))
    if answer is None:
        return
    found, count = answer.value, answer.asked[0]
    with jobs.results(answer, "inputs-positions", f"{count} positions"):
        st.header(verdict.positions(found), anchor=False)
        left, right = st.columns(2, gap="medium")
        with left:
            figures.chart(
                cached.figure(charts.cosines, found),
                positions.cosine_table(found),
                name="positions",
                alt=charts.cosines_alt(found),
            )
            segments = found.points["kind"].eq("segment").sum()
            both = (
                f" The cosine of the two [[segment id|segments]] is {found.cosines[-1, -2]:.2f}.".replace("-", "−")
                if segments
                else " This model has no segment embeddings."
            )
            page.seen(
                "Each cell is the [[cosine]] of two [[position embedding|position embeddings]]. A blue band along the"
                f" diagonal means that nearby positions are similar; orange is below zero.{both}"
            )
        with right:
            figures.chart(
                cached.figure(charts.position_map, found),
                found.points,
                name="position-map",
                alt=charts.position_map_alt(found),
            )
            page.seen(
                f"The [[PCA]] map shows the same embeddings and keeps {found.explained:.0%} of their variance."
                " Positions are joined in order, from blue (first) to orange (last). Position 0, which always holds"
                " [CLS], may be outside the map."
            )
        figures.chart(
            cached.figure(charts.by_distance, found.by_distance),
            found.by_distance,
            name="cosine-by-distance",
            alt="Mean cosine of two positions by their distance: "
            + ", ".join(
                f"{row.cosine:.2f} at distance {row.distance}" for row in found.by_distance.iloc[[0, -1]].itertuples()
            )
            + ".",
        )
    code.add(
        "positions",
        f"found = positions.positions({count}, model)",
        "print(verdict.positions(found), found.points, positions.cosine_table(found), found.by_distance, sep='\\n')",
    )
