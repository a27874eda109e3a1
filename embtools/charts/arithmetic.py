"""Charts of the Arithmetic page: answers before and after an edit, controls, formulas, analogies, many sentences."""

from dataclasses import replace

import numpy as np
import pandas as pd

from embtools.arithmetic.analogy_runs import ALL, AT_1, EXCLUDED, METHODS, MRR, STATIC
from embtools.arithmetic.bulk_analogies import Analogies
from embtools.arithmetic.effects import EDIT, by_sentence
from embtools.arithmetic.formula import FormulaVectors
from embtools.arithmetic.later_edits import WHOLE as OWN
from embtools.arithmetic.later_edits import EditsByLayer
from embtools.arithmetic.many import ManyResults
from embtools.charts.axes import Axis, Look, Names, Shades, looks
from embtools.charts.labels import arranged
from embtools.charts.plot import SILENT, Plot, spread
from embtools.charts.style import (
    AFTER,
    BEFORE,
    BLUE,
    DIVERGING,
    GREEN,
    GREY,
    INK,
    LINES,
    LOSS,
    MAUVE,
    SYMBOLS,
    VERMILLION,
    label,
)
from embtools.mask_filling.relations import TITLES
from embtools.messages import counted, first_of
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import compared, percents, rounded
from embtools.statistics.reporting import LEVEL

WHOLE = "the whole formula"
NAMES = {"at_1": "accuracy at 1", "at_5": "accuracy at 5", "at_10": "accuracy at 10", MRR: "mean reciprocal rank"}
"""What each score of analogies is called."""
_ANSWERS = {"l": 92, "r": 54}  # margins with room for most words, so that the bars do not move
_CONTROLS = {"l": 162, "r": 112}  # with room for the controls, and right of all lines for their numbers
_HATCH = {"size": 5}
_BEFORE, _AFTER = ("probability_before", Look("before", BEFORE)), ("probability_after", Look("after", AFTER))
_LAYERS = Axis("layer (0: embeddings)", hover=".0f", shared=False, more={"dtick": 1})
_METHODS = {
    name: Look(name, colour, symbol, dash)
    for name, colour, symbol, dash in zip(METHODS, (BLUE, GREEN, VERMILLION, MAUVE, GREY), SYMBOLS, LINES, strict=False)
}
_GAP = 0.06  # between both lenses, as a share of the width
_PLACES = {
    "word": Look("word of the formula", BEFORE, "circle"),
    "result": Look("result", LOSS, "star"),
    "nearest": Look("nearest other word", AFTER, "diamond"),
}
_MAP = (330, 200)  # width and height of the map in pixels
_NAME = 28  # letters of the name of a vector
_STRIP, _CONTROL = 46, 24  # pixels: the heights of the strips of an edit and of a control
_SPREAD = 0.62  # share of a strip's height that its dots use


def answers(rows: pd.DataFrame, edited: bool, answers: pd.DataFrame | None = None) -> Plot:
    """Bars per word: its probability before (hatched) and after the edit; `answers` is the table if it has more."""
    # Without an edit, the line of a word would cross its number.
    names = Names(list(rows["token"]), "answer", wide=99, more={"tickfont": {"size": 14}, "showgrid": edited})
    layout = {"bargap": 0.22, "margin": {**_ANSWERS, "t": 2, "b": 42 if edited else 4}}
    # The axis always ends at 100%, so that an unsure answer has a short bar.
    x, table = Axis("probability at the mask", range=(0, 1), hidden=True), rows if answers is None else answers
    plot = Plot(table, _answers_alt(rows, edited), x, names, 34 + 36 * len(rows), legend=edited, layout=layout)
    # The two bars of a word are compared: their labels must differ if their lengths do.
    pairs = list(zip(rows["probability_before"], rows["probability_after"], strict=True))
    texts, exact = (np.array([percents(*pair, digits=digits) for pair in pairs]) for digits in (None, 1))
    for number, (column, look) in ((1, _AFTER), (0, _BEFORE))[: 1 + edited]:
        look = look if edited else replace(look, name="probability")
        plot = plot.bars(
            column,
            "token",
            look,
            rows=rows.assign(exact=exact[:, number]),
            text=[text if pair[number] >= 0.005 else "" for text, pair in zip(texts[:, number], pairs, strict=True)],
            hatched=number == 0,
            hover="{token}: {exact} {name}",
            more={"textfont": {"size": 13}, "marker": {"pattern": _HATCH}},
        )
    return plot


def _answers_alt(rows: pd.DataFrame, edited: bool) -> str:
    first = rows.loc[rows["rank_before"].idxmin()]
    best = rows.loc[rows["rank_after"].idxmin()]
    old, new, was = percents(
        first["probability_before"], best["probability_after"], best["probability_before"], digits=1
    )
    if not edited:
        return f"Probability of {len(rows)} words at the mask. The top answer is {best['token']} ({new})."
    return (
        f"Probability of {len(rows)} words before and after the edit. The top answer is {first['token']} ({old}) before"
        f" the edit and {best['token']} ({new}, was {was}) after it."
    )


def comparison(lines: pd.DataFrame, token: str, probability: float) -> Plot:
    """The top answer's probability with the whole edit (bar) and with each control (mean and range of its draws)."""
    ticks = {"tickfont": {"size": 13}, "ticklabelstandoff": 6}
    names = Names([WHOLE, *lines["control"]], "edit and controls", wide=99, more=ticks)
    title = {"text": f"probability of {label(token)}", "standoff": 4}
    x = Axis("probability", ".0%", ".1%", range=(0, 1), more={"title": title, "nticks": 5})
    layout = {"margin": {**_CONTROLS, "t": 2, "b": 52}}
    alt, height = _comparison_alt(lines, token, probability), 40 + 26 * len(names.names)
    plot = Plot(lines, alt, x, names, height, legend=False, layout=layout)
    whole, means = compared(probability, list(lines["mean"]))
    _, highest = compared(probability, list(lines["highest"]))
    numbers = [
        f" \u2002{mean if draws == 1 else f'{mean} (max {most})'}"
        for mean, most, draws in zip(means, highest, lines["draws"], strict=True)
    ]
    edit = pd.DataFrame({"run": [WHOLE], "probability": [probability]})
    hover = "{name}: {x} (mean; draws: {draws})<br>{description}<extra>{control}</extra>"
    loose = {"cliponaxis": False}
    plot = plot.bars("probability", "run", Look(token, AFTER), rows=edit, text=[whole], more={"width": 0.5})
    plot = plot.dots(
        "mean", "control", Look(token, LOSS, "diamond-open"), ends=("lowest", "highest"), hover=hover, more=loose
    )
    more = {"mode": "text", **loose, **SILENT}  # right of the axis, where no line crosses them
    plot = plot.dots("end", "control", Look(""), rows=lines.assign(end=1.0), text=numbers, more=more)
    return plot.rule(x=probability, colour=AFTER, width=1)


def _comparison_alt(lines: pd.DataFrame, token: str, probability: float) -> str:
    whole, means = compared(probability, list(lines["mean"]), digits=1)
    _, highest = compared(probability, list(lines["highest"]), digits=1)
    parts = [
        f"{control} {mean}" + (f" on average and {most} at most" if draws > 1 else "")
        for control, mean, most, draws in zip(lines["control"], means, highest, lines["draws"], strict=True)
    ]
    return f"Probability of {token} with {WHOLE}: {whole}. With each control: {', '.join(parts)}."


def strength_curve(points: pd.DataFrame, column: str, now: float) -> Plot:
    """One line per word over the strengths 0 to 2, of the `column` probability or log_odds; dotted line: `now`."""
    x = Axis("strength of the edit", hover=".1f", shared=False)
    y = Axis("log odds relative to the top answer", hover=".2f", more={"zeroline": True})
    y = Axis("probability", ".1~%", ".1%") if column == "probability" else y
    parts = []
    for token, values in points.groupby("token", sort=False)["probability"]:
        parts.append(f"{token} {', '.join(rounded(values.iloc[i], 1) for i in (0, len(values) // 2, -1))}")
    alt = f"Probabilities at strengths 0, 1 and 2: {'; '.join(parts)}."
    plot = Plot(points, alt, x, y, 330, layout={"hovermode": "x unified", "margin": {"t": 28}})
    for token, look in looks(list(points["token"].unique())).items():
        rows, hover = points[points["token"] == token], "{y} at {x}<extra>{name}</extra>"
        plot = plot.lines("strength", column, look, rows=rows, marks=False, hover=hover)
    return plot.rule(x=now).note("original", x=0, y=1, yref="y domain", xanchor="left", yanchor="top")


def lenses(frame: pd.DataFrame) -> Plot:
    """One line per word over the layers, without the edit (thin, open marks) and with it (thick), for each lens."""
    names, words = list(frame["lens"].unique()), looks(list(frame["token"].unique()))
    y = Axis("probability (logarithmic)", ".2~%", ".1%", more={"type": "log", "nticks": 6})
    width = (1 + _GAP) / len(names)  # of a lens and the gap after it
    spans = [[number * width, (number + 1) * width - _GAP] for number in range(len(names))]
    axes = {
        f"xaxis{number or ''}": _LAYERS.laid_out(None, down=False) | {"anchor": "y", "domain": span}
        for number, span in zip((0, 2), spans, strict=False)
    }
    layout = {"hovermode": "x unified", "margin": {"r": 8, "t": 30}, **axes}
    plot = Plot(frame, _lenses_alt(frame), _LAYERS, y, 360, layout=layout)
    for (lens, token), group in frame.groupby(["lens", "token"], sort=False):
        for run, rows in group.groupby("run", sort=False):
            edited, first, name = run == "edited", lens == names[0], f"{token}, {run}"
            look = replace(words[token], name=name, symbol="circle" if edited else "circle-open")
            own = {"xaxis": "x" if first else "x2", "legendgroup": label(name), "showlegend": first}
            more, hover = {"line": {"width": 3 if edited else 1.5}, **own}, "{y} after layer {x}<extra>{name}</extra>"
            plot = plot.lines("layer", "probability", look, rows=rows, hover=hover, more=more)
    for lens, (start, _) in zip(names, spans, strict=True):
        where = {"x": start, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
        plot = plot.note(f"<b>{lens.capitalize()}</b>", **where, font={"color": INK, "size": 13})
    return plot


def _lenses_alt(frame: pd.DataFrame) -> str:
    firsts = frame.drop_duplicates(["lens", "run", "layer"]).groupby(["lens", "run"], sort=False)["top_answer"]
    named = (f"{lens.capitalize()}, {run}: {', '.join(words)}." for (lens, run), words in firsts)
    return f"Top answer after each layer. {' '.join(named)}"


def layer_edits(result: EditsByLayer) -> Plot:
    """One line per run over the layers, thick for the whole formula; filled marks: the top answer changes."""
    lines = result.lines
    own = lines[lines["run"] == OWN]
    values = ", ".join(
        f"layer {layer}: {rounded(p)}" for layer, p in zip(own["layer"], own["probability"], strict=True)
    )
    alt = f"Probability of {result.word} by the layer after which the edit is added: {values}."
    x = replace(_LAYERS, title="layer of the edit (0: embeddings)")
    title, zero = f"probability of {label(result.word)}", {"rangemode": "tozero"}
    y = Axis(title, ".0%", ".1%", least=(0,), room=(0, 0.05), more=zero)
    layout = {"hovermode": "x unified", "margin": {"t": 28}}
    plot = Plot(lines, f"{alt} The controls are shown too.", x, y, 380, layout=layout)
    for run, look in looks(list(lines["run"].unique())).items():
        rows, main = lines[lines["run"] == run], run == OWN
        symbols = [look.symbol if changed else f"{look.symbol}-open" for changed in rows["changed"] > 0.5]
        more = {
            "line": {"width": 3.5 if main else 1.5},
            "marker": {"size": 11 if main else 7, "symbol": symbols},
        }
        ends, hover = None if main else ("lowest", "highest"), "{y}<extra>{name}</extra>"
        plot = plot.lines("layer", "probability", look, rows=rows, ends=ends, hover=hover, more=more)
    return plot.rule("without an edit", y=result.before, width=1)


def word_map(frame: pd.DataFrame, explained: tuple[float, float], weights: dict[str, float] | None) -> Plot:
    """The formula's words, its result and the nearest other word in a plane; without `weights`, it is no sum."""
    alt = "Map of the formula's words and its result."
    alt += "".join(f" The nearest other word is {word}." for word in frame.loc[frame["kind"] == "nearest", "label"])
    bare = {"zeroline": False, "showticklabels": False}
    x = Axis(f"PCA 1 ({rounded(explained[0])} of the variance)", more=bare)
    y = Axis(f"PCA 2 ({rounded(explained[1])})", more={**bare, "scaleanchor": "x"})
    plot = Plot(frame, alt, x, y, 330, layout={"margin": {"l": 47, "t": 28, "b": 72}})
    names = ["result" if kind == "result" else str(t) for kind, t in zip(frame["kind"], frame["label"], strict=True)]
    spots = arranged(frame[["x", "y"]].to_numpy(), [len(name) for name in names], list(range(len(names))), _MAP)
    rows = frame.assign(text=names, spot=[spots.get(row, "top center") for row in range(len(names))])
    for kind, look in _PLACES.items():
        own = rows[rows["kind"] == kind]
        spots, more = own["spot"].to_dict(), {"cliponaxis": False}
        plot = plot.dots("x", "y", look, rows=own, text="text", spots=spots, hover="{text}", size=13, more=more)
    words = frame[frame["kind"] == "word"].set_index("label")
    result = frame[frame["kind"] == "result"].iloc[0]
    if weights and sorted(weights.values()) == [-1, 1, 1]:
        # b - a + c is a parallelogram: the step from a to b leads from c to the result.
        (a,) = (words.loc[word] for word, weight in weights.items() if weight < 0)
        b, c = (words.loc[word] for word, weight in weights.items() if weight > 0)
        steps = [(a, b, False), (c, result, False), (a, c, True), (b, result, True)]
    else:
        steps = [(word, result, True) for _, word in words.iterrows()]
    for start, end, dash in steps:
        plot = plot.note(
            "",
            **{"x": float(end["x"]), "y": float(end["y"]), "ax": float(start["x"]), "ay": float(start["y"])},
            **{"xref": "x", "yref": "y", "axref": "x", "ayref": "y", "showarrow": True, "arrowhead": 2},
            **{"standoff": 9, "startstandoff": 9, "arrowwidth": 1 if dash else 2, "opacity": 0.6 if dash else 0.9},
            arrowcolor=BEFORE if dash else LOSS,
        )
    return plot


def neighbours(frame: pd.DataFrame, own: tuple[str, ...], title: str = "Nearest words") -> Plot:
    """The nearest words by cosine or distance as bars, the nearest on top; the formula's own words are hatched."""
    alt = f"{title}. Nearest: {first_of(list(frame['token']))}."
    column = "cosine" if "cosine" in frame else "distance"
    hatched = [token.lower() in map(str.lower, own) for token in frame["token"]]
    x = Axis(column, least=(0,), room=(0, 0.12), hidden=True)  # with room for the number of the longest bar
    y = Names(list(frame["token"]), "word", wide=99, more={"tickfont": {"size": 13}})
    layout = {"margin": {"t": 2, "r": 36}, "bargap": 0.35}
    colours = [BEFORE if each else AFTER for each in hatched]
    return Plot(frame, alt, x, y, 20 + 26 * len(frame), layout=layout).bars(
        column,
        "token",
        Look(column, AFTER),
        text=[decimal(value) for value in frame[column]],
        hatched=hatched,
        hover="{token}: {name} {x}",
        colours=colours,
        more={"marker": {"pattern": _HATCH}},
    )


def vector_strips(result: FormulaVectors) -> Plot:
    """Each vector as a strip of colour, one cell per dimension; blue above zero, orange below."""
    values = np.stack(list(result.vectors.values()))
    bound = float(np.quantile(np.abs(values), 0.995)) or 1.0
    names = [name if len(name) <= _NAME else f"{name[: _NAME - 1]}…" for name in result.vectors]
    y = Names(list(result.vectors), "vector", names, _NAME)
    layout, height = {"dragmode": "zoom", "xaxis": {"fixedrange": False}}, 110 + 44 * len(values)
    plot = Plot(result.numbers, _strips_alt(result.numbers), Axis("dimension"), y, height, layout=layout)
    shades = Shades(DIVERGING, Axis(range=(-bound, bound)), bar=True)
    hover = "%{y}, dimension %{x}: %{z:.3f}<extra></extra>"
    return plot.cells(values, shades, hovertemplate=hover, hoverinfo=None, xgap=0, ygap=0)


def _strips_alt(numbers: pd.DataFrame) -> str:
    """The largest components of each vector; columns of `numbers`: vector, dimension, value, largest first."""
    parts = []
    for name, group in numbers.groupby("vector", sort=False):
        largest = group.head(3).itertuples()
        parts.append(
            f"{name}: " + ", ".join(f"{line.dimension} ({decimal(line.value, signed=True)})" for line in largest)
        )
    strips = f"{counted(len(parts), 'vector')} as strips of colour"
    return f"{strips}. Dimensions with the largest values: {'; '.join(parts[:6])}."


def effects(results: ManyResults) -> Plot:
    """One dot per sentence for the edit, and the means of the edit and of each control with 95% intervals."""
    summary = results.summary
    own = (summary["run"] == EDIT).to_numpy()
    heights = np.where(own, _STRIP, _CONTROL)
    summary = summary.assign(middle=np.cumsum(heights) - heights / 2)
    parts = [f"{line.target}, {line.run}: {decimal(line.mean, signed=True)}" for line in summary.itertuples()]
    names = [f"<b>{label(row.target)}</b>" if row.run == EDIT else label(row.run) for row in summary.itertuples()]
    ticks = {"tickvals": list(summary["middle"]), "ticktext": names, "range": [int(heights.sum()), 0]}
    plot = Plot(
        results.effects,
        f"Mean change in log odds for each word and run. {'; '.join(parts)}.",
        Axis("change in log odds", hover="+.2f", least=(0,), more={"zeroline": True, "zerolinewidth": 2}),
        Names(names, "word and run", wide=99, more={**ticks, "showgrid": False, "fixedrange": True}),
        int(heights.sum()) + 96,
        layout={"showlegend": True, "margin": {"l": 150, "t": 2}},
    )
    # The dots of a strip are offset vertically by a fixed rule, so that equal values do not overlap.
    marks = by_sentence(results.effects[results.effects["run"] == EDIT])
    middles = marks["target"].map(summary[own].set_index("target")["middle"])
    within = spread(len(marks))[marks.groupby("target").cumcount()]
    both = zip(marks["probability_before"], marks["probability_after"], strict=True)
    rows = marks.assign(
        middle=middles - _STRIP * _SPREAD * within, shares=[" → ".join(percents(*pair)) for pair in both]
    )
    pale, hover = {"marker": {"opacity": 0.55}}, "{sentence:60/3}<br>{word}: {shares}<br>change: {x}"
    plot = plot.dots("change", "middle", Look("one sentence", AFTER), rows=rows, hover=hover, size=9, more=pale)
    for rows, look in (
        (summary[own], Look("edit: mean", INK, "diamond")),
        (summary[~own], Look("control: mean", LOSS, "diamond-open")),
    ):
        if len(rows):
            known = bool(rows["low"].notna().any())  # of a few sentences, there is no interval
            look = replace(look, name=f"{look.name}, 95% interval") if known else look
            hover = "mean {x} ({low} to {high})"
            plot = plot.dots("mean", "middle", look, rows=rows, ends=("low", "high"), hover=hover)
    return plot


def analogy_cells(result: Analogies, layer: str | None = None, inputs: str = EXCLUDED, score: str = AT_1) -> Plot:
    """All relations (rows) and methods (columns) at one layer, first by default; a click chooses "relation|method"."""
    layer = result.layers[0] if layer is None else layer
    rows = result.table[(result.table["layer"] == layer) & (result.table["inputs"] == inputs)]
    keys, own, tests = [*result.relations, ALL], rows.set_index(["relation", "method"]), result.tests
    clear = tests[(tests["layer"] == layer) & (tests["inputs"] == inputs) & (tests["p_adjusted"] < LEVEL)]
    stars = set(zip(clear["relation"], clear["method"], strict=True)) if score == AT_1 else set()
    names = [TITLES.get(key, key) for key in keys]

    def number(row: int, column: int, end: str = "") -> str:
        return _number(own.loc[(keys[row], METHODS[column]), f"{score}{end}"], score)

    alt = f"{NAMES[score].capitalize()}: {len(METHODS)} methods for {counted(len(result.relations), 'relation')}."
    alt = f"{alt} {result.sentence(layer, inputs, score)}"
    methods = [method.replace(" to ", " to\N{NO-BREAK SPACE}") for method in METHODS]
    x, y = Names(METHODS, "method", methods, wide=10, above=True), Names(names, "relation", wide=24)
    plot = Plot(rows.reset_index(drop=True), alt, x, y, 50 + 29 * len(keys))
    return plot.cells(
        own[score].unstack().loc[keys, list(METHODS)].to_numpy(),
        text=lambda row, column: f"{number(row, column)}{' *' * ((keys[row], METHODS[column]) in stars)}",
        hover=lambda row, column: (
            f"{names[row]}, {METHODS[column]}: {number(row, column)} (95% interval"
            f" {number(row, column, '_low')} to {number(row, column, '_high')})"
        ),
        click=lambda row, column: f"{keys[row]}|{METHODS[column]}",
    )


def analogy_layers(result: Analogies, inputs: str, score: str = AT_1) -> Plot:
    """The mean over the relations of each method, for the static embeddings and each layer, with 95% intervals."""
    rows = result.table[(result.table["relation"] == ALL) & (result.table["inputs"] == inputs)]
    best = rows.loc[rows[score].idxmax()]
    where = "with static embeddings" if best["layer"] == STATIC else f"in layer {best['layer']}"
    alt = (
        f"{NAMES[score].capitalize()} by layer, mean over the relations. The highest is {_number(best[score], score)},"
        f" for {best['method']} {where}."
    )
    y = Axis(NAMES[score], "" if score == MRR else ".0%", ".2f", range=(-0.03, 1.03))
    plot = Plot(rows.reset_index(drop=True), alt, Names(list(rows["layer"].unique()), "layer", titled=True), y, 360)
    for method, look in _METHODS.items():
        own, hover = rows[rows["method"] == method], "{layer}: {y}<extra>{name}</extra>"
        plot = plot.lines("layer", score, look, rows=own, ends=(f"{score}_low", f"{score}_high"), hover=hover)
    return plot


def _number(value: float, score: str) -> str:
    return f"{value:.2f}" if score == MRR else rounded(value)
