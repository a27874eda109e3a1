"""The fields for the settings of the map: its projection, and the tab *Settings* with everything else."""

from typing import Any

import streamlit as st

from embtools.charts import maps as charts
from embtools.clusters.map_result import Map
from embtools.spaces.space import AS_IS
from embtools.ui import entry, glossary
from embtools.ui.clusters.inputs import (
    AXES,
    BESIDE,
    CENTRE,
    COLOUR,
    DENSITY,
    DIMENSIONS,
    FOUND,
    LABEL,
    METHOD,
    METRIC,
    NORMALISE,
    OF,
    PERPLEXITY,
    PROCESSED,
    RAW,
    SEED,
    SOURCE,
    STABILITY,
    START,
    STATIC,
)
from embtools.ui.corpora.text_vectors import OCCURRENCES
from embtools.ui.vectors_of import BOTH, MODEL

_NAMES = ("x axis", "y axis", "z axis")


def method() -> None:
    """Draw the field for the projection and the fields that only this projection has."""
    st.segmented_control(
        "Projection",
        required=True,
        help=" ".join(f"{name}: {glossary.definition(name)}" for name in ("t-SNE", "PCA", "axes", "group means")),
        **METHOD.widget,
    )
    if METHOD.value == "t-SNE":
        st.slider(
            "Perplexity",
            help=f"{glossary.definition('perplexity')} Figure 1 of “BERT Embedding Math” uses 5.",
            **PERPLEXITY.widget,
        )
    if METHOD.value == "axes":
        for name, axis in zip(_NAMES, AXES[: int(DIMENSIONS.value)], strict=False):
            entry.text_input(name, help=glossary.definition("axes"), **axis.widget)


def show(drawn: Map | None, found: bool, stable: bool) -> None:
    """Draw the settings: first colours and labels, then distances and vectors, then optional additions."""
    left, right = st.columns(2, gap="small")
    left.selectbox("Colour by", **COLOUR.among(_among(COLOUR.options, drawn, found, stable)))
    right.selectbox("Label by", **LABEL.among(_among(LABEL.options, drawn, found, stable)))
    told = f"Cosine: {glossary.definition('cosine')} Euclidean: {glossary.definition('Euclidean distance')}"
    left.segmented_control("Distance", required=True, help=told, **METRIC.widget)
    right.segmented_control(
        "Dimensions",
        required=True,
        help="The points of a 3-D map cannot be selected. The map can be rotated if your browser supports WebGL.",
        **DIMENSIONS.widget,
    )
    left.toggle("Centre", help=glossary.definition("centre"), **CENTRE.widget)
    right.toggle("Normalise", help=glossary.definition("normalise"), **NORMALISE.widget)
    if METHOD.value == "t-SNE":
        left.segmented_control(
            "Start",
            required=True,
            help="pca: start from the principal components, whatever the seed. random: start from random positions,"
            " which depend on the seed.",
            **START.widget,
        )
    with right:
        entry.number_input("Seed", help=glossary.definition("seed"), **SEED.widget)
    with left:
        entry.number_input(
            "Number of clusters to find",
            help=f"Use 2 or more; 0 switches this off. {glossary.definition('k-means')}",
            **FOUND.widget,
        )
    right.selectbox(
        "Second map",
        help="Shows the same words on a map made by another method. Words selected on one map are marked on the other.",
        **BESIDE.widget,
    )
    if DIMENSIONS.value == "2":
        st.toggle("Density contours", help=glossary.definition("density"), **DENSITY.widget)
    raw = SOURCE.value != STATIC and OF.source.value in (MODEL, BOTH)
    PROCESSED.show(disabled=raw)
    if PROCESSED.value != AS_IS and not raw and OF.source.value not in (BOTH, OCCURRENCES):
        st.toggle(
            "Next to the raw vectors",
            help="Shows two maps, of the raw and of the processed vectors. The second one is rotated to match the"
            " first.",
            **RAW.widget,
        )
    if METHOD.value == "t-SNE":
        st.toggle(
            "Repeat from five random starts",
            help="Repeats t-SNE from five random starts and reports how much of each neighbourhood stays the same. You"
            " can also colour the points by this share.",
            **STABILITY.widget,
        )


def _among(options: tuple[str, ...], drawn: Map | None, found: bool, stable: bool) -> tuple[str, ...]:
    """Return the options that this map supports."""
    columns: Any = () if drawn is None else drawn.points.columns
    there = {charts.FOUND: found, **{name: column in columns for name, (column, _) in charts.SCALES.items()}}
    there["stability"] = stable
    if drawn is not None and drawn.points["frequency_rank"].isna().all():
        there["frequency rank"] = False
    return tuple(option for option in options if there.get(option, True))
