"""The headline about a probe, and the chart of its accuracy in each layer."""

from typing import Any

from embtools.charts import probing as charts
from embtools.probing.accuracy import DIVISIONS
from embtools.probing.layers import LayerProbes
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.statistics.probe import NEVER
from embtools.ui import figures, page, shown
from embtools.ui.probing.probe_fields import PICK

_NAME = "probing-layers"


def show(result: LayerProbes) -> None:
    """Show the headline, the chart and the caption."""
    shown.headline(result.headline)
    options: dict[str, Any] = {"below": lambda: page.caption(_caption(result))}
    if not shown.suffix():  # a click chooses a layer of the first model
        options["pick"] = PICK
    figures.show(charts.over_layers, result, name=_NAME, options=options)


def _caption(result: LayerProbes) -> str:
    """Return how the probe is tested, with the figures of the layer and of the control task."""
    kind, count, layer = result.kind, result.count, result.layer
    row, types, best_held_out = result.table.iloc[layer], result.accuracy.types, result.accuracy.best_held_out
    different = f" ({types} different ones)" if kind == "words" else ""
    parts = [
        f"{count} labelled {kind}{different} are divided into [[fold|folds]]. The labels of each fold are predicted by"
        f" a [[probe]] that was trained on the others. Accuracies are means over {DIVISIONS} divisions. On layer"
        f" {layer} the accuracy is {rounded(row['accuracy'], 1)} (95% interval {rounded(row['accuracy_low'], 1)} to"
        f" {rounded(row['accuracy_high'], 1)}). Guessing (always the most frequent label) gets"
        f" {rounded(result.baseline, 1)}."
    ]
    if result.chosen is None and len(result.table) > 1:
        mean, low, high = best_held_out
        parts.append(
            "The highest of several accuracies overestimates the true one on average. If the best layer is chosen"
            f" again in each [[bootstrap]] resample and tested on the other {kind}, its accuracy is {rounded(mean, 1)}"
            f" (95% interval {rounded(low, 1)} to {rounded(high, 1)})."
        )
    if layer:
        parts.append(
            f"On layer 0, which has no context, the accuracy is {rounded(result.table['accuracy'].iloc[0], 1)}."
        )
    control = f"a probe trained on [[control task|random labels]] gets {rounded(row['control'], 1)}"
    if result.folding != NEVER and kind == "words":
        low, high = (100 * row[f"selectivity_{end}"] for end in ("low", "high"))
        parts.append(
            f"Most test words were seen in training: {control} by memory alone. The [[selectivity]] is"
            f" **{decimal(100 * row['selectivity'], 0)} points** (95% interval {decimal(low, 0)} to"
            f" {decimal(high, 0)})."
        )
    elif row["control_low"] > result.baseline:
        parts.append(f"As a check, {control}. That is more than guessing: training and test items are not separate.")
    else:
        parts.append(
            f"As a check, {control}. That is not clearly better than guessing, so there is no sign that test items leak"
            " into training."
        )
    return " ".join(parts)
