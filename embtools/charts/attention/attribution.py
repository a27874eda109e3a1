"""Heatmap of how much an answer depends on each token by five measures, and the agreement of the measures."""

import numpy as np
import plotly.graph_objects as go

from embtools.attention.attribution import COLUMNS, METHODS, Agreement, Attribution
from embtools.charts.chart import Chart
from embtools.charts.style import INK, MARGIN, MAUVE, TINTS, floats, label, saved, whiskers
from embtools.statistics.decimals import decimal

_WRITTEN = 24  # with more tokens, a cell is too narrow for its number


def measures(result: Attribution, hide_special: bool = False) -> Chart:
    """Measures down and tokens across, each row on its own scale; blue supports the answer, orange opposes it.

    With `hide_special`, [CLS] and [SEP] have no column.
    """
    tokens = result.tokens[~result.special] if hide_special else result.tokens
    z = tokens[list(COLUMNS)].to_numpy(np.float64).T
    counted = tokens["compared"].to_numpy()
    most = np.abs(z[:, counted]).max(axis=1, keepdims=True) if counted.any() else np.ones((len(z), 1))
    share = np.clip(z / np.where(most == 0, 1, most), -1, 1)
    share[:, ~counted] = np.nan
    names = [label(token) for token in tokens["token"]]
    figure = go.Figure(
        go.Heatmap(
            z=share.astype(np.float32),
            customdata=z.astype(np.float32),
            x=list(range(len(names))),
            y=list(range(len(METHODS))),
            text=[[decimal(v) if c else "" for v, c in zip(row, counted, strict=True)] for row in z],
            texttemplate="%{text}" if len(names) <= _WRITTEN else None,
            textfont={"color": INK, "size": 11},
            zmin=-1,
            zmax=1,
            colorscale=TINTS,
            showscale=False,
            hoverongaps=False,
            xgap=2,
            ygap=3,
            hovertemplate="%{customdata:.3f}<extra></extra>",
        )
    )
    bare = {"showgrid": False, "zeroline": False, "fixedrange": True, "tickmode": "array"}
    figure.update_layout(
        height=300,
        margin={**MARGIN, "t": 40},
        **saved(xaxis="token", yaxis="measure"),
        xaxis={**bare, "tickvals": list(range(len(names))), "ticktext": names, "side": "top", "tickangle": -35},
        yaxis={**bare, "tickvals": list(range(len(METHODS))), "ticktext": list(METHODS), "autorange": "reversed"},
    )
    return Chart(figure, result.tokens, _measures_alt(result, len(tokens)))


def _measures_alt(result: Attribution, shown: int) -> str:
    tops = ", ".join(f"{row.method}: “{row.top_token}”" for row in result.agreement.itertuples())
    hidden = " [CLS] and [SEP] are not shown." if shown < len(result.tokens) else ""
    return (
        f"Heatmap of five measures for {shown} tokens and the answer {result.answer}."
        f" The top token of each measure: {tops}.{hidden}"
    )


def agreement(result: Agreement) -> Chart:
    """Each method's mean ρ with leave one out over many sentences, and its interval."""
    table = result.frame
    figure = go.Figure(
        go.Scatter(
            x=floats(table["rho"]),
            y=table["method"],
            mode="markers",
            error_x=whiskers(table["rho"], table["low"], table["high"], thickness=2),
            marker={"size": 11, "color": MAUVE},
            hovertemplate="%{y}: %{x:.2f}<extra></extra>",
        )
    )
    figure.update_layout(
        height=230,
        margin=MARGIN,
        **saved(yaxis="measure"),
        xaxis={"title": "mean ρ with leave one out", "range": [-1, 1]},
        yaxis={"type": "category", "autorange": "reversed"},
    )
    means = ", ".join(f"{row.method} {decimal(row.rho)}" for row in table.itertuples())
    return Chart(figure, table, f"Mean rank correlation with leave one out: {means}.")
