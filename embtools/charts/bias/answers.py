"""Charts of the Bias page. A colour and a marker shape each, so that neither alone carries the meaning."""

import html
from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.vectors import Array

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6BB1", "#B8A800")
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x", "star", "pentagon")
LINES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
AVERAGE_COLOUR, GREY = "#7F7F7F", "#7F7F7F"
_TITLED, _BARE = 64, 30  # pixels below the plot that an axis with and without a title takes
_MARGIN = {"l": 8, "r": 8, "t": 28, "b": 8}


def answers(union: pd.DataFrame, average: str) -> go.Figure:
    """A row per word, a marker per group at its probability, a line from the lowest to the highest.

    union: token and a column of probabilities per group; the column named `average` is drawn hollow.
    """
    rows = union.iloc[::-1]
    tokens = [_label(t) for t in rows["token"]]
    columns = [c for c in union.columns if c != "token"]
    values = rows[columns].to_numpy(np.float32)
    figure = go.Figure(
        go.Bar(
            x=values.max(1) - values.min(1), base=values.min(1), y=tokens, orientation="h", width=0.08,
            marker={"color": GREY}, opacity=0.6, showlegend=False, hoverinfo="skip",
        )
    )  # fmt: skip
    for number, column in enumerate(columns):
        hollow = column == average
        colour = AVERAGE_COLOUR if hollow else COLOURS[number % len(COLOURS)]
        symbol = "circle-open" if hollow else SYMBOLS[number % len(SYMBOLS)]
        figure.add_scatter(
            x=_f(rows[column]), y=tokens, mode="markers", name=_label(column),
            marker={"color": colour, "symbol": symbol, "size": 15 if hollow else 11,
                    "line": {"width": 3 if hollow else 0}},
            hovertemplate=f"%{{y}}: %{{x:.1%}} ({_label(column)})<extra></extra>",
        )  # fmt: skip
    figure.update_layout(
        **_sized(140 + 28 * len(rows), _BARE), barmode="overlay",
        xaxis={"tickformat": ".0%", "rangemode": "tozero"}, yaxis=_categories(tokens),
    )  # fmt: skip
    return figure


def answers_alt(table: pd.DataFrame) -> str:
    """The answers in a sentence: the first word of every group. table: column, rank, token, probability."""
    first = table[table["rank"] == 1]
    parts = [f"{r.column}: {r.token} {r.probability:.1%}" for r in first.itertuples()]
    return "Probability of each word at the mask by group. First answers: " + "; ".join(parts) + "."


def lean(curve: pd.DataFrame, now: float, first: str, others: str) -> go.Figure:
    """A line per word over the weight of the average, from the first group alone to the others alone."""
    figure = go.Figure()
    for number, (token, group) in enumerate(curve.groupby("token", sort=False)):
        figure.add_scatter(
            x=_f(group["lean"]), y=_f(group["probability"]), mode="lines", name=_label(str(token)),
            line={"dash": LINES[number % len(LINES)], "color": COLOURS[number % len(COLOURS)], "width": 2.5},
            hovertemplate="%{y:.1%}",
        )  # fmt: skip
    figure.add_vline(x=now, line={"width": 1, "dash": "dot"})
    figure.update_layout(
        **_sized(340, _BARE), hovermode="x unified",
        xaxis={"range": [-1.04, 1.04], "tickvals": [-1, 0, 1], "ticktext": [_label(first), "alike", _label(others)]},
        yaxis={"tickformat": ".0%", "title": "probability", "rangemode": "tozero"},
    )  # fmt: skip
    figure.update_layout(margin={"r": 48})  # room for the last tick's text, which plotly hides otherwise
    return figure


def lean_alt(curve: pd.DataFrame) -> str:
    """The curve in a sentence."""
    parts = []
    for token, group in curve.groupby("token", sort=False):
        values = group["probability"].to_numpy()
        parts.append(f"{token} {values[0]:.1%}, {values[len(values) // 2]:.1%}, {values[-1]:.1%}")
    return "Probability for the first group, the equal average and the others: " + "; ".join(parts) + "."


def changes(words: pd.DataFrame, first: str, second: str) -> go.Figure:
    """How much more expected each shared word is in the second sentence (nats), in the order of the sentence."""
    first, second = _label(first), _label(second)
    rows = words.iloc[::-1]
    names = [f"{n}. {_label(w)}" for n, w in zip(rows.index + 1, rows["word"], strict=True)]
    figure = go.Figure(
        go.Bar(
            x=_f(rows["change"]), y=names, orientation="h",
            marker={"color": np.where(rows["change"] >= 0, COLOURS[1], COLOURS[0]),
                    "pattern": {"shape": np.where(rows["change"] >= 0, "", "/").tolist()}},
            customdata=rows[["first", "second"]].to_numpy(np.float32),
            hovertemplate="%{y}: %{x:+.2f}<br>log P %{customdata[0]:.2f} and %{customdata[1]:.2f}<extra></extra>",
        )
    )  # fmt: skip
    figure.update_layout(
        height=120 + 24 * len(rows), margin=_MARGIN, bargap=0.4, yaxis=_categories(names),
        xaxis={"title": f"← {first} · change of log P · {second} →", "zeroline": True},
    )  # fmt: skip
    return figure


def _categories(names: Sequence[str]) -> dict[str, object]:
    return {"type": "category", "categoryorder": "array", "categoryarray": list(names), "dtick": 1,
            "range": [-0.6, len(names) - 0.4]}  # fmt: skip


def _sized(height: int, below: int) -> dict[str, object]:
    """Height in pixels, margins, and a legend so many pixels below the plot, whatever its height."""
    legend = {"orientation": "h", "yanchor": "top", "y": -below / max(height - below - 60, 60), "x": 0}
    return {"height": height, "margin": _MARGIN, "legend": legend}


def _label(text: str) -> str:
    """Plotly reads a little HTML in labels; a visitor's word or a piece must not be read as such."""
    return html.escape(text)


def _f(values: pd.Series) -> Array:
    return values.to_numpy(np.float32)
