"""Charts of the Similarity page besides heatmaps: nearest words, pairs, puzzles, colours and the black sheep."""

import itertools

import numpy as np
import pandas as pd

from embtools.charts import labels
from embtools.charts.axes import Axis, Look, Names
from embtools.charts.plot import SILENT, Plot
from embtools.charts.style import BLUE, GREEN, GREY, NUMBERED, VERMILLION, label, tint
from embtools.messages import column_name, counted, first_of, shortened
from embtools.similarity.colours import IN_ARTICLE, IN_USE, TO_THE_EYE, ColourComparison, hexes
from embtools.similarity.nearest import NearestWords
from embtools.similarity.odd_words import OddOneOut
from embtools.similarity.sheep import BlackSheep
from embtools.similarity.word_pairs import Pair
from embtools.spaces.controls import AFTER, BEFORE
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded

_KINDS = (
    Look(IN_USE, VERMILLION, "diamond"),
    Look(TO_THE_EYE, BLUE, "triangle-up"),
    Look(IN_ARTICLE, GREEN, "square"),
)


def nearest(result: NearestWords, space: str = BEFORE) -> Plot:
    """Bars of the nearest words in a space; those of this space alone are hatched; a line is the mean of all pairs."""
    table, mean = result.table, result.means[space]
    other = {BEFORE: AFTER, AFTER: BEFORE}[space]
    new = ~table[space].isin(table[other if other in table else space])
    words, cosines = table[space], table[f"{space}_cosine"]
    texts = [f"{shortened(word)}{' •' * fresh}" for word, fresh in zip(words, new, strict=True)]
    listed = ", ".join(f"{word} {decimal(cosine)}" for word, cosine in zip(words, cosines, strict=True))
    where = f", {space}" if other in table else ""
    alt = f"Nearest {result.kind}s of {result.word}{where}: {listed}. Mean of all pairs: {decimal(mean)}."
    every = table[[f"{name}_cosine" for name in result.means]].to_numpy()
    ends = 1.05 * min(0.0, every.min(), *result.means.values()), 1.03 * max(0.1, every.max())
    x, y = Axis("cosine", least=ends, room=(0, 0), fit=True), Names(list(words), f"nearest {result.kind}", texts, 99)
    colour = GREY if other in table and space == BEFORE else BLUE
    marker = {
        "color": [tint(colour, 0.35) if fresh else colour for fresh in new],
        "line": {"color": colour, "width": 1},
        "pattern": {"fgcolor": colour},
    }
    plot = Plot(table, alt, x, y, 76 + 24 * len(table))
    look, more = Look("", colour), {"marker": marker}
    plot = plot.bars(f"{space}_cosine", space, look, hatched=list(new), hover=f"{{{space}}}: {{x}}", more=more)
    return plot.rule(x=mean, colour=VERMILLION, dash="dash", width=2)


def background(pair: Pair) -> Plot:
    """Histogram of the cosines of random pairs, with a line for one pair."""
    bins, cosines = pair.histogram, pair.random
    which = "" if pair.note else " of equally common words"
    alt = (
        f"Histogram of the cosines of {len(cosines):,} random pairs{which}. Half of them are below"
        f" {decimal(cosines[len(cosines) // 2])}; {pair.first} and {pair.second} have {decimal(pair.cosine)}."
    )
    ends, middle = (float(cosines[0]), float(cosines[-1])), (bins["bin_start"] + bins["bin_end"]) / 2
    x = Axis("cosine", least=ends, room=(0.03, 0.03), more={"zeroline": False})
    y = Axis("number of random pairs", hover=".0f", room=(0, 0.05), more={"nticks": 4})
    margin = NUMBERED | {"l": 76}  # with less, plotly draws it twice
    plot = Plot(bins, alt, x, y, 220, legend=False, layout={"bargap": 0, "margin": margin})
    rows = bins.round({"bin_start": 3, "bin_end": 3}).assign(middle=middle)
    hover = "pairs with a cosine from {bin_start} to {bin_end}: {y}"
    width = float(bins["bin_end"].iloc[0] - bins["bin_start"].iloc[0])
    plot = plot.bars("middle", "count", Look(""), rows=rows, hover=hover, more={"width": width})
    note = {"y": 1, "yref": "paper", "xanchor": "right" if pair.cosine > sum(ends) / 2 else "left"}
    text = f"{label(f'{pair.first} – {pair.second}')} {decimal(pair.cosine)}"
    return plot.rule(text, x=pair.cosine, colour=VERMILLION, dash="solid", width=3, note=note)


def chain(path: pd.DataFrame) -> Plot:
    """The steps of a path (columns word, cosine), one bar per step."""
    alt = f"Path in {counted(len(path) - 1, 'step')}: {', '.join(path['word'])}."
    steps = [f"{number}. {a} → {b}" for number, (a, b) in enumerate(itertools.pairwise(path["word"]), 1)]
    x = Axis("cosine of the step", room=(0, 0.05), more={"rangemode": "tozero"})
    plot = Plot(path, alt, x, Names(steps, "step", wide=99), 90 + 30 * len(steps), layout={"bargap": 0.4})
    rows = path.iloc[1:].assign(step=steps)
    text, hover = [decimal(cosine) for cosine in rows["cosine"]], "{step}: cosine {x}"
    return plot.bars("cosine", "step", Look("", BLUE), rows=rows, text=text, hover=hover, more={"textposition": "auto"})


def odd_one_out(result: OddOneOut, guess: str) -> Plot:
    """The mean cosine of each word with the others; the one with the lowest and a visitor's guess are marked."""
    notes = {result.pick: "  ← BERT" if result.by_bert else "  ← lowest"} if result.equal == 1 else {}
    notes[guess] = f"{notes.get(guess, '  ←')}{', you' if guess in notes else ' you'}"
    table, cosines = result.table, result.table["cosine"]
    lowest = f"{result.pick} has" if result.equal == 1 else f"{result.equal} {result.kind}s have"
    alt = f"Mean cosine of each {result.kind} with the others. {lowest} the lowest, {decimal(cosines.iloc[0])}."
    room = 1.2 * float(cosines.min()), 1.25 * float(cosines.max())  # for the numbers next to the bars
    x = Axis("mean cosine with the others", least=room, fit=True, room=(0, 0))
    plot = Plot(
        table, alt, x, Names(list(table["word"]), result.kind, wide=99), 90 + 30 * len(table), layout={"bargap": 0.4}
    )
    text = [f"{decimal(row.cosine)}{notes.get(row.word, '')}" for row in table.itertuples()]
    odd = [row < result.equal for row in range(len(table))]
    colours = [VERMILLION if each else BLUE for each in odd]
    return plot.bars("cosine", "word", Look(""), text=text, hatched=odd, hover="{word}: {x}", colours=colours)


def colour_pairs(comparison: ColourComparison) -> Plot:
    """Visual difference against cosine, one point per pair of colours; some pairs are named."""
    pairs, test, shown = comparison.pairs, comparison.test, comparison.marked.reset_index(drop=True)
    alt = (
        f"CIEDE2000 against cosine for {len(pairs)} pairs of colours. The rank correlation of cosine and visual"
        f" similarity is {decimal(test.rho, signed=True)}."
        + "".join(f" {row['first']} and {row['second']} are {kind}." for kind, row in comparison.most)
    )
    title, more = "visual difference, CIEDE2000 (less similar →)", {"rangemode": "tozero", "zeroline": False}
    x = Axis(title, hover=".1f", least=(0.0,), room=(0, 0.05), more=more)
    plot = Plot(pairs, alt, x, Axis("cosine (more similar →)"), layout={"height": None})
    hover, pale = "{first} – {second}<br>cosine {y}, CIEDE2000 {x}", {"marker": {"opacity": 0.55}}
    plot = plot.dots("difference", "cosine", Look("all pairs"), hover=hover, size=6, more=pale)
    shown = shown.assign(name=shown["first"] + " – " + shown["second"])
    spots = _spots(pairs, shown, [len(name) for name in shown["name"]])
    for look in _KINDS:
        rows = shown[shown["kind"] == look.name]
        if len(rows):
            more = {"cliponaxis": False}
            plot = plot.dots("difference", "cosine", look, rows=rows, text="name", spots=spots, hover=hover, more=more)
    return plot


def _spots(pairs: pd.DataFrame, shown: pd.DataFrame, letters: list[int]) -> dict[int, str]:
    """Where the name of each row of `shown` is, next to its point, so that names do not overlap."""
    columns, room = ["difference", "cosine"], (labels.ROOM[0], labels.ROOM[1] // 2)  # a low window
    everything = pairs[columns].to_numpy()
    corners = np.stack([everything.min(axis=0), everything.max(axis=0)])
    span = np.maximum(np.ptp(everything, axis=0), 1e-9)
    places = np.concatenate([shown[columns].to_numpy(), corners]) / span * room  # pixels
    found = labels.arranged(places, [*letters, 0, 0], list(range(len(shown))), room)
    return {row: found.get(row, "top center") for row in range(len(shown))}


def colour_probabilities(result: BlackSheep) -> Plot:
    """The probabilities of two colours for each subject, joined by a line, on a logarithmic axis."""
    table, words = result.table, result.colours
    parts = [
        f"{row['subject']} ({rounded(row['first'], 1)} and {rounded(row['second'], 1)})" for _, row in table.iterrows()
    ]
    alt = f"Probabilities of {words[0]} and {words[1]}: {first_of(parts, 4)}."
    ends = "first", "second"
    names = [column_name(f"probability of {word}") for word in words]
    same = names[0] == names[1]  # as of “!” and “?”, or of “White” and “white”
    columns = {end: f"probability_of_{end}" if same else name for end, name in zip(ends, names, strict=True)}
    x = Axis("probability (log scale)", ".2~%", ".2%", more={"type": "log", "dtick": 1})
    y = Names(list(dict.fromkeys(table["subject"])), "subject", wide=99)
    height = 120 + (26 if len(table) <= 12 else 19) * len(table)
    plot = Plot(table.rename(columns=columns), alt, x, y, height)
    values = table[[*ends]].assign(gap=np.nan).to_numpy().ravel()
    lines = pd.DataFrame({"probability": values, "subject": np.repeat(table["subject"], 3)})
    silent = {"showlegend": False, **SILENT}
    plot = plot.lines("probability", "subject", Look(""), rows=lines, marks=False, more=silent)
    fills, outlined = hexes(words), {"marker": {"size": 13, "line": {"color": GREY, "width": 2}}}
    for column, word, fill, symbol in zip(columns, words, (BLUE, VERMILLION), ("square", "circle"), strict=True):
        look = Look(word, fills.get(word, fill), symbol)
        plot = plot.dots(column, "subject", look, rows=table, hover="{subject}: {name} {x}", more=outlined)
    return plot
