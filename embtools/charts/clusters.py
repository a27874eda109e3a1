"""Charts of the Clusters page besides its map: group differences, senses by layer, and clusters of sentences."""

import pandas as pd

from embtools.charts import style
from embtools.charts.axes import Axis, Look, Names, looks
from embtools.charts.plot import SILENT, Plot
from embtools.charts.style import BLUE, GREY, VERMILLION, tint
from embtools.clusters.group_dimensions import GroupDimensions
from embtools.clusters.senses import Recovery
from embtools.clusters.sentences import Clusters
from embtools.layer_combinations import CONCAT_FOUR, SECOND_TO_LAST, SUM_ALL, SUM_FOUR
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded

_ENDS = (10**-0.1, 10**3.1)  # of the numbers of dimensions on axes that can be compared: at most 1,024
_WITHOUT_CLUSTERS = {
    "cloud": Look("clouds of points without clusters", GREY, dash="dot"),
    "shuffled": Look("shuffled words", VERMILLION, dash="dash"),
}
_NAMES = {
    SECOND_TO_LAST: "2nd to<br>last",
    SUM_FOUR: "sum<br>last 4",
    CONCAT_FOUR: "concat.<br>last 4",
    SUM_ALL: "sum<br>all",
}
_MEASURES = {
    "neighbours": Look("share whose nearest neighbour has the same sense", BLUE),
    "kmeans": Look("agreement of k-means and senses (adjusted Rand index)", VERMILLION, "diamond", "dash"),
}


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


def recovery(result: Recovery) -> Plot:
    """Both measures for every layer combination, with the mean (open) and 95th percentile for shuffled labels."""
    frame = result.frame
    names = [_NAMES.get(each, each.removeprefix("layer ")) for each in frame["combination"]]
    shown = [name.replace("<br>", " ") for name in names]
    small = {"tickfont": {"size": 10}, "ticktext": names}
    x = Names(list(frame["combination"]), "layer or layer combination", shown, 7, titled=True, more=small)
    lowest = min(-0.3, float(frame[list(_MEASURES)].min().min()) - 0.05)
    y = Axis(hover=".2f", least=(lowest, 1.08), room=(0, 0), fit=True)
    saved = style.saved(yaxis="share, or adjusted Rand index")
    layout = {"legend": {"traceorder": "reversed"}, "margin": {"l": 36}, **saved}
    plot = Plot(frame, _recovery_alt(frame), x, y, 340, layout=layout)
    rows, layers = frame.assign(shown=shown), int(frame["combination"].str.startswith("layer ").sum())
    gap = pd.DataFrame({"combination": [layers - 0.5]})  # no line to the combinations: they have no order
    lines = pd.concat([rows.iloc[:layers], gap, rows.iloc[layers:]])
    for measure, look in _MEASURES.items():
        shuffled = Look("shuffled labels (mean, 95th percentile)", look.colour, f"{look.symbol}-open")
        ends = f"{measure}_shuffled", f"{measure}_shuffled_95"
        once, hover = {"showlegend": measure == "neighbours"}, "shuffled labels: {y}"
        plot = plot.dots("combination", ends[0], shuffled, ends=ends, hover=hover, size=8, more=once)
        plot = plot.lines("combination", measure, look, rows=lines, hover="{shown}: {y}", size=10)
    return plot.rule(x=list(frame["combination"]).index(result.combination))


def _recovery_alt(frame: pd.DataFrame) -> str:
    parts = []
    for measure, look in _MEASURES.items():
        best = frame.loc[frame[measure].idxmax()]
        parts.append(
            f"{look.name[:1].upper()}{look.name[1:]}: {decimal(frame[measure].iloc[0])} in"
            f" {frame['combination'].iloc[0]}; the"
            f" highest value is {decimal(best[measure])} (in {best['combination']}; with shuffled labels"
            f" {decimal(best[f'{measure}_shuffled'])})"
        )
    return ". ".join(parts) + "."


def silhouettes(result: Clusters) -> Plot:
    """The silhouette by number of clusters, with bands for the ranges of the two controls without clusters."""
    curve = result.curve
    row = curve.set_index("clusters").loc[result.count]
    alt = (
        f"The mean silhouette of {result.count} clusters is {decimal(row['silhouette'])}. With this number of clusters,"
        f" shuffled words reach up to {decimal(row['shuffled_highest'])}, and clouds of points without clusters up to"
        f" {decimal(row['cloud_highest'])}."
    )
    y = Axis("mean silhouette", hover=".2f", room=(0.06, 0.06))
    plot = Plot(curve, alt, Axis("number of clusters", hover=".0f", more={"dtick": 1}), y, 300)
    silent = {"name": "", "showlegend": False, **SILENT}
    for kind, look in _WITHOUT_CLUSTERS.items():
        plot = plot.lines("clusters", f"{kind}_lowest", look, marks=False, more=silent)
        filled = {"fill": "tonexty", "fillcolor": tint(look.colour, 0.18)}
        plot = plot.lines("clusters", f"{kind}_highest", look, hover="highest: {y}", more=filled)
    plot = plot.lines("clusters", "silhouette", Look("your sentences", BLUE), hover="{x} clusters: {y}")
    return plot.ring(result.count, row["silhouette"])
