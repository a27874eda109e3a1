"""A layer step by step as strips of numbers, and for each step how far it moves the token and what it answers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.attention.layer_parts import READABLE, STATES, STEPS, WholeLayer
from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, DIVERGING, GREY, INK, MARGIN, VERMILLION, floats, label, saved, tint
from embtools.messages import shortened
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import percent

_LABELS = 158  # pixels left of the strips, enough for the longest name of a step
_LIGHT = 0.45  # of the colour of parts
_ROOM = 2.1  # of the axis, so that texts after the bars fit
_QUANTILE = 0.98  # of the absolute numbers of a strip: the value in full colour


@dataclass(frozen=True)
class Limits:
    """What several charts share: the value in full colour of each step, the longest distance."""

    colours: tuple[float, ...]
    distance: float


def limits(results: Sequence[WholeLayer]) -> Limits:
    """The limits with which the charts of some results can be compared."""
    colours = tuple(
        max(
            float(np.quantile(np.abs(np.concatenate([getattr(each.vectors, step)[0] for each in results])), _QUANTILE)),
            1e-6,
        )
        for step in STEPS
    )
    return Limits(colours, max(float(each.steps["distance"].max()) for each in results))


def strips(result: WholeLayer, limit: Limits | None = None) -> Chart:
    """Draw every vector of a layer as a strip; vectors of d and of f numbers have the same width."""
    given = limit or limits([result])
    figure = go.Figure()
    for row, (step, most) in enumerate(zip(STEPS, given.colours, strict=True)):
        values = getattr(result.vectors, step)[0].astype(np.float32)
        n = len(values)
        what = "neuron" if step in ("scores", "neurons") else "dimension"
        figure.add_heatmap(
            z=(values / most)[None],
            x=((np.arange(n) + 0.5) / n).astype(np.float32),
            y=[row],
            customdata=np.stack([np.arange(1, n + 1), values], axis=-1)[None].astype(np.float32),
            zmin=-1,
            zmax=1,
            colorscale=DIVERGING,
            showscale=False,
            ygap=5,
            hovertemplate=f"{what} %{{customdata[0]}}: %{{customdata[1]:.3f}}<extra></extra>",
        )
    names = [f"<b>{name}</b>" if step in STATES else name for step, name in STEPS.items()]
    bare = {"showgrid": False, "zeroline": False, "fixedrange": True}
    figure.update_layout(
        margin=MARGIN | {"l": _LABELS, "t": 4, "b": 8},
        dragmode=False,
        **saved(xaxis="dimensions, in order", yaxis="step"),
        xaxis={**bare, "range": [0, 1], "showticklabels": False},
        yaxis={
            **bare,
            **{"tickvals": list(range(len(STEPS))), "ticktext": names, "tickfont": {"size": 11}},
            **{"range": [len(STEPS) - 0.5, -0.5], "automargin": False},
        },
    )
    return Chart(figure, result.numbers, _strips_alt(result))


def states(result: WholeLayer, limit: Limits | None = None) -> Chart:
    """Draw for each step how far it is from the state before it, and what could be read off there; parts are lighter.

    The neurons have no row: only vectors with as many numbers as a state can be compared and read.
    """
    given = limit or limits([result])
    rows = _readable(result)
    of_state = [step in STATES for step in READABLE]
    names = rows["step"].tolist()
    columns = ["top_answer", "probability", "answer_probability"]
    figure = go.Figure()
    figure.add_bar(
        x=floats(rows["distance"].fillna(0)),
        y=names,
        orientation="h",
        name="distance",
        marker={
            "color": [VERMILLION if each else tint(VERMILLION, _LIGHT) for each in of_state],
            "pattern": {"shape": "/", "fillmode": "overlay"},
        },
        text=[_moved(d, c) for d, c in zip(rows["distance"], rows["cosine"], strict=True)],
        **_bar(),
        hovertemplate="distance %{x:.2f}<extra></extra>",
    )
    figure.add_bar(
        x=floats(rows["probability"]),
        y=names,
        xaxis="x2",
        orientation="h",
        name="top answer",
        marker={
            "color": [
                colour if each else tint(colour, _LIGHT)
                for each, colour in zip(
                    of_state, (BLUE if t == result.answer else GREY for t in rows["top_answer"]), strict=True
                )
            ]
        },
        text=[
            _answers(result, *row, of_state=each)
            for row, each in zip(rows[columns].itertuples(index=False), of_state, strict=True)
        ],
        **_bar(),
        hovertemplate="%{x:.2%}<extra></extra>",
    )
    bare = {"showgrid": False, "zeroline": False, "fixedrange": True, "showticklabels": False}
    figure.update_layout(
        height=272,
        margin=MARGIN | {"l": 88, "t": 26, "b": 4},
        dragmode=False,
        showlegend=False,
        bargap=0.35,
        annotations=[_title("moved by (cosine)", 0.0), _title("would answer", 0.5)],
        **saved(xaxis="moved by (cosine)", xaxis2="probability", yaxis="step"),
        xaxis={**bare, "domain": [0, 0.47], "range": [0, max(given.distance, 1e-6) * _ROOM]},
        xaxis2={**bare, "domain": [0.5, 1], "range": [0, _ROOM], "anchor": "y"},
        yaxis={
            **{"type": "category", "autorange": "reversed", "showgrid": False, "fixedrange": True},
            **{"automargin": False, "tickvals": names, "tickfont": {"size": 11}},
            "ticktext": [_tick(name, bold) for name, bold in zip(names, of_state, strict=True)],
        },
    )
    return Chart(figure, result.steps, _states_alt(result))


def _readable(result: WholeLayer) -> pd.DataFrame:
    """Return the rows of the steps with as many numbers as a state."""
    return result.steps[result.steps["step"].isin([STEPS[step] for step in READABLE])]


def _tick(name: str, bold: bool) -> str:
    """Return the label of a step, in two lines if it is long.

    >>> _tick("output projection", False), _tick("input", True)
    ('output<br>projection', '<b>input</b>')
    """
    text = name.replace(" ", "<br>", 1) if len(name) > 14 else name
    return f"<b>{text}</b>" if bold else text


def _bar() -> dict[str, object]:
    return {"textposition": "outside", "textfont": {"color": INK, "size": 12}, "cliponaxis": False}


def _title(text: str, x: float) -> dict[str, object]:
    return {
        **{"text": text, "x": x, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"},
        **{"showarrow": False, "font": {"color": INK, "size": 12}},
    }


def _answers(result: WholeLayer, token: str, share: float, of_answer: float, *, of_state: bool) -> str:
    """Return the top answer of a step; for a state, also the probability of the final answer if that is another one."""
    text = f"{label(shortened(token, 14))} {percent(share)}"
    return (
        text
        if token == result.answer or not of_state
        else f"{text} ({label(shortened(result.answer, 14))} {percent(of_answer)})"
    )


def _moved(distance: float, cosine: float) -> str:
    return "" if np.isnan(distance) else f"{distance:.1f} ({decimal(cosine)})"


def _strips_alt(result: WholeLayer) -> str:
    d, f = len(result.vectors.inputs[0]), len(result.vectors.neurons[0])
    above = int((result.vectors.neurons[0] > 0).sum())
    return (
        f"Ten strips: what layer {result.layer} computes for {result.token}. Eight have {d:,} numbers each; two show"
        f" the {f:,} neurons, of which {above:,} are above zero."
    )


def _states_alt(result: WholeLayer) -> str:
    parts = [
        f"{row.step}: "
        + ("" if np.isnan(row.distance) else f"moved by {row.distance:.1f} (cosine {decimal(row.cosine)}), ")
        + f"would answer {row.top_answer} ({percent(row.probability)})"
        for row in _readable(result).itertuples()
    ]
    return f"The steps of layer {result.layer} at {result.token}. {'; '.join(parts)}."
