"""The answer on its way through the layers, and the same edit made after each of them.

Each panel returns its lines of code, which read `text`, `change` and `temperature`.
"""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.arithmetic import layer_edits
from embtools.arithmetic.controls import Experiment
from embtools.arithmetic.layer_edits import TEMPLATES as DEFAULT_TEMPLATES
from embtools.arithmetic.layer_edits import WHOLE
from embtools.arithmetic.logit_lens import lens
from embtools.charts.arithmetic import layer_edits as edits_charts
from embtools.charts.arithmetic import logit_lens as lens_charts
from embtools.progress import Progress, silent
from embtools.ui import cached, fields, figures, jobs, page
from embtools.ui.arithmetic.asking import Asked
from embtools.ui.arithmetic.words import leading
from embtools.ui.fields import Text

LENS = Text("arithmetic_lens")
TEMPLATES = Text("arithmetic_templates", "\n".join(DEFAULT_TEMPLATES))


def through(model: str, asked: Asked, result: Experiment, mask: int) -> list[str]:
    """Words after each layer, before the edit and after it: those that were chosen, or the leading ones."""
    top = leading(result, mask)
    st.text_input(
        "Words to follow",
        placeholder=", ".join(top),
        help="Words of one piece, separated by commas; empty: the first answers.",
        **LENS.widget,
    )
    drawn = fields.words(LENS.value) or top
    points = cached.compute(lens, model, asked.text, asked.change, drawn, mask=mask, temperature=asked.temperature)
    figures.chart(cached.figure(lens_charts.layers, points), points, name="layers", alt=lens_charts.alt(points))
    page.seen(
        "You see the answer read off after each [[layer]] with the head of the last one (the [[logit lens]]). The head"
        " never learnt to read early layers: take them as a sketch."
    )
    return [
        f"layers = lens(text, change, {drawn!r}, model=model, mask={mask}, temperature=temperature)",
        "print(layers)",
    ]


def after_each(model: str, asked: Asked, result: Experiment, mask: int) -> list[str]:
    """Does the answer still turn when the difference is added after a later layer?"""
    shown = result.answers[(result.answers["mask"] == mask) & (result.answers["rank_after"] == 1)]
    word = str(shown["token"].iloc[0])
    found = jobs.run(
        "arithmetic-layer-edits",
        _edits,
        model,
        asked,
        word,
        fields.lines(TEMPLATES.value),
        mask,
        label="Adding the difference after each layer",
    )
    st.subheader(layer_edits.sentence(found, word), anchor=False)
    lines = layer_edits.summary(found)
    before = float(found["probability"].iloc[0])
    figures.chart(
        cached.figure(edits_charts.layers, lines, WHOLE, before, word),
        lines,
        name="layer-edits",
        alt=edits_charts.alt(lines, WHOLE, word),
    )
    page.seen(
        "You see how probable the edit's answer is when its difference is added after that [[layer]]: filled marks turn"
        " the first answer. At layer 0 it is the difference of the [[embedding|embeddings]]; later, of the words'"
        " vectors in the sentences below. After the last layer it is too late: the [[mask]] looks at the word no more."
    )
    st.text_area(
        "Sentences that give the words their vectors, one a line",
        height=140,
        help="Each holds {word} once. The vectors of a word are averaged over them, at every layer.",
        **TEMPLATES.widget,
    )
    return [
        "templates = [",
        *(f"    {template!r}," for template in fields.lines(TEMPLATES.value)),
        "]",
        f"after = layer_edits.layer_edits(text, change, {word!r}, model=model, templates=templates, mask={mask},",
        f"                                temperature=temperature, draws={asked.draws})",
        f"print(layer_edits.sentence(after, {word!r}))",
        "lines = layer_edits.summary(after)",
        "print(lines)",
    ]


def _edits(
    asked: Asked, word: str, templates: tuple[str, ...], mask: int, *, model: Any, progress: Progress = silent
) -> pd.DataFrame:
    return layer_edits.layer_edits(
        asked.text,
        asked.change,
        word,
        model=model,
        templates=templates,
        mask=mask,
        temperature=asked.temperature,
        draws=asked.draws,
        progress=progress,
    )
