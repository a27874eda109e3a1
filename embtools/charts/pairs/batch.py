"""A chart of the Pairs page: the probabilities of many pairs, those that follow and those that do not."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.style import BLUE, GREY, MARGIN, SLATE, VERMILLION, floats, wrap

_JITTER = 0.28


def kinds(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The pairs by what is known of them, and the dealt ones: name → frame of first, second, probability."""
    dealt = frame.dropna(subset="dealt").assign(probability=lambda f: f["dealt"], second="another pair's second")
    found = {
        "follows (yes)": frame[frame["label"] == "yes"],
        "does not (no)": frame[frame["label"] == "no"],
        "not labelled": frame[frame["label"] == ""],
        "dealt anew": dealt,
    }
    return {name: rows[["first", "second", "probability"]] for name, rows in found.items() if len(rows)}


def strip(frame: pd.DataFrame) -> go.Figure:
    """A point for each pair in the row of its kind, with a bar at their mean; right of the rule BERT says it follows.

    frame: first, second, probability, label, dealt.
    """
    looks = {
        "follows (yes)": (BLUE, "circle"),
        "does not (no)": (VERMILLION, "diamond"),
        "not labelled": (SLATE, "square"),
        "dealt anew": (GREY, "x"),
    }
    figure = go.Figure()
    rng = np.random.default_rng(0)
    found = kinds(frame)
    for place, (name, rows) in enumerate(reversed(found.items())):
        colour, symbol = looks[name]
        figure.add_scatter(
            x=floats(rows["probability"]),
            y=(place + rng.uniform(-_JITTER, _JITTER, len(rows))).astype(np.float32),
            mode="markers",
            showlegend=False,
            marker={"color": colour, "symbol": symbol, "size": 8, "opacity": 0.8},
            customdata=[wrap(f"{a} | {b}", 50) for a, b in zip(rows["first"], rows["second"], strict=True)],
            hovertemplate="%{customdata}<br>%{x:.1%}<extra></extra>",
        )
        mean = float(rows["probability"].mean())
        figure.add_shape(
            type="line", x0=mean, x1=mean, y0=place - 0.4, y1=place + 0.4, line={"color": colour, "width": 4}
        )
    figure.add_vline(x=0.5, line={"color": SLATE, "dash": "dot", "width": 1.5})
    figure.update_layout(
        height=70 + 70 * len(found),
        margin=MARGIN | {"t": 8},
        xaxis={"title": "probability that it follows", "range": [-0.02, 1.02], "tickformat": ".0%", "dtick": 0.25},
        yaxis={"tickvals": list(range(len(found))), "ticktext": list(reversed(found))},
    )
    return figure


def alt(frame: pd.DataFrame) -> str:
    """The strip in a sentence."""
    parts = (f"{name}: {len(rows)}, mean {rows['probability'].mean():.0%}" for name, rows in kinds(frame).items())
    return f"Next-sentence probabilities by kind of pair. {'; '.join(parts)}."
