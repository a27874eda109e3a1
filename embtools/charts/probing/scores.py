"""The confusion matrix of a probe, and the labels that a trained probe predicts."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, INK, MARGIN, TINTS, floats, label, saved, wrap
from embtools.probing.verdict import share


def confusion(frame: pd.DataFrame) -> Chart:
    """Draw the confusion matrix: true labels down, predicted labels across, the share of the row as colour.

    frame: label, predicted, count.
    """
    return Chart(_confusion(frame), frame, _confusion_alt(frame))


def predicted(table: pd.DataFrame, word: str = "") -> Chart:
    """Draw the probabilities that a probe gives its labels for a word as bars; the frame has those of all words.

    table: from `predict_labels`; word: with the number of its occurrence, as `names` writes it, or "" for a sentence.
    """
    part = table[names(table) == word]
    return Chart(_predicted(part), table, _predicted_alt(part, word))


def names(table: pd.DataFrame) -> "pd.Series[str]":
    """Return the name of each row's word, with a number if the word is repeated."""
    return table["word"].where(table["occurrence"] == 1, table["word"] + " (" + table["occurrence"].astype(str) + ")")


def _confusion(frame: pd.DataFrame) -> go.Figure:
    counts = frame.pivot(index="label", columns="predicted", values="count")
    shares = counts.div(counts.sum(axis=1), axis=0)
    names = [wrap(str(name), 14) for name in counts.columns]
    figure = go.Figure(
        go.Heatmap(
            z=shares.to_numpy("float32"),
            x=names,
            y=names,
            text=counts.to_numpy(),
            texttemplate="%{text}",
            textfont={"color": INK},
            colorscale=[(0.0, TINTS[1][1]), (1.0, TINTS[2][1])],
            zmin=0,
            zmax=1,
            showscale=False,
            hovertemplate="%{y}, predicted as %{x}: %{text} (%{z:.0%})<extra></extra>",
            xgap=2,
            ygap=2,
        )
    )
    figure.update_layout(
        height=140 + 40 * len(names),
        margin=MARGIN | {"t": 56},
        xaxis={"side": "top", "type": "category", "showgrid": False, "title": "predicted label"},
        yaxis={"type": "category", "autorange": "reversed", "showgrid": False, "title": "true label"},
    )
    return figure


def _confusion_alt(frame: pd.DataFrame) -> str:
    wrong = frame[frame["label"] != frame["predicted"]]
    right = frame.loc[frame["label"] == frame["predicted"], "count"].sum()
    text = f"Confusion matrix: {right} of {frame['count'].sum()} items are right"
    if not wrong["count"].any():
        return text + "."
    most = wrong.loc[wrong["count"].idxmax()]
    times = "once" if most["count"] == 1 else f"{most['count']} times"
    mistake = f"{most['predicted']} instead of {most['label']}"
    if (wrong["count"] == most["count"]).sum() > 1:
        return f"{text}. The most frequent mistakes, such as {mistake}, occur {times} each."
    return f"{text}. The most frequent mistake is {mistake} ({times})."


def _predicted(frame: pd.DataFrame) -> go.Figure:
    figure = go.Figure(
        go.Bar(
            x=floats(frame["probability"]),
            y=[label(name) for name in frame["label"]],
            orientation="h",
            marker={"color": BLUE},
            texttemplate="%{x:.0%}",
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}: %{x:.1%}<extra></extra>",
        )
    )
    figure.update_layout(
        height=40 + 27 * len(frame),
        margin=MARGIN | {"t": 4, "r": 44},
        **saved(xaxis="probability", yaxis="label"),
        xaxis={"range": [0, 1], "visible": False},
        yaxis={"type": "category", "autorange": "reversed", "showgrid": False},
        dragmode=False,
    )
    return figure


def _predicted_alt(frame: pd.DataFrame, word: str) -> str:
    of = f"“{word}”" if word else "the sentence"
    rows = ", ".join(f"{row.label} {share(row.probability)}" for row in frame.itertuples())
    return f"Predicted labels for {of}: {rows}."
