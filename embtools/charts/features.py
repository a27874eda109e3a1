"""Charts of the Features page: learned features, the parts of a mix, their controls, and mixes put back into BERT."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from embtools.charts.axes import Axis, Look, Names, Shades, looks
from embtools.charts.plot import FIXED, SAME, SILENT, Plot
from embtools.charts.style import BLUE, GREEN, GREY, INK, PAPER, VERMILLION, label, saved, tint
from embtools.features.clamping import FACTORS, FEATURE, Clamped
from embtools.features.clamping import RANDOM as RANDOM_FEATURES
from embtools.features.controls import KINDS, OWN
from embtools.features.examples import ONE_WORD, ExampleFeatures
from embtools.features.examples import RANDOM as RANDOM_EXAMPLES
from embtools.features.parts import by_word
from embtools.features.patched import Patched
from embtools.features.patching import NOTHING, ORIGINAL, PARTS, RANDOM
from embtools.features.results import Controls
from embtools.features.sentences import SentenceFeatures
from embtools.features.uses import MOST as MOST_WORDS
from embtools.features.uses import FeatureOccurrences
from embtools.messages import counted, listed, shortened
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded

MEASURES = "probability", "kl_bits"
"""The measures of `patched`."""
MOST_BARS, MOST_LINES, MOST_COLUMNS = 8, 6, 40
"""Largest numbers of words with a bar or a line of their own, and of those with a column; the table has all."""
_TEXTS: dict[str, Any] = {"mode": "text", **SILENT, "cliponaxis": False}
_BARE = {"showgrid": False, "zeroline": False}
_STRONGER = ((0.0, "rgba(0, 114, 178, 0.000)"), (1.0, "rgba(0, 114, 178, 0.850)"))
_DASHES = {RANDOM_EXAMPLES: "dash", ONE_WORD: "dot"}


def parts(table: pd.DataFrame) -> Plot:
    """Bars of the shares of the parts, stacked by word, the heaviest on top; the last bar has the remaining words."""
    totals = table.groupby("word", sort=False)["share"].sum().sort_values(ascending=False, kind="stable")
    named = list(totals.index[: MOST_BARS if len(totals) > MOST_BARS + 1 else MOST_BARS + 1])
    rest = f"{len(totals) - len(named)} other words"
    rows = table.assign(row=[word if word in named else rest for word in table["word"]])
    order = [*named, *([rest] if len(totals) > len(named) else [])]
    words = ", ".join(f"{row.word} {rounded(row.share)}" for row in by_word(table).itertuples())
    x = Axis("share of the mix", ".0%", least=(0,), room=(0, 0.1), more={"rangemode": "tozero"})
    layout = {"bargap": 0.3, "barmode": "stack", "margin": {"r": 44}}
    frame, alt = table.drop(columns=["start", "end"]), f"Shares of the words in the mix: {words}."
    plot = Plot(frame, alt, x, Names(order, "word", wide=99), 116 + 27 * len(order), legend=False, layout=layout)
    rows["exact"] = [rounded(share, 1) for share in rows["share"]]
    colours, hover = [GREY if row == rest else BLUE for row in rows["row"]], "{word}: {exact}<br>{sentence:60/4}"
    more = {"marker": {"line": {"color": PAPER, "width": 1.5}}}
    plot = plot.bars("share", "row", Look("share"), rows=rows, hover=hover, colours=colours, more=more)
    sums = rows.groupby("row")["share"].sum().loc[order].reset_index()
    texts = [f" {rounded(share)}" for share in sums["share"]]
    return plot.dots("share", "row", Look("share"), rows=sums, text=texts, more=_TEXTS)


def path(frame: pd.DataFrame, share: float) -> Plot:
    """Lines of the shares of the heaviest words and of the share explained, with the chosen penalty `share` marked."""
    first, last = frame.iloc[0], frame.iloc[-1]
    few, many = (counted(int(row["parts"]), "part") for row in (first, last))
    alt = (
        f"With the penalised weights, a mix of {few} explains {rounded(first['explained'])} of the vector, and a mix of"
        f" {many} {rounded(last['explained'])}."
        f" The {'only' if first['parts'] == 1 else 'strongest'} part of the first mix is {first['word']}."
    )
    steps = frame.drop_duplicates("penalty")
    some = steps.iloc[::3]
    names = [f"{row.penalty:.2f} ({row.parts})" for row in some.itertuples()]
    ticks = {"type": "log", "autorange": "reversed", "tickvals": list(some["penalty"]), "ticktext": names}
    x = Axis("penalty / its maximum (number of parts)", more=ticks)
    y = Axis(ticks=".0%", hover=".0%", range=(-0.02, 1.05))
    plot = Plot(frame, alt, x, y, 320, layout=saved(yaxis="share of the mix"))
    hover, wide = "{y} explained (parts: {parts})", {"line": {"width": 4}}
    plot = plot.lines("penalty", "explained", Look("explained"), rows=steps, marks=False, hover=hover, more=wide)
    heaviest = frame.groupby("word", sort=False)["share"].max().sort_values(ascending=False, kind="stable")
    for word, look in looks(list(heaviest.index[:MOST_LINES])).items():
        shares = frame[frame["word"] == word].set_index("penalty")["share"].reindex(steps["penalty"]).fillna(0.0)
        rows = steps.assign(share=shares.to_numpy())
        plot = plot.lines("penalty", "share", look, rows=rows, hover="{name}: {y} (parts: {parts})")
    return plot.rule(x=min(max(share, 0.045), 1.0), colour=INK)


def controls(result: Controls) -> Plot:
    """Strip chart with one row per kind of control: rings for draws, diamonds for means, a star for the vector."""
    means, compared = result.summary, result.frame
    alt = f"Mean share explained: {'; '.join(f'{row.kind} {rounded(row.mean)}' for row in means.itertuples())}."
    kinds = [kind for kind in KINDS if kind in set(compared["kind"])]
    rows = Names(kinds, "mix and controls", wide=12, more={"range": [len(kinds) - 0.5, -0.7], "zeroline": True})
    x = Axis("share explained", ".0%", ".1%", range=(-0.02, 1.02))
    plot = Plot(means, alt, x, rows, 118 + 40 * len(kinds))
    draws, ring = compared[compared["kind"] != OWN], Look("control run", GREY, "circle-open")
    thin = {"marker": {"line": {"width": 1}}}
    plot = plot.dots("explained", "kind", ring, rows=draws, hover="{vector}: {x}", size=7, more=thin)
    own = means["kind"] == OWN
    star, mean = Look("this vector", BLUE, "star"), Look("mean", VERMILLION, "diamond")
    for look, chosen, size in ((mean, means[~own], 11), (star, means[own], 15)):
        texts = [rounded(value) for value in chosen["mean"]]
        more = {"textposition": "top center", "textfont": {"size": 11}}
        plot = plot.dots("mean", "kind", look, rows=chosen, text=texts, hover="{x}", size=size, more=more)
    return plot


def patched(result: Patched, measure: str = MEASURES[0]) -> Plot:
    """Lines over the number of words: the mix, and random words with their range; filled: the same top answer."""
    summary, shares = result.summary, measure == "probability"
    title = f"probability of {result.answer}" if shares else "KL divergence (bits)"
    ticks, hover = (".0%", ".1%") if shares else ("~g", ".2f")
    y = Axis(label(title), ticks, hover, least=(0, 1e-6), room=(0, 0.05), more={"rangemode": "tozero"})
    ends = 0.5, float(summary["k"].max()) + 0.5
    x = Axis("number of parts of the mix", "d", least=ends, room=(0, 0), more={"rangemode": "normal"})
    layout = {"hovermode": "x unified", "margin": {"t": 28, "r": 60}}
    plot = Plot(summary, _patched_alt(summary, measure, title), x, y, 330, layout=layout)
    drawn, own = summary[summary["run"] == RANDOM], summary[summary["run"] == PARTS]
    range_of_draws = pd.concat([drawn[f"{measure}_highest"], drawn[f"{measure}_lowest"][::-1]])
    band = pd.DataFrame({"k": [*drawn["k"], *drawn["k"][::-1]], "end": range_of_draws.to_numpy()})
    filled = {"fill": "toself", "fillcolor": tint(VERMILLION, 0.18), "line": {"width": 0}, **SILENT}
    plot = plot.lines("k", "end", Look(f"{RANDOM} (range)", VERMILLION), rows=band, marks=False, more=filled)
    for look, rows in ((Look(f"{RANDOM} (mean)", VERMILLION, "square", "dash"), drawn), (Look(PARTS, BLUE), own)):
        symbols = [look.symbol if same > 0.5 else f"{look.symbol}-open" for same in rows["same_answer"]]
        hover = f"{{y}}{'' if shares else ' bits'}<extra>{{name}}</extra>"
        plot = plot.lines("k", measure, look, rows=rows, hover=hover, more={"marker": {"symbol": symbols}})
    marks = {ORIGINAL: "original<br>vector", NOTHING: "zeros"}
    if not shares:  # the divergence of the original from itself is 0, which is the axis
        del marks[ORIGINAL]
    values = {run: float(summary.loc[summary["run"] == run, measure].iloc[0]) for run in marks}
    for run, text in marks.items():  # the names are beside the lines, the higher one above the lower one
        side = "middle" if len(marks) == 1 else "bottom" if values[run] == max(values.values()) else "top"
        plot = plot.rule(text, y=values[run], colour=INK, note={"xanchor": "left", "yanchor": side})
    return plot


def _patched_alt(summary: pd.DataFrame, measure: str, title: str) -> str:
    """The first and last value of both lines."""
    form = (lambda v: rounded(v)) if measure == "probability" else decimal
    lines = []
    for run in (PARTS, RANDOM):
        line = summary[summary["run"] == run]
        first, last = line.iloc[0], line.iloc[-1]
        lines.append(f"{run}: {form(first[measure])} with {first['k']} and {form(last[measure])} with {last['k']}")
    return f"{title[:1].upper()}{title[1:]} by number of parts. {'; '.join(lines).capitalize()}."


def features(result: SentenceFeatures) -> Plot:
    """Heatmap of the strongest features (rows) at the words (columns). A click chooses a feature."""
    words, strongest = result.words[:MOST_COLUMNS], result.strongest
    values, numbers, promoted = result.grid[:, : len(words)], list(strongest["feature"]), list(strongest["promotes"])
    first, left_out = strongest.iloc[0], len(result.words) - len(words)
    alt = (
        f"Heatmap of the {counted(len(numbers), 'strongest feature')} of layer {result.layer} at"
        f" {counted(len(words), 'word')}. The highest activation is {first['activation']:.1f}: feature"
        f" {first['feature']} at {first['at']}."
    )
    alt += f" The table also has {counted(left_out, 'later word')}." if left_out else ""
    bold = [f"<b>{feature}</b>" if feature == result.feature else str(feature) for feature in numbers]
    x = Names([shortened(word, 12) for word in words], "word", wide=99, more={"tickangle": None})
    y = Names(numbers, "feature", titled=True, more={"ticktext": bold})
    ends = Axis("activation", least=(0.0, float(strongest["activation"].max())), fit=True, room=(0, 0))
    plot = Plot(result.active, alt, x, y, 110 + 20 * len(numbers), layout={"margin": {"t": 4, "r": 120, "b": 76}})
    return plot.cells(
        values,
        Shades(_STRONGER, ends, bar=True),
        hover=lambda row, column: (
            f"feature {numbers[row]}, “{label(words[column])}”: {values[row, column]:.2f}<br>promotes"
            f" {label(promoted[row])}"
        ),
        click=lambda row, column: numbers[row] if values[row, column] else None,
        size=18,
        xgap=1,
        ygap=1,
    )


def clamped(result: Clamped) -> Plot:
    """One row per factor: the KL divergence with this feature and with each random one. Filled: the same top answer."""
    changes = [
        f"{row['kl_bits']:.3f} bits with factor {row['factor']:.0f} (random features: {row['random']:.3f} on average)"
        for row in result.summary.to_dict("records")
    ]
    alt = f"Change in the answers with feature {result.feature}: {'; '.join(changes)}."
    x = Axis("KL divergence (bits)", least=(0, 1e-3, float(result.runs["kl_bits"].max())), room=(0.042, 0.05), fit=True)
    texts = [f"× {factor:.0f}" for factor in FACTORS]
    y = Names(FACTORS, "activation", texts, titled=True, more={"showgrid": False})
    plot = Plot(result.runs, alt, x, y, 240, layout=FIXED)
    random, own = Look("random features", VERMILLION), Look(f"feature {result.feature}", BLUE, "diamond")
    for kind, look, size in ((RANDOM_FEATURES, random, 8), (FEATURE, own, 14)):
        rows = result.runs[result.runs["run"] == kind]
        counts = [int((rows["factor"] == factor).sum()) for factor in FACTORS]
        shift = np.concatenate([np.linspace(-0.3, 0.3, n) if n > 1 else np.zeros(1) for n in counts])
        hover = "feature {feature}: {x} bits<br>top answer: {answer}"
        plot = plot.dots(
            "kl_bits",
            "factor",
            look,
            rows=rows,
            shift=shift,
            filled=list(rows["same_answer"]),
            hover=hover,
            size=size,
            more={"cliponaxis": False},
        )
    return plot


def feature_words(result: FeatureOccurrences) -> Plot:
    """Bars: at which share of the occurrences of each word the feature is active."""
    rows = result.words.head(MOST_WORDS)
    texts = [f"{active} of {count}" for active, count in zip(rows["active"], rows["count"], strict=True)]
    alt = "The feature is active at no word of the text."
    if len(rows):
        first = rows.iloc[0]
        share = f"{first['word']}: {first['active']} of {first['count']} occurrences"
        alt = (
            f"Bar chart of the only word at which feature {result.feature} is active: {share}."
            if len(rows) == 1
            else f"Bar chart of {len(rows)} words at which feature {result.feature} is active most often. The first is"
            f" {share}."
        )
    more = {**_BARE, "tickvals": [0, 0.5, 1]}
    x = Axis("share of the word’s occurrences", ".0%", ".2f", range=(0, 1.15), more=more)
    return _bars(Plot(result.words, alt, x), rows, "share", texts, BLUE)


def promoted(result: FeatureOccurrences) -> Plot:
    """Bars: how far the score of each word lies above the mean."""
    rows = result.promoted
    alt = f"Words that feature {result.feature} promotes most: {listed(rows['word'].head(4))}."
    x = Axis("standard deviations above the mean", hover=".2f", room=(0, 0.15), fit=True, more=_BARE)
    return _bars(Plot(rows, alt, x), rows, "along", [f"{value:.1f}" for value in rows["along"]], GREEN)


def _bars(plot: Plot, rows: pd.DataFrame, column: str, texts: Sequence[str], colour: str) -> Plot:
    names = Names([shortened(word, 14) for word in rows["word"]] or [""], "word", wide=99, more=_BARE)
    layout = {**FIXED, "bargap": 0.25, "margin": {"r": 40}}
    plot = replace(plot, y=names, height=72 + 19 * max(len(rows), 3), legend=False, layout=layout)
    rows, more = rows.assign(row=range(len(rows))), {"textfont": {"size": 11}, "constraintext": "none"}
    return plot.bars(column, "row", Look(column, colour), rows=rows, text=texts, hover="{x}", more=more)


def examples(result: ExampleFeatures) -> Plot:
    """Bars: the share of the examples minus that of the text; lines: the highest values of random examples."""
    rows, n, first = result.features, len(result.read), result.features.iloc[0]
    highest = ". ".join(
        f"Best feature of {row.kind}: {decimal(row.highest, 3)} at most in {row.draws} draws"
        for row in result.summary.itertuples()
    )
    alt = (
        f"Bar chart of {counted(len(rows), 'feature')} by the difference of their shares. The first, feature"
        f" {first['feature']}, is active at {first['examples']} of {n} examples and at {rounded(first['share'], 2)} of"
        f" the text. {highest}."
    )
    names = [f"{row.feature}: {shortened(row.words, 22)}" for row in rows.itertuples()]
    ticks = {"zeroline": False, "tickvals": [0, 0.25, 0.5, 0.75, 1]}
    x = Axis("difference of shares", range=(0, 1.25), more=ticks)
    y = Names(names, "feature and its strongest words", wide=99, more={"showgrid": False})
    layout = {**FIXED, "bargap": 0.3}
    plot = Plot(rows, alt, x, y, 84 + 22 * max(len(rows), 3), legend=False, layout=layout)
    for kind, value in zip(result.summary["kind"], result.summary["highest"], strict=True):
        plot = plot.rule(x=float(value), colour=VERMILLION, dash=_DASHES[kind])
    plot = replace(plot, shapes=tuple({**line, "layer": "below"} for line in plot.shapes))
    of = [f"{count} of {n}" for count in rows["examples"]]
    shares = [rounded(share, 2) for share in rows["share"]]
    marks = rows.assign(row=range(len(rows)), of=of, share=shares, right=1.02)
    hover, look = "feature {feature}: {of} examples, {share} of the text", Look("difference", BLUE)
    plot = plot.bars("difference", "row", look, rows=marks, hover=hover, click="feature", more=SAME)
    # To the right of all lines, which would cross texts at the bars.
    return plot.dots("right", "row", look, rows=marks, text=of, more={**_TEXTS, "textfont": {"size": 11}})
