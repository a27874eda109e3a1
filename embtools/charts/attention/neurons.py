"""The strongest neurons of a token, the words that one promotes and suppresses, and its activation over all tokens."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.attention.neuron_words import PROMOTED
from embtools.attention.strongest_neurons import Neurons
from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREEN, GREY, INK, LEGEND, MARGIN, VERMILLION, floats, label, saved
from embtools.messages import counted, listed, shortened
from embtools.statistics.decimals import decimal

MOST = 24
"""Maximum number of tokens with a bar; in a longer text, those with the strongest activation, in reading order."""


def strongest(result: Neurons, ends: tuple[float, float] | None = None) -> Chart:
    """Bars for the strongest neurons of a token, with their mean as diamonds. The customdata of a bar is its neuron.

    `ends` are those of the axis, see `ends`.
    """
    rows = result.strongest
    names = [f"{neuron:,}" for neuron in rows["neuron"]]
    bold = [
        f"<b>{name}</b>" if neuron == result.neuron else name
        for name, neuron in zip(names, rows["neuron"], strict=True)
    ]
    heights = np.arange(len(rows), dtype=np.float32)
    figure = go.Figure(
        go.Bar(
            x=floats(rows["activation"]),
            y=heights,
            orientation="h",
            name=f"at {label(shortened(result.token, 18))}",
            marker={"color": BLUE},
            customdata=rows["neuron"].tolist(),
            text=[label(shortened(words, 32)) for words in rows["promotes"]],
            textposition="outside",
            textfont={"color": INK, "size": 11},
            cliponaxis=False,
            constraintext="none",
            hovertemplate="neuron %{customdata}: %{x:.2f}<extra></extra>",
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 1}},
        )
    )
    figure.add_scatter(
        x=floats(rows["mean"]),
        y=heights,
        mode="markers",
        name="mean over built-in sentences",
        customdata=rows["neuron"].tolist(),
        marker={"symbol": "diamond-open", "size": 9, "color": VERMILLION, "line": {"width": 2}, "opacity": 1},
        hovertemplate="mean: %{x:.2f}<extra></extra>",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )
    low, high = ends or _ends([result])
    figure.update_layout(
        margin={**MARGIN, "t": 4, "b": 70, "l": 52},
        legend=LEGEND,
        dragmode=False,
        bargap=0.3,
        **saved(yaxis="neuron"),
        xaxis={"range": [low, low + (high - low) * 1.9], "title": "activation", "fixedrange": True, "nticks": 6},
        yaxis={
            **{"tickvals": heights, "ticktext": bold, "range": [len(rows) - 0.5, -0.5], "automargin": False},
            **{"showgrid": False, "zeroline": False, "fixedrange": True, "tickfont": {"size": 11}},
        },
    )
    first = rows.iloc[0]
    alt = (
        f"Bar chart of the {len(rows)} strongest neurons of layer {result.layer} at {result.token}. The first is neuron"
        f" {first['neuron']:,} with {decimal(first['activation'])} (mean {decimal(first['mean'])}), the last neuron"
        f" {rows['neuron'].iloc[-1]:,} with {decimal(rows['activation'].iloc[-1])}."
    )
    return Chart(figure, rows, alt)


def ends(results: Sequence[Neurons]) -> tuple[float, float] | None:
    """The ends of the axis of activations for several results; None for one result."""
    return _ends(results) if len(results) > 1 else None


def words(result: Neurons, most: float = 0.0) -> Chart:
    """Bars for the words that a neuron promotes and suppresses; the dashed lines are what random directions reach.

    `most` is the lowest end of the axis on both sides, see `largest`.
    """
    rows = result.words
    mean = float(result.random.mean())
    end = max(most, largest([result])) * 1.1
    figure = go.Figure(
        go.Bar(
            x=floats(rows["along"]),
            y=np.arange(len(rows), dtype=np.float32),
            orientation="h",
            marker={
                "color": [BLUE if side == PROMOTED else VERMILLION for side in rows["side"]],
                "pattern": {"shape": ["" if side == PROMOTED else "/" for side in rows["side"]]},
            },
            customdata=floats(rows["at_token"]),
            hovertemplate="%{x:.2f} standard deviations; at this token %{customdata:+.3f} points<extra></extra>",
        )
    )
    for value in (-mean, mean):
        figure.add_vline(x=value, line={"dash": "dash", "width": 1.5, "color": GREY})
    bare = {"showgrid": False, "fixedrange": True}
    figure.update_layout(
        height=52 + 18 * len(rows),
        margin={**MARGIN, "t": 4, "b": 44, "l": 96},
        dragmode=False,
        showlegend=False,
        bargap=0.25,
        **saved(yaxis="word"),
        xaxis={**bare, "range": [-end, end], "title": "standard deviations from the mean"},
        yaxis={
            **{**bare, "zeroline": False, "automargin": False, "range": [len(rows) - 0.5, -0.5]},
            **{"tickvals": list(range(len(rows))), "ticktext": [label(shortened(w, 14)) for w in rows["word"]]},
            "tickfont": {"size": 11},
        },
    )
    return Chart(figure, rows, _words_alt(result))


def largest(results: Sequence[Neurons]) -> float:
    """The largest score of a word or of random directions, so that the charts of some results have the same axis."""
    return max(max(float(each.words["along"].abs().max()), float(each.random.mean())) for each in results)


def tokens(result: Neurons, hide_special: bool = False, ends: tuple[float, float] | None = None) -> Chart:
    """Bars for the activation of a neuron at each token in reading order; that of the chosen token is hatched."""
    rows = shown(result, hide_special)
    heights = np.arange(len(rows), dtype=np.float32)
    own = rows["position"] == result.position
    figure = go.Figure(
        go.Bar(
            x=floats(rows["activation"]),
            y=heights,
            orientation="h",
            marker={"color": GREEN, "pattern": {"shape": ["/" if each else "" for each in own]}},
            text=[decimal(value) for value in rows["activation"]],
            textposition="outside",
            textfont={"color": INK, "size": 11},
            cliponaxis=False,
            constraintext="none",
            hovertemplate="%{x:.3f}<extra></extra>",
        )
    )
    values = rows["activation"]
    low, high = ends or (min(0.0, float(values.min())), max(0.0, float(values.max())))
    room = 0.14 * max(high - low, 1e-6)
    names = [label(shortened(token, 18)) for token in rows["token"]]
    figure.add_vline(x=result.mean, line={"dash": "dash", "width": 1.5, "color": GREY})
    figure.update_layout(
        height=60 + 19 * max(len(rows), 4),
        margin={**MARGIN, "t": 4, "b": 44, "l": 96},
        dragmode=False,
        showlegend=False,
        bargap=0.25,
        **saved(yaxis="token"),
        xaxis={
            "range": [low - room, high + room],
            "title": f"activation of neuron {result.neuron:,}",
            "fixedrange": True,
        },
        yaxis={
            **{"tickvals": heights, "range": [len(rows) - 0.5, -0.5], "automargin": False, "showgrid": False},
            "ticktext": [f"<b>{name}</b>" if each else name for name, each in zip(names, own, strict=True)],
            **{"zeroline": False, "fixedrange": True, "tickfont": {"size": 11}},
        },
    )
    return Chart(figure, result.by_token, _tokens_alt(result, rows, hide_special))


def shown(result: Neurons, hide_special: bool = False) -> pd.DataFrame:
    """The tokens that have a bar: at most `MOST`, without [CLS] and [SEP] if they are hidden and there are others."""
    rows = result.by_token
    if hide_special and not rows["special"].all():
        rows = rows[~rows["special"]]
    if len(rows) > MOST:
        strong = rows["activation"].abs().nlargest(MOST).index
        rows = rows.loc[strong.union(rows.index[rows["position"] == result.position])]
    return rows


def token_ends(results: Sequence[Neurons], hide_special: bool = False) -> tuple[float, float] | None:
    """The ends of the axis of `tokens` for several results; None for one result."""
    if len(results) < 2:
        return None
    values = np.concatenate([shown(each, hide_special)["activation"].to_numpy() for each in results])
    return min(0.0, float(values.min())), max(0.0, float(values.max()))


def _ends(results: Sequence[Neurons]) -> tuple[float, float]:
    values = np.concatenate([each.strongest[["activation", "mean"]].to_numpy().ravel() for each in results])
    low, high = min(0.0, float(values.min())), max(float(values.max()), 1e-6)
    return low - 0.04 * (high - low), high


def _words_alt(result: Neurons) -> str:
    first, last = (
        listed(result.words.loc[side, "word"].head(3))
        for side in (result.words["side"] == PROMOTED, result.words["side"] != PROMOTED)
    )
    return (
        f"Words that neuron {result.neuron:,} of layer {result.layer} promotes most: {first}; suppresses most: {last}."
        f" The highest score is {result.words['along'].max():.1f}; random directions reach"
        f" {result.random.mean():.1f} on average."
    )


def _tokens_alt(result: Neurons, rows: pd.DataFrame, hide_special: bool) -> str:
    top = rows.loc[rows["activation"].idxmax()]
    hidden = result.by_token[result.by_token["special"]] if hide_special else rows.head(0)
    note = ""
    if len(hidden) and len(hidden) < len(result.by_token):
        note = f" [CLS] and [SEP], which are not shown, have up to {decimal(hidden['activation'].max())}."
    own = f" and {decimal(result.activation)} at {result.token}"
    if top["position"] == result.position:
        own = ", the chosen token"
    return (
        f"Bar chart of the activation of neuron {result.neuron:,} at {counted(len(rows), 'token')}. It is highest at"
        f" {top['token']} ({decimal(top['activation'])}){own}.{note}"
    )
