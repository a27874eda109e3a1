"""Two panels: the answers that the logit lens reads off each layer, and the edit made in each layer.

Each panel returns its lines of Python code, which use `text`, `change` and `temperature`.
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
from embtools.ui.arithmetic.edit_query import Query
from embtools.ui.arithmetic.words import leading
from embtools.ui.fields import Text

LENS = Text("arithmetic_lens")
TEMPLATES = Text("arithmetic_templates", "\n".join(DEFAULT_TEMPLATES))


def logit_lens(model: str, query: Query, result: Experiment, mask: int) -> list[str]:
    """Draw the probability of words after each layer, with and without the edit; by default the top answers."""
    top = leading(result, mask)
    st.text_input(
        "Words to show (comma-separated)",
        placeholder=", ".join(top),
        help="Each word must be a single token. If this is empty, the top answers are shown.",
        **LENS.widget,
    )
    shown = fields.words(LENS.value) or top
    points = cached.compute(lens, model, query.text, query.change, shown, mask=mask, temperature=query.temperature)
    figures.chart(cached.figure(lens_charts.layers, points), points, name="layers", alt=lens_charts.alt(points))
    page.seen(
        "Each line is a word, without the edit (thin) or with it (thick). Its probability is read off after each"
        " [[layer]] with the output head of the last layer (the [[logit lens]]). The head was not trained on early"
        " layers, so the values there are only rough estimates."
    )
    return [
        f"layers = lens(text, model, change=change, words={shown!r}, mask={mask}, temperature=temperature)",
        "print(layers)",
    ]


def edits_by_layer(model: str, query: Query, result: Experiment, mask: int) -> list[str]:
    """Draw the probability of the edit's top answer when the difference is added after each layer."""
    top = result.answers[(result.answers["mask"] == mask) & (result.answers["rank_after"] == 1)]
    word = str(top["token"].iloc[0])
    result_by_layer = jobs.run(
        "arithmetic-layer-edits",
        _edits,
        model,
        query,
        word,
        fields.lines(TEMPLATES.value),
        mask,
        label="Adding the difference after each layer",
    )
    st.subheader(layer_edits.sentence(result_by_layer, word), anchor=False)
    lines = layer_edits.summary(result_by_layer)
    before = float(result_by_layer["probability"].iloc[0])
    figures.chart(
        cached.figure(edits_charts.layers, lines, WHOLE, before, word),
        lines,
        name="layer-edits",
        alt=edits_charts.alt(lines, WHOLE, word),
    )
    page.seen(
        "Each line is the edit or a control. It shows how probable the edit's top answer is if the difference is added"
        " after each [[layer]]. A filled mark means that the top answer changes. At layer 0, the difference is computed"
        " from the static [[embedding|embeddings]]; in later layers, from the words' vectors in the sentences below."
        " After the last layer it is too late, because the [[mask]] no longer attends to the word."
    )
    st.text_area(
        "Sentences for the words' vectors (one per line)",
        height=140,
        help="Each sentence must contain {word} exactly once. In each layer, the vector of a word is its mean over"
        " these sentences.",
        **TEMPLATES.widget,
    )
    return [
        "templates = [",
        *(f"    {template!r}," for template in fields.lines(TEMPLATES.value)),
        "]",
        f"after = layer_edits.layer_edits(text, model, change=change, word={word!r}, templates=templates, mask={mask},",
        f"                                temperature=temperature, draws={query.draws})",
        f"print(layer_edits.sentence(after, {word!r}))",
        "lines = layer_edits.summary(after)",
        "print(lines)",
    ]


def _edits(
    query: Query, word: str, templates: tuple[str, ...], mask: int, *, model: Any, progress: Progress = silent
) -> pd.DataFrame:
    return layer_edits.layer_edits(
        query.text,
        model,
        change=query.change,
        word=word,
        templates=templates,
        mask=mask,
        temperature=query.temperature,
        draws=query.draws,
        progress=progress,
    )
