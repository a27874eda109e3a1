"""Charts of the Tracing page: the map of an effect, its components, averages, attribution, and parts switched off."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd

from embtools.charts.axes import SIGNED, Axis, Look, Names, Shades
from embtools.charts.plot import SILENT, Plot
from embtools.charts.style import BLUE, GREEN, GREY, INK, LINES, MAUVE, SYMBOLS, TINTS, VERMILLION, label, wrap
from embtools.messages import counted, listed, shortened
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import percents, rounded
from embtools.tracing.attribution import COLUMNS, METHODS, Agreement, Attribution
from embtools.tracing.averages import Average
from embtools.tracing.cases import CONDITIONS, EDIT, EDITED, MASK, ROLES
from embtools.tracing.components import ALL_LAYERS, ANSWERS, ATTENTION, FEED_FORWARD, KNOCKOUT, Components
from embtools.tracing.positions import MAIN, SUFFICIENCY, Trace, share_text
from embtools.tracing.switching import AFTER, BEFORE, CONTROL, NEXT, OWN, SwitchedOff
from embtools.vectors import Array

SMALLEST = 0.01
"""Differences with two decimal places: no scale is shorter than this, so that rounding errors get no colour."""
_WRITTEN = 16  # with more columns, a cell is too narrow for its number
_WRITTEN_TOKENS = 24  # the same for tokens, whose cells are wider
_TINY = 0.008  # nats: smaller changes do not fill a chart
_HEIGHT = 212  # pixels: both charts of what is switched off fit above the fold of a projector
_TEXTS = {"textfont": {"color": INK, "size": 11}, "constraintext": "none"}
_TALL = {"height": None}  # the figure fills the window
_PARTS = {ATTENTION: Look(ATTENTION, BLUE), FEED_FORWARD: Look(FEED_FORWARD, VERMILLION)}
_LOST = Look("lost", MAUVE)
_ROLES = {
    role: Look(role, colour, symbol, dash)
    for role, colour, symbol, dash in zip(ROLES, (GREY, BLUE, GREEN, VERMILLION, MAUVE), SYMBOLS, LINES, strict=False)
}
_CONTROLS = [
    Look(f"other cases, {name}", colour, symbol)
    for name, colour, symbol in zip(CONDITIONS[1:], (GREY, GREEN), ("diamond", "square"), strict=True)
]
_RUNS = {
    OWN: (Look("this part", BLUE, "diamond"), 14),
    NEXT: (Look("next strongest", MAUVE, "square"), 11),
    CONTROL: (Look("", VERMILLION), 9),
}
# Intervals of two or three words can be many times as long as the effect, and the shares could not be told apart.
_SHARES = Axis("share of the edit's effect", ".0%", ".0%", least=(0,), fit=True, farthest=(-1, 2))
_WIDTH, _GAP = 0.31, 0.035  # of a panel and between two, as shares of the width of the chart


def number(value: float, defined: bool) -> str:
    """Format a share as a percentage, or a difference with two decimal places.

    >>> number(-0.131, True), number(-0.001, True), number(-0.131, False), number(-0.001, False)
    ('−13%', '0%', '−0.13', '0.00')
    """
    return share_text(value) if defined else decimal(value)


def effect_map(result: Trace, column: str = SUFFICIENCY) -> Plot:
    """All layers and words, blue towards the second run; a click chooses a layer and a word, such as "5.1"."""
    runs, values = result.runs, result.grid(_column(column, result.runs.defined))
    shown = [[number(value, runs.defined) for value in row] for row in values]
    # An edited word is below its mark, so that it does not touch the next name.
    names = [
        f"edited: {word}" if n in runs.changed and word == other else name
        for n, (name, word, other) in enumerate(zip(runs.labels, runs.words, runs.other_words, strict=True))
    ]
    x = Names(range(len(names)), "word", [shortened(name, 24) for name in names], wide=10, above=True)
    y = Names(range(len(values)), "layer", titled=True)
    ends = Axis(range=(-1, 1)) if runs.defined else Axis(symmetric=True, fit=True, room=(0, 0), least=(SMALLEST,))
    return Plot(result.frame, _map_alt(result, column), x, y, layout=_TALL).cells(
        values,
        replace(SIGNED, ends=ends),
        text=(lambda row, word: shown[row][word]) if len(names) <= _WRITTEN else None,
        hover=lambda row, word: f"layer {row}, {label(runs.labels[word])}: {shown[row][word]}",
        click=lambda row, word: f"{row}.{word}",
        textfont={"size": 11},
    )


def _map_alt(result: Trace, column: str) -> str:
    runs, values = result.runs, result.grid(_column(column, result.runs.defined))
    size = f"Heatmap of {values.shape[0]} layers and {values.shape[1]} words."
    if not runs.defined:
        return f"{size} The effect is too small for shares; the largest difference is {np.abs(values).max():.2f}."
    most = [runs.words[int(row.argmax())] if row.max() >= MAIN else "" for row in values]
    parts, first = [], 0
    for word, rows in groupby(most):
        last = first + len(list(rows)) - 1
        where = f"in layer {first}" if first == last else f"in layers {first} to {last}"
        parts.append(f"{f'at “{word}”' if word else 'at no single word'} {where}")
        first = last + 1
    return f"{size} Most of the effect ({column}) is {listed(parts)}."


def _column(column: str, defined: bool) -> str:
    return column if defined else f"{column}_difference"


def heads(result: Components, column: str = SUFFICIENCY) -> Plot:
    """All heads, with crosses at those without which the answer no longer changes; a click chooses "6.6"."""
    values, defined, rows = _by_head(result, column), result.runs.defined, result.unchanged_heads
    answers = list(zip(*(result.heads[name] for name in ANSWERS), strict=True))
    layers, count = values.shape

    def said(layer: int, head: int) -> str:
        first, second = map(label, answers[count * layer + head])
        tops = f"<br>top answers: {first} → {second}" if column == KNOCKOUT else ""
        return f"layer {layer + 1}, head {head + 1}: {number(values[layer, head], defined)}{tops}"

    ends = Axis(symmetric=True, fit=True, room=(0, 0), least=(0.2 if defined else SMALLEST,))
    x, y = (Names(range(1, n + 1), name, titled=True) for n, name in ((count, "head"), (layers, "layer")))
    plot = Plot(result.heads, _heads_alt(result, column), x, y, layout=_TALL).cells(
        values,
        replace(SIGNED, ends=ends),
        text=(lambda row, head: number(values[row, head], defined)) if count <= _WRITTEN else None,
        hover=said,
        click=lambda row, head: f"{row + 1}.{head + 1}",
        textfont={"size": 11},
    )
    if column != KNOCKOUT or rows.empty:
        return plot
    corners = rows.assign(column=rows["head"] - 0.67)
    quiet = {**SILENT, "showlegend": False}
    return plot.dots("column", "layer", Look("", INK, "x"), rows=corners, shift=-0.3, size=7, more=quiet)


def _by_head(result: Components, column: str) -> Array:
    values = result.heads[_column(column, result.runs.defined)].to_numpy(np.float64)
    return values.reshape(int(result.heads["layer"].max()), -1)


def _heads_alt(result: Components, column: str) -> str:
    values = _by_head(result, column)
    layer, head = (int(part) + 1 for part in np.unravel_index(values.argmax(), values.shape))
    text = f"Heatmap of {values.size} heads ({column} at {result.runs.words[result.position]})."
    if not result.runs.defined:
        return f"{text} The effect is too small for shares; the largest difference is {np.abs(values).max():.2f}."
    share = number(values.max(), True)
    if column != KNOCKOUT:
        return f"{text} Head {layer}.{head} carries the largest share, {share} of the effect."
    return f"{text} The largest loss is without head {layer}.{head}, {share} of the effect. {_without(result)}".rstrip()


def _without(result: Components) -> str:
    """State without how many single heads the answer no longer changes; "" if it does not change with them either."""
    if result.runs.tops[0] == result.runs.tops[1]:
        return ""
    if not (count := len(result.unchanged_heads)):
        return "The answer still changes without any one of them."
    return f"The answer no longer changes without {'one' if count == 1 else f'any one of {count}'} of them."


def layer_parts(result: Components) -> Plot:
    """Bars for the attention and the feed-forward output of each layer."""
    column, defined, frame = _column(SUFFICIENCY, result.runs.defined), result.runs.defined, result.layers
    y = _effects("share of the effect" if defined else "difference", defined, 0.08)
    x = Names(list(frame["layer"].unique()), "layer", titled=True)
    plot = Plot(frame, _layer_parts_alt(result), x, y, 260, layout={"barmode": "group"})
    rows = frame.assign(shown=[number(value, defined) for value in frame[column]])
    for name, look in _PARTS.items():
        own, hover = rows[rows["component"] == name], "layer {layer}: {shown}<extra>{name}</extra>"
        plot = plot.bars("layer", column, look, rows=own, hatched=name == FEED_FORWARD, hover=hover)
    return plot


def _effects(title: str, defined: bool, room: float) -> Axis:
    """The axis of bars that are shares of an effect, or differences if these are undefined."""
    least, ticks = (1.0, ".0%") if defined else (SMALLEST, "")
    return Axis(title, ticks, least=(least,), room=(room, room), fit=True, bare_zero=True)


def _layer_parts_alt(result: Components) -> str:
    values = result.layers[_column(SUFFICIENCY, result.runs.defined)].to_numpy(np.float64)
    row = result.layers.iloc[int(values.argmax())]
    if not result.runs.defined:
        text = "Bar chart of the parts of each layer. The effect is too small for shares; the largest is"
        return f"{text} {decimal(values.max())}."
    return (
        "Bar chart of the share of the effect that the attention and feed-forward output of each layer carry at"
        f" {result.runs.words[result.position]}. The {row['component']} of layer {row['layer']} has the largest share,"
        f" {number(values.max(), True)} of the effect."
    )


def knockouts(result: Components) -> Plot:
    """What is lost without attention to the changed words, hatched if without it the answer no longer changes."""
    column, defined, frame = _column(KNOCKOUT, result.runs.defined), result.runs.defined, result.knockouts
    hatched = (frame["first_answer"] == frame["second_answer"]) & (result.runs.tops[0] != result.runs.tops[1])
    x = Names(list(frame["layer"]), "layer without this attention", titled=True)
    y = _effects("share lost" if defined else "difference lost", defined, 0.12)
    plot = Plot(frame, _knockouts_alt(result), x, y, 260, layout={"margin": {"t": 22}})
    rows = frame.assign(shown=[number(value, defined) for value in frame[column]])
    hover = "layer {layer}: {shown}<br>top answers: {first_answer} → {second_answer}"
    return plot.bars("layer", column, _LOST, rows=rows, text="shown", hatched=list(hatched), hover=hover)


def _knockouts_alt(result: Components) -> str:
    values = result.knockouts[_column(KNOCKOUT, result.runs.defined)].to_numpy(np.float64)
    most = int(values[:-1].argmax())
    return (
        f"Bar chart of the {'share of the ' * result.runs.defined}effect that is lost without attention to the"
        f" changed words. The largest loss in a single layer is in layer {most + 1}"
        f" ({number(values[most], result.runs.defined)}). With this attention blocked in all layers together, the loss"
        f" is {number(values[-1], result.runs.defined)}."
    )


def average_lines(result: Average, column: str = SUFFICIENCY) -> Plot:
    """One panel per condition: the share of the edit's effect over the layers, one line per role, with intervals."""
    y = replace(_SHARES, least=(-0.05, 1.05), room=(0.045, 0.045))
    last = float(result.frame["layer"].max())
    x = Axis("layer", hover=".0f", range=(-0.05 * last, 1.05 * last), more={"dtick": 1})
    plot = _panels(Plot(result.frame, _lines_alt(result, column), x, y, 360))
    for panel, condition in enumerate(CONDITIONS):
        for role, look in _ROLES.items():
            rows = result.of(condition, role)
            if np.isfinite(rows[column]).any():
                main = role in (EDITED, MASK)
                size, width = (8, 2.5) if main else (5, 1.5)
                hover = f"{{name}}, layer {{x}}: {{y}}<extra>{condition}</extra>"
                ends, more = (f"{column}_low", f"{column}_high"), _in(panel, role) | {"line": {"width": width}}
                plot = plot.lines("layer", column, look, rows=rows, ends=ends, hover=hover, size=size, more=more)
    return plot


def _panels(plot: Plot) -> Plot:
    """The chart with one panel per condition next to each other, each with its title and the same axes."""
    axis = plot.x.laid_out(None, down=False) | {"fixedrange": True}
    layout: dict[str, Any] = {"margin": {"t": 58}, "barmode": "group", "yaxis": {"fixedrange": True}}
    for panel, condition in enumerate(CONDITIONS):
        start = panel * (_WIDTH + _GAP)
        layout[f"xaxis{panel + 1 if panel else ''}"] = axis | {"domain": [start, start + _WIDTH]}
        at = {"x": start + _WIDTH / 2, "y": 1, "xref": "paper", "yref": "paper", "yanchor": "bottom"}
        plot = plot.note(wrap(condition, 10), **at, font={"size": 12})  # narrow enough for a phone
    return replace(plot, layout=layout)


def _in(panel: int, name: str) -> dict[str, Any]:
    """The settings of a series in a panel, which has one entry in the legend for all panels."""
    return {"xaxis": f"x{panel + 1 if panel else ''}", "legendgroup": name, "showlegend": panel == 0}


def _lines_alt(result: Average, column: str) -> str:
    word, mask = result.of(EDIT, EDITED)[column].to_numpy(), result.of(EDIT, MASK)[column].to_numpy()
    if not np.isfinite(word).all():
        return "Lines over the layers. The edit has no effect, so there are no shares."
    return (
        f"Line chart of {column} by layer. With the edit, the edited word has {number(word[0], True)} of the effect"
        f" in layer 0 and {number(word[-2], True)} in layer {len(word) - 2}; [MASK] has {number(mask[-2], True)} there,"
        f" and {number(mask[-1], True)} in the last layer."
    )


def average_heads(result: Average) -> Plot:
    """The selected heads: filled marks on the second half, with both controls, hollow marks on the first half."""
    table, controls = result.heads, result.head_controls
    names = [f"head {layer}.{head}" for layer, head in zip(table["layer"], table["head"], strict=True)]
    lost = [number(value, True) if np.isfinite(value) else "undefined" for value in table[KNOCKOUT]]
    rows = table.assign(name=names, lost=lost)
    x = replace(_SHARES, least=(-0.03, 0.19), room=(0.03, 0.04))
    plot = Plot(table, _average_heads_alt(result, names), x, Names(names, "head"), 300)
    chosen, other = Look("cases used for the selection", MAUVE, "circle-open"), Look("other cases", MAUVE)
    hover = "{y}: {x}<extra>{name}</extra>"
    plot = plot.dots("selected", "name", chosen, rows=rows, hover=hover)
    lost_too = "{y}: {x}; without its attention to the edited word, {lost} of the effect is lost<extra>{name}</extra>"
    plot = plot.dots(SUFFICIENCY, "name", other, rows=rows, ends=("low", "high"), hover=lost_too)
    for condition, look in zip(CONDITIONS[1:], _CONTROLS, strict=True):
        own = controls[controls["condition"] == condition].assign(name=names)
        plot = plot.dots(SUFFICIENCY, "name", look, rows=own, hover=hover, size=8)
    return plot


def _average_heads_alt(result: Average, names: Sequence[str]) -> str:
    shares = ", ".join(
        f"{name} {number(share, True)}" if np.isfinite(share) else f"{name} undefined"
        for name, share in zip(names, result.heads[SUFFICIENCY], strict=True)
    )
    controls = result.head_controls[SUFFICIENCY].abs()
    most = f" In the controls, each has at most {number(controls.max(), True)}." if controls.notna().all() else ""
    return f"Shares of the selected heads in cases that were not used to select them: {shares}.{most}"


def average_parts(result: Average) -> Plot:
    """One panel per condition: bars for the attention and the feed-forward output of each layer at the mask."""
    plot = _by_layer(result.parts, _average_parts_alt(result), _SHARES.title, 320)
    for panel, condition in enumerate(CONDITIONS):
        for name, look in _PARTS.items():
            rows = _of(result.parts, condition)
            rows, hatched = rows[rows["component"] == name], name == FEED_FORWARD
            plot = _bars(plot, rows, SUFFICIENCY, look, panel, name, hatched)
    return plot


def average_knockouts(result: Average) -> Plot:
    """One panel per condition: what is lost if the mask cannot attend to the edited word, by layer and in all."""
    plot = _by_layer(result.knockouts, _average_knockouts_alt(result), "share that is lost", 284, legend=False)
    for panel, condition in enumerate(CONDITIONS):
        plot = _bars(plot, _of(result.knockouts, condition), KNOCKOUT, _LOST, panel)
    return plot


def _by_layer(frame: pd.DataFrame, alt: str, title: str, height: int, legend: bool = True) -> Plot:
    y = replace(_SHARES, title=title, least=(0, 1), room=(0.06, 0.06), bare_zero=True)
    x = Names(list(frame["layer"].unique()), "layer", titled=True, thin=True, more={"tickangle": None})
    return _panels(Plot(frame, alt, x, y, height, legend))


def _bars(
    plot: Plot, rows: pd.DataFrame, column: str, look: Look, panel: int, name: str = "", hatched: bool = False
) -> Plot:
    hover, ends = f"layer {{layer}}: {{y}}<extra>{name}</extra>", ("low", "high")
    return plot.bars("layer", column, look, rows=rows, ends=ends, hatched=hatched, hover=hover, more=_in(panel, name))


def _of(frame: pd.DataFrame, condition: str) -> pd.DataFrame:
    return frame[frame["condition"] == condition]


def _average_parts_alt(result: Average) -> str:
    texts = []
    for condition in CONDITIONS:
        rows = _of(result.parts, condition)
        if rows[SUFFICIENCY].isna().any():
            return "Bar chart of the parts of each layer. The edit has no effect, so there are no shares."
        best = rows.loc[rows[SUFFICIENCY].idxmax()]
        share = number(best[SUFFICIENCY], True)
        texts.append(f"{condition}: {best['component']} of layer {best['layer']}, {share}")
    return (
        "Bar chart of the parts of each layer at [MASK], as shares of the edit's effect. Largest shares, for"
        f" {'; for '.join(texts)}."
    )


def _average_knockouts_alt(result: Average) -> str:
    texts = []
    for condition in CONDITIONS:
        rows = _of(result.knockouts, condition)
        if rows[KNOCKOUT].isna().any():
            return "Bar chart of what is lost. The edit has no effect, so there are no shares."
        every = rows["layer"] == ALL_LAYERS
        best = rows[~every].loc[rows[~every][KNOCKOUT].idxmax()]
        lost = f"{number(best[KNOCKOUT], True)} in layer {best['layer']}"
        texts.append(f"{condition}: {lost}, {number(rows[every][KNOCKOUT].iloc[0], True)} in all layers")
    return (
        "Bar chart of what is lost, as shares of the edit's effect, if [MASK] cannot attend to the edited word. Largest"
        f" losses, for {'; for '.join(texts)}."
    )


def measures(result: Attribution, hide_special: bool = False) -> Plot:
    """Measures down and tokens across, each row on its own scale; blue supports the answer, orange opposes it."""
    tokens = result.tokens[~result.special] if hide_special else result.tokens
    values, compared = tokens[list(COLUMNS)].to_numpy(np.float64).T, tokens["compared"].to_numpy()
    shares = np.full_like(values, np.nan)
    if compared.any():
        most = np.abs(values[:, compared]).max(axis=1, keepdims=True)
        shares[:, compared] = values[:, compared] / np.where(most == 0, 1, most)
    tops = ", ".join(f"{row.method}: “{row.top_token}”" for row in result.agreement.itertuples())
    hidden = " [CLS] and [SEP] are not shown." if len(tokens) < len(result.tokens) else ""
    alt = (
        f"Heatmap of five measures for {counted(len(tokens), 'token')} and the answer “{result.answer}”."
        f" The top token of each measure: {tops}.{hidden}"
    )
    more = {"tickangle": -35, "tickfont": {"size": 12}}
    x = Names(range(len(tokens)), "token", list(tokens["token"]), 99, above=True, more=more)
    plot = Plot(result.tokens, alt, x, Names(METHODS, "measure"), 300, layout={"margin": {"t": 40}})

    def text(row: int, column: int) -> str:
        return decimal(values[row, column]) if compared[column] else ""

    return plot.cells(
        shares,
        Shades(TINTS, Axis(range=(-1, 1))),
        text=text if len(tokens) <= _WRITTEN_TOKENS else None,
        hover=lambda row, column: decimal(values[row, column], 3),
        ygap=3,
        textfont={"size": 11},
    )


def agreement(result: Agreement) -> Plot:
    """Each method's mean ρ with leave one out over many sentences, and its interval."""
    table = result.frame
    means = ", ".join(f"{row.method} {decimal(row.rho)}" for row in table.itertuples())
    alt = f"Mean rank correlation with leave one out: {means}."
    x = Axis("mean ρ with leave one out", hover=".2f", range=(-1, 1))
    plot = Plot(table, alt, x, Names(list(table["method"]), "measure"), 230)
    return plot.dots("rho", "method", Look("ρ", MAUVE), ends=("low", "high"), hover="{method}: {x}")


def answers(result: SwitchedOff) -> Plot:
    """Two bars per word, its probability before (hatched) and after, on an axis from 0 to 100%."""
    rows, own = result.answers, result.runs.iloc[0]
    before, after = percents(result.before, own["probability"], digits=1)
    alt = (
        f"Probability of {len(rows)} words before and after switching off {result.named}. {result.answer}:"
        f" {before} before, {after} after. The top answer after is {own['top_answer']}."
    )
    x = Axis("probability", hover=".2%", range=(0, 1.05), hidden=True, more={"fixedrange": True})
    texts, more = [shortened(token, 18) for token in rows["token"]], {"fixedrange": True, "tickfont": {"size": 13}}
    y = Names(list(rows["token"]), "answer", texts, 99, more=more)
    layout = {"margin": {"r": 44}, "legend": {"traceorder": "normal"}, "dragmode": False, "bargap": 0.25}
    plot = Plot(rows, alt, x, y, _HEIGHT, layout=layout)
    shares = [percents(*pair) for pair in zip(rows[BEFORE], rows[AFTER], strict=True)]
    columns = (BEFORE, Look("before", GREY)), (AFTER, Look("after", BLUE))
    for i, (column, look) in enumerate(columns):
        text = [pair[i] if value >= 0.005 else "" for pair, value in zip(shares, rows[column], strict=True)]
        hover = "{token}: {x} {name}"
        plot = plot.bars(column, "token", look, text=text, hover=hover, hatched=i == 0, more=_TEXTS)
    return plot


def runs(result: SwitchedOff) -> Plot:
    """The change of the answer's log probability: of this part, of the next strongest neurons, and of each control."""
    kinds = [kind for kind in _RUNS if (result.runs["run"] == kind).any()]
    random = "random neurons" if result.part == "neurons" else "other parts"
    title = f"change in log p({label(shortened(result.answer, 18))}), in nats"
    more = {"fixedrange": True, "zeroline": False}
    x = Axis(title, hover="+.2f", least=(-_TINY, _TINY), room=(0.08, 0.08), fit=True, more=more)
    y = Names(
        kinds,
        "switched off",
        [_RUNS[kind][0].name or random for kind in kinds],
        more={"showgrid": False, "fixedrange": True},
    )
    plot = Plot(result.runs, _runs_alt(result), x, y, _HEIGHT, legend=False, layout={"dragmode": False})
    for kind in kinds:
        rows, (look, size) = result.runs[result.runs["run"] == kind], _RUNS[kind]
        plot = plot.dots(
            "change",
            "run",
            look,
            rows=rows.assign(
                parts=[shortened(part, 60) for part in rows["parts"]],
                share=[rounded(share, 1) for share in rows["probability"]],
            ),
            # The marks of the controls are spread in their row, so that they do not cover each other.
            shift=np.linspace(-0.28, 0.28, len(rows)) if len(rows) > 1 else 0.0,
            filled=list(rows["top_answer"] == result.answer),
            hover="{parts}: {x} nats, {share}<br>top answer: {top_answer}",
            size=size,
            more={"cliponaxis": False},
        )
    return plot.rule(x=0, colour=INK)


def _runs_alt(result: SwitchedOff) -> str:
    own, controls = result.runs.iloc[0], result.controls
    change = decimal(own["change"], signed=True)
    text = f"Change in the log probability of {result.answer} without {result.named}: {change} nats."
    if controls.empty:
        return f"{text} There are no controls."
    low, high = (decimal(controls["change"].agg(end), signed=True) for end in ("min", "max"))
    return f"{text} In {counted(len(controls), 'control')}: {low} to {high} nats."
