"""Chart of the logit lens: answers over the layers."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.style import COLOURS, LEGEND, LINES, MARGIN, floats, label


def layers(frame: pd.DataFrame) -> go.Figure:
    """A line per word over the layers, before (thin, open marks) and after (thick) the edit."""
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
    return figure


def alt(frame: pd.DataFrame) -> str:
    """The lens in a sentence: each run's first answer after every layer."""
    firsts = frame.drop_duplicates(["run", "layer"]).groupby("run", sort=False)["first"]
    return "First answer after each layer. " + " ".join(f"{run}: {', '.join(words)}." for run, words in firsts)
