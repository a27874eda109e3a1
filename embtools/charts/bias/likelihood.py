"""Charts of log-probability scores: their ranges over sentences, and their relation to projections on a direction."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.bias.groups import rows_of
from embtools.charts.labels import arranged
from embtools.charts.style import COLOURS, GREY, LEGEND, MARGIN, floats, label, whiskers
from embtools.vectors import Array

_NAMED, _ROOM = 24, (430, 280)  # number of labels in the scatter plot (more would overlap), and its size in pixels


def ranges(summary: pd.DataFrame, first: str, second: str, reach: float = 0) -> go.Figure:
    """One row per word: its mean score over the sentences and their range; a hollow mark if the sentences disagree.

    summary: occupation, score, lowest, highest, agree; the highest score is at the top. reach: the length of the axis
    on either side of zero, for two figures that share an axis.
    """
    first, second = label(first), label(second)
    figure = go.Figure()
    agree, low = summary["agree"], summary["score"] < 0
    for name, symbol, width, colour, part in (
        (f"leans towards {first}", "circle", 0, COLOURS[0], agree & low),
        (f"leans towards {second}", "diamond", 0, COLOURS[1], agree & ~low),
        ("sentences disagree", "circle-open", 2, GREY, ~agree),
    ):
        rows = summary[part]
        if len(rows):
            figure.add_scatter(
                x=floats(rows["score"]),
                y=[label(w) for w in rows["occupation"]],
                mode="markers",
                name=name,
                marker={"color": colour, "size": 10, "symbol": symbol, "line": {"width": width}},
                error_x=whiskers(rows["score"], rows["lowest"], rows["highest"], thickness=1.5, width=0, color=colour),
                hovertemplate="%{y}: %{x:+.2f}<extra></extra>",
            )
    figure.add_vline(x=0, line={"width": 1.5, "dash": "dot", "color": GREY})
    figure.update_layout(
        height=120 + (20 if len(summary) <= 12 else 18) * len(summary),
        legend=LEGEND | {"xref": "container"},
        margin=MARGIN | {"t": 4},
        xaxis={
            "title": f"← {first} · score (nats) · {second} →",
            "zeroline": False,
            **({"range": [-1.06 * reach, 1.06 * reach]} if reach else {}),
        },
        yaxis=rows_of([label(w) for w in summary["occupation"]]),
    )
    return figure


def ranges_alt(summary: pd.DataFrame, first: str, second: str) -> str:
    """Alt text of the scores: the lowest and the highest."""
    low, high = summary.iloc[0], summary.iloc[-1]
    return (
        f"Scores of {len(summary)} words, from {low['score']:+.2f} ({low['occupation']}, towards {first}) to"
        f" {high['score']:+.2f} ({high['occupation']}, towards {second})."
    )


def agreement(both: pd.DataFrame, first: str, second: str) -> go.Figure:
    """Scatter plot of two measures of the same words. both: occupation, projection, score, agree."""
    first, second = label(first), label(second)
    figure = go.Figure()
    order = (-(_rank(both["projection"]) ** 2 + _rank(both["score"]) ** 2)).argsort().tolist()
    spread = both[["projection", "score"]].to_numpy(np.float64)
    # Only extreme words are labelled, because more labels would overlap. The others show their name on hover.
    pixels = spread / np.maximum(np.ptp(spread, axis=0), 1e-9) * _ROOM
    shown = arranged(pixels, [round(1.4 * len(w)) for w in both["occupation"]], order[:_NAMED], _ROOM)
    positions = pd.Series([shown.get(n, "") for n in range(len(both))], index=both.index)
    for agree, name, symbol, colour in (
        (True, "all sentences agree", "circle", COLOURS[0]),
        (False, "sentences disagree", "circle-open", GREY),
    ):
        group = both[both["agree"] == agree]
        where = positions[group.index]
        figure.add_scatter(
            x=floats(group["projection"]),
            y=floats(group["score"]),
            name=name,
            mode="markers+text",
            text=[label(w) if position else "" for w, position in zip(group["occupation"], where, strict=True)],
            textposition=[position or "top center" for position in where],
            customdata=[label(w) for w in group["occupation"]],
            marker={"symbol": symbol, "color": colour, "size": 9, "line": {"width": 0 if agree else 2}},
            hovertemplate="%{customdata}: projection %{x:.3f}, score %{y:.2f}<extra></extra>",
        )
    figure.add_hline(y=0, line={"width": 1.5, "dash": "dot", "color": GREY})
    figure.add_vline(x=0, line={"width": 1.5, "dash": "dot", "color": GREY})
    figure.update_layout(
        height=340,
        legend=LEGEND,
        margin=MARGIN | {"t": 4},
        xaxis={"title": f"← {first} · cosine with the direction · {second} →", "zeroline": False},
        yaxis={"title": f"← {first} · score in sentences · {second} →", "zeroline": False},
    )
    return figure


def agreement_alt(both: pd.DataFrame, first: str, second: str) -> str:
    """Alt text of the two measures: the words with the lowest and the highest score."""
    low, high = (both.loc[both["score"].agg(which), "occupation"] for which in ("idxmin", "idxmax"))
    ends = f"The lowest score is {low} ({first}), the highest {high} ({second})."
    return f"{len(both)} words by projection and score. {ends}"


def _rank(values: pd.Series) -> Array:
    """Ranks from -1 to 1: extreme words are labelled first."""
    return (2 * (values.rank() - 1) / max(len(values) - 1, 1) - 1).to_numpy()
