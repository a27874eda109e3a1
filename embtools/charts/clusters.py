"""Charts of the Clusters page besides its map: how many dimensions separate the groups."""

import pandas as pd

from embtools.charts.axes import Axis, Look, looks
from embtools.charts.plot import SILENT, Plot
from embtools.clusters.group_dimensions import GroupDimensions
from embtools.statistics.percentages import rounded

_ENDS = (10**-0.1, 10**3.1)  # of the numbers of dimensions on axes that can be compared: at most 1,024


def shares(result: GroupDimensions, *, same_axes: bool = False) -> Plot:
    """The share of the differences between groups over the number of dimensions; see `_curves`."""
    parts = [f"{true} {basis} (shuffled groups: {low} to {high})" for basis, (true, low, high) in result.half.items()]
    half = f"Half of the differences between groups lie in {' or in '.join(parts)}."
    alt = f"{half} There are {result.total} dimensions."
    return _curves(result.curve, alt, "share", "share of the differences", same_axes)


def accuracies(result: GroupDimensions, *, same_axes: bool = False) -> Plot:
    """The share of words assigned to the right group over the number of dimensions; see `_curves`."""
    bases = result.accuracy.groupby("basis", sort=False)
    alt = "; ".join(
        f"{basis}: {rounded(rows['accuracy'].iloc[0])} with one, {rounded(rows['accuracy'].iloc[-1])} with"
        f" {rows['dimensions'].iloc[-1]:.0f} (95% of the shuffled groups reach at most"
        f" {rounded(rows['shuffled_high'].iloc[-1])})"
        for basis, rows in bases
    )
    alt = f"Words assigned to the right group: {alt}"
    return _curves(result.accuracy, alt, "accuracy", "words assigned to the right group", same_axes)


def _curves(frame: pd.DataFrame, alt: str, value: str, title: str, same_axes: bool) -> Plot:
    """One line per basis, with a band for shuffled groups; with `same_axes`, charts can be compared."""
    more = {"type": "log", "dtick": "D1" if frame["dimensions"].max() < 20 else None}
    x = Axis("number of dimensions or components", hover=".0f", least=_ENDS, room=(0, 0), more=more)
    y = Axis(title, ".0%", ".1%", least=(0, 1.05), room=(0, 0), more={"rangemode": "tozero"})
    plot = Plot(frame, alt, x, y, height=360)
    for look in looks(list(frame["basis"].unique())).values():
        own = frame[frame["basis"] == look.name]
        shuffled = pd.concat([own.assign(end=own["shuffled_high"]), own.assign(end=own["shuffled_low"])[::-1]])
        band, name = {"fill": "toself", "fillcolor": look.colour, "opacity": 0.25}, f"{look.name}, shuffled groups"
        silent = {"line": {"width": 0}, **SILENT}
        plot = plot.lines("dimensions", "end", Look(name), rows=shuffled, marks=False, more=band | silent)
        plot = plot.lines("dimensions", value, look, rows=own, hover="first {x}: {y}<extra>{name}</extra>")
    return plot.beside() if same_axes else plot
