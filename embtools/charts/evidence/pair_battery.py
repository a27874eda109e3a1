"""Charts of a battery of minimal pairs: the rates by group, and every pair as a point."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, INK, LEGEND, MARGIN, VERMILLION, floats, label, saved, tint, whiskers, wrap
from embtools.evidence.pair_batteries import CHANCE, PairBattery
from embtools.evidence.pair_files import ACCEPTABLE
from embtools.evidence.stereoset import SCORES
from embtools.messages import shortened
from embtools.statistics.decimals import decimal

_WIDTH = 16  # characters of a line of a group's name
_TITLES = dict(zip(SCORES, ("language model", "stereotype", "ICAT"), strict=True))


def rates(result: PairBattery) -> Chart:
    """The share of pairs whose first sentence is preferred, by group and for all pairs, with 95% intervals."""
    frame = result.rates
    n = len(frame)
    figure = go.Figure(
        go.Scatter(
            x=floats(frame["rate"]),
            y=np.arange(n, dtype=np.float32),
            mode="markers",
            marker={"color": BLUE, "size": 10},
            error_x=whiskers(frame["rate"], frame["low"], frame["high"], thickness=1.5, width=4),
            customdata=frame[["low", "high", "n"]].to_numpy(),
            text=[label(name) for name in frame["group"]],
            hovertemplate="%{text}: %{x:.0%} (%{customdata[0]:.0%} to %{customdata[1]:.0%}) of %{customdata[2]}"
            " pairs<extra></extra>",
        )
    )
    figure.add_vline(x=CHANCE, line={"color": VERMILLION, "dash": "dash", "width": 1.5})
    what = "acceptable sentence preferred" if result.kind == ACCEPTABLE else "more stereotyping sentence preferred"
    figure.update_layout(
        height=100 + 34 * n,
        margin=MARGIN | {"t": 8, "b": 60, "l": 128, "r": 28},
        **saved(yaxis="group"),
        xaxis={"title": what, "range": [-0.02, 1.02], "tickformat": ".0%", "dtick": 0.25},
        yaxis=_groups(list(frame["group"])),
        showlegend=False,
    )
    return Chart(figure, frame, f"Rates by group, with 95% intervals, compared with 50%. {result.headline}")


def differences(result: PairBattery, reach: float = 0.0) -> Chart:
    """Every pair as a point: its difference of scores, by group. The customdata of a point is the number of its pair.

    reach: the length of the axis on both sides of zero, for two charts that share it; see `reach_of`.
    """
    items = result.items
    groups = list(dict.fromkeys(items["group"]))
    y = np.array([groups.index(name) for name in items["group"]], np.float32)
    # Spread over the height of a row, in an order that looks random but is always the same.
    spread = (np.arange(len(items)) * 0.618034) % 1 - 0.5
    figure = go.Figure(
        go.Scatter(
            x=floats(items["difference"]),
            y=(y + 0.6 * spread).astype(np.float32),
            mode="markers",
            marker={
                "size": 9,
                "color": [tint(BLUE if right else VERMILLION, 0.75) for right in items["prefers_first"]],
                "symbol": ["circle" if right else "x" for right in items["prefers_first"]],
                "line": {"color": INK, "width": 0.5},
            },
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 1}},
            customdata=items["number"].to_numpy(),
            text=[
                f"{label(shortened(row.first, 90))}<br>{label(shortened(row.second, 90))}"
                for row in items[["first", "second"]].itertuples()
            ],
            hovertemplate="%{text}<br>%{x:+.2f} nats<extra></extra>",
        )
    )
    figure.update_layout(
        height=100 + 44 * len(groups),
        margin=MARGIN | {"t": 8, "b": 60, "l": 128, "r": 28},
        dragmode=False,
        **saved(yaxis="group"),
        xaxis={
            "title": "first − second sentence (nats)",
            "zeroline": True,
            **({"range": [-1.06 * reach, 1.06 * reach]} if reach else {"rangemode": "tozero"}),
        },
        yaxis=_groups(groups),
        showlegend=False,
    )
    wrong = int((~items["prefers_first"]).sum())
    middle = decimal(float(items["difference"].median()), signed=True)
    alt = (
        f"Score differences of {len(items)} pairs, by group. The median is {middle} nats. In {wrong}"
        f" {'pair' if wrong == 1 else 'pairs'}, the second sentence is preferred."
    )
    if len(items) == 1:
        which = "second" if wrong else "first"
        alt = f"Score difference of 1 pair: {middle} nats. The {which} sentence is preferred."
    return Chart(figure, items, alt)


def three_scores(result: PairBattery) -> Chart:
    """StereoSet's three scores by group, with 95% intervals. Raises ValueError for other lists."""
    frame = result.scores
    if frame is None:
        raise ValueError("Only examples of StereoSet have the three scores. Read one of its files.")
    figure = go.Figure()
    n = len(frame)
    for number, (score, symbol) in enumerate(zip(SCORES, ("circle", "square", "diamond"), strict=True)):
        figure.add_scatter(
            x=floats(frame[score]),
            y=(np.arange(n) + 0.2 * (number - 1)).astype(np.float32),
            mode="markers",
            name=_TITLES[score],
            marker={"color": (BLUE, VERMILLION, INK)[number], "symbol": symbol, "size": 9},
            error_x=whiskers(frame[score], frame[f"{score}_low"], frame[f"{score}_high"], thickness=1.5, width=3),
            text=[label(name) for name in frame["group"]],
            hovertemplate="%{text}: %{x:.1f}<extra>" + _TITLES[score] + "</extra>",
        )
    figure.update_layout(
        height=120 + 44 * n,
        margin=MARGIN | {"t": 8, "b": 88, "l": 128, "r": 28},
        legend=LEGEND,
        **saved(yaxis="group"),
        xaxis={"title": "score", "range": [-2, 102], "dtick": 25},
        yaxis=_groups(list(frame["group"])),
    )
    return Chart(figure, frame, f"{result.scores_name} by group, with 95% intervals. {result.three_scores}")


def reach_of(results: Sequence[PairBattery]) -> float:
    """The largest difference of several results; 0 for a single one, whose axis fits its own differences."""
    return max(float(result.items["difference"].abs().max()) for result in results) if len(results) > 1 else 0.0


def _groups(names: Sequence[str]) -> dict[str, object]:
    """Return the axis of the groups, the first at the top."""
    texts = [wrap(name, _WIDTH, 2) for name in names]
    return {
        "tickvals": list(range(len(names))),
        "ticktext": texts,
        "range": [len(names) - 0.5, -0.5],
        "zeroline": False,
    }
