"""Charts of the Corpus page: near occurrences, their parts of speech, and choices of analogies."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from embtools.charts.axes import Axis, Look, Names
from embtools.charts.plot import Plot
from embtools.charts.style import BLUE, BROWN, GREEN, GREY, INK, MAUVE, PURPLE, SLATE, VERMILLION, wrap
from embtools.corpus.analogy_results import Choices
from embtools.corpus.near_occurrences import Nearest
from embtools.corpus.parts_of_speech import NeighbourParts
from embtools.messages import counted
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded

NO_SENSE, OTHER = "no sense given", "other words"
_COLOURS = (BLUE, VERMILLION, GREEN, MAUVE, BROWN, PURPLE)
_SHAPES = ("circle", "diamond", "square", "hexagon", "pentagon", "star")
_ON_MAPS = ("triangle-up", "cross", "x", "triangle-down")
_SIGNS = dict(zip((*_SHAPES, *_ON_MAPS), "●◆■⬢⬟★▲✚✖▼", strict=True))
_COSINES = "cosine with the chosen occurrence"
_METHODS = {"without_inputs": "three words excluded", "with_inputs": "three words included"}
_FORMULA, _BASELINE = Look("formula", BLUE), Look("nearness to the first word", GREY)


def sense_marks(senses: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The colour and shape of each sense in all charts and lists, in alphabetical order; "" comes last, in grey."""
    known = sorted(set(senses) - {""})
    named = {
        sense: (_COLOURS[n % len(_COLOURS)], _SHAPES[(n // len(_COLOURS) + n) % len(_SHAPES)])
        for n, sense in enumerate(known)
    }
    return named | ({"": (GREY, "circle")} if "" in set(senses) else {})


def sign(shape: str) -> str:
    """The shape as a character."""
    return _SIGNS[shape]


def cosines(result: Nearest) -> Plot:
    """A mark for every other occurrence of the word, or a histogram if not all of them are listed."""
    rest = result.near[result.near["word"] != result.word]
    return _strip(result, rest) if result.lists_all else _spread(result, rest)


def _strip(result: Nearest, rest: pd.DataFrame) -> Plot:
    others, word, kinds = result.others, result.word, sense_marks(result.others["sense"])
    labels = [f"{wrap(word, 14, 1)},<br>{wrap(sense or NO_SENSE, 16, 1)}" for sense in kinds]
    names = [f"{word}, {sense or NO_SENSE}" for sense in kinds]
    rows = [*names, OTHER] if len(rest) else names
    y = Names(rows, "word and sense", wide=16, more={"ticktext": [*labels, OTHER][: len(rows)], "fixedrange": True})
    x = Axis(_COSINES, room=(0.04, 0.04))
    plot = Plot(others, _strip_alt(others, rest, word), x, y, 90 + 46 * max(1, len(rows)), legend=False)
    for number, (sense, (colour, shape)) in enumerate(kinds.items()):
        group = others[others["sense"] == sense].assign(row=number)
        look, hover = Look(sense, colour, shape), "{text:60/4}<br>cosine {x}"
        more = {"marker": {"opacity": 0.85, "line": {"width": 1, "color": INK}}}
        plot = plot.dots("cosine", "row", look, rows=group, hover=hover, click="number", size=13, more=more)
    if len(rest):
        look, hover = Look(OTHER, SLATE, "line-ns"), "{word}: {text:60/4}<br>cosine {x}"
        marks = rest.assign(row=len(kinds), number=None)  # a click on another word chooses nothing
        spots = {rest.index[0]: "top center"}  # the other words are in the list
        plot = plot.dots(
            "cosine",
            "row",
            look,
            rows=marks,
            text="word",
            spots=spots,
            hover=hover,
            click="number",
            size=13,
            more={"marker": {"line": {"width": 2, "color": SLATE}}},
        )
    return plot


def _strip_alt(others: pd.DataFrame, rest: pd.DataFrame, word: str) -> str:
    parts = [
        f"{word}, {sense or NO_SENSE}: {len(group)} "
        + (
            f"from {decimal(group['cosine'].min())} to {decimal(group['cosine'].max())}"
            if len(group) > 1
            else f"at {decimal(group['cosine'].iloc[0])}"
        )
        for sense, group in others.groupby("sense", sort=False)
    ]
    if len(rest):
        parts.append(f"{OTHER}: from {decimal(rest['cosine'].min())} to {decimal(rest['cosine'].max())}")
    return "Cosines with the chosen occurrence. " + ("; ".join(parts) or "There are no other occurrences") + "."


def _spread(result: Nearest, rest: pd.DataFrame) -> Plot:
    """Bars for the cosines of the word, and lines for the nearest other words."""
    counts = result.spread
    rows = counts.assign(middle=(counts["bin_start"] + counts["bin_end"]) / 2)
    ends = float(counts["bin_start"].min()), float(counts["bin_end"].max())
    x = Axis(_COSINES, least=ends, room=(0.04, 0.04))
    y = Axis("number of occurrences", hover=",", least=(0,), room=(0, 0.05), more={"rangemode": "tozero"})
    plot = Plot(counts, _spread_alt(counts, rest, result.word), x, y, 260, layout={"bargap": 0})
    hover = "occurrences with a cosine from {bin_start:.2f} to {bin_end:.2f}: {y}"
    wide = {"width": (counts["bin_end"] - counts["bin_start"]).to_numpy(np.float32)}
    plot = plot.bars("middle", "count", Look(result.word, BLUE), rows=rows, hover=hover, more=wide)
    if rest.empty:
        return plot
    look, more = Look("nearest other words", SLATE, "line-ns"), {"marker": {"line": {"width": 2, "color": SLATE}}}
    hover = "{word}<br>cosine {cosine:.3f}"
    return plot.dots("cosine", "zero", look, rows=rest.assign(zero=0), hover=hover, size=22, more=more)


def _spread_alt(counts: pd.DataFrame, rest: pd.DataFrame, word: str) -> str:
    if counts.empty:
        return f"{word} does not occur again."
    most = counts.loc[counts["count"].idxmax()]
    text = (
        f"Cosines of {counted(int(counts['count'].sum()), 'other occurrence')} of {word} with the chosen one, from"
        f" {decimal(counts['bin_start'].min())} to {decimal(counts['bin_end'].max())}. The highest bar, from"
        f" {decimal(most['bin_start'])} to {decimal(most['bin_end'])}, has {most['count']:,.0f} of them."
    )
    if rest.empty:
        return text
    return f"{text} The nearest other word is {rest['word'].iloc[0]}, with a cosine of {decimal(rest['cosine'].max())}."


def parts_of_speech(result: NeighbourParts) -> Plot:
    """Two bars for each part of speech: its share of the nearest content words, and of all content words."""
    rows = result.shares
    shares = "; ".join(
        f"{row.part_of_speech} {rounded(row.share)} ({rounded(row.share_all)})" for row in rows.itertuples()
    )
    alt = f"Parts of speech of the {len(result.near)} nearest content words (of all content words): {shares}."
    ticks = {"tickvals": [0, 0.5, 1], "zeroline": False, "fixedrange": True}
    x = Axis("share of the words", ".0%", ".1%", range=(0, 1.08), more=ticks)
    y = Names(list(rows["part_of_speech"]), "part of speech", more={"showgrid": False, "fixedrange": True})
    layout = {"barmode": "overlay", "dragmode": False, "margin": {"r": 30}}
    plot = Plot(rows, alt, x, y, 107 + 42 * len(rows), layout=layout)
    near, every = Look("nearest words", BLUE), Look("all words of the text", GREY)
    for column, look, shift in (("share", near, -0.19), ("share_all", every, 0.19)):
        texts, more = [rounded(share) for share in rows[column]], {"width": 0.34, "constraintext": "none"}
        marks = rows.assign(row=np.arange(len(rows)) + shift)
        plot = plot.bars(column, "row", look, rows=marks, text=texts, more={**more, "textfont": {"size": 11}})
    return plot


def choices(result: Choices) -> Plot:
    """Bars for the formula and the baseline, with the three words excluded and included."""
    frame = result.shares
    parts = [
        f"By {'the formula' if row.of == 'formula' else _BASELINE.name}: {rounded(row.without_inputs)} with the"
        f" three words excluded, {rounded(row.with_inputs)} with them included."
        for row in frame.itertuples()
    ]
    alt = f"Share of choices in which {result.expected} ranks 1st. {' '.join(parts)}"
    ticks = {"tickvals": [0, 0.25, 0.5, 0.75, 1]}
    x = Axis("share of choices with rank 1", ".0%", ".1%", range=(0, 1.12), more=ticks)
    names = list(_METHODS.values())
    plot = Plot(frame, alt, x, Names(names, "method"), 202, layout={"legend": {"traceorder": "normal"}})
    for kind, look in (("formula", _FORMULA), ("baseline", _BASELINE)):
        shares = frame.loc[frame["of"] == kind, list(_METHODS)].iloc[0].to_numpy(float)
        rows, hover = pd.DataFrame({"share": shares, "method": names}), "{method}: {x}<extra>{name}</extra>"
        texts, hatched = [rounded(share) for share in shares], kind == "baseline"
        plot = plot.bars("share", "method", look, rows=rows, hatched=hatched, text=texts, hover=hover)
    return plot
