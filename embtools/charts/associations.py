"""The words of an association test at their associations, for the pages that show such a test."""

import numpy as np
import pandas as pd

from embtools.charts.axes import Axis, Look, Names
from embtools.charts.plot import Plot
from embtools.charts.style import BLUE, TITLE, VERMILLION, label, wrap
from embtools.statistics.association import Association
from embtools.statistics.decimals import decimal
from embtools.vectors import Array

_LINES = 5  # of labels in each row
_LETTER, _WIDTH = 7, 560  # px: of a letter, and of the axis in a narrow window


def words(result: Association, *others: Association) -> Plot:
    """Each target word at its association, X above and Y below, on the axis of the charts of all these results."""
    scores, (x_name, y_name, a_name, b_name) = result.scores, result.names
    means = scores.groupby("set")["association"].mean()
    highest, lowest = scores.iloc[[0, -1]]["word"]
    alt = (
        f"Associations of {len(scores)} words. The mean is {decimal(means['X'], 3, signed=True)} for X and"
        f" {decimal(means['Y'], 3, signed=True)} for Y. {highest} has the highest association and {lowest} the lowest."
    )
    every = np.concatenate([each.scores["association"] for each in (result, *others)])
    low, high = float(every.min()), float(every.max())
    room = 0.16 * max(high - low, 1e-6)  # for the labels at both ends
    title = wrap(f"← {b_name} (B) · association · {a_name} (A) →", TITLE)
    x = Axis(title, hover="+.3f", range=(low - room, high + room), more={"zeroline": False})
    rows = Names(["X", "Y"], "target words")
    plot = Plot(scores, alt, x, rows, 310)
    for number, look in enumerate((Look(f"X: {x_name}", BLUE), Look(f"Y: {y_name}", VERMILLION, "diamond"))):
        row = rows.names[number]
        group = scores[scores["set"] == row].sort_values("association")
        outward = np.where(group["association"] < means[row], -1, 1)  # no label crosses the line at the mean
        heights, free = _heights(group, outward, (high - low + 2 * room) / _WIDTH)
        plot = plot.dots(
            "association",
            "set",
            look,
            rows=group,
            shift=-heights,
            text=[label(str(word)) if there else "" for word, there in zip(group["word"], free, strict=True)],
            hover="{word}: {x}",
            more={"textposition": ["middle left" if side < 0 else "middle right" for side in outward]},
        )
        mean = Look(f"mean of {row}", look.colour, dash="dash")
        plot = plot.segment(mean, (means[row], means[row]), (number + 0.38, number - 0.38))
    return plot.rule(x=0)


def _heights(group: pd.DataFrame, outward: Array, pixel: float) -> tuple[Array, Array]:
    """The heights of the words of a row, and which of them have room for a label; `pixel` is its width on the axis."""
    count = min(len(group), _LINES)
    lines, free = np.zeros(len(group)), np.ones(len(group), bool)
    values = group["association"].to_numpy()
    for side in (-1, 1):
        reached, taken = np.full(count, -np.inf), 0
        for i in sorted(np.flatnonzero(outward == side), key=lambda i: side * values[i]):
            at, width = side * values[i], _LETTER * (len(str(group["word"].iloc[i])) + 2) * pixel
            rooms = np.flatnonzero(reached <= at)
            free[i] = len(rooms) > 0
            line = rooms[np.argmin((rooms - taken) % count)] if free[i] else int(reached.argmin())
            if free[i]:
                reached[line] = at + width
            lines[i], taken = line, line + 1
    return (lines - (count - 1) / 2) * 0.6 / max(count - 1, 1), free
