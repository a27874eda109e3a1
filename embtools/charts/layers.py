"""Charts of the Layers page: pairs of occurrences, layer combinations on fifty words, and what layers share."""

from dataclasses import replace

import numpy as np
import pandas as pd

from embtools.charts.axes import Axis, Look, Names, Shades, layer_axis
from embtools.charts.plot import Plot
from embtools.charts.style import BLUE, GREEN, GREY, MAUVE, SLATE, TINTS, VERMILLION
from embtools.layers.senses import DIFFERENT, SAME, UNKNOWN
from embtools.layers.similar_layers import LayerSimilarity, between
from embtools.layers.survey import FiftyWords, Survey
from embtools.messages import counted, listed
from embtools.statistics.decimals import decimal
from embtools.vectors import Array

_KINDS = {
    SAME: Look(SAME, BLUE, "circle", "solid"),
    DIFFERENT: Look(DIFFERENT, VERMILLION, "diamond", "dash"),
    UNKNOWN: Look(UNKNOWN, GREY, "square", "dot"),
}
_GEOMETRY = {
    "self_similarity": Look("self-similarity", BLUE, "circle", "solid"),
    "anisotropy": Look("anisotropy", VERMILLION, "diamond", "dash"),
    "adjusted": Look("self-similarity minus anisotropy", GREEN, "square", "dot"),
}
_POOLINGS = (
    (BLUE, "circle"),
    (SLATE, "circle-open"),
    (VERMILLION, "diamond"),
    (MAUVE, "square"),
    (GREEN, "triangle-up"),
)
_SIMILARITY = Shades(((0.0, TINTS[1][1]), (1.0, TINTS[2][1])), bar=True)
_LAYER = "layer (0: input embedding)"
_FEW = 6  # up to this many pairs get their own line and name


def pair_lines(lines: pd.DataFrame) -> Plot:
    """One line per pair of occurrences over the layers, coloured by kind; with many pairs, the mean is highlighted."""
    count, last = lines["pair"].nunique(), int(lines["layer"].max())
    height = 430 + (18 * count if count <= _FEW else 0)
    plot = Plot(lines, _pair_lines_alt(lines), layer_axis(last, _LAYER), Axis("cosine"), height)
    for kind, look in _KINDS.items():
        group = lines[lines["kind"] == kind]
        if group.empty:
            continue
        if count <= _FEW:
            for number, (pair, line) in enumerate(group.groupby("pair", sort=False)):
                own = replace(look, name=str(pair), symbol=look.symbol + "-open" * (number % 2))
                plot = plot.lines("layer", "cosine", own, rows=line, hover="{name}<br>layer {x}: {y}")
            continue
        # One trace with gaps instead of up to 190: building a trace takes milliseconds.
        gaps = group[group["layer"] == last].assign(cosine=np.nan)
        rows, more = pd.concat([group, gaps]).sort_index(kind="stable"), {"legendgroup": kind}
        thin = more | {"showlegend": False, "opacity": 0.35, "line": {"width": 1}}
        plot = plot.lines("layer", "cosine", look, rows=rows, marks=False, hover="{pair}<br>layer {x}: {y}", more=thin)
        mean, look = group.groupby("layer", as_index=False)["cosine"].mean(), replace(look, name=f"{kind} (mean)")
        thick, hover = more | {"line": {"width": 4}}, "{name}<br>layer {x}: {y}"
        plot = plot.lines("layer", "cosine", look, rows=mean, hover=hover, size=10, more=thick)
    return plot


def _pair_lines_alt(lines: pd.DataFrame) -> str:
    known, last = lines.dropna(subset="cosine"), int(lines["layer"].max())
    parts = [f"Cosines of {counted(known['pair'].nunique(), 'pair')} of occurrences in layers 0 to {last}."]
    for kind, group in known.groupby("kind", sort=False):
        mean = group.groupby("layer")["cosine"].mean()
        parts.append(
            f"For pairs with {_named(kind)}, the mean is {decimal(mean.loc[0])} in layer 0 and"
            f" {decimal(mean.loc[last])} in layer {last}."
        )
    return " ".join(parts)


def pair_cosines(pairs: pd.DataFrame) -> Plot:
    """The cosines of each kind of pair, for one layer combination. pairs: kind, pair, cosine."""
    known, parts = pairs.dropna(subset="cosine"), []
    for kind, group in known.groupby("kind", sort=False):
        low, high = decimal(group["cosine"].min()), decimal(group["cosine"].max())
        values = low if low == high else f"{low} to {high}"
        parts.append(f"{values} for {counted(len(group), 'pair')} with {_named(kind)}")
    alt = f"Cosines of the pairs: {listed(parts) or 'there is nothing to compare'}."
    kinds = [kind for kind in _KINDS if (known["kind"] == kind).any()]
    height = 110 + 48 * max(1, pairs["kind"].nunique())
    plot = Plot(pairs, alt, Axis("cosine"), Names(kinds, "pairs", wide=9), height, legend=False)
    for kind in kinds:
        rows, look = known[known["kind"] == kind], replace(_KINDS[kind], symbol=f"{_KINDS[kind].symbol}-open")
        plot = plot.dots("cosine", "kind", look, rows=rows, hover="{pair}: {x}", size=13)
    return plot


def _named(kind: str) -> str:
    """Return a kind of pairs as it follows "pairs with".

    >>> _named(SAME), _named(DIFFERENT), _named(UNKNOWN)
    ('the same sense', 'different senses', 'no sense given')
    """
    return f"the {kind}" if kind == SAME else kind


def stability(result: FiftyWords) -> Plot:
    """Mean AUC with its interval: one row per layer combination, one mark per pooling, lines for chance and control."""
    every, control, best = result.scores.iloc[:-1], result.scores.iloc[-1], result.best
    names = list(every["combination"].unique())
    known = "" if every["low"].isna().any() else ", with 95% intervals"
    alt = (
        f"Mean AUC of {len(names)} layer combinations{known}. The best is {best['combination']},"
        f" {best['pooling']}, with {best['auc']:.2f}. The control without a model has {control['auc']:.2f}."
    )
    x, y = Axis("mean AUC over the words", room=(0.04, 0.04)), Names(names, "layer combination", wide=20)
    plot = Plot(result.scores, alt, x, y, 110 + 32 * len(names))
    hover = "{name}: {x} ({low} to {high})<br>best in {best:.0%} of the resamples"
    # Five marks share a row, so they are small.
    thin = {"error_x": {"thickness": 1, "width": 0}}
    for number, (pooling, rows) in enumerate(every.groupby("pooling", sort=False)):
        look, at = Look(str(pooling), *_POOLINGS[number]), 0.15 * (number - 2)
        plot = plot.dots(
            "auc", "combination", look, rows=rows, ends=("low", "high"), shift=at, hover=hover, size=8, more=thin
        )
    return plot.rule("chance", x=0.5, dash="solid").rule(x=float(control["auc"]))


def geometry(result: Survey) -> Plot:
    """Self-similarity, anisotropy and their difference in every layer."""
    frame, first, last = result.geometry, result.geometry.iloc[0], result.geometry.iloc[-1]
    changes = (f"from {decimal(first[name])} to {decimal(last[name])}" for name in _GEOMETRY)
    alt = (
        f"From layer 0 to layer {int(last['layer'])}, self-similarity changes {next(changes)}, anisotropy"
        f" {next(changes)}, and their difference {next(changes)}."
    )
    cosine = Axis("mean cosine", least=(0.0,), room=(0.04, 0.04), more={"rangemode": "tozero"})
    plot = Plot(frame, alt, layer_axis(len(frame) - 1, _LAYER), cosine, 400)
    for column, look in _GEOMETRY.items():
        plot = plot.lines("layer", column, look, hover="{name} in layer {x}: {y}")
    return plot


def layer_similarity(result: LayerSimilarity) -> Plot:
    """Heatmap of the similarity of every two layers, measured on the words of some sentences."""
    alt = f"Similarity of layers (CKA) on {len(result.keys)} words. {result.headline}"
    return _similarity(result.similarity, result.table.round(4), alt)


def similarity_of_both(first: LayerSimilarity, second: LayerSimilarity, names: tuple[str, str]) -> Plot:
    """Heatmap of the similarity of every layer of a model, by row, with every layer of another one, by column."""
    result = between(first, second)
    row, column = result.most_similar
    alt = (
        f"Similarity (CKA) of the layers of {names[0]} and {names[1]} on {result.words} words. Of the layers above"
        f" layer 0, layers {row} and {column} are the most similar ({decimal(result.similarity[row, column])})."
    )
    frame = pd.DataFrame(result.similarity.round(4)).rename(columns=str)
    frame.insert(0, "layer", range(len(frame)))
    return _similarity(result.similarity, frame, alt, names)


def _similarity(values: Array, frame: pd.DataFrame, alt: str, names: tuple[str, ...] = ()) -> Plot:
    """A row and a column per layer, with numbers in the cells if there are few; cells of one model are squares."""
    rows, columns = (f"layer of {name}" for name in names) if names else ("layer", "layer")
    more = {"dtick": 1 if len(values) <= 13 else 4, "constrain": "domain"}
    square = {} if names else {"scaleanchor": "x"}
    layout = {"margin": {"l": 48}}  # room for short numbers, so that there is more for the cells
    plot = Plot(frame, alt, Axis(columns, more=more), Axis(rows, more=more | square), 388, layout=layout)
    return plot.cells(
        values,
        _SIMILARITY,
        text=(lambda row, column: decimal(values[row, column])) if len(values) <= 9 else None,
        hover=lambda row, column: f"layers {row} and {column}: {decimal(values[row, column], 3)}",
        xgap=0,
        ygap=0,
    )
