"""Scores of the Bias page: agreement, associations with their intervals, sides of a direction."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.bias.answers import _MARGIN, _TITLED, COLOURS, GREY, SYMBOLS, _categories, _f, _label, _sized
from embtools.charts.labels import arranged
from embtools.vectors import Array


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


def _rank(values: pd.Series) -> Array:
    """Ranks from -1 to 1: the words at the ends get their labels first."""
    return (2 * (values.rank() - 1) / max(len(values) - 1, 1) - 1).to_numpy()
