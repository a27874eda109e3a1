"""The fifth tab of the Inputs page: what BERT has learnt about places, as heatmap and map."""

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
    """The finding; heatmap and map side by side, the fall with the distance below."""
    st.slider("Positions, from 0", **COUNT.widget)
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
                f" The two [[segment id|segments]] have {found.cosines[-1, -2]:.2f}."
                if segments
                else " This model has no segment embeddings."
            )
            page.seen(
                "The [[cosine]] of every two [[position embedding|position embeddings]]: a blue band along the diagonal"
                f" means that near places are alike; orange is below zero.{both}"
            )
        with right:
            figures.chart(
                cached.figure(charts.places, found), found.points, name="position-map", alt=charts.places_alt(found)
            )
            page.seen(
                f"The same on a map ([[PCA]], keeps {found.kept:.0%}), joined in their order, from blue (first) to"
                " orange. Position 0, where [CLS] always stands, may lie outside."
            )
        figures.chart(
            cached.figure(charts.apart, found.apart),
            found.apart,
            name="apart",
            alt="Mean cosine of two positions by their distance: "
            + ", ".join(f"{row.distance} apart {row.cosine:.2f}" for row in found.apart.iloc[[0, -1]].itertuples())
            + ".",
        )
    code.add(
        "positions",
        f"found = positions.positions({count}, model)",
        "print(verdict.positions(found), found.points, positions.cosine_table(found), found.apart, sep='\\n')",
    )
