"""Charts of the cosines of pairs of occurrences: over the layers, and for one layer combination."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREY, LEGEND, MARGIN, NUMBERED_WITH_LEGEND, VERMILLION, floats, label, saved
from embtools.layers.senses import DIFFERENT, SAME, UNKNOWN
from embtools.messages import counted, listed
from embtools.statistics.decimals import decimal

# Each kind has its own colour, shape and dash, so that colour alone never carries the meaning.
KINDS = {
    SAME: (BLUE, "circle", "solid"),
    DIFFERENT: (VERMILLION, "diamond", "dash"),
    UNKNOWN: (GREY, "square", "dot"),
}
_FEW = 6  # up to this many pairs get their own line and name


def pair_lines(lines: pd.DataFrame, also: pd.DataFrame | None = None) -> Chart:
    """One line per pair of occurrences over the layers, coloured by kind; with many pairs, the mean is highlighted.

    lines: first, second, kind, pair, layer, cosine. also: the lines of another model, whose chart gets the same scale.
    """
    return Chart(_pair_lines(lines, also), lines, _pair_lines_alt(lines))


def _pair_lines(lines: pd.DataFrame, also: pd.DataFrame | None) -> go.Figure:
    figure = go.Figure()
    few = lines["pair"].nunique() <= _FEW
    for kind, (colour, symbol, dash) in KINDS.items():
        group = lines[lines["kind"] == kind]
        if group.empty:
            continue
        if few:
            for number, (pair, line) in enumerate(group.groupby("pair", sort=False)):
                mark = {"symbol": symbol + ("-open" if number % 2 else ""), "size": 9}
                figure.add_scatter(**_line(line, label(str(pair)), colour, dash, 2.5), marker=mark)
            continue
        # One trace with gaps instead of up to 190: building a trace takes milliseconds.
        rows = group["cosine"].to_numpy(np.float32).reshape(-1, lines["layer"].nunique())
        names = [label(p) for p in group["pair"].unique()]
        figure.add_scatter(
            x=np.tile(np.append(np.arange(rows.shape[1], dtype=np.float32), np.nan), len(rows)),
            y=np.pad(rows, ((0, 0), (0, 1)), constant_values=np.nan).ravel(),
            text=[name for name in names for _ in range(rows.shape[1] + 1)],
            mode="lines",
            legendgroup=kind,
            showlegend=False,
            opacity=0.35,
            line={"color": colour, "dash": dash, "width": 1},
            hovertemplate="%{text}<br>layer %{x}: %{y:.3f}<extra></extra>",
        )
        mean = group.groupby("layer", as_index=False)["cosine"].mean()
        mark = {"symbol": symbol, "size": 10}
        figure.add_scatter(**_line(mean, f"{kind} (mean)", colour, dash, 4), legendgroup=kind, marker=mark)
    figure.update_layout(
        height=430 + (18 * lines["pair"].nunique() if few else 0),
        margin=NUMBERED_WITH_LEGEND,
        legend=LEGEND,
        xaxis={"title": "layer (0: input embedding)", "dtick": 1 if lines["layer"].max() <= 12 else 4},
        yaxis={"title": "cosine", **({} if also is None else {"range": _ends(lines["cosine"], also["cosine"])})},
    )
    return figure


def _ends(*cosines: pd.Series) -> list[float]:
    return [min(float(c.min()) for c in cosines) - 0.03, max(float(c.max()) for c in cosines) + 0.03]


def _line(line: pd.DataFrame, name: str, colour: str, dash: str, width: float) -> dict[str, Any]:
    return {
        "x": floats(line["layer"]),
        "y": floats(line["cosine"]),
        "mode": "lines+markers",
        "name": name,
        "line": {"color": colour, "dash": dash, "width": width},
        "hovertemplate": name + "<br>layer %{x}: %{y:.3f}<extra></extra>",
    }


def _pair_lines_alt(lines: pd.DataFrame) -> str:
    last = int(lines["layer"].max())
    parts = []
    for kind, group in lines.groupby("kind", sort=False):
        mean = group.groupby("layer")["cosine"].mean()
        parts.append(
            f"For pairs with {_named(kind)}, the mean is {decimal(mean.loc[0])} in layer 0 and"
            f" {decimal(mean.loc[last])} in layer {last}."
        )
    return f"Cosines of {lines['pair'].nunique()} pairs of occurrences in layers 0 to {last}. {' '.join(parts)}"


def strip(pairs: pd.DataFrame, also: pd.DataFrame | None = None) -> Chart:
    """Strip chart of the cosines of each kind of pair. pairs: kind, pair, cosine.

    also: the pairs of another model, whose chart gets the same scale.
    """
    return Chart(_strip(pairs, also), pairs, _strip_alt(pairs))


def _strip(pairs: pd.DataFrame, also: pd.DataFrame | None) -> go.Figure:
    figure = go.Figure()
    for kind, (colour, symbol, _) in KINDS.items():
        group = pairs[pairs["kind"] == kind].dropna(subset="cosine")
        if len(group):
            figure.add_scatter(
                x=floats(group["cosine"]),
                y=[kind.replace(" ", "<br>", 1)] * len(group),
                mode="markers",
                showlegend=False,
                marker={"color": colour, "symbol": symbol + "-open", "size": 13, "line": {"width": 2}},
                customdata=[label(p) for p in group["pair"]],
                hovertemplate="%{customdata}: %{x:.3f}<extra></extra>",
            )
    figure.update_layout(
        height=110 + 48 * max(1, pairs["kind"].nunique()),
        margin=MARGIN,
        **saved(yaxis="pairs"),
        xaxis={"title": "cosine", **({} if also is None else {"range": _ends(pairs["cosine"], also["cosine"])})},
        yaxis={"type": "category", "autorange": "reversed"},
    )
    return figure


def _strip_alt(pairs: pd.DataFrame) -> str:
    parts = []
    for kind, group in pairs.dropna(subset="cosine").groupby("kind", sort=False):
        low, high = decimal(group["cosine"].min()), decimal(group["cosine"].max())
        values = low if low == high else f"{low} to {high}"
        parts.append(f"{values} for {counted(len(group), 'pair')} with {_named(kind)}")
    return f"Cosines of the pairs: {listed(parts) or 'there is nothing to compare'}."


def _named(kind: str) -> str:
    """Return a kind of pairs as it follows "pairs with".

    >>> _named(SAME), _named(DIFFERENT), _named(UNKNOWN)
    ('the same sense', 'different senses', 'no sense given')
    """
    return f"the {kind}" if kind == SAME else kind
