"""How often a probe is right in each layer, and the finding in a sentence."""

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
    """Show the finding, the chart, and the figures of a layer; `best`: it was chosen because it is the best."""
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
    """Choose the layer that was clicked."""
    points = st.session_state[f"chart-{_NAME}"]["selection"]["points"]
    if points:
        state.put({asking.LAYER.key: str(round(points[0]["x"]))})


def _caption(found: Accuracy, layer: int, kind: str, count: int, folding: str, best: bool) -> str:
    """Say how the probe is tested, with the figures of the layer and of the control task."""
    row = found.table.iloc[layer]
    different = f" ({found.types} different ones)" if kind == "words" else ""
    parts = [
        f"A [[probe]] learns from {count} labelled {kind}{different} and is tested on [[fold|folds]] it has not learnt"
        f" from. Layer {layer}: {row['accuracy']:.1%} ({row['accuracy_low']:.1%} to {row['accuracy_high']:.1%})."
        f" Guessing (always the most frequent label): {found.baseline:.1%}."
    ]
    if best:
        parts.append(
            f"The headline gives {found.best_held_out[0]:.1%}: there, the best layer is chosen on other folds each"
            " time, because the highest of several accuracies is too flattering."
        )
    if layer:
        parts.append(f"Layer 0, without context: {found.table['accuracy'].iloc[0]:.1%}.")
    control = f"[[control task|random labels]] reach {row['control']:.1%}"
    if folding != NEVER and kind == "words":
        low, high = (100 * row[f"selectivity_{end}"] for end in ("low", "high"))
        parts.append(
            f"Most words were seen in training: {control} by memory alone; [[selectivity]]"
            f" **{100 * row['selectivity']:.0f} points** ({low:.0f} to {high:.0f})."
        )
    elif row["control_low"] > found.baseline:
        parts.append(f"As a check, {control}. That is more than guessing: training and test items are not separate.")
    else:
        parts.append(f"As a check, {control}. That is no better than guessing, so no test item leaks into training.")
    return " ".join(parts)
