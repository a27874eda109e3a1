"""The first sight of the Probing page: how often a probe is right in each layer, and the finding in a sentence."""

from typing import Any

import streamlit as st

from embtools.charts.probing import accuracy as charts
from embtools.probing import verdict
from embtools.probing.accuracy import Accuracy
from embtools.probing.probe import NEVER
from embtools.ui import cached, figures, page, state, texts
from embtools.ui.probing import asking

_NAME = "probing-layers"


def show(found: Accuracy, question: tuple[Any, ...], layer: int) -> None:
    """The finding, the lines, and what they say of the layer."""
    task, own, folding = question[0], question[1], question[4]
    items = asking.items_of(task, own)
    kind = "words" if items[0].word else "sentences"
    row = found.table.iloc[layer]
    st.header(texts.plain(verdict.finding(row, found.baseline, task, kind, folding)), anchor=False)
    figures.chart(
        cached.figure(charts.over_layers, found.table, found.baseline, layer),
        found.table,
        name=_NAME,
        alt=charts.over_layers_alt(found.table, found.baseline),
        select=("points",),
        on_select=_pick,
        below=lambda: page.seen(_said(found, layer, kind, len(items), folding)),
    )


def _pick() -> None:
    """A click on a layer chooses it."""
    points = st.session_state[f"chart-{_NAME}"]["selection"]["points"]
    if points:
        state.put({asking.LAYER.key: str(round(points[0]["x"]))})


def _said(found: Accuracy, layer: int, kind: str, count: int, folding: str) -> str:
    """What the lines are, with the figures of the layer."""
    row = found.table.iloc[layer]
    points = (100 * row[name] for name in ("selectivity", "selectivity_low", "selectivity_high"))
    text = (
        f"A [[probe]] learns from {count} labelled {kind}"
        + (f" ({found.types} different ones)" if kind == "words" else "")
        + f" and is tried on [[fold|folds]] it has not learnt from. Layer {layer}: {row['accuracy']:.1%}"
        f" ({row['accuracy_low']:.1%} to {row['accuracy_high']:.1%}), [[control task|random labels]]"
        f" {row['control']:.1%}; [[selectivity]] **{{:.0f}} points** ({{:.0f}} to {{:.0f}})."
    ).format(*points)
    if layer:
        text += f" Layer 0, without context: {found.table['accuracy'].iloc[0]:.1%}."
    if kind == "sentences":
        return (
            text
            + " No sentence comes twice, so random labels cannot be learnt by heart: selectivity says more of words."
        )
    if folding == NEVER:
        return text + " A new word's random label cannot be known: a control above guessing would mean a leak."
    return text + " Here most words were met in training: what random labels reach is memory alone."
