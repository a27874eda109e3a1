"""Charts of the Isotropy page: a space next to its controls, what makes it uneven, tasks, and the visitor's words."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from embtools.charts.axes import Axis, Look, Names
from embtools.charts.labels import arranged
from embtools.charts.plot import SILENT, Plot
from embtools.charts.style import BLUE, COLOURS, GREEN, GREY, VERMILLION, symbol, tint
from embtools.isotropy.solved import SeparatedSenses, SolvedAnalogies
from embtools.isotropy.spaces import MeasuredSpaces, ScoredSpaces
from embtools.isotropy.words_in_spaces import Grouped, map_table
from embtools.messages import column_name
from embtools.spaces.controls import AFTER, BEFORE, CENTRE, RANDOM
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded

_SPACES = {
    BEFORE: Look(BEFORE, GREY, "circle", "solid"),
    AFTER: Look(AFTER, BLUE, "diamond", "solid"),
    CENTRE: Look(CENTRE, VERMILLION, "square-open", "dash"),
    RANDOM: Look(RANDOM, GREEN, "triangle-up-open", "dot"),
}
_BINS = 60
_MOST, _LEAST = 100, 1e-6  # components drawn, and the smallest share of the variance that is drawn
_ROOM = (460, 330)  # size in pixels for which the labels of a map are arranged


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


def scores(result: ScoredSpaces) -> Plot:
    """Scores with one row per task and one mark per space, with 95% intervals and the score expected by chance."""
    table = result.table
    parts = (
        f"{task}: {', '.join(f'{row.space} {decimal(row.score)}' for row in own.itertuples())}"
        for task, own in table.groupby("task", sort=False)
    )
    x, tasks = (
        Axis("score (AUC or share correct)", range=(0.3, 1.02)),
        Names(list(table["task"].unique()), "task", wide=12),
    )
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


def word_map(grouped: Grouped, space: str) -> Plot:
    """Map of the words on their first two principal components, with one colour and symbol per group."""
    points, words = grouped.maps[space], grouped.words
    alt = (
        f"PCA map of {len(words)} words in {len(set(grouped.groups))} groups, {space}; the plane shows"
        f" {rounded(grouped.explained[space])} of the variance."
    )
    x, y = (Axis(f"principal component {number}", hidden=True) for number in (1, 2))
    plot = Plot(map_table(grouped, space), alt, x, replace(y, more={"scaleanchor": "x"}), height=420)
    spots = arranged(points, [len(word) for word in words], list(range(len(words))), _ROOM)
    every = pd.DataFrame({"x": points[:, 0], "y": points[:, 1], "word": words, "group": grouped.groups})
    for number, (name, rows) in enumerate(every.groupby("group", sort=False)):
        look, hover = Look(str(name), COLOURS[number % len(COLOURS)], symbol(number)), "{word}<extra>{name}</extra>"
        more = {"textfont": {"size": 11}, "cliponaxis": False}
        plot = plot.dots("x", "y", look, rows=rows, text="word", spots=spots, hover=hover, more=more)
    return plot
