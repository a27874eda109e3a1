"""Charts of the Attention page: words, heads, tasks, a layer and its neurons."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from embtools.attention.attended import NOW, VERSUS, AttendedWords, named
from embtools.attention.attended import percent as share_text
from embtools.attention.head_steps import OneHead, Steps
from embtools.attention.layer_parts import READABLE, STATES, STEPS, WholeLayer
from embtools.attention.reading import BEFORE, CONTROL
from embtools.attention.strongest_neurons import PROMOTED, Neurons
from embtools.attention.tasks import REFERENT, Scores
from embtools.charts.axes import Axis, Look, Names, Shades
from embtools.charts.plot import SAME, Plot
from embtools.charts.style import (
    BLUE,
    DIVERGING,
    GREEN,
    GREY,
    INK,
    MAUVE,
    PAPER,
    VERMILLION,
    label,
    saved,
    tint,
)
from embtools.messages import counted, listed, mentioned, shortened
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import percent, rounded
from embtools.vectors import Array

MOST_BARS = 24
"""Maximum number of bars; in a longer text, the words or tokens with the largest values have one, in reading order."""
CLICKABLE = 40
"""Maximum number of tokens for clickable cells: each cell has a mark of its own, which costs time in the browser."""
MOST_ROWS = 128
"""Maximum number of rows and columns of a head; for longer texts, neighbouring tokens are averaged."""
_LABELLED = 20  # labels on an axis of a long text
_QUANTILE = 0.98  # of the absolute numbers of a strip: the value in full colour
_LIGHT = 0.45  # of the colour of parts
_BESIDE = 1.1  # of an axis: room for the texts after the bars

_READINGS = {
    BEFORE: Look("before the edit", MAUVE, "circle-open"),
    CONTROL: Look("control sentence", VERMILLION, "diamond-open"),
}
_BEST = (
    (Look("held-out sentences", BLUE), "held_out", ("low", "high"), -0.16),
    (Look("sentences used to choose it", BLUE, "circle-open"), "selection", None, -0.16),
    (Look("random head", VERMILLION, "diamond"), "random", ("random_low", "random_high"), 0.16),
    (Look("fixed distance (no model)", GREY, "x-thin-open"), "fixed_distance", None, 0.16),
    (Look("guessing between two", INK, "line-ns-open"), "chance", None, 0.16),
)
_STRIPS = {name: name.replace("_", " ") for name in ("query", "key", "product", "value", "weighted_value", "output")}
_STRIPS |= {"product": "query × key", "weighted_value": "weight × value"}

_BLUES = Shades(((0.0, tint(BLUE, 0)), (1.0, tint(BLUE, 1))), Axis(least=(0, 1e-6), fit=True, room=(0, 0)))
_OWN_SCALE = Shades(DIVERGING, Axis(range=(-1, 1)))  # of a strip, whose numbers are divided by its largest one
_STILL = {"showgrid": False, "fixedrange": True}
_TITLE = {"color": INK, "size": 12}  # above a part of a chart
_TEXTS = {"textfont": {"color": INK, "size": 11}}
_LONG_TEXTS = {**_TEXTS, "constraintext": "none"}
_TALL = {"height": None, "dragmode": False}  # as high as the window


def word_bars(result: AttendedWords, *, hide_special: bool = False) -> Plot:
    """A bar for each word in reading order, targets with hatching of their own, and marks for the other readings."""
    rows = shown_words(result, hide_special)
    first, second = (rows["word"].isin(group) for group in (result.target, result.versus))
    shapes = ["/" if one else "x" if two else "" for one, two in zip(first, second, strict=True)]
    x = Axis(hover=".1%", ticks=".0%", least=(0.05,), room=(0, 0.14), fit=True, more={"nticks": 6, "fixedrange": True})
    y = _rows(rows["word"], "word", [shortened(word, 18) for word in rows["word"]], first | second)
    layout = {**_TALL, "margin": {"r": 8}, "bargap": 0.25, **saved(xaxis="share of the attention")}
    plot = Plot(result.words, _words_alt(result, hide_special), x, y, layout=layout).bars(
        NOW,
        "word",
        Look("this sentence", BLUE),
        rows=rows,
        text=[rounded(share) if share >= 0.03 else "" for share in rows[NOW]],
        hover="{x}",
        click="word",
        more={**SAME, **_TEXTS, "marker": {"pattern": {"shape": shapes, "fillmode": "overlay", "fgcolor": PAPER}}},
    )
    for column, look in _READINGS.items():
        if column in rows:
            more = {**SAME, "cliponaxis": False}  # a mark at zero is not cut off
            plot = plot.dots(column, "word", look, rows=rows, hover="{name}: {x}", click="word", more=more)
    return plot


def shown_words(result: AttendedWords, hide_special: bool = False) -> pd.DataFrame:
    """The rows that have a bar: at most `MOST_BARS` and the targets, without [CLS] and [SEP] if they are hidden."""
    rows = result.words[~result.words["special"]] if hide_special else result.words
    if len(rows) > MOST_BARS:
        targets = rows.index[rows["word"].isin((*result.target, *result.versus))]
        rows = rows.loc[rows[NOW].nlargest(MOST_BARS).index.union(targets)]
    return rows


def _rows(names: Iterable[Any], title: str, texts: Iterable[str], bold: Iterable[bool] = (), wide: int = 99) -> Names:
    """A row for each name; some of them can be bold."""
    rows = Names(list(names), title, list(texts), wide)
    chosen = [*bold] or [False] * len(rows.names)
    ticks = [f"<b>{text}</b>" if each else text for text, each in zip(rows.labels, chosen, strict=True)]
    return replace(rows, more={**_STILL, "ticktext": ticks, "tickfont": {"size": 11}})


def _words_alt(result: AttendedWords, hide_special: bool) -> str:
    rows = result.words[~result.words["special"]] if hide_special else result.words
    top = rows.nlargest(3, NOW)
    first = ", ".join(f"{mentioned(w)} {share_text(s)}" for w, s in zip(top["word"], top[NOW], strict=True))
    hidden = f" [CLS] and [SEP], which are not shown, get {share_text(result.special)}." if hide_special else ""
    words = counted(len(rows), "word")
    return f"Bar chart of the attention of {named(result.source)} to {words}. Most goes to {first}.{hidden}"


def head_cells(result: AttendedWords) -> Plot:
    """All heads: layers down, heads across; two targets side by side. A click chooses a head, such as "4.2"."""
    targets = {NOW: result.target, **({VERSUS: result.versus} if result.versus else {})}
    alt = " ".join(_cells_alt(result.cells, column, named(words)) for column, words in targets.items())
    return _overview(result.cells, alt, {column: " + ".join(words) for column, words in targets.items()})


def _overview(cells: pd.DataFrame, alt: str, targets: Mapping[str, str]) -> Plot:
    """Columns of `cells` for all heads; if there are two, next to each other with their names and one scale."""
    two = len(targets) > 1
    grids = [cells.pivot(index="layer", columns="head", values=column) for column in targets]
    layers, heads = list(grids[0].index), list(grids[0].columns)
    step = -(-len(heads) // 6) if two else 1
    ticks = [str(head) if head % step == 0 else " " for head in heads]
    ticks = [*ticks, " ", *ticks] if two else ticks
    x = Names(range(len(ticks)), "head", ticks, titled=True, more={"tickangle": None})
    layout = {**_TALL, **({"margin": {"t": 26}} if two else {})}
    plot = Plot(cells, alt, x, Names(layers, "layer", titled=True), layout=layout)
    most = cells[list(targets)].max()
    shades = replace(_BLUES, ends=replace(_BLUES.ends, ticks=".0%", least=(0, 0.01, *most)), bar=not two)
    for number, (name, grid) in enumerate(zip(targets.values(), grids, strict=True)):
        left, shares = number * (len(heads) + 1), grid.to_numpy()

        def said(row: int, column: int, shares: Array = shares) -> str:
            return f"layer {layers[row]}, head {heads[column]}: {rounded(shares[row, column], 1)}"

        def click(row: int, column: int) -> str:
            return f"{layers[row]}.{heads[column]}"

        plot = plot.cells(shares, shades, hover=said, click=click, left=left, size=14 if two else 22)
        if two:
            place = {"x": left + (len(heads) - 1) / 2, "y": 1, "yref": "paper", "yanchor": "bottom"}
            plot = plot.note(f"to <b>{label(shortened(name, 18))}</b>", **place, font=_TITLE)
    return plot


def _cells_alt(cells: pd.DataFrame, column: str, target: str) -> str:
    best, least = cells.loc[cells[column].idxmax()], cells.loc[cells[column].idxmin()]
    return (
        f"Heatmap of {len(cells)} heads. Attention to {target} is highest in layer {best['layer']:.0f}, head"
        f" {best['head']:.0f} ({share_text(best[column])}) and lowest in layer {least['layer']:.0f}, head"
        f" {least['head']:.0f} ({share_text(least[column])}); the mean is {share_text(cells[column].mean())}."
    )


def weights(result: OneHead, *, hide_special: bool = False) -> Plot:
    """All weights of a head, of a long text means over blocks; a click chooses row · t + column of all t tokens."""
    rows, values, step = drawn_weights(result, hide_special)
    n, t = len(values), len(result.tokens)
    names = [result.tokens[row] for row in rows[::step]]
    every = -(-n // _LABELLED) if n > CLICKABLE else 1
    more = {"fixedrange": True, "tickfont": {"size": 11 if n <= 30 else 9}}
    x = Names(range(n), "receives attention", names, 99, every=every, titled=True, more={**more, "tickangle": -60})
    y = Names(range(n), "attends", names, 99, every=every, titled=True, more=more)
    frame = result.frame if t <= CLICKABLE else result.attending
    layout = {**_TALL, "margin": {"b": 55 + 6 * max(map(len, names))}}  # the names slant
    plot = Plot(frame, _weights_alt(result, rows), x, y, layout=layout)
    if n > CLICKABLE:
        hover = "from row %{y} to column %{x}: %{z:.1%}<extra></extra>"
        return plot.cells(values, _BLUES, xgap=0, ygap=0, hovertemplate=hover, hoverinfo=None)
    return plot.cells(
        values,
        _BLUES,
        hover=lambda row, column: f"{label(names[row])} → {label(names[column])}: {rounded(values[row, column], 1)}",
        click=lambda row, column: rows[row] * t + rows[column],
        size=max(9, 300 // n),
        xgap=1,
        ygap=1,
    )


def drawn_weights(result: OneHead, hide_special: bool = False) -> tuple[list[int], Array, int]:
    """The positions of the tokens that are drawn, their weights, and the width of the blocks that are averaged."""
    words = [position for position, special in enumerate(result.special) if not special]
    rows = words if hide_special and words else list(range(len(result.tokens)))
    return rows, *shrunk(result.weights[np.ix_(rows, rows)])


def shrunk(weights: Array) -> tuple[Array, int]:
    """Return weights (t, t) averaged to at most `MOST_ROWS` rows and columns, and the width of the averaged blocks."""
    t = len(weights)
    step = -(-t // MOST_ROWS)
    if step == 1:
        return weights, 1
    starts = np.arange(0, t, step)
    sums = np.add.reduceat(np.add.reduceat(weights, starts, axis=0), starts, axis=1)
    sizes = np.diff(np.append(starts, t))
    return np.asarray(sums / np.outer(sizes, sizes), np.float32), step


def _weights_alt(result: OneHead, rows: Sequence[int]) -> str:
    drawn, tokens = result.weights[np.ix_(rows, rows)], [result.tokens[row] for row in rows]
    row, column = divmod(int(np.argmax(drawn)), len(tokens))
    hidden = " [CLS] and [SEP] are not shown." if len(rows) < len(result.tokens) else ""
    return (
        f"Heatmap of the attention among {counted(len(tokens), 'token')}. The highest value is"
        f" {rounded(drawn[row, column])}, from {mentioned(tokens[row])} to {mentioned(tokens[column])}.{hidden}"
    )


def weight_steps(result: Steps) -> Plot:
    """The numbers behind one weight as strips: query, key, product, value, weight × value, and output."""
    frame = result.dimensions
    best = frame.loc[frame["product"].abs().idxmax()]
    alt = (
        f"Six strips of {len(frame)} numbers. The products sum to {decimal(result.dot)}; the largest is"
        f" {decimal(best['product'])}, in dimension {best['dimension']:.0f}."
    )
    values = frame[list(_STRIPS)].to_numpy(np.float32).T
    return Plot(frame, alt, Axis("dimension of the head"), Names(list(_STRIPS.values()), "vector"), 210).cells(
        _shares_of_largest(values),
        _OWN_SCALE,
        hover=lambda row, column: f"dimension {column + 1}: {decimal(values[row, column], 3)}",
        left=1,
        xgap=1,
        ygap=5,
    )


def _shares_of_largest(values: Array) -> Array:
    """Each row divided by its largest absolute value."""
    most = np.abs(values).max(axis=1, keepdims=True)
    return np.asarray(values / np.where(most == 0, 1, most))


def best_heads(result: Scores, chosen: str = REFERENT) -> Plot:
    """One row per task: the best head on held-out sentences and on those used to choose it, and three controls."""
    table = result.best
    heads = zip(table["task"], table["layer"], table["head"], strict=True)
    names = [f"{task} · {layer:.0f}.{head:.0f}" for task, layer, head in heads]
    ticks = [f"<b>{label(name)}</b>" if name.startswith(f"{chosen} ·") else label(name) for name in names]
    parts = [
        f"{row.task}: head {row.layer}.{row.head} {rounded(row.held_out)}, random head {rounded(row.random)}"
        + ("" if np.isnan(row.chance) else f", guessing {rounded(row.chance)}")
        for row in table.itertuples()
    ]
    alt = "Share of hits on held-out sentences. " + "; ".join(parts) + "."
    x = Axis("share of hits", ".0%", ".0%", range=(-0.02, 1.02))
    y = Names(list(table["task"]), "task and head", names, wide=99, more={"ticktext": ticks})
    plot = Plot(table, alt, x, y, layout={"height": None})
    for look, column, ends, shift in _BEST:
        more = {"cliponaxis": False}  # on a phone, a mark at 100% would be cut off
        plot = plot.dots(column, "task", look, ends=ends, shift=shift, hover="{name}: {x}", more=more)
    return plot


def task_cells(result: Scores, task: str) -> Plot:
    """The share of hits of all heads on a task. A click chooses a head, such as "4.2"."""
    frame = result.heads_of(task)
    alt = (
        f"Heatmap of all heads on the task “{task}”. Share of hits on the held-out sentences: the highest is"
        f" {rounded(frame['held_out'].max())}, the mean {rounded(frame['held_out'].mean())}."
    )
    return _overview(frame, alt, {"held_out": ""})


def layer_strips(result: WholeLayer, results: Sequence[WholeLayer] = ()) -> Plot:
    """Every vector of a layer as a strip of the same width, in the colours of the charts of all `results`."""
    d, f = len(result.vectors.inputs[0]), len(result.vectors.neurons[0])
    above = int((result.vectors.neurons[0] > 0).sum())
    alt = (
        f"Ten strips: what layer {result.layer} computes for {result.token}. Eight have {d:,} numbers each; two show"
        f" the {f:,} neurons, of which {above:,} are above zero."
    )
    x = Axis("dimensions, in order", range=(0, 1), hidden=True)
    y = _rows(STEPS.values(), "step", list(STEPS.values()), [step in STATES for step in STEPS])
    plot = Plot(result.numbers, alt, x, y, layout=_TALL)
    for row, step in enumerate(STEPS):
        values, *every = (getattr(each.vectors, step)[0] for each in (result, *(results or [result])))
        most = max(float(np.quantile(np.abs(np.concatenate(every)), _QUANTILE)), 1e-6)
        n, what = len(values), "neuron" if step in ("scores", "neurons") else "dimension"
        said = f"{what} %{{customdata[0]}}: %{{customdata[1]:.3f}}<extra></extra>"
        plot = plot.cells(
            (values / most)[None],
            _OWN_SCALE,
            x=((np.arange(n) + 0.5) / n).astype(np.float32),
            y=[row],
            xgap=0,
            ygap=5,
            customdata=np.stack([np.arange(1, n + 1), values], axis=-1)[None].astype(np.float32),
            hovertemplate=said,
            hoverinfo=None,
        )
    return plot


def layer_states(result: WholeLayer) -> Plot:
    """For each step how far it is from the state before it, and what could be read off there; parts are lighter."""
    rows = result.steps[result.steps["step"].isin([STEPS[step] for step in READABLE])]
    states = [step in STATES for step in READABLE]
    y = _rows(rows["step"], "step", rows["step"], states, wide=14)
    bare = {**_STILL, "zeroline": False, "showticklabels": False}
    x = Axis(hover=".2f", least=(1e-6,), room=(0, _BESIDE), fit=True, more={**bare, "domain": [0, 0.47]})
    plot = Plot(result.steps, _states_alt(result, rows), x, y, 272, legend=False).bars(
        "distance",
        "step",
        Look("distance", VERMILLION),
        rows=rows.fillna({"distance": 0.0}),
        text=[
            "" if np.isnan(distance) else f"{distance:.1f} ({decimal(cosine)})"
            for distance, cosine in zip(rows["distance"], rows["cosine"], strict=True)
        ],
        hover="distance {x}",
        hatched=True,
        colours=_lighter([VERMILLION] * len(rows), states),
        more={"marker": {"pattern": {"fillmode": "overlay"}}},
    )
    colours = [BLUE if token == result.answer else GREY for token in rows["top_answer"]]
    right = replace(plot, x=Axis(hover=".2%"), traces=()).bars(
        "probability",
        "step",
        Look("top answer"),
        rows=rows,
        text=[_answer(result, row, state) for (_, row), state in zip(rows.iterrows(), states, strict=True)],
        hover="{x}",
        colours=_lighter(colours, states),
        more={"xaxis": "x2"},
    )
    layout = {
        **{"margin": {"r": 8, "t": 26, "b": 4}, "dragmode": False, "bargap": 0.35},
        # Without room for numbers that are not there, two lines of a label do not touch those of the next one.
        **{"xaxis": {"automargin": False}, "yaxis": {"automargin": False}},
        "xaxis2": {**bare, "domain": [0.5, 1], "range": [0, 1 + _BESIDE], "anchor": "y", "automargin": False},
        **saved(xaxis="moved by (cosine)", xaxis2="probability"),
    }
    plot = replace(plot, traces=(*plot.traces, *right.traces), layout=layout)
    for text, place in (("moved by (cosine)", 0.0), ("would answer", 0.5)):
        corner = {"x": place, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
        plot = plot.note(text, **corner, font=_TITLE)
    return plot


def _lighter(colours: Sequence[str], states: Sequence[bool]) -> list[str]:
    """The colours of bars, lighter for parts than for states."""
    return [colour if state else tint(colour, _LIGHT) for colour, state in zip(colours, states, strict=True)]


def _answer(result: WholeLayer, row: "pd.Series[Any]", state: bool) -> str:
    """The top answer of a step; for a state, also the probability of the final answer if that is another one."""
    text = f"{label(shortened(row['top_answer'], 14))} {percent(row['probability'])}"
    if row["top_answer"] == result.answer or not state:
        return text
    return f"{text} ({label(shortened(result.answer, 14))} {percent(row['answer_probability'])})"


def _states_alt(result: WholeLayer, rows: pd.DataFrame) -> str:
    parts = [
        f"{row.step}: "
        + ("" if np.isnan(row.distance) else f"moved by {row.distance:.1f} (cosine {decimal(row.cosine)}), ")
        + f"would answer {row.top_answer} ({percent(row.probability)})"
        for row in rows.itertuples()
    ]
    return f"The steps of layer {result.layer} at {result.token}. {'; '.join(parts)}."


def strongest_neurons(result: Neurons) -> Plot:
    """Bars for the strongest neurons of a token, with their mean as diamonds. A click chooses a neuron."""
    rows = result.strongest
    first, last = rows.iloc[0], rows.iloc[-1]
    alt = (
        f"Bar chart of the {len(rows)} strongest neurons of layer {result.layer} at {result.token}. The first is neuron"
        f" {first['neuron']:,} with {decimal(first['activation'])} (mean {decimal(first['mean'])}), the last neuron"
        f" {last['neuron']:,} with {decimal(last['activation'])}."
    )
    more = {"fixedrange": True, "nticks": 6}
    x = Axis("activation", hover=".2f", least=(1e-6,), room=(0.04, 0.936), fit=True, more=more)
    own = rows["neuron"] == result.neuron
    y = _rows(rows["neuron"], "neuron", [f"{neuron:,}" for neuron in rows["neuron"]], own)
    plot = Plot(rows, alt, x, y, layout={**_TALL, "margin": {"r": 8}, "bargap": 0.3}).bars(
        "activation",
        "neuron",
        Look(f"at {shortened(result.token, 18)}", BLUE),
        text=[label(shortened(words, 32)) for words in rows["promotes"]],
        click="neuron",
        more={**SAME, **_LONG_TEXTS, "hovertemplate": "neuron %{customdata}: %{x:.2f}<extra></extra>"},
    )
    mean = Look("mean over built-in sentences", VERMILLION, "diamond-open")
    return plot.dots("mean", "neuron", mean, hover="mean: {x}", click="neuron", more=SAME)


def neuron_words(result: Neurons) -> Plot:
    """Bars for the words that a neuron promotes and suppresses; the dashed lines are what random directions reach."""
    rows, mean = result.words, float(result.random.mean())
    promoted = rows["side"] == PROMOTED
    first, last = (listed(rows.loc[side, "word"].head(3)) for side in (promoted, ~promoted))
    alt = (
        f"Words that neuron {result.neuron:,} of layer {result.layer} promotes most: {first}; suppresses most: {last}."
        f" The highest score is {rows['along'].max():.1f}; random directions reach"
        f" {mean:.1f} on average."
    )
    x = Axis("standard deviations from the mean", hover=".2f", symmetric=True, fit=True, more=_STILL)
    y = _rows(range(len(rows)), "word", [shortened(word, 14) for word in rows["word"]])
    plot = Plot(rows, alt, x, y, 52 + 18 * len(rows), layout={"dragmode": False, "bargap": 0.25}).bars(
        "along",
        "row",
        Look("word"),
        rows=rows.assign(row=range(len(rows))),
        hover="{x} standard deviations; at this token {at_token:+.3f} points",
        hatched=list(~promoted),
        colours=[BLUE if each else VERMILLION for each in promoted],
    )
    return plot.rule(x=-mean, dash="dash").rule(x=mean, dash="dash")


def neuron_tokens(result: Neurons, hide_special: bool = False) -> Plot:
    """Bars for the activation of a neuron at each token in reading order; that of the chosen token is hatched."""
    rows = shown_tokens(result, hide_special)
    own = rows["position"] == result.position
    x = Axis(f"activation of neuron {result.neuron:,}", room=(0.14, 0.14), fit=True, more={"fixedrange": True})
    y = _rows(rows["position"], "token", [shortened(token, 18) for token in rows["token"]], own)
    height, layout = 60 + 19 * max(len(rows), 4), {"dragmode": False, "bargap": 0.25}
    plot = Plot(result.by_token, _tokens_alt(result, rows, hide_special), x, y, height, layout=layout).bars(
        "activation",
        "position",
        Look("activation", GREEN),
        rows=rows,
        text=[decimal(value) for value in rows["activation"]],
        hover="{x}",
        hatched=list(own),
        more=_LONG_TEXTS,
    )
    return plot.rule(x=result.mean, dash="dash")


def shown_tokens(result: Neurons, hide_special: bool = False) -> pd.DataFrame:
    """The tokens that have a bar: at most `MOST_BARS`, without [CLS] and [SEP] if they are hidden and not alone."""
    rows = result.by_token
    if hide_special and not rows["special"].all():
        rows = rows[~rows["special"]]
    if len(rows) > MOST_BARS:
        strong = rows["activation"].abs().nlargest(MOST_BARS).index
        rows = rows.loc[strong.union(rows.index[rows["position"] == result.position])]
    return rows


def _tokens_alt(result: Neurons, rows: pd.DataFrame, hide_special: bool) -> str:
    top = rows.loc[rows["activation"].idxmax()]
    hidden = result.by_token[result.by_token["special"]] if hide_special else rows.head(0)
    note = ""
    if len(hidden) and len(hidden) < len(result.by_token):
        note = f" [CLS] and [SEP], which are not shown, have up to {decimal(hidden['activation'].max())}."
    own = f" and {decimal(result.activation)} at {result.token}"
    if top["position"] == result.position:
        own = ", the chosen token"
    return (
        f"Bar chart of the activation of neuron {result.neuron:,} at {counted(len(rows), 'token')}. It is highest at"
        f" {top['token']} ({decimal(top['activation'])}){own}.{note}"
    )
