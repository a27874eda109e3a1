"""Bars of an average effect over layers: attention and feed-forward outputs, and blocked attention, with controls."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, LEGEND, MARGIN, MAUVE, VERMILLION, floats, whiskers
from embtools.charts.tracing.average import axis, panels, reach
from embtools.charts.tracing.positions import number
from embtools.tracing.averages import Average
from embtools.tracing.cases import CONDITIONS
from embtools.tracing.components import PARTS
from embtools.tracing.knockout import ALL_LAYERS, KNOCKOUT
from embtools.tracing.positions import SUFFICIENCY

_LOOKS = dict(zip(PARTS, ((BLUE, ""), (VERMILLION, "/")), strict=True))


def ends(results: Sequence[Average], name: str) -> tuple[float, float]:
    """The ends of the vertical axis of "parts" or "knockouts" for several results."""
    column = {"parts": SUFFICIENCY, "knockouts": KNOCKOUT}[name]
    low, high = reach([getattr(each, name) for each in results], column)
    high = max(1.0, high)
    room = 0.06 * (high - low)
    return (low - room if low else 0.0, high + room)


def parts(result: Average, ends: tuple[float, float] | None = None) -> Chart:
    """One panel per condition: bars for the attention and the feed-forward output of each layer at the mask."""
    figure = go.Figure()
    for panel, condition in enumerate(CONDITIONS):
        for name, (colour, pattern) in _LOOKS.items():
            rows = _rows(result.parts, condition)
            rows = rows[rows["component"] == name]
            _bars(figure, rows, SUFFICIENCY, panel, {"color": colour, "pattern": {"shape": pattern}}, name)
    _layout(figure, ends, "share of the edit's effect")
    return Chart(figure, result.parts, _parts_alt(result))


def knockouts(result: Average, ends: tuple[float, float] | None = None) -> Chart:
    """One panel per condition: what is lost if the mask cannot attend to the edited word, by layer and in all."""
    figure = go.Figure()
    for panel, condition in enumerate(CONDITIONS):
        _bars(figure, _rows(result.knockouts, condition), KNOCKOUT, panel, {"color": MAUVE}, "")
    _layout(figure, ends, "share that is lost")
    figure.update_layout(height=284, margin={"b": 48}, showlegend=False)
    return Chart(figure, result.knockouts, _knockouts_alt(result))


def _rows(frame: pd.DataFrame, condition: str) -> pd.DataFrame:
    return frame[frame["condition"] == condition]


def _bars(figure: go.Figure, rows: pd.DataFrame, column: str, panel: int, marker: dict[str, object], name: str) -> None:
    figure.add_bar(
        x=rows["layer"].tolist(),
        y=floats(rows[column]),
        error_y=whiskers(rows[column], rows["low"], rows["high"], thickness=1.2, width=2),
        marker=marker,
        name=name,
        legendgroup=name,
        showlegend=bool(name) and panel == 0,
        xaxis=axis(panel),
        yaxis="y",
        hovertemplate=f"layer %{{x}}: %{{y:.0%}}<extra>{name}</extra>",
    )


def _layout(figure: go.Figure, ends: tuple[float, float] | None, title: str) -> None:
    figure.update_layout(
        height=320,
        margin={**MARGIN, "t": 58, "b": 84, "l": 64},
        legend=LEGEND,
        barmode="group",
        yaxis={"title": title, "tickformat": ".0%", "fixedrange": True} | ({"range": list(ends)} if ends else {}),
        **panels({"title": "layer", "type": "category", "fixedrange": True}),
    )


def _parts_alt(result: Average) -> str:
    texts = []
    for condition in CONDITIONS:
        rows = _rows(result.parts, condition)
        if rows[SUFFICIENCY].isna().any():
            return "Bar chart of the parts of each layer. The edit has no effect, so there are no shares."
        best = rows.loc[rows[SUFFICIENCY].idxmax()]
        share = number(best[SUFFICIENCY], True)
        texts.append(f"{condition}: {best['component']} of layer {best['layer']}, {share}")
    return (
        "Bar chart of the parts of each layer at [MASK], as shares of the edit's effect. Largest shares, for"
        f" {'; for '.join(texts)}."
    )


def _knockouts_alt(result: Average) -> str:
    texts = []
    for condition in CONDITIONS:
        rows = _rows(result.knockouts, condition)
        if rows[KNOCKOUT].isna().any():
            return "Bar chart of what is lost. The edit has no effect, so there are no shares."
        every = rows["layer"] == ALL_LAYERS
        best = rows[~every].loc[rows[~every][KNOCKOUT].idxmax()]
        lost = f"{number(best[KNOCKOUT], True)} in layer {best['layer']}"
        texts.append(f"{condition}: {lost}, {number(rows[every][KNOCKOUT].iloc[0], True)} in all layers")
    return (
        "Bar chart of what is lost, as shares of the edit's effect, if [MASK] cannot attend to the edited word. Largest"
        f" losses, for {'; for '.join(texts)}."
    )
