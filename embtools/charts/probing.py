"""Charts of the Probing page: accuracies and codelengths of probes, their mistakes, and the labels one predicts."""

import pandas as pd

from embtools.charts.axes import Axis, Look, Names, Shades, layer_axis
from embtools.charts.plot import Plot
from embtools.charts.style import BLUE, GREY, PURPLE, TINTS, VERMILLION
from embtools.messages import counted
from embtools.probing.accuracy import Combinations
from embtools.probing.curve import LearningCurve
from embtools.probing.description_length import LayerCodes, bits
from embtools.probing.layers import LayerProbes
from embtools.probing.verdict import share
from embtools.statistics.percentages import rounded

_TRUE, _CONTROL = Look("true labels", BLUE), Look("random labels (control)", VERMILLION, "diamond", "dash")
_SERIES = {"accuracy": _TRUE, "control": _CONTROL}
_GUESSING = Look("guessing (most frequent label)", GREY, dash="dot")
_LAYER = "layer (0: embeddings, no context)"
_ACCURACY = Axis("accuracy on held-out items", ".0%", ".1%", range=(0, 1.03))
_SHARES = Shades(((0.0, TINTS[1][1]), (1.0, TINTS[2][1])))


def over_layers(result: LayerProbes) -> Plot:
    """Draw accuracy and control by layer with their intervals, guessing as a dotted line; rings: the headline."""
    table, best = result.table, result.table.loc[result.table["accuracy"].idxmax()]
    where = f"{best['combination']}{_others(table, best['accuracy'], 'layer')}"
    alt = (
        f"Accuracy of a probe on {len(table)} layers: {share(table['accuracy'].iloc[0])} in layer 0,"
        f" {share(table['accuracy'].iloc[-1])} in the last layer, and {share(best['accuracy'])} in {where}, the"
        f" highest. With random labels it is {share(table['control'].min())} to {share(table['control'].max())}, and"
        f" guessing (most frequent label) gets {share(result.baseline)}."
    )
    plot = Plot(table, alt, layer_axis(len(table) - 1, _LAYER), _ACCURACY, layout={"dragmode": False})
    plot = _curves(plot, "layer", _by_layer(table), result.baseline, "layer {x}")
    for layer in [result.layer] if result.chosen is not None else result.best_layers:
        plot = plot.ring(layer, table["accuracy"].iloc[layer])
    return plot


def over_items(result: LearningCurve) -> Plot:
    """Draw the learning curve: accuracy and control by the number of training items."""
    table, few, most = result.table, result.table.iloc[0], result.table.iloc[-1]
    alt = (
        f"The accuracy goes from {share(few['accuracy'])} with {few['items']:.0f} training items to"
        f" {share(most['accuracy'])} with {most['items']:.0f}; with random labels it goes from {share(few['control'])}"
        f" to {share(most['control'])}."
    )
    items = Axis("number of training items", hover=".0f", more={"rangemode": "tozero"})
    return _curves(Plot(table, alt, items, _ACCURACY, 380), "items", table, result.baseline, "{x} training items")


def _curves(plot: Plot, x: str, rows: pd.DataFrame, guessing: float, where: str) -> Plot:
    hover = f"{{name}}, {where}: {{y}}<br>{{low}} to {{high}}"
    for column, look in _SERIES.items():
        plot = plot.lines(x, column, look, rows=rows, band=(f"{column}_low", f"{column}_high"), hover=hover)
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
    plot = Plot(table, _combinations_alt(table), _ACCURACY, names, 120 + 32 * len(table))
    for number, (column, look) in enumerate(_SERIES.items()):
        ends, shift = (f"{column}_low", f"{column}_high"), 0.2 * (number - 0.5)
        plot = plot.dots(column, "combination", look, ends=ends, shift=shift, hover="{name}: {x}")
    return plot.rule(x=result.baseline)


def _combinations_alt(table: pd.DataFrame) -> str:
    best, worst = table.loc[table["accuracy"].idxmax()], table.loc[table["accuracy"].idxmin()]
    if best["accuracy"] == worst["accuracy"]:
        return f"The accuracy of probes is {share(best['accuracy'])} on each of {len(table)} layer combinations."
    high, low = (f"{row['combination']}{_others(table, row['accuracy'], 'combination')}" for row in (best, worst))
    return (
        f"Accuracy of probes on {len(table)} layer combinations: the highest is {share(best['accuracy'])} ({high}), the"
        f" lowest {share(worst['accuracy'])} ({low})."
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
    shares = ", ".join(f"{row.label} {share(row.probability)}" for row in part.itertuples())
    x = Axis("probability", hover=".1%", range=(0, 1), hidden=True)
    y = Names(list(part["label"]), "label", lines=2, more={"showgrid": False})
    layout = {"margin": {"t": 4, "r": 44}, "dragmode": False}
    plot = Plot(table, f"Predicted labels for {of}: {shares}.", x, y, 40 + 27 * len(part), layout=layout)
    more = {"texttemplate": "%{x:.0%}", "textposition": "outside", "cliponaxis": False}
    return plot.bars("probability", "label", Look("probability", BLUE), rows=part, hover="{label}: {x}", more=more)


def names(table: pd.DataFrame) -> "pd.Series[str]":
    """Return the name of each row's word, with a number if the word is repeated."""
    return table["word"].where(table["occurrence"] == 1, table["word"] + " (" + table["occurrence"].astype(str) + ")")
