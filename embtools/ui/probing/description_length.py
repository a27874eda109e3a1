"""The headline about the description length of the labels, and the chart of the codelength in each layer."""

from collections.abc import Sequence
from typing import Any

from embtools.charts import probing as charts
from embtools.probing.description_length import LayerCodes, bits
from embtools.statistics.percentages import rounded
from embtools.statistics.probe import NEVER
from embtools.ui import figures, page, shown
from embtools.ui.probing.probe_fields import PICK

_NAME = "probing-bits"


def show(result: LayerCodes, results: Sequence[LayerCodes]) -> None:
    """Show the headline, the chart and the caption; the chart has the scale of the results of all models."""
    shown.headline(result.headline)
    options: dict[str, Any] = {"below": lambda: page.caption(_caption(result))}
    if not shown.suffix():  # a click chooses a layer of the first model
        options["pick"] = PICK
    figures.show(charts.codelengths, result, name=_NAME, beside=results, options=options)


def _caption(result: LayerCodes) -> str:
    """Return how the labels are sent, with the figures of the layer, of random labels and of the frequencies."""
    row, code, kind = result.table.iloc[result.layer], result.code, result.probes.kind
    ends = [str(end) for end in code.portions]
    portions = f"{', '.join(ends[:-1])} and {ends[-1]}" if len(ends) > 1 else ends[0]
    parts = [
        f"Each point is the [[description length|codelength]] of the {result.probes.count} labels: a [[probe]] codes"
        " each portion of labels after it was trained on the portions before. The number next to a point is the"
        f" [[compression]]. The portions end after {portions} {code.units}, in {code.orders} random orders. A band"
        " shows the shortest and the longest code.",
        f"On layer {result.layer}: {bits(row['codelength'])} bits ({bits(row['codelength_lowest'])} to"
        f" {bits(row['codelength_highest'])}), compression {row['compression']:.2f}, and an accuracy of"
        f" {rounded(row['accuracy'], 1)}. Equal codes take {bits(result.uniform)} bits, and the frequencies of the"
        f" labels alone, without vectors, {bits(result.frequencies)}.",
    ]
    if result.probes.chosen is None:
        parts.append(
            f"The best layer is the one with the shortest code. To say which one that is takes {result.naming:.1f} bits"
            " more."
        )
    control = (
        f"a probe trained on [[control task|random labels]] needs {bits(row['control_codelength'])} bits"
        f" ({bits(row['control_codelength_lowest'])} to {bits(row['control_codelength_highest'])})"
    )
    seen = result.probes.folding != NEVER and kind == "words"
    parts.append(f"Words can be in several portions: {control} by memory alone." if seen else f"As a check, {control}.")
    return " ".join(parts)
