"""Chart of the logit lens: the probability of words after each layer."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import COLOURS, LEGEND, LINES, MARGIN, floats, label

_MARGIN = 0.05  # share of a common axis that is empty at each end


def layers(frame: pd.DataFrame, ends: tuple[float, float] | None = None) -> Chart:
    """Draw one line per word over the layers, without the edit (thin, open marks) and with it (thick).

    `ends` are the ends of the axis for charts that are compared, see `ends`.
    """
    return Chart(_figure(frame, ends), frame, _alt(frame))


def ends(frames: Sequence[pd.DataFrame]) -> tuple[float, float]:
    """Return the ends of a logarithmic axis on which the probabilities of all these frames fit."""
    low, high = (np.log10(extreme(extreme(frame["probability"]) for frame in frames)) for extreme in (min, max))
    return float(low - _MARGIN * (high - low)), float(high + _MARGIN * (high - low))


def _figure(frame: pd.DataFrame, ends: tuple[float, float] | None) -> go.Figure:
    figure = go.Figure()
    for number, (token, group) in enumerate(frame.groupby("token", sort=False)):
        for run, line in group.groupby("run", sort=False):
            edited = run == "edited"
            figure.add_scatter(
                x=floats(line["layer"]), y=floats(line["probability"]), mode="lines+markers",
                name=f"{label(str(token))}, {run}",
                line={"color": COLOURS[number % len(COLOURS)], "width": 3 if edited else 1.5,
                      "dash": LINES[number % len(LINES)]},
                marker={"symbol": "circle" if edited else "circle-open", "size": 7},
                hovertemplate="%{y:.1%} after layer %{x}",
            )  # fmt: skip
    figure.update_layout(
        height=360, hovermode="x unified", legend=LEGEND, margin=MARGIN,
        xaxis={"title": "layer (0: embeddings)", "dtick": 1},
        yaxis={"tickformat": ".2~%", "title": "probability (logarithmic)", "type": "log", "nticks": 6},
    )  # fmt: skip
    if ends is not None:
        figure.update_yaxes(range=list(ends))
    return figure


def _alt(frame: pd.DataFrame) -> str:
    """Describe the lens by the top answer of each run after every layer."""
    firsts = frame.drop_duplicates(["run", "layer"]).groupby("run", sort=False)["top_answer"]
    return "Top answer after each layer. " + " ".join(f"{run}: {', '.join(words)}." for run, words in firsts)
