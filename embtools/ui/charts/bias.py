"""Charts of the Bias page. A colour and a marker shape each, so that neither alone carries the meaning."""

import html
from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.ui.charts.labels import arranged
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


def agreement(frame: pd.DataFrame, first: str, second: str) -> go.Figure:
    """Two measures of the same words against each other. frame: word, projection, score, agree."""
    first, second = _label(first), _label(second)
    figure = go.Figure()
    order = (-(_rank(frame["projection"]) ** 2 + _rank(frame["score"]) ** 2)).argsort().tolist()
    spread = frame[["projection", "score"]].to_numpy(np.float64)
    # Only the words at the ends are named: more names would cover each other. The others speak when pointed at.
    pixels = spread / np.maximum(np.ptp(spread, axis=0), 1e-9) * (720, 560)
    shown = arranged(pixels, [round(1.4 * len(w)) for w in frame["word"]], order[:24])
    positions = pd.Series([shown.get(n, "") for n in range(len(frame))], index=frame.index)
    for agree, name, symbol, colour in ((True, "all sentences on one side", "circle", COLOURS[0]),
                                        (False, "sentences disagree", "circle-open", GREY)):  # fmt: skip
        group = frame[frame["agree"] == agree]
        where = positions[group.index]
        figure.add_scatter(
            x=_f(group["projection"]), y=_f(group["score"]), name=name, mode="markers+text",
            text=[_label(w) if spot else "" for w, spot in zip(group["word"], where, strict=True)],
            textposition=[spot or "top center" for spot in where], customdata=[_label(w) for w in group["word"]],
            marker={"symbol": symbol, "color": colour, "size": 9},
            hovertemplate="%{customdata}: projection %{x:.3f}, score %{y:.2f}<extra></extra>",
        )  # fmt: skip
    figure.add_hline(y=0, line={"width": 1, "dash": "dot"})
    figure.add_vline(x=0, line={"width": 1, "dash": "dot"})
    figure.update_layout(
        **_sized(520, _TITLED),
        xaxis={"title": f"← {first} · static embedding: cosine with the direction · {second} →", "zeroline": False},
        yaxis={"title": f"← {first} · in sentences: log-probability score · {second} →", "zeroline": False},
    )  # fmt: skip
    return figure


def scores(summary: pd.DataFrame, first: str, second: str) -> go.Figure:
    """A row per word: mean score over the sentences and their range; filled where all sentences are on one side."""
    first, second = _label(first), _label(second)
    names = [_label(w) for w in summary["occupation"]]
    figure = go.Figure(
        go.Scatter(
            x=_f(summary["score"]), y=names, mode="markers",
            marker={"color": np.where(summary["score"] >= 0, COLOURS[1], COLOURS[0]), "size": 9,
                    "symbol": np.where(summary["agree"], "circle", "circle-open")},
            error_x={"type": "data", "symmetric": False, "array": _f(summary["high"] - summary["score"]),
                     "arrayminus": _f(summary["score"] - summary["low"]), "thickness": 1, "width": 0, "color": GREY},
            hovertemplate="%{y}: %{x:+.2f}<extra></extra>",
        )
    )  # fmt: skip
    figure.update_layout(
        height=120 + 17 * len(summary), margin=_MARGIN, yaxis=_categories(names),
        xaxis={"title": f"← {first} · score (nats) · {second} →", "zeroline": True},
    )  # fmt: skip
    return figure


def associations(table: pd.DataFrame, x_name: str, y_name: str, a_name: str, b_name: str) -> go.Figure:
    """Each target word at its association, the two sets as two rows with their means. table: set, word, association."""
    figure = go.Figure()
    for number, (label, name) in enumerate((("X", x_name), ("Y", y_name))):
        group = table[table["set"] == label].sort_values("association")
        # Neighbours on the line alternate in height, so that their names do not cover each other.
        heights = 1 - number + 0.11 * (np.arange(len(group)) % 5 - 2)
        figure.add_scatter(
            x=_f(group["association"]), y=heights.astype(np.float32), mode="markers+text",
            name=f"{label}: {_label(name)}", text=[_label(w) for w in group["word"]],
            textposition="middle right", textfont={"size": 11},
            marker={"color": COLOURS[number], "symbol": SYMBOLS[number], "size": 9},
            hovertemplate="%{text}: %{x:+.3f}<extra></extra>",
        )  # fmt: skip
        mean = float(group["association"].mean())
        figure.add_shape(
            type="line", x0=mean, x1=mean, y0=0.62 - number, y1=1.38 - number,
            line={"color": COLOURS[number], "width": 2, "dash": "dash"},
        )  # fmt: skip
    figure.add_vline(x=0, line={"width": 1, "dash": "dot"})
    low, high = table["association"].min(), table["association"].max()
    figure.update_layout(
        **_sized(400, _TITLED),
        xaxis={"title": f"← {_label(b_name)} (B) · association · {_label(a_name)} (A) →", "zeroline": False,
               "range": [low - 0.06 * (high - low), high + 0.16 * (high - low)]},
        yaxis={"tickvals": [0, 1], "ticktext": ["Y", "X"], "range": [-0.6, 1.6], "zeroline": False},
    )  # fmt: skip
    return figure


def intervals(
    frame: pd.DataFrame, column: str, title: str, *, label: str = "method", marks: str | None = None,
    neutral: float | None = 0.0, form: str = ".2f", mark_name: str = "", value_name: str = "",
) -> go.Figure:  # fmt: skip
    """A row per method or test with its value and interval (low, high, if there is one); quiet second marks."""
    names = [_label(str(n)) for n in frame[label]][::-1]
    rows = frame.iloc[::-1]
    figure = go.Figure()
    if marks:
        figure.add_scatter(
            x=_f(rows[marks]), y=names, mode="markers", name=mark_name,
            marker={"symbol": "x-thin-open", "size": 9, "color": GREY, "line": {"width": 2}},
            hovertemplate=f"%{{y}}: %{{x:{form}}} ({mark_name})<extra></extra>",
        )  # fmt: skip
    error = {}
    if "low" in rows:
        error = {"error_x": {"type": "data", "symmetric": False, "array": _f(rows["high"] - rows[column]),
                             "arrayminus": _f(rows[column] - rows["low"]), "thickness": 1.5, "width": 4}}  # fmt: skip
    figure.add_scatter(
        x=_f(rows[column]), y=names, mode="markers", name=value_name or title, **error,
        marker={"size": 11, "color": COLOURS[0],
                "symbol": ["diamond-open" if n == "random direction" else "circle" for n in names]},
        hovertemplate=f"%{{y}}: %{{x:{form}}}<extra></extra>",
    )  # fmt: skip
    if neutral is not None:
        figure.add_vline(x=neutral, line={"width": 1, "dash": "dot"})
    figure.update_layout(
        **_sized(110 + 30 * len(rows) + (40 if marks else 0), _TITLED), showlegend=bool(marks),
        xaxis={"title": title, "tickformat": form, "zeroline": False}, yaxis=_categories(names),
    )  # fmt: skip
    return figure


def sides(points: pd.DataFrame, first: str, second: str) -> go.Figure:
    """Words in their plane, coloured and shaped by the side they leaned to before. points: word, side, x, y."""
    figure = go.Figure()
    for side, name in ((0, first), (1, second)):
        group = points[points["side"] == side]
        figure.add_scatter(
            x=_f(group["x"]), y=_f(group["y"]), mode="markers", name=f"leaned to {_label(name)}",
            text=[_label(w) for w in group["word"]], hovertemplate="%{text}<extra></extra>",
            marker={"color": COLOURS[side], "symbol": SYMBOLS[side], "size": 7, "opacity": 0.75},
        )  # fmt: skip
    figure.update_layout(
        **_sized(430, _TITLED),
        xaxis={"title": "PCA 1", "zeroline": False}, yaxis={"title": "PCA 2", "zeroline": False},
    )  # fmt: skip
    return figure


def _categories(names: Sequence[str]) -> dict[str, object]:
    return {"type": "category", "categoryorder": "array", "categoryarray": list(names), "dtick": 1,
            "range": [-0.6, len(names) - 0.4]}  # fmt: skip


def _sized(height: int, below: int) -> dict[str, object]:
    """Height in pixels, margins, and a legend so many pixels below the plot, whatever its height."""
    legend = {"orientation": "h", "yanchor": "top", "y": -below / max(height - below - 60, 60), "x": 0}
    return {"height": height, "margin": _MARGIN, "legend": legend}


def _rank(values: pd.Series) -> Array:
    """Ranks from -1 to 1: the words at the ends get their labels first."""
    return (2 * (values.rank() - 1) / max(len(values) - 1, 1) - 1).to_numpy()


def _label(text: str) -> str:
    """Plotly reads a little HTML in labels; a visitor's word or a piece must not be read as such."""
    return html.escape(text)


def _f(values: pd.Series) -> Array:
    return values.to_numpy(np.float32)
