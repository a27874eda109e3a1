"""Answers before and after a part of a layer is switched off, and the effect next to that of random parts."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from embtools.attention.switch_off_result import AFTER, BEFORE, CONTROL, NEXT, OWN, SwitchedOff
from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREY, INK, LEGEND, MARGIN, MAUVE, VERMILLION, floats, label, saved
from embtools.messages import shortened
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import percents, rounded

_HEIGHT = 224  # pixels: both charts fit above the fold of a projector


def answers(result: SwitchedOff) -> Chart:
    """Two bars per word, its probability before (hatched) and after, on an axis from 0 to 100%."""
    rows = result.answers
    names = [label(shortened(token, 18)) for token in rows["token"]]
    figure = go.Figure()
    shares = [percents(*pair) for pair in zip(rows[BEFORE], rows[AFTER], strict=True)]
    for i, (column, name, colour, shape) in enumerate(((BEFORE, "before", GREY, "/"), (AFTER, "after", BLUE, ""))):
        figure.add_bar(
            x=floats(rows[column]),
            y=names,
            orientation="h",
            name=name,
            marker={"color": colour, "pattern": {"shape": shape}},
            text=[pair[i] if value >= 0.005 else "" for pair, value in zip(shares, rows[column], strict=True)],
            textposition="outside",
            textfont={"color": INK, "size": 11},
            cliponaxis=False,
            constraintext="none",
            hovertemplate=f"%{{y}}: %{{x:.2%}} {name}<extra></extra>",
        )
    figure.update_layout(
        height=_HEIGHT,
        margin={**MARGIN, "t": 4, "b": 34, "l": 100, "r": 44},
        legend=LEGEND | {"traceorder": "normal"},
        dragmode=False,
        bargap=0.25,
        **saved(xaxis="probability", yaxis="answer"),
        xaxis={"range": [0, 1.05], "visible": False, "fixedrange": True},
        yaxis={
            **{"type": "category", "categoryorder": "array", "categoryarray": names, "autorange": "reversed"},
            **{"fixedrange": True, "automargin": False, "tickfont": {"size": 13}},
        },
    )
    first, own = result.answer, result.runs.iloc[0]
    before, after = percents(result.before, own["probability"], digits=1)
    alt = (
        f"Probability of {len(rows)} words before and after switching off {result.named}. {first}:"
        f" {before} before, {after} after. The top answer after is {own['top_answer']}."
    )
    return Chart(figure, rows, alt)


def runs(result: SwitchedOff, ends: tuple[float, float] | None = None) -> Chart:
    """The change of the answer's log probability: of this part, of the next strongest neurons, and of each control.

    Filled marks: the top answer stays the same. `ends` are those of the axis, see `ends`.
    """
    figure = go.Figure()
    looks = {OWN: ("diamond", BLUE, 14), NEXT: ("square", MAUVE, 11), CONTROL: ("circle", VERMILLION, 9)}
    names = {
        OWN: "this part",
        NEXT: "next strongest",
        CONTROL: "random neurons" if result.part == "neurons" else "other parts",
    }
    kinds = [kind for kind in looks if (result.runs["run"] == kind).any()]
    for kind in kinds:
        rows = result.runs[result.runs["run"] == kind]
        symbol, colour, size = looks[kind]
        same = rows["top_answer"] == result.answer
        # The marks of the controls are spread in their row, so that they do not cover each other.
        spread = np.linspace(-0.28, 0.28, len(rows)) if len(rows) > 1 else np.zeros(1)
        figure.add_scatter(
            x=floats(rows["change"]),
            y=kinds.index(kind) + spread.astype(np.float32),
            mode="markers",
            name=names[kind],
            marker={
                **{"size": size, "color": colour, "line": {"width": 2, "color": colour}},
                "symbol": [symbol if each else f"{symbol}-open" for each in same],
            },
            customdata=[
                [label(shortened(part, 60)), rounded(share, 1), label(token)]
                for part, share, token in zip(rows["parts"], rows["probability"], rows["top_answer"], strict=True)
            ],
            cliponaxis=False,
            hovertemplate=(
                "%{customdata[0]}: %{x:+.2f} nats, %{customdata[1]}<br>top answer: %{customdata[2]}<extra></extra>"
            ),
        )
    low, high = ends or _ends([result])
    figure.add_vline(x=0, line={"dash": "dot", "width": 1.5, "color": INK})
    figure.update_layout(
        height=_HEIGHT,
        margin={**MARGIN, "t": 4, "b": 44, "l": 108},
        dragmode=False,
        showlegend=False,
        **saved(yaxis="switched off"),
        xaxis={
            **{"range": [low, high], "fixedrange": True, "zeroline": False},
            "title": f"change in log p({label(shortened(result.answer, 18))}), in nats",
        },
        yaxis={
            **{"tickvals": list(range(len(kinds))), "ticktext": [names[kind] for kind in kinds], "showgrid": False},
            **{"range": [len(kinds) - 0.5, -0.5], "zeroline": False, "fixedrange": True, "automargin": False},
        },
    )
    return Chart(figure, result.runs, _runs_alt(result))


def ends(results: Sequence[SwitchedOff]) -> tuple[float, float] | None:
    """The ends of the axis of `runs` for several results; None for one result."""
    return _ends(results) if len(results) > 1 else None


def _ends(results: Sequence[SwitchedOff]) -> tuple[float, float]:
    values = np.concatenate([each.runs["change"].to_numpy() for each in results])
    low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
    room = 0.08 * max(high - low, 0.1)
    return low - room, high + room


def _runs_alt(result: SwitchedOff) -> str:
    own, controls = result.runs.iloc[0], result.controls
    change = decimal(own["change"], signed=True)
    text = f"Change in the log probability of {result.answer} without {result.named}: {change} nats."
    if controls.empty:
        return f"{text} There are no controls."
    low, high = controls["change"].min(), controls["change"].max()
    return f"{text} In {len(controls)} controls: {decimal(low, signed=True)} to {decimal(high, signed=True)} nats."
