"""Charts of the Concepts page: probes and what they predict; directions, how they steer, and what an erasure leaves."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from embtools.charts.axes import Axis, Look, Names, Shades, layer_axis
from embtools.charts.labels import Label, settle
from embtools.charts.plot import FIXED, SILENT, Ends, Plot
from embtools.charts.style import BLUE, BROWN, GREEN, GREY, INK, PURPLE, SLATE, TINTS, VERMILLION, label, saved, tint
from embtools.concepts.accuracy import Combinations, LearningCurve
from embtools.concepts.description_length import LayerCodes, bits
from embtools.concepts.direction import FIRST, SECOND, Direction, column
from embtools.concepts.erased import Erased, Sweep
from embtools.concepts.fluency import BREAK
from embtools.concepts.groups import WORDS
from embtools.concepts.layer_probes import LayerProbes
from embtools.concepts.steering import Steered
from embtools.messages import counted, shortened
from embtools.spaces.erasers import INLP, LEACE, PROJECTION
from embtools.spaces.two_groups import DIFFERENCE, LOGISTIC, PAIRS, Method
from embtools.statistics.decimals import decimal, signed
from embtools.statistics.percentages import rate_text, rounded
from embtools.vectors import Array

_TRUE, _CONTROL = Look("true labels", BLUE), Look("random labels (control)", VERMILLION, "diamond", "dash")
_SERIES = {"accuracy": _TRUE, "control": _CONTROL}
_GUESSING = Look("guessing (most frequent label)", GREY, dash="dot")
_LAYER = "layer (0: embeddings, no context)"
_HELD_OUT = Axis("accuracy on held-out items", ".0%", ".1%", range=(0, 1.03))
_SHARES = Shades(((0.0, TINTS[1][1]), (1.0, TINTS[2][1])))
_HEIGHT = 256
_MOST, _PER_LINE = 12, 7  # labels of words, and tokens of a sentence in a line
_SHORT = {DIFFERENCE: "means", LOGISTIC: "regression", PAIRS: "pairs"}  # for a legend of two lines on a phone
_OTHERS: dict[Method, Look] = {
    DIFFERENCE: Look(_SHORT[DIFFERENCE], BROWN, "square"),
    LOGISTIC: Look(_SHORT[LOGISTIC], GREEN, "triangle-up", "dot"),
    PAIRS: Look(_SHORT[PAIRS], PURPLE, "x", "dashdot"),
}
_ERASERS = {
    PROJECTION: Look(PROJECTION, BLUE),
    INLP: Look(INLP, GREEN, "square", "dash"),
    LEACE: Look(LEACE, VERMILLION, "diamond", "dot"),
}
_OWN, _SHUFFLED = Look("this direction", BLUE), Look("shuffled groups (mean)", VERMILLION, "diamond", "dash")
_PHONE = (300.0, 102.0)  # pixels of the x axis of `words` on a phone, and between its two rows
_ACCURACY = Axis("accuracy", ".0%", ".0%", range=(0, 1.05))
_ALONG = Axis("along the direction", hover=".2f", room=(0.08, 0.08), fit=True, more={"zeroline": False})
_SCORES = Axis("along the direction", least=(-1, 1), room=(0.125, 0.125), symmetric=True, fit=True)
_NATS = Axis(hover="+.2f", least=(-0.5, 0.5), room=(0.06, 0.06), fit=True, more={"zeroline": False})


def probes(result: LayerProbes) -> Plot:
    """Draw accuracy and control by layer with their intervals, guessing as a dotted line; rings: the headline."""
    table, best = result.table, result.table.loc[result.table["accuracy"].idxmax()]
    where = f"{best['combination']}{_others(table, best['accuracy'], 'layer')}"
    alt = (
        f"Accuracy of a probe on {len(table)} layers: {rate_text(table['accuracy'].iloc[0])} in layer 0,"
        f" {rate_text(table['accuracy'].iloc[-1])} in the last layer, and {rate_text(best['accuracy'])} in {where}, the"
        f" highest. With random labels it is {rate_text(table['control'].min())} to"
        f" {rate_text(table['control'].max())}, and guessing (most frequent label) gets {rate_text(result.baseline)}."
    )
    plot = Plot(table, alt, layer_axis(len(table) - 1, _LAYER), _HELD_OUT, layout={"dragmode": False})
    plot = _probe_curves(plot, "layer", _by_layer(table), result.baseline, "layer {x}")
    for layer in [result.layer] if result.chosen is not None else result.best_layers:
        plot = plot.ring(layer, table["accuracy"].iloc[layer])
    return plot


def over_items(result: LearningCurve) -> Plot:
    """Draw the learning curve: accuracy and control by the number of training items."""
    table, few, most = result.table, result.table.iloc[0], result.table.iloc[-1]
    alt = (
        f"The accuracy goes from {rate_text(few['accuracy'])} with {few['items']:.0f} training items to"
        f" {rate_text(most['accuracy'])} with {most['items']:.0f}; with random labels it goes from"
        f" {rate_text(few['control'])} to {rate_text(most['control'])}."
    )
    items = Axis("number of training items", hover=".0f", more={"rangemode": "tozero"})
    return _probe_curves(Plot(table, alt, items, _HELD_OUT, 380), "items", table, result.baseline, "{x} training items")


def _probe_curves(plot: Plot, x: str, rows: pd.DataFrame, guessing: float, where: str) -> Plot:
    hover = f"{{name}}, {where}: {{y}}<br>{{low}} to {{high}}"
    for name, look in _SERIES.items():
        plot = plot.lines(x, name, look, rows=rows, band=(f"{name}_low", f"{name}_high"), hover=hover)
    ends, said = (float(rows[x].min()), float(rows[x].max())), "guessing (always the most frequent label): {y}"
    return plot.segment(_GUESSING, ends, (guessing, guessing), said)


def _by_layer(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(layer=range(len(table)))


def _others(table: pd.DataFrame, value: float, kind: str) -> str:
    """Name how many other rows, of this kind, have the same accuracy as the first one with it."""
    count = int((table["accuracy"] == value).sum()) - 1
    return f" and {counted(count, f'other {kind}')}" if count else ""


def codelengths(result: LayerCodes) -> Plot:
    """Draw the codelength by layer with its range over the orders, the compression as a number, one layer as a ring."""
    table, best, at = result.table, result.table.iloc[result.code.shortest], result.layer
    first, last = table.iloc[0], table.iloc[-1]
    alt = (
        f"Codelength of the labels with probes on {len(table)} layers: {bits(first['codelength'])} bits in layer 0,"
        f" {bits(last['codelength'])} in the last layer, and {bits(best['codelength'])} in {best['combination']}, the"
        f" shortest (compression {best['compression']:.2f}). With random labels it is"
        f" {bits(table['control_codelength'].min())} to {bits(table['control_codelength'].max())} bits, with equal"
        f" codes {bits(result.uniform)}, and with the frequencies alone {bits(result.frequencies)}."
    )
    y = Axis("codelength of the labels, bits", hover=".1f", least=(0,), room=(0, 0.12), fit=True)
    x, rows = layer_axis(len(table) - 1, _LAYER), _by_layer(table)
    plot = Plot(table, alt, x, y, layout={"dragmode": False})
    hover = "{name}, layer {x}: {y} bits<br>{low} to {high} bits in the orders<br>compression "
    # Only the line that matters has numbers, so that the others do not cover them; that of the ring is below it.
    numbers = [f"{'<br>' * (layer == at)}{value:.1f}×" for layer, value in enumerate(table["compression"])]
    plot = plot.lines(
        "layer",
        "codelength",
        _TRUE,
        rows=rows,
        band=("codelength_lowest", "codelength_highest"),
        text=numbers,
        hover=f"{hover}{{compression:.2f}}<br>accuracy {{accuracy:.1%}}",
        more={"cliponaxis": False},
    )
    band, hover = ("control_codelength_lowest", "control_codelength_highest"), f"{hover}{{control_compression:.2f}}"
    plot = plot.lines("layer", "control_codelength", _CONTROL, rows=rows, band=band, hover=hover)
    plot, ends = plot.ring(at, table["codelength"].iloc[at]), (0.0, len(table) - 1.0)
    for look, length in (
        (Look("equal codes", GREY, dash="dot"), result.uniform),
        (Look("frequencies alone", PURPLE, dash="dashdot"), result.frequencies),
    ):
        plot = plot.segment(look, ends, (length, length), "{name}: {y} bits")
    return plot


def combinations(result: Combinations) -> Plot:
    """Draw one row per layer combination: accuracy and control with their intervals, and guessing as a dotted line."""
    table, names = result.table, Names(list(result.table["combination"]), "layer combination")
    plot = Plot(table, _combinations_alt(table), _HELD_OUT, names, 120 + 32 * len(table))
    for number, (name, look) in enumerate(_SERIES.items()):
        ends, shift = (f"{name}_low", f"{name}_high"), 0.2 * (number - 0.5)
        plot = plot.dots(name, "combination", look, ends=ends, shift=shift, hover="{name}: {x}")
    return plot.rule(x=result.baseline)


def _combinations_alt(table: pd.DataFrame) -> str:
    best, worst = table.loc[table["accuracy"].idxmax()], table.loc[table["accuracy"].idxmin()]
    if best["accuracy"] == worst["accuracy"]:
        return f"The accuracy of probes is {rate_text(best['accuracy'])} on each of {len(table)} layer combinations."
    high, low = (f"{row['combination']}{_others(table, row['accuracy'], 'combination')}" for row in (best, worst))
    return (
        f"Accuracy of probes on {len(table)} layer combinations: the highest is {rate_text(best['accuracy'])} ({high}),"
        f" the lowest {rate_text(worst['accuracy'])} ({low})."
    )


def confusion(frame: pd.DataFrame) -> Plot:
    """Draw the confusion matrix: true labels down, predicted labels across, the share of the row as colour."""
    counts = frame.pivot(index="label", columns="predicted", values="count")
    names, numbers = [str(name) for name in counts.columns], counts.to_numpy()
    shares = numbers / numbers.sum(axis=1, keepdims=True)
    turned = {"tickangle": None}  # on a phone, names above their columns are turned
    x = Names(names, "predicted label", wide=14, titled=True, above=True, more=turned)
    y = Names(names, "true label", wide=14, titled=True)
    layout = {"margin": {"t": 40 + x.highest, "b": 8}}  # the title is above, too
    plot = Plot(frame, _confusion_alt(frame), x, y, 140 + 40 * len(names), layout=layout)
    return plot.cells(
        shares,
        _SHARES,
        text=lambda row, column: str(numbers[row, column]),
        hover=lambda row, column: (
            f"{y.labels[row]}, predicted as {x.labels[column]}: {numbers[row, column]}"
            f" ({rounded(float(shares[row, column]))})"
        ),
    )


def _confusion_alt(frame: pd.DataFrame) -> str:
    wrong = frame[frame["label"] != frame["predicted"]]
    right = frame.loc[frame["label"] == frame["predicted"], "count"].sum()
    text = f"Confusion matrix: {right} of {frame['count'].sum()} items are right"
    if not wrong["count"].any():
        return text + "."
    most = wrong.loc[wrong["count"].idxmax()]
    times = "once" if most["count"] == 1 else f"{most['count']} times"
    mistake = f"{most['predicted']} instead of {most['label']}"
    if (wrong["count"] == most["count"]).sum() > 1:
        return f"{text}. The most frequent mistakes, such as {mistake}, occur {times} each."
    return f"{text}. The most frequent mistake is {mistake} ({times})."


def predicted(table: pd.DataFrame, word: str = "") -> Plot:
    """Draw the probabilities that a probe gives its labels for a word, or for a sentence, as bars."""
    part, of = table[names(table) == word], f"“{word}”" if word else "the sentence"
    shares = ", ".join(f"{row.label} {rate_text(row.probability)}" for row in part.itertuples())
    x = Axis("probability", hover=".1%", range=(0, 1), hidden=True)
    y = Names(list(part["label"]), "label", lines=2, more={"showgrid": False})
    layout = {"margin": {"t": 4, "r": 44}, "dragmode": False}
    plot = Plot(table, f"Predicted labels for {of}: {shares}.", x, y, 40 + 27 * len(part), layout=layout)
    more = {"texttemplate": "%{x:.0%}", "textposition": "outside", "cliponaxis": False}
    return plot.bars("probability", "label", Look("probability", BLUE), rows=part, hover="{label}: {x}", more=more)


def names(table: pd.DataFrame) -> "pd.Series[str]":
    """Return the name of each row's word, with a number if the word is repeated."""
    return table["word"].where(table["occurrence"] == 1, table["word"] + " (" + table["occurrence"].astype(str) + ")")


def direction_layers(result: Direction) -> Plot:
    """Lines of the accuracy on held-out items by layer and method, and with shuffled groups; a ring: the layer."""
    rows, row = result.layers, result.row
    found = ((name, rows[column(name)]) for name in result.others)
    others = " ".join(f"By {name}: {rounded(own.min())} to {rounded(own.max())}." for name, own in found)
    alt = (
        f"Accuracy on held-out {result.kind} in {len(rows)} layers: {rounded(rows['accuracy'].min())} to"
        f" {rounded(rows['accuracy'].max())}; {rounded(row['accuracy'])} in layer {result.layer}. With shuffled groups:"
        f" {rounded(rows['shuffled'].min())} to {rounded(rows['shuffled'].max())}. {others}"
    )
    plot = Plot(rows, alt, layer_axis(len(rows) - 1, shared=True), _ACCURACY, _HEIGHT, layout=FIXED)
    for method, look in _OTHERS.items():
        if method in result.others:
            thin, hover = {"line": {"width": 1.5}}, f"layer {{x}}: {{y}}<extra>{method}</extra>"
            plot = plot.lines("layer", column(method), look, hover=hover, size=6, more=thin)
    own, hover = Look(f"{_SHORT[result.method]} (chosen)", BLUE), f"layer {{x}}: {{y}}<extra>{result.method}</extra>"
    plot = plot.lines("layer", "accuracy", own, ends=("low", "high"), hover=hover)
    look, ends = Look("shuffled groups", VERMILLION, "diamond", "dash"), ("shuffled", "shuffled_95")
    plot = plot.lines("layer", "shuffled", look, ends=ends, hover="layer {x}: {y}<extra>{name}</extra>")
    return plot.ring(result.layer, float(row["accuracy"]))


def words(result: Direction, *others: Direction) -> Plot:
    """Each word or sentence at its held-out score, in two rows; hollow: on the wrong side. `others` share the axis."""
    scores = [-1.0, 1.0, *(score for each in (result, *others) for score in each.words["score"])]
    low, high = _ALONG.ends((min(scores), max(scores))) or (0.0, 0.0)
    wrong = int((~result.words["correct"]).sum())
    alt = f"{len(result.words)} {result.kind} along the direction; {wrong} on the wrong side."
    layout, y = {**FIXED, **saved(yaxis="")}, Axis(range=(1.5, -0.5), hidden=True)
    plot = Plot(result.words, alt, replace(_ALONG, range=(low, high)), y, _HEIGHT, layout=layout)
    named = _named(result, low, high)
    looks = {FIRST: Look(result.names[0], VERMILLION, "diamond"), SECOND: Look(result.names[1], BLUE)}
    for number, (group, look) in enumerate(looks.items()):
        rows = result.words[result.words["group"] == group]
        rows = rows.assign(height=number + _spread(len(rows)), label=[named.get(row, "") for row in rows.index])
        rows = rows.sort_values("correct", ascending=False, kind="stable")  # the legend shows the first mark
        hover, more = f"{{{result.item}}}: {{x}}", {"cliponaxis": False, "textfont": {"size": 11}}
        plot = plot.dots(
            "score", "height", look, rows=rows, filled=list(rows["correct"]), text="label", hover=hover, more=more
        )
    return plot.rule(x=0, colour=INK)


def _named(result: Direction, low: float, high: float) -> dict[int, str]:
    """Return row → text of at most twelve labels that do not overlap on a phone, those furthest wrong first."""
    rows = result.words
    if result.kind != WORDS or rows["correct"].all():
        return {}
    places = np.empty((len(rows), 2))
    places[:, 0] = (rows["score"] - low) / (high - low) * _PHONE[0]
    for number, group in enumerate((FIRST, SECOND)):
        own = (rows["group"] == group).to_numpy()
        places[own, 1] = (number + _spread(int(own.sum()))) * _PHONE[1]
    wrong = rows.index[~rows["correct"]].to_numpy()
    wrong = wrong[np.argsort(-rows.loc[wrong, "score"].abs(), kind="stable")][:_MOST]
    texts = [shortened(rows[result.item].iloc[row], 14) for row in wrong]
    spots = [Label(len(text), ((*places[row], "middle right"),)) for row, text in zip(wrong, texts, strict=True)]
    room = _PHONE[0], 2 * _PHONE[1]
    corners = np.array([(0.0, -_PHONE[1] / 2), (_PHONE[0], 1.5 * _PHONE[1])])  # labels may cover marks, but not labels
    found = settle(spots, corners, room)
    return {int(wrong[number]): texts[number] for number in found}


def _spread(count: int) -> Array:
    """Return heights in a row of marks, so that they do not cover each other."""
    return np.linspace(-0.34, 0.34, count, dtype=np.float32)


def tokens(result: Direction) -> Plot:
    """Bars for the tokens of a sentence in reading order: their score along the direction."""
    rows, alt = result.tokens, "There is no sentence."
    above = rows["score"] > 0
    if len(rows):
        low, high = (rows.loc[index] for index in (rows["score"].idxmin(), rows["score"].idxmax()))
        alt = (
            f"Score of {len(rows)} tokens along the direction: the lowest score is {signed(low['score'])}"
            f" (“{low['token']}”), the highest {signed(high['score'])} (“{high['token']}”)."
        )
    grid = {"showgrid": False, "tickfont": {"size": 11}}
    names = Names([shortened(token, 18) for token in rows["token"]], "token", wide=99, more=grid)
    layout = {**FIXED, "bargap": 0.25}
    plot = Plot(rows, alt, _SCORES, names, 75 + 19 * max(len(rows), 4), legend=False, layout=layout)
    plot = plot.bars(
        "score",
        "row",
        Look("score"),
        rows=rows.assign(row=range(len(rows))),
        hatched=list(~above),
        text=[signed(value) for value in rows["score"]],
        hover="{x}",
        colours=[BLUE if each else VERMILLION for each in above],
        more={"textfont": {"size": 11}, "constraintext": "none"},
    )
    return plot.rule(x=-1, colour=GREEN, dash="dash").rule(x=1, colour=GREEN, dash="dash")


def sentence(result: Direction) -> Plot:
    """The tokens of a sentence as it is read, coloured by their score along the direction, with the numbers."""
    rows = result.tokens
    lines = max(1, -(-len(rows) // _PER_LINE))
    scores = np.full(lines * _PER_LINE, np.nan)
    scores[: len(rows)] = rows["score"]
    said = [f"{label(token)}: {score:.3f}" for token, score in zip(rows["token"], rows["score"], strict=True)]
    shown = [
        f"{label(shortened(token, 10))}<br>{signed(score)}"
        for token, score in zip(rows["token"], rows["score"], strict=True)
    ]

    def at(texts: Sequence[str], line: int, place: int) -> str:
        number = line * _PER_LINE + place
        return texts[number] if number < len(texts) else ""

    read = ", ".join(f"{token} {signed(score)}" for token, score in zip(rows["token"], rows["score"], strict=True))
    alt = f"The sentence, token by token, coloured by the score: {read or 'no token'}."
    x = Axis("tokens in reading order", range=(-0.5, _PER_LINE - 0.5), hidden=True)
    y = Axis("line", range=(lines - 0.5, -0.5), hidden=True)
    margin = {"l": 0, "r": 0, "t": 6, "b": 6}
    return Plot(rows, alt, x, y, 12 + 46 * lines, layout={"margin": margin}).cells(
        scores.reshape(lines, _PER_LINE),
        Shades(TINTS, _SCORES),
        text=lambda *cell: at(shown, *cell),
        hover=lambda *cell: at(said, *cell),
        ygap=4,
    )


def odds(result: Steered) -> Plot:
    """The change in the log odds over the strength, with its interval or sentences, next to shuffled groups."""
    rows = result.strengths
    own, random = result.at(1.0)["change"], result.at(1.0)["random"]
    alt = (
        f"Change in the log odds of {result.answers_of[1]} over {result.answers_of[0]} by strength: {signed(own)} nats"
        f" at strength 1 (shuffled groups {signed(random)}), {signed(result.at(-1.0)['change'])} at −1."
    )
    plot = _by_strength(rows, alt, "change in the log odds, in nats")
    if rows["low"].isna().any() and result.sentences["sentence"].nunique() > 1:  # too few for an interval
        look, thin = Look("", tint(BLUE, 0.5)), {"showlegend": False, "line": {"width": 1}}
        for _, part in result.sentences.groupby("sentence", sort=False):
            plot = plot.lines("strength", "change", look, rows=part, marks=False, hover="{sentence}: {y}", more=thin)
    return _curves(plot, "random", "change", ("random_lowest", "random_highest"), ("low", "high"))


def cost(result: Steered) -> Plot:
    """The change in the log probability of acceptable answers in other sentences over the strength."""
    alt = (
        f"Change in the log probability of acceptable answers in other sentences: {signed(result.at(1.0)['cost'])} nats"
        f" at strength 1, {signed(result.at(3.0)['cost'])} at strength 3."
    )
    plot = _by_strength(result.strengths, alt, "change in log p, in nats")
    return _curves(plot, "random_cost", "cost", None, ("cost_low", "cost_high"))


def fluency(result: Steered) -> Plot:
    """The change in the pseudo-log-likelihood of the fixed text over the strength; a line: where fluency breaks."""
    rows, found = result.fluency.curve, result.fluency
    own, random = ([signed(value) for value in rows.iloc[[0, -1]][name]] for name in ("fluency", "random_fluency"))
    alt = (
        f"Change in the pseudo-log-likelihood of a fixed text of {found.tokens} tokens: {own[1]} nats per token at"
        f" strength {rows['strength'].max():g} (shuffled groups {random[1]}), {own[0]} at strength"
        f" {decimal(rows['strength'].min(), 0)} (shuffled groups {random[0]})."
        f" Fluency counts as broken if the change is below −{BREAK:g} nat per token."
    )
    ends = [
        (f"{name}fluency_{low}", f"{name}fluency_{high}")
        for name, low, high in (("random_", "lowest", "highest"), ("", "low", "high"))
    ]
    plot = _curves(_by_strength(rows, alt, "change, in nats per token"), "random_fluency", "fluency", *ends)
    return replace(plot.rule(y=-BREAK, colour=SLATE, dash="dash"), spans=plot.spans)  # seen only if fluency comes near


def _by_strength(rows: pd.DataFrame, alt: str, title: str) -> Plot:
    x = Axis("strength", hover="~g", more={"dtick": 1})
    return Plot(rows, alt, x, replace(_NATS, title=title), _HEIGHT, layout=FIXED).rule(y=0, colour=INK)


def _curves(plot: Plot, random: str, own: str, random_band: Ends | None, band: Ends) -> Plot:
    """The curves of directions between shuffled groups and of this one, with bands unless a number is missing."""
    for name, look, ends in ((random, _SHUFFLED, random_band), (own, _OWN, band)):
        shown = ends if ends and not plot.frame[ends[0]].isna().any() else None
        hover = "strength {x}: {y}<extra>{name}</extra>"
        plot = plot.lines("strength", name, look, band=shown, hover=hover)
    return plot


def left_over(result: Erased) -> Plot:
    """The accuracy of a new classifier by method, with intervals; hollow: on the items of the eraser."""
    accuracies = ", ".join(f"{row.method} {rounded(row.accuracy)}" for row in result.methods.itertuples())
    alt = (
        f"Accuracy of a new classifier on {result.kind} that it has not seen: {accuracies}."
        f" Guessing: {rounded(result.guess)}."
    )
    x = Axis("accuracy of a new classifier", ".0%", ".0%", range=(0, 1.03))
    look = Look(f"{result.kind} that the eraser was fitted on", VERMILLION, "diamond-open")
    plot = _by_method(result, "accuracy", alt, x, f"other {result.kind}", "{x}<extra>{name}</extra>")
    return plot.dots(
        "accuracy_fitted", "method", look, shift=0.22, hover="{x}<extra>{name}</extra>", more={"cliponaxis": False}
    ).rule(x=result.guess, width=2)


def erasure_cost(result: Erased) -> Plot:
    """The change in the log probability of masked words in other sentences by method, with intervals."""
    costs = ", ".join(f"{row.method} {signed(row.cost)}" for row in result.methods.itertuples())
    alt = f"Change in the log probability of masked words in other sentences: {costs} nats."
    x = replace(_NATS, title="change in the log probability, in nats", hover="+.3f", least=(-0.1, 0.1))
    return _by_method(result, "cost", alt, x, "cost", "{x} nats", 230).rule(x=0, colour=INK)


def other_property(result: Erased) -> Plot:
    """The accuracy of a new probe for another property by method, with intervals; dotted: guessing."""
    accuracies = ", ".join(f"{row.method} {rounded(row.other_accuracy)}" for row in result.methods.itertuples())
    alt = f"Accuracy of a new probe for the {result.other}: {accuracies}."
    x = Axis(f"accuracy for the {result.other}", ".0%", ".1%", range=(0, 1.03))
    plot = _by_method(result, "other_accuracy", alt, x, "other", "{x}", 230)
    return plot.rule(x=result.other_guess, width=2)


def _by_method(result: Erased, name: str, alt: str, x: Axis, series: str, hover: str, height: int = 258) -> Plot:
    """A row per method, with intervals: grey for random directions, blue for the methods."""
    rows = result.methods
    colours = [GREY if "random" in method else BLUE for method in rows["method"]]
    plot = Plot(rows, alt, x, Names(list(rows["method"]), "method"), height, layout=FIXED)
    ends, more = (f"{name}_low", f"{name}_high"), {"cliponaxis": False}
    return plot.dots(name, "method", Look(series, BLUE), ends=ends, hover=hover, colours=colours, more=more)


def choices(result: Sweep) -> Plot:
    """Lines of the accuracy by layer before and after each method; a ring: what was chosen; a star: on other items."""
    rows, chosen, own = result.choices, result.chosen, result.reported.iloc[1:2]
    alt = (
        f"Accuracy of a new classifier by layer and method on half of the {result.kind}. Chosen: {result.method} in"
        f" layer {result.layer}, {rounded(chosen['accuracy'])}; on the other half"
        f" {rounded(result.reported['accuracy'].iloc[1])}."
    )
    before, named = rows.drop_duplicates("layer"), "<extra>{name}</extra>"
    plot = Plot(
        rows, alt, layer_axis(len(before) - 1, shared=True), _ACCURACY, 320, layout={**FIXED, "margin": {"b": 108}}
    )
    look = Look("before", GREY, "x", "longdash")
    plot = plot.lines("layer", "accuracy_before", look, rows=before, hover=f"layer {{x}}: {{y}}{named}")
    for method, look in _ERASERS.items():
        part, hover = rows[rows["method"] == method], f"layer {{x}}: {{y}}, cost {{cost:+.3f}} nats{named}"
        plot = plot.lines("layer", "accuracy", look, rows=part, hover=hover)
    place = pd.DataFrame({"layer": [result.layer], "accuracy": [float(chosen["accuracy"])]})
    ring = {**SILENT, "marker": {"line": {"width": 3}}}
    plot = plot.dots("layer", "accuracy", Look("chosen", SLATE, "circle-open"), rows=place, size=20, more=ring)
    star, ends = Look("chosen, on the other half", SLATE, "star"), ("accuracy_low", "accuracy_high")
    rest, hover = own.assign(layer=result.layer + 0.15), f"{{y}}{named}"
    more = {"cliponaxis": False}
    plot = plot.dots("layer", "accuracy", star, rows=rest, ends=ends, hover=hover, size=14, more=more)
    return plot.rule(y=result.guess, width=2)
