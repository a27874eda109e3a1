"""Charts of layer combinations compared on fifty words, and of the geometry of the layers."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import (
    BLUE,
    GREEN,
    GREY,
    INK,
    LEGEND,
    MARGIN,
    MAUVE,
    NUMBERED_WITH_LEGEND,
    SLATE,
    TINTS,
    VERMILLION,
    floats,
    saved,
    whiskers,
    wrap,
)
from embtools.layers.survey import FiftyWords, Survey
from embtools.statistics.decimals import decimal
from embtools.vectors import Array

_SERIES = (
    (BLUE, "circle"),
    (SLATE, "circle-open"),
    (VERMILLION, "diamond"),
    (MAUVE, "square"),
    (GREEN, "triangle-up"),
)


def stability(result: FiftyWords, also: FiftyWords | None = None) -> Chart:
    """Mean AUC with its interval: one row per layer combination, one mark per pooling, lines for chance and control.

    `also` is the result of another model whose chart gets the same scale.
    """
    every, control, best = result.scores.iloc[:-1], result.scores.iloc[-1], result.best
    alt = (
        f"Mean AUC of {every['combination'].nunique()} layer combinations with 95% intervals. The best is"
        f" {best['combination']}, {best['pooling']}, with {best['auc']:.2f}. The control without a model has"
        f" {control['auc']:.2f}."
    )
    return Chart(_stability(result.scores, also.scores if also else None), result.scores, alt)


def _stability(frame: pd.DataFrame, also: pd.DataFrame | None) -> go.Figure:
    control, frame = frame.iloc[-1], frame.iloc[:-1]
    combinations = list(frame["combination"].unique())
    poolings = list(frame["pooling"].unique())
    within = "" if frame["low"].isna().any() else " (%{customdata[0]:.3f} to %{customdata[1]:.3f})"
    figure = go.Figure()
    for number, pooling in enumerate(poolings):
        colour, symbol = _SERIES[number]
        group = frame[frame["pooling"] == pooling]
        figure.add_scatter(
            x=floats(group["auc"]),
            y=np.arange(len(combinations), dtype=np.float32) + (number - 2) * 0.15,
            mode="markers",
            name=pooling,
            marker={"color": colour, "symbol": symbol, "size": 8},
            error_x=whiskers(group["auc"], group["low"], group["high"], thickness=1, width=0),
            customdata=np.stack([group["low"], group["high"], group["best"]], axis=1).astype(np.float32),
            hovertemplate=f"{pooling}: %{{x:.3f}}{within}<br>best in %{{customdata[2]:.0%}} of the resamples"
            "<extra></extra>",
        )
    figure.add_vline(
        x=0.5, line={"width": 2, "color": GREY}, annotation_text="chance", annotation_position="bottom right"
    )
    figure.add_vline(x=float(control["auc"]), line={"width": 2, "dash": "dot", "color": GREY})
    figure.update_layout(
        height=110 + 32 * len(combinations),
        margin=MARGIN,
        legend=LEGEND,
        **saved(yaxis="layer combination"),
        xaxis={"title": "mean AUC over the words", **_range([frame, also], ["auc", "low", "high"], 0.5)},
        yaxis={
            "tickvals": list(range(len(combinations))),
            "ticktext": [wrap(r, 20) for r in combinations],
            "range": [len(combinations) - 0.4, -0.6],
            "zeroline": False,
        },
    )
    return figure


def geometry(result: Survey, also: Survey | None = None) -> Chart:
    """Self-similarity, anisotropy and their difference in every layer.

    `also` is the survey of another model whose chart gets the same scale.
    """
    figure = _geometry(result.geometry, also.geometry if also else None)
    return Chart(figure, result.geometry, _geometry_alt(result.geometry))


def _geometry(frame: pd.DataFrame, also: pd.DataFrame | None) -> go.Figure:
    figure = go.Figure()
    for column, name, colour, symbol, dash in (
        ("self_similarity", "self-similarity", BLUE, "circle", "solid"),
        ("anisotropy", "anisotropy", VERMILLION, "diamond", "dash"),
        ("adjusted", "self-similarity minus anisotropy", GREEN, "square", "dot"),
    ):
        figure.add_scatter(
            x=floats(frame["layer"]),
            y=floats(frame[column]),
            mode="lines+markers",
            name=name,
            line={"color": colour, "dash": dash, "width": 2.5},
            marker={"symbol": symbol, "size": 9},
            hovertemplate=name + " in layer %{x}: %{y:.3f}<extra></extra>",
        )
    figure.update_layout(
        height=400,
        margin=NUMBERED_WITH_LEGEND,
        legend=LEGEND,
        xaxis={"title": "layer (0: input embedding)", "dtick": 1 if len(frame) <= 13 else 4},
        yaxis={
            "title": "mean cosine",
            "rangemode": "tozero",
            **_range([frame, also], ["self_similarity", "anisotropy", "adjusted"], 0.0),
        },
    )
    return figure


def _range(frames: list[pd.DataFrame | None], columns: list[str], least: float) -> dict[str, list[float]]:
    """The range of an axis for these columns of two frames, including `least`; empty for a single frame."""
    both = [frame[columns].to_numpy() for frame in frames if frame is not None]
    if len(both) < 2:
        return {}
    low, high = min(least, *(float(np.nanmin(v)) for v in both)), max(float(np.nanmax(v)) for v in both)
    return {"range": [low - 0.04 * (high - low), high + 0.04 * (high - low)]}


def _geometry_alt(frame: pd.DataFrame) -> str:
    first, last = frame.iloc[0], frame.iloc[-1]
    return (
        f"From layer 0 to layer {int(last['layer'])}, self-similarity changes from {decimal(first['self_similarity'])}"
        f" to {decimal(last['self_similarity'])}, anisotropy from {decimal(first['anisotropy'])} to"
        f" {decimal(last['anisotropy'])}, and their difference from {decimal(first['adjusted'])} to"
        f" {decimal(last['adjusted'])}."
    )


def layer_similarity(result: Survey) -> Chart:
    """Heatmap of the similarity of every two layers, with numbers in the cells if there are few layers."""
    table = pd.DataFrame(result.similarity).round(4)
    table.insert(0, "layer", range(len(table)))
    return similarity_heatmap(result.similarity, table.rename(columns=str), _layer_similarity_alt(result.similarity))


def similarity_heatmap(values: Array, frame: pd.DataFrame, alt: str) -> Chart:
    """A heatmap of CKA: a row and a column per layer, with numbers in the cells if there are few layers."""
    count = len(values)
    figure = go.Figure(
        go.Heatmap(
            z=values.astype(np.float32),
            colorscale=[(0.0, TINTS[1][1]), (1.0, TINTS[2][1])],
            zmin=0,
            zmax=1,
            texttemplate="%{z:.2f}" if count <= 9 else "",
            textfont={"color": INK},
            hovertemplate="layers %{y} and %{x}: %{z:.3f}<extra></extra>",
            colorbar={"thickness": 10},
        )
    )
    step = 1 if count <= 13 else 4
    figure.update_layout(
        height=388,
        margin=MARGIN,
        xaxis={"title": "layer", "dtick": step, "constrain": "domain", "showgrid": False, "zeroline": False},
        yaxis={
            "title": "layer",
            "dtick": step,
            "scaleanchor": "x",
            "constrain": "domain",
            "showgrid": False,
            "zeroline": False,
        },
    )
    return Chart(figure, frame, alt)


def _layer_similarity_alt(values: Array) -> str:
    steps = np.diag(values, 1)
    at = int(steps.argmin())
    return (
        f"Similarity of layers (CKA). The first and the last layer have a similarity of {decimal(values[0, -1])}."
        f" For neighbouring layers, it is between {decimal(steps.min())} (layers {at} and {at + 1}) and"
        f" {decimal(steps.max())}."
    )
