"""Strip chart of next-sentence probabilities of many pairs, by label."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREY, MARGIN, SLATE, VERMILLION, floats, saved, wrap
from embtools.pairs.batch import Batch
from embtools.statistics.percentages import rounded

_JITTER = 0.28


def kinds(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The pairs by label, and the shuffled pairs: name → frame of first, second, probability."""
    shuffled = frame.dropna(subset="shuffled").assign(
        probability=lambda f: f["shuffled"], second="second sentence of another pair"
    )
    rows_by_kind = {
        "follows (yes)": frame[frame["label"] == "yes"],
        "does not follow (no)": frame[frame["label"] == "no"],
        "no label": frame[frame["label"] == ""],
        "shuffled pairs": shuffled,
    }
    return {name: rows[["first", "second", "probability"]] for name, rows in rows_by_kind.items() if len(rows)}


def strip(result: Batch) -> Chart:
    """One row per kind of pair with one mark per pair and a line at the mean; a dotted line at 50%."""
    by_kind = kinds(result.frame)
    return Chart(_figure(by_kind), result.frame, _alt(by_kind))


def _figure(by_kind: dict[str, pd.DataFrame]) -> go.Figure:
    marks = {
        "follows (yes)": (BLUE, "circle"),
        "does not follow (no)": (VERMILLION, "diamond"),
        "no label": (SLATE, "square"),
        "shuffled pairs": (GREY, "x"),
    }
    figure = go.Figure()
    rng = np.random.default_rng(0)
    for row, (name, rows) in enumerate(reversed(by_kind.items())):
        colour, symbol = marks[name]
        figure.add_scatter(
            x=floats(rows["probability"]),
            y=(row + rng.uniform(-_JITTER, _JITTER, len(rows))).astype(np.float32),
            mode="markers",
            showlegend=False,
            marker={"color": colour, "symbol": symbol, "size": 8, "opacity": 0.8},
            customdata=[wrap(f"{a} | {b}", 50) for a, b in zip(rows["first"], rows["second"], strict=True)],
            hovertemplate="%{customdata}<br>%{x:.1%}<extra></extra>",
        )
        mean = float(rows["probability"].mean())
        figure.add_shape(type="line", x0=mean, x1=mean, y0=row - 0.4, y1=row + 0.4, line={"color": colour, "width": 4})
    figure.add_vline(x=0.5, line={"color": SLATE, "dash": "dot", "width": 1.5})
    figure.update_layout(
        height=70 + 70 * len(by_kind),
        margin=MARGIN | {"t": 8},
        **saved(yaxis="kind of pair"),
        xaxis={
            "title": "probability that the second sentence follows",
            "range": [-0.02, 1.02],
            "tickformat": ".0%",
            "dtick": 0.25,
        },
        yaxis={"tickvals": list(range(len(by_kind))), "ticktext": list(reversed(by_kind))},
    )
    return figure


def _alt(by_kind: dict[str, pd.DataFrame]) -> str:
    """Number of pairs and mean probability of each kind."""
    parts = (
        f"{name}: {len(rows)} with a mean of {rounded(rows['probability'].mean())}" for name, rows in by_kind.items()
    )
    return f"Next-sentence probabilities of the pairs, by kind. {'; '.join(parts)}."
