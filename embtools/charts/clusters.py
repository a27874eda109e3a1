"""Charts of the Clusters page besides its map: groups, senses by layer, clusters of sentences, and isotropy."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from embtools.charts import style
from embtools.charts.axes import Axis, Look, Names, looks
from embtools.charts.plot import SILENT, Plot
from embtools.charts.style import BLUE, GREEN, GREY, VERMILLION, tint
from embtools.clusters.group_tests import GroupDimensions
from embtools.clusters.isotropy.of_file import CENTRED, GIVEN, IN_MODEL, Isotropy
from embtools.clusters.isotropy.of_file import RANDOM as RANDOM_VECTORS
from embtools.clusters.isotropy.solved import SeparatedSenses, SolvedAnalogies
from embtools.clusters.isotropy.spaces import MeasuredSpaces, ScoredSpaces
from embtools.clusters.senses import Recovery
from embtools.clusters.sentences import Clusters
from embtools.layer_combinations import CONCAT_FOUR, SECOND_TO_LAST, SUM_ALL, SUM_FOUR
from embtools.messages import column_name, counted
from embtools.spaces.controls import AFTER, BEFORE, CENTRE, RANDOM
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded

_ENDS = (10**-0.1, 10**3.1)  # of the numbers of dimensions on axes that can be compared: at most 1,024
_WITHOUT_CLUSTERS = {
    "cloud": Look("clouds of points without clusters", GREY, dash="dot"),
    "shuffled": Look("shuffled words", VERMILLION, dash="dash"),
}
_SPACES = {
    BEFORE: Look(BEFORE, GREY, "circle", "solid"),
    AFTER: Look(AFTER, BLUE, "diamond", "solid"),
    CENTRE: Look(CENTRE, VERMILLION, "square-open", "dash"),
    RANDOM: Look(RANDOM, GREEN, "triangle-up-open", "dot"),
}
_BINS = 60
_MOST, _LEAST = 100, 1e-6  # components drawn, and the smallest share of the variance that is drawn
_OF_FILE = {
    GIVEN: Look(GIVEN, BLUE),
    CENTRED: Look(CENTRED, GREEN, dash="dash"),
    RANDOM_VECTORS: Look(RANDOM_VECTORS, GREY, dash="dot"),
    IN_MODEL: Look(IN_MODEL, VERMILLION, dash="dashdot"),
}
_IN_WORDS = {GIVEN: "vectors as they are", CENTRED: "centred vectors"}  # in the description; the others are clear
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
    parts = [
        f"{counted(true, basis[:-1])} (shuffled groups: {low} to {high})"
        for basis, (true, low, high) in result.half.items()
    ]
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
    alt = f"Words assigned to the right group: {alt}."
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


def histogram(result: MeasuredSpaces, results: Sequence[MeasuredSpaces] = ()) -> Plot:
    """Histograms of the cosines of random pairs, in the same bins for all `results` that are compared."""
    every = [np.concatenate([one.cosines for one in each.spaces.values()]) for each in results or [result]]
    low = min(-0.2, *(float(np.quantile(values, 0.0005)) for values in every))
    high = max(0.5, *(float(np.quantile(values, 0.9995)) for values in every))
    edges = np.linspace(low, high, _BINS + 1)
    x = Axis("cosine of two random words", hover=".2f", range=(low, high))
    y = Axis("share of pairs", ".0%", ".1%", more={"rangemode": "tozero"})
    plot = Plot(result.table, _histogram_alt(result), x, y, height=310)
    for name, one in result.spaces.items():
        look, shares = _SPACES[name], np.histogram(one.cosines, edges)[0] / len(one.cosines)
        rows = pd.DataFrame({"cosine": (edges[1:] + edges[:-1]) / 2, "share": shares})
        area = {"fill": "tozeroy", "fillcolor": tint(look.colour, 0.22)} if name in (BEFORE, AFTER) else {}
        more, hover = area | {"line": {"shape": "hvh"}}, "{name}: cosine {x}, {y} of pairs"
        plot = plot.lines("cosine", "share", look, rows=rows, marks=False, hover=hover, more=more)
        plot = plot.rule(x=float(one.cosines.mean()), colour=look.colour, dash=look.dash)
    return plot


def _histogram_alt(result: MeasuredSpaces) -> str:
    parts = (
        f"{name} mean {decimal(float(one.cosines.mean()))}, standard deviation {decimal(float(one.cosines.std()))}"
        for name, one in result.spaces.items()
    )
    return f"Cosines of random pairs of words: {'; '.join(parts)}."


def scores(result: ScoredSpaces, *, same_axes: bool = False) -> Plot:
    """Scores with one row per task and one mark per space, with 95% intervals and the score expected by chance."""
    table = result.table
    parts = (
        f"{task}: {', '.join(f'{row.space} {decimal(row.score)}' for row in own.itertuples())}"
        for task, own in table.groupby("task", sort=False)
    )
    least = 0.0 if same_axes else 0.32, 1.02
    x = Axis("score (AUC or share correct)", least=least, room=(0.03, 0), fit=True)
    tasks = Names(list(table["task"].unique()), "task", wide=12)
    plot = Plot(table, f"Scores by task. {'; '.join(parts)}.", x, tasks, height=310)
    hover = "{x:.2f} expected by chance (for analogies: without arithmetic)"
    more = {"marker": {"line": {"color": GREY, "width": 2}}}
    chance, raw = Look("expected by chance", GREY, "line-ns"), table[table["space"] == BEFORE]
    plot = plot.dots("chance", "task", chance, rows=raw, hover=hover, size=26, more=more)
    for look, shift in _shifted(table["space"].unique(), 0.17):
        rows, hover = table[table["space"] == look.name], "{name}: {x} (n = {n:,})"
        plot = plot.dots("score", "task", look, rows=rows, ends=("low", "high"), shift=shift, hover=hover)
    return plot


def _shifted(names: Sequence[str], step: float) -> list[tuple[Look, float]]:
    """The looks of some spaces, and shifts within a row, so that equal values do not cover each other."""
    found = [look for name, look in _SPACES.items() if name in names]
    return [(look, step * (number - (len(found) - 1) / 2)) for number, look in enumerate(found)]


def spectrum(result: MeasuredSpaces) -> Plot:
    """Share of the variance of each principal component on a logarithmic scale, with one line per space."""
    table = result.directions
    x = Axis("principal component", hover=".0f", room=(0, 0))
    y = Axis("share of the variance (log scale)", ".2~%", ".2%", more={"type": "log", "dtick": "D2"})
    plot, parts = Plot(table, "", x, y, height=340), []
    for name, own in table.groupby("space", sort=False):
        rows, half = own.head(_MOST), int((own["cumulative"] < 0.5).sum()) + 1
        hover = "{name}, component {x}: {y}, cumulative {cumulative:.0%}"
        rows = rows.assign(share=rows["share"].clip(lower=_LEAST))
        plot = plot.lines("component", "share", _SPACES[str(name)], rows=rows, marks=False, hover=hover)
        parts.append(
            f"{name}: the first component has {rounded(own['share'].iat[0], 1)} of the variance; it takes {half}"
            " components to reach half of it"
        )
    return replace(plot, alt=f"Variance by principal component. {'; '.join(parts)}.")


def dimensions(result: MeasuredSpaces) -> Plot:
    """Bars of the dimensions that contribute most to the raw mean cosine."""
    table = result.dimensions
    share = decimal(table["contribution"].iat[0], 3)
    alt = f"Dimension {table['dimension'].iat[0]} contributes {share} to the mean cosine."
    x = Axis("contribution to the mean cosine", hover="+.4f", room=(0, 0.05))
    plot = Plot(table, alt, x, Names(list(table["dimension"]), "dimension", titled=True), height=340)
    hover = "dimension {dimension}: {x} of the mean cosine"
    return plot.bars("contribution", "dimension", Look("contribution", BLUE), hover=hover)


def relations(result: SolvedAnalogies) -> Plot:
    """Share of analogies whose expected word ranks 1st, with one row per relation and one mark per space."""
    table = result.by_relation
    means = {name: (table[column_name(name)] * table["n"]).sum() / table["n"].sum() for name in result.spaces}
    alt = ", ".join(f"{name} {rounded(mean)}" for name, mean in means.items())
    texts = [f"{row.relation} ({row.n})" for row in table.itertuples()]
    x = Axis("expected word ranks 1st", ".0%", ".0%", range=(-0.04, 1.04))
    rows = Names(list(table["relation"]), "relation", texts, 99)
    plot = Plot(table, f"Share of analogies whose expected word ranks 1st: {alt}.", x, rows, 110 + 38 * len(table))
    for look, shift in _shifted(list(result.spaces), 0.2):
        hover = "{relation} ({n}), {name}: {x}"
        plot = plot.dots(column_name(look.name), "relation", look, shift=shift, hover=hover)
    return plot


def senses(result: SeparatedSenses) -> Plot:
    """Scatter plot with one mark per word: the AUC of its senses in the raw (x) and the processed space (y)."""
    spaces = {name: result.spaces[name].set_index("word")["auc"] for name in (BEFORE, AFTER)}
    rows = pd.DataFrame(spaces).reindex(spaces[BEFORE].index).reset_index()
    change = (rows[AFTER] - rows[BEFORE]).abs()
    named = set(change.sort_values(ascending=False, kind="stable").index[:8])
    low = float(rows[[BEFORE, AFTER]].min(axis=None)) - 0.03
    x, y = (
        Axis(f"AUC of the senses, {name}", hover=".2f", least=(low, 1.03), room=(0, 0), fit=True)
        for name in (BEFORE, AFTER)
    )
    plot = Plot(result.table, f"AUC of the senses of {len(result.table)} words, raw and processed.", x, y, height=380)
    line = pd.DataFrame({"auc": [-1, 1.01]})
    plot = plot.lines("auc", "auc", Look("no change", GREY, dash="dash"), rows=line, marks=False, more=SILENT)
    plot = replace(plot, spans={})  # the line does not count for the ends of the axes
    spots, look, hover = dict.fromkeys(named, "middle right"), Look("word", BLUE, "diamond"), "{word}: {x} → {y}"
    more = {"textfont": {"size": 11}, "cliponaxis": False}
    return plot.dots(BEFORE, AFTER, look, rows=rows, text="word", spots=spots, hover=hover, more=more)


def file_cosines(result: Isotropy) -> Plot:
    """One line per space: how many random pairs have which cosine."""
    frame = result.histogram
    means = "; ".join(
        f"{_IN_WORDS.get(name, name)}: {decimal(each.mean_cosine)}" for name, each in result.measures.items()
    )
    ends = float(frame["bin_start"].min()), float(frame["bin_end"].max())
    x = Axis("cosine of a random pair", hover=".2f", least=ends, room=(0, 0), fit=True, more={"zeroline": False})
    y = Axis("share of the pairs", ".0%", ".1%", least=(0,), room=(0, 0.05), more={"rangemode": "tozero"})
    plot = Plot(frame, f"Histogram of the cosines of random pairs. Mean cosines: {means}.", x, y, 360)
    for space, rows in frame.groupby("space", sort=False):
        shares = {"share": rows["count"] / max(1, rows["count"].sum())}
        rows = rows.assign(middle=(rows["bin_start"] + rows["bin_end"]) / 2, **shares)
        hover, steps = "{name}, cosine {x}: {y} of the pairs", {"line": {"shape": "hvh"}}
        plot = plot.lines("middle", "share", _OF_FILE[str(space)], rows=rows, marks=False, hover=hover, more=steps)
    return plot.rule(x=0)
