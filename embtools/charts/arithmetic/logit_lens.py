"""Chart of the logit lens and the tuned lens next to each other: the probability of words after each layer."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import COLOURS, INK, LEGEND, LINES, MARGIN, floats, label

_MARGIN = 0.05  # share of a common axis that is empty at each end
_GAP = 0.06  # between both lenses, as a share of the width


def layers(frame: pd.DataFrame, ends: tuple[float, float] | None = None) -> Chart:
    """Draw one line per word over the layers, without the edit (thin, open marks) and with it (thick), for each lens.

    `frame` is that of `both_lenses`. `ends` are the ends of the axis for charts that are compared, see `ends`.
    """
    return Chart(_figure(frame, ends), frame, _alt(frame))


def ends(frames: Sequence[pd.DataFrame]) -> tuple[float, float]:
    """Return the ends of a logarithmic axis on which the probabilities of all these frames fit."""
    low, high = (np.log10(extreme(extreme(frame["probability"]) for frame in frames)) for extreme in (min, max))
    return float(low - _MARGIN * (high - low)), float(high + _MARGIN * (high - low))


def _figure(frame: pd.DataFrame, ends: tuple[float, float] | None) -> go.Figure:
    figure = go.Figure()
    lenses = list(frame["lens"].unique())
    for index, ((lens, token), group) in enumerate(frame.groupby(["lens", "token"], sort=False)):
        column, number = lenses.index(lens), index % frame["token"].nunique()
        for run, line in group.groupby("run", sort=False):
            edited, name = run == "edited", f"{label(str(token))}, {run}"
            figure.add_scatter(
                x=floats(line["layer"]), y=floats(line["probability"]), mode="lines+markers", name=name,
                xaxis=f"x{column + 1}" if column else "x", legendgroup=name, showlegend=column == 0,
                line={"color": COLOURS[number % len(COLOURS)], "width": 3 if edited else 1.5,
                      "dash": LINES[number % len(LINES)]},
                marker={"symbol": "circle" if edited else "circle-open", "size": 7},
                hovertemplate="%{y:.1%} after layer %{x}",
            )  # fmt: skip
    axis = {"title": "layer (0: embeddings)", "dtick": 1, "anchor": "y"}
    width = (1 + _GAP) / len(lenses)  # of a lens and the gap after it
    spans = [(number * width, (number + 1) * width - _GAP) for number in range(len(lenses))]
    titles = [_title(name, start) for name, (start, _) in zip(lenses, spans, strict=True)]
    figure.update_layout(
        height=360, hovermode="x unified", legend=LEGEND, margin=MARGIN | {"t": 30}, annotations=titles,
        **{f"xaxis{number or ''}": axis | {"domain": list(span)}
           for number, span in zip((0, 2), spans, strict=False)},
        yaxis={"tickformat": ".2~%", "title": "probability (logarithmic)", "type": "log", "nticks": 6},
    )  # fmt: skip
    if ends is not None:
        figure.update_yaxes(range=list(ends))
    return figure


def _title(lens: str, x: float) -> dict[str, object]:
    """Return the title above the lines of a lens."""
    return {
        **{"text": f"<b>{lens.capitalize()}</b>", "x": x, "y": 1, "xref": "paper", "yref": "paper"},
        **{"xanchor": "left", "yanchor": "bottom", "showarrow": False, "font": {"color": INK, "size": 13}},
    }


def _alt(frame: pd.DataFrame) -> str:
    """Describe both lenses by the top answer of each run after every layer."""
    firsts = frame.drop_duplicates(["lens", "run", "layer"]).groupby(["lens", "run"], sort=False)["top_answer"]
    named = (f"{lens.capitalize()}, {run}: {', '.join(words)}." for (lens, run), words in firsts)
    return f"Top answer after each layer. {' '.join(named)}"
