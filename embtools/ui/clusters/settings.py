"""How the map is drawn: what stands above the tabs beside it, and the second of them."""

from typing import Any

import streamlit as st

from embtools.charts.clusters import maps as charts
from embtools.clusters.maps import Map
from embtools.ui import glossary
from embtools.ui.clusters.asking import (
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
    PERPLEXITY,
    PROCESSED,
    SEED,
    SOURCE,
    STABILITY,
    START,
    STATIC,
)

_NAMES = ("Axis across", "Axis up", "Axis in depth")


def method() -> None:
    """By what method the points are placed, and what this method asks for."""
    st.segmented_control(
        "Map by",
        required=True,
        help=" ".join(f"{name}: {glossary.definition(name)}" for name in ("t-SNE", "PCA", "axes", "group means")),
        **METHOD.widget,
    )
    if METHOD.value == "t-SNE":
        st.slider("Perplexity", help=f"{glossary.definition('perplexity')} 5 in Figure 1.", **PERPLEXITY.widget)
    if METHOD.value == "axes":
        for name, axis in zip(_NAMES, AXES[: int(DIMENSIONS.value)], strict=False):
            st.text_input(name, help=glossary.definition("axes"), **axis.widget)


def show(drawn: Map | None, found: bool, stable: bool) -> None:
    """The fields of the picture first, then those of the space, then what else can be drawn."""
    left, right = st.columns(2, gap="small")
    left.selectbox("Colour by", **COLOUR.among(_among(COLOUR.options, drawn, found, stable)))
    right.selectbox("Label by", **LABEL.among(_among(LABEL.options, drawn, found, stable)))
    left.segmented_control("Distance", required=True, help=_distance(), **METRIC.widget)
    right.segmented_control(
        "Dimensions",
        required=True,
        help="3 needs a browser with WebGL, and points cannot be selected in it.",
        **DIMENSIONS.widget,
    )
    left.toggle("Centre", help=glossary.definition("centre"), **CENTRE.widget)
    right.toggle("Normalise", help=glossary.definition("normalise"), **NORMALISE.widget)
    if METHOD.value == "t-SNE":
        left.segmented_control(
            "Start",
            required=True,
            help="pca: the same for every seed. random: places drawn by the seed.",
            **START.widget,
        )
    right.number_input("Seed", help=glossary.definition("seed"), **SEED.widget)
    left.number_input("Find clusters", help=f"How many (2 or more). {glossary.definition('k-means')}", **FOUND.widget)
    right.selectbox(
        "Second map",
        help="The same words by another method. What is selected on one map is marked on the other.",
        **BESIDE.widget,
    )
    if DIMENSIONS.value == "2":
        st.toggle("Lines of density", help=glossary.definition("density"), **DENSITY.widget)
    PROCESSED.show(disabled=SOURCE.value != STATIC)
    if METHOD.value == "t-SNE":
        st.toggle(
            "Also from five random starts",
            help="How much of each neighbourhood returns when t-SNE begins elsewhere? A number, and a way to colour.",
            **STABILITY.widget,
        )


def _distance() -> str:
    return f"Cosine: {glossary.definition('cosine')} Euclidean: {glossary.definition('Euclidean distance')}"


def _among(options: tuple[str, ...], drawn: Map | None, found: bool, stable: bool) -> tuple[str, ...]:
    """Those of the options that this map has."""
    columns: Any = () if drawn is None else drawn.points.columns
    there = {charts.FOUND: found, **{name: column in columns for name, (column, _) in charts.SCALES.items()}}
    there["stability"] = stable
    return tuple(option for option in options if there.get(option, True))
