"""Panel for one layer at one token: its steps, its neurons, and what BERT answers without a part of it."""

from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from embtools.attention.layer_parts import WholeLayer, whole_layer
from embtools.attention.neuron_uses import read_neurons
from embtools.attention.strongest_neurons import neurons
from embtools.attention.switching import switch_off
from embtools.charts import attention as charts
from embtools.occurrences.corpus import built_in_corpus
from embtools.ui import captions, entry, figures, glossary, page, running, shown, state
from embtools.ui.attention import layer_fields
from embtools.ui.attention import neurons as neurons_view
from embtools.ui.attention import switch_off as off_view
from embtools.ui.attention.layer_fields import LAYER, NEURONS, OFF, POSITION, STEPS, TEXT, VIEW
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number
from embtools.ui.lenses import LOGIT_LENS, TUNED_LENS, is_tuned
from embtools.ui.shown import Model, Models

TAB = "The whole layer"
USES_EDIT = True
DIMENSION = Number("attention_dimension", 0, 0, 8_192, 1)  # 0: the one with the largest number
_LARGEST = ", the one with the largest value"
TUNED = Choice("attention_lens", LOGIT_LENS, {"logit": LOGIT_LENS, "tuned": TUNED_LENS})
FIELDS = (*layer_fields.FIELDS, DIMENSION, TUNED, *neurons_view.FIELDS, *off_view.FIELDS)
PRESETS: dict[str, dict[str, Any]] = {
    "The capital of France": {},
    "Hot and cold": {TEXT.key: "The opposite of hot is [MASK].", LAYER.key: "layer 5"},
    "The strongest neurons": {VIEW.key: NEURONS, LAYER.key: "layer 5"},
    "Without ten neurons": {VIEW.key: OFF, LAYER.key: "layer 4"},
    "Without attention": {VIEW.key: OFF, off_view.PART.key: off_view.ATTENTION_PART},
    "A word in context": {TEXT.key: "She sat on the bank of the [MASK].", LAYER.key: "layer 2", POSITION.key: 5},
}
_ABOVE = 27  # rem taken by what is above the strips and by the caption below them


FIRST = layer_fields.first(whole_layer)


def _table(model: Model) -> Call:
    return Call(read_neurons, corpus=built_in_corpus(), layer=layer_fields.default_layer(model))


DETAILS = layer_fields.first(neurons), layer_fields.first(switch_off), _table


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    own = {STEPS: (captions.changed("lens", TUNED),), NEURONS: neurons_view.caption(), OFF: off_view.caption()}
    return *layer_fields.caption(), *own[VIEW.value]


@state.fragment
def show(models: Models) -> None:
    """Draw the fields, and one of the three views."""
    problems = layer_fields.bar(models)
    views = {STEPS: _steps, NEURONS: neurons_view.show, OFF: off_view.show}
    views[VIEW.value](models, problems)


def _steps(models: Models, problems: Any) -> None:
    def query(model: Model) -> Call:
        dimension = min(int(DIMENSION.value), model.facts.dimensions)
        return layer_fields.query(whole_layer, model, models, dimension=dimension, tuned=is_tuned(TUNED, model))

    prints = ("headline", "movement", "steps", "answers", "arithmetic")
    answers = running.ask("layer", query, models, FIRST, container=problems, prints=prints)
    if not answers:
        return
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            _result(answer.value, results)


def _result(result: WholeLayer, results: Sequence[WholeLayer]) -> None:
    with st.container(key=f"hero{shown.suffix()}"):
        shown.headline(result.headline)
    left, right = shown.split([5, 4], gap="medium")

    def below() -> None:
        neurons, inputs = len(result.vectors.neurons[0]), len(result.vectors.inputs[0])
        page.caption(
            "Each strip is a vector: blue numbers are above zero, orange below, each strip on its own scale. The bold"
            " steps are states of the token; the results of attention and of the feed-forward network are added to"
            f" them ([[residual connection]]). The strips of the {neurons:,} [[neuron|neurons]] of the [[feed-forward"
            f" network]] are drawn as wide as those of the {inputs:,} dimensions."
        )

    with left:
        both = tuple(results) if len(results) > 1 else ()
        figures.show(charts.layer_strips, result, both, name="layer-strips", options={"above": _ABOVE, "below": below})
    with right:
        figures.show(charts.layer_states, result, name="layer-states", beside=results)
        page.caption(_read_off(result))
        if not shown.suffix():
            st.segmented_control("Lens", required=True, help=glossary.definition("tuned lens"), **TUNED.widget)
        st.html(f'<p class="seen">{escape(result.movement)}</p>')
        st.code(result.arithmetic, language=None, wrap_lines=True)
        if not shown.suffix():
            with st.container(width=160):
                widget = DIMENSION.widget | {"max_value": len(result.vectors.inputs[0])}
                entry.number_or_first(
                    "Dimension",
                    format_func=entry.or_largest,
                    help="The dimension with the largest value, or one by its number. You can type a number.",
                    **widget,
                )
        page.caption(
            f"These lines compute dimension {result.dimension:,} of the token{'' if DIMENSION.value else _LARGEST}."
            " For each sum, the largest product is named. All neurons read all dimensions, so the neuron in the middle"
            " is only an example: the one with the largest activation."
        )


def _read_off(result: WholeLayer) -> str:
    """Return the caption of the distances and answers, with what the lens can show."""
    d, f = len(result.vectors.inputs[0]), len(result.vectors.neurons[0])
    parts = (
        f" Lighter bars show parts, which are added to a state. The {f:,} neurons have no bar, because the head"
        f" can read only vectors of {d:,} numbers. All other vectors here have this length."
    )
    text = (
        "Left: the distance from the state before this step, with the [[cosine]]. Right: what the masked-word head"
        " would answer if it read this vector"
    )
    if result.tuned:
        return (
            f"{text}.{parts} The [[tuned lens]] translates the states before and after the layer. The vectors inside"
            " the layer have no translator, so their answers mean little."
        )
    none = "This model has no tuned lens. " if TUNED.value == TUNED_LENS else ""
    return (
        f"{text} (the [[logit lens]]).{parts} {none}The head was trained on the states after the last layer"
        " norm, so its answers mean little for parts and for states before a norm."
    )
