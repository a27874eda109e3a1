"""The headline about a probe, and the chart of its accuracy in each layer."""

from typing import Any

import streamlit as st

from embtools.charts.probing import accuracy as charts
from embtools.probing import verdict
from embtools.probing.accuracy import Accuracy
from embtools.probing.probe import NEVER
from embtools.ui import cached, figures, page, state, texts
from embtools.ui.probing import asking

_NAME = "probing-layers"


def show(found: Accuracy, question: tuple[Any, ...], layer: int, best: bool) -> None:
    """Show the headline, the chart and the caption; `best` says that the layer is shown because it is the best one."""
    task, own, folding = question[0], question[1], question[4]
    items = asking.items_of(task, own)
    kind = "words" if items[0].word else "sentences"
    row, chosen = found.table.iloc[layer], found.best_held_out if best else None
    st.header(texts.plain(verdict.finding(row, found.baseline, task, kind, folding, chosen)), anchor=False)
    figures.chart(
        cached.figure(charts.over_layers, found.table, found.baseline, layer),
        found.table,
        name=_NAME,
        alt=charts.over_layers_alt(found.table, found.baseline),
        select=("points",),
        on_select=_pick,
        below=lambda: page.seen(_caption(found, layer, kind, len(items), folding, best)),
    )


def _pick() -> None:
    """Select the layer that was clicked."""
    points = st.session_state[f"chart-{_NAME}"]["selection"]["points"]
    if points:
        state.put({asking.LAYER.key: str(round(points[0]["x"]))})


def _caption(found: Accuracy, layer: int, kind: str, count: int, folding: str, best: bool) -> str:
    """Return how the probe is tested, with the figures of the layer and of the control task."""
    row = found.table.iloc[layer]
    different = f" ({found.types} different ones)" if kind == "words" else ""
    parts = [
        f"A [[probe]] is trained on {count} labelled {kind}{different} and tested on [[fold|folds]] that it has not"
        f" seen. On layer {layer} its accuracy is {row['accuracy']:.1%} (95% interval {row['accuracy_ci_low']:.1%} to"
        f" {row['accuracy_ci_high']:.1%}). Guessing (always the most frequent label) gets {found.baseline:.1%}."
    ]
    if best:
        parts.append(
            f"The headline gives {found.best_held_out[0]:.1%} instead. The highest of several accuracies would be too"
            " flattering, so there the best layer is chosen, for each fold, on the other folds."
        )
    if layer:
        parts.append(f"On layer 0, which has no context, it is {found.table['accuracy'].iloc[0]:.1%}.")
    control = f"a probe with [[control task|random labels]] gets {row['control']:.1%}"
    if folding != NEVER and kind == "words":
        low, high = (100 * row[f"selectivity_ci_{end}"] for end in ("low", "high"))
        parts.append(
            f"Most test words were seen in training: {control} by memory alone. The [[selectivity]] is"
            f" **{100 * row['selectivity']:.0f} points** (95% interval {low:.0f} to {high:.0f}).".replace("-", "−")
        )
    elif row["control_ci_low"] > found.baseline:
        parts.append(f"As a check, {control}. That is more than guessing: training and test items are not separate.")
    else:
        parts.append(
            f"As a check, {control}. That is no better than guessing, so test items do not leak into training."
        )
    return " ".join(parts)
