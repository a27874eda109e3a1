"""Chart of the change in log odds over many sentences: one strip of dots per target word, with mean and interval."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.arithmetic.effects import EDIT, by_sentence
from embtools.arithmetic.many import ManyResults
from embtools.charts.chart import Chart
from embtools.charts.style import AFTER, INK, LEGEND, LOSS, NUMBERED_WITH_LEGEND, floats, label, saved, whiskers, wrap
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import percents

_ROOM, _STRIP, _CONTROL = 150, 46, 24  # in pixels: the left margin, the height of a strip, the height of a control
_SPREAD = 0.62  # share of a strip's height that its dots use


_MARGIN = 0.05  # share of a common axis that is empty at each end


def strips(results: ManyResults, ends: tuple[float, float] | None = None) -> Chart:
    """Draw one dot per sentence for the edit, and the means of the edit and of each control with 95% intervals.

    `ends` are the ends of the axis for charts that are compared, see `ends`.
    """
    return Chart(_figure(results.effects, results.summary, ends), results.effects, _alt(results.summary))


def ends(results: Sequence[ManyResults]) -> tuple[float, float]:
    """Return the ends of an axis on which the strips of all these results fit."""
    changes = [by_sentence(result.effects)["change"].to_numpy() for result in results]
    means = [result.summary[["mean", "low", "high"]].to_numpy(float).ravel() for result in results]
    values = np.concatenate([[0.0], *changes, *means])
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    return low - _MARGIN * (high - low), high + _MARGIN * (high - low)


def _figure(effects: pd.DataFrame, summary: pd.DataFrame, ends: tuple[float, float] | None) -> go.Figure:
    heights = [_STRIP if run == EDIT else _CONTROL for run in summary["run"]]
    middles = -(np.cumsum(heights) - np.array(heights) / 2)
    centres = dict(zip(zip(summary["target"], summary["run"], strict=True), middles, strict=True))
    marks = by_sentence(effects[effects["run"] == EDIT])
    # The dots of a strip are offset vertically by a fixed rule, so that equal values do not overlap.
    rank = marks.groupby("target").cumcount().to_numpy()
    offset = ((rank * 0.618) % 1 - 0.5) * _STRIP * _SPREAD
    y = [centres[target, EDIT] for target in marks["target"]] + offset
    own = (summary["run"] == EDIT).to_numpy()
    return go.Figure(
        [
            {
                "type": "scatter",
                "name": "one sentence",
                "x": floats(marks["change"]),
                "y": y,
                "mode": "markers",
                "marker": {"size": 9, "color": AFTER, "opacity": 0.55},
                "customdata": [_hover(line) for line in marks.itertuples()],
                "hovertemplate": "%{customdata}<br>change: %{x:+.2f}<extra></extra>",
            },
            _means(summary[own], middles[own], "edit: mean", "diamond", INK),
            _means(summary[~own], middles[~own], "control: mean", "diamond-open", LOSS),
        ],
        {
            "height": int(sum(heights)) + 96,
            "margin": NUMBERED_WITH_LEGEND | {"l": _ROOM, "t": 2},
            "showlegend": True,
            "legend": LEGEND,
            "xaxis": {
                "title": {"text": "change in log odds", "standoff": 6}, "zeroline": True, "zerolinewidth": 2,
                **({} if ends is None else {"range": list(ends)}),
            },
            "yaxis": {
                "tickvals": middles,
                "ticktext": [_name(line) for line in summary.itertuples()],
                "range": [-float(sum(heights)), 0],
                "showgrid": False,
                "zeroline": False,
                "fixedrange": True,
            },
            **saved(yaxis="word and run"),
        },
    )  # fmt: skip


def _alt(summary: pd.DataFrame) -> str:
    """Describe the strips in a sentence."""
    parts = [f"{line.target}, {line.run}: {decimal(line.mean, signed=True)}" for line in summary.itertuples()]
    return f"Mean change in log odds for each word and run. {'; '.join(parts)}."


def _means(rows: pd.DataFrame, y: Any, name: str, symbol: str, colour: str) -> dict[str, Any]:
    low, high = rows["low"].fillna(rows["mean"]), rows["high"].fillna(rows["mean"])
    known = bool(rows["low"].notna().any())  # of a few sentences, there is no interval
    within = " (%{customdata[0]:+.2f} to %{customdata[1]:+.2f})" if known else ""
    return {
        "type": "scatter",
        "name": f"{name}, 95% interval" if known else name,
        "visible": len(rows) > 0,
        "x": floats(rows["mean"]),
        "y": y,
        "mode": "markers",
        "marker": {"symbol": symbol, "size": 11, "color": colour, "line": {"width": 2}},
        "error_x": whiskers(rows["mean"], low, high, color=colour, thickness=2, width=5),
        "customdata": np.stack([floats(low), floats(high)], axis=-1),
        "hovertemplate": f"mean %{{x:+.2f}}{within}<extra></extra>",
    }


def _name(line: Any) -> str:
    """Return the label of a strip: the target word in bold for the edit, or the name of the control."""
    return f"<b>{label(line.target)}</b>" if line.run == EDIT else label(line.run)


def _hover(line: Any) -> str:
    before, after = percents(line.probability_before, line.probability_after)
    return f"{wrap(line.sentence, 60, 3)}<br>{label(line.word)}: {before} → {after}"
