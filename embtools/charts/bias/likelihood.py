"""Words by their score in sentences, with its range, and against their place on a direction."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.bias.groups import rows_of
from embtools.charts.labels import arranged
from embtools.charts.style import COLOURS, GREY, LEGEND, MARGIN, floats, label, whiskers
from embtools.vectors import Array

_NAMED, _ROOM = 24, (430, 280)  # names in the scatter: more would cover each other; its pixels


def ranges(summary: pd.DataFrame, first: str, second: str) -> go.Figure:
    """A row per word: its mean score over the sentences and their range; open where the sentences disagree.

    summary: occupation, score, low, high, agree; the highest score is drawn first.
    """
    first, second = label(first), label(second)
    figure = go.Figure()
    agree, low = summary["agree"], summary["score"] < 0
    for name, symbol, width, colour, part in (
        (f"leans to {first}", "circle", 0, COLOURS[0], agree & low),
        (f"leans to {second}", "diamond", 0, COLOURS[1], agree & ~low),
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
                error_x=whiskers(rows["score"], rows["low"], rows["high"], thickness=1.5, width=0, color=colour),
                hovertemplate="%{y}: %{x:+.2f}<extra></extra>",
            )
    figure.add_vline(x=0, line={"width": 1.5, "dash": "dot", "color": GREY})
    figure.update_layout(
        height=120 + (22 if len(summary) <= 12 else 18) * len(summary),
        legend=LEGEND | {"xref": "container"},
        margin=MARGIN | {"t": 4},
        xaxis={"title": f"← {first} · score (nats) · {second} →", "zeroline": False},
        yaxis=rows_of([label(w) for w in summary["occupation"]]),
    )
    return figure


def ranges_alt(summary: pd.DataFrame, first: str, second: str) -> str:
    """The scores in a sentence: both ends."""
    low, high = summary.iloc[0], summary.iloc[-1]
    return (
        f"Scores from {low['score']:+.2f} ({low['occupation']}, towards {first}) to {high['score']:+.2f}"
        f" ({high['occupation']}, towards {second})."
    )


def agreement(both: pd.DataFrame, first: str, second: str) -> go.Figure:
    """Two measures of the same words against each other. both: occupation, projection, score, agree."""
    first, second = label(first), label(second)
    figure = go.Figure()
    order = (-(_rank(both["projection"]) ** 2 + _rank(both["score"]) ** 2)).argsort().tolist()
    spread = both[["projection", "score"]].to_numpy(np.float64)
    # Only the words at the ends are named: more names would cover each other. The others speak when pointed at.
    pixels = spread / np.maximum(np.ptp(spread, axis=0), 1e-9) * _ROOM
    shown = arranged(pixels, [round(1.4 * len(w)) for w in both["occupation"]], order[:_NAMED], _ROOM)
    positions = pd.Series([shown.get(n, "") for n in range(len(both))], index=both.index)
    for agree, name, symbol, colour in (
        (True, "all sentences on one side", "circle", COLOURS[0]),
        (False, "the sentences disagree", "circle-open", GREY),
    ):
        group = both[both["agree"] == agree]
        where = positions[group.index]
        figure.add_scatter(
            x=floats(group["projection"]),
            y=floats(group["score"]),
            name=name,
            mode="markers+text",
            text=[label(w) if spot else "" for w, spot in zip(group["occupation"], where, strict=True)],
            textposition=[spot or "top center" for spot in where],
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
        xaxis={"title": f"← {first} · static embedding: cosine · {second} →", "zeroline": False},
        yaxis={"title": f"← {first} · score in sentences · {second} →", "zeroline": False},
    )
    return figure


def agreement_alt(both: pd.DataFrame, first: str, second: str) -> str:
    """The two measures in a sentence."""
    low, high = (both.loc[both["score"].agg(which), "occupation"] for which in ("idxmin", "idxmax"))
    return f"{len(both)} words by projection and score; lowest score {low} ({first}), highest {high} ({second})."


def _rank(values: pd.Series) -> Array:
    """Ranks from -1 to 1: the words at the ends get their labels first."""
    return (2 * (values.rank() - 1) / max(len(values) - 1, 1) - 1).to_numpy()
