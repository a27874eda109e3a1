"""View of what BERT answers without neurons, a head, or a layer's attention or feed-forward network."""

from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from embtools.attention import switching as numbers
from embtools.attention.switch_off_result import ATTENTION, FEED_FORWARD, HEAD, MEAN, NEURONS, ZERO, SwitchedOff
from embtools.attention.switching import switch_off
from embtools.charts import attention as charts
from embtools.ui import captions, entry, figures, long_work, page, running, shown
from embtools.ui.attention import layer_fields
from embtools.ui.attention import neurons as neurons_view
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number
from embtools.ui.shown import Model, Models

STRONGEST, ONE, HEAD_PART, ATTENTION_PART, FEED_FORWARD_PART = (
    "Strongest neurons", "One neuron", "Head", "Attention", "Feed-forward network",
)  # fmt: skip
PART = Choice(
    "attention_off",
    STRONGEST,
    {
        "neurons": STRONGEST,
        "neuron": ONE,
        "head": HEAD_PART,
        "attention": ATTENTION_PART,
        "feed-forward": FEED_FORWARD_PART,
    },
)
_PARTS = {
    STRONGEST: NEURONS,
    ONE: NEURONS,
    HEAD_PART: HEAD,
    ATTENTION_PART: ATTENTION,
    FEED_FORWARD_PART: FEED_FORWARD,
}
COUNT = Number("attention_off_count", 10, 1, 500, 1)
HEAD_NUMBER = Number("attention_off_head", 1, 1, 64, 1)
EVERYWHERE, HERE = "All tokens", "This token"
WHERE = Choice("attention_off_where", EVERYWHERE, {"all": EVERYWHERE, "token": HERE})
TO_ZERO, TO_MEAN = "Zero", "Its mean"
VALUE = Choice("attention_off_value", TO_ZERO, {"zero": TO_ZERO, "mean": TO_MEAN})
DRAWS = Number("attention_off_draws", 200, 5, 200, 5)
SEED = Number("attention_off_seed", 0, 0, 9_999, 1)
FIELDS = (PART, COUNT, HEAD_NUMBER, WHERE, VALUE, DRAWS, SEED)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart of this view names."""
    number = {
        STRONGEST: (captions.Setting("number", COUNT),),
        ONE: (captions.Setting("neuron", neurons_view.NEURON),),
        HEAD_PART: (captions.Setting("head", HEAD_NUMBER),),
    }
    part, where, value = (
        captions.Setting(name, field) for name, field in (("switched off", PART), ("at", WHERE), ("set to", VALUE))
    )
    drawn = (captions.Setting("random draws", DRAWS),) if _is_drawn() else ()
    return part, *number.get(PART.value, ()), where, value, *drawn


def show(models: Models, problems: Any) -> None:
    """Draw what is switched off; for each model the answers before and after, next to the controls."""
    _fields(models[0])

    def query(model: Model) -> Call:
        part = _PARTS[PART.value]
        number = {ONE: int(neurons_view.NEURON.value), HEAD_PART: int(HEAD_NUMBER.value)}.get(PART.value, 0)
        if model != models[0]:  # parts of different models do not correspond
            number = min(number, model.facts.heads) if PART.value == HEAD_PART else 0
        return layer_fields.query(
            switch_off,
            model,
            models,
            part=part,
            count=1 if PART.value == ONE else int(COUNT.value),
            number=number,
            by=neurons_view.by(),
            everywhere=WHERE.value == EVERYWHERE,
            value=ZERO if VALUE.value == TO_ZERO else MEAN,
            draws=int(DRAWS.value),
            seed=int(SEED.value),
        )

    def effort(call: Call) -> Call:
        names = ("text", "layer", "part", "by", "value", "draws")
        return Call(numbers.effort, **{name: call[name] for name in names})

    if not long_work.may_begin("layer-off", "Switch off and ask again", query, models, effort):
        return
    answers = running.ask(
        "without",
        query,
        models,
        layer_fields.first(switch_off),
        label="Switching off",
        container=problems,
        prints=("headline", "comparison", "answers", "runs"),
    )
    if not answers:
        return
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            _result(answer.value, results)
    _settings(max(len(result.controls) for result in results))


def _result(result: SwitchedOff, results: Sequence[SwitchedOff]) -> None:
    with st.container(key=f"hero{shown.suffix()}"):
        shown.headline(result.headline)
        st.html(f'<p class="seen">{escape(result.comparison)}</p>')
    left, right = shown.split([1, 1], gap="medium")
    with left:
        figures.show(
            charts.answers,
            result,
            name="layer-off-answers",
            options={"below": lambda: page.caption("Each pair of bars is a word at the [[mask]], before and after.")},
        )
    with right:
        figures.show(
            charts.runs,
            result,
            name="layer-off-runs",
            beside=results,
            options={
                "below": lambda: page.caption(
                    "Each mark is a run: the change in the [[log probability]] of the top answer ([[nats]]). Hollow"
                    " marks: the top answer changes."
                )
            },
        )


def _fields(model: Model) -> None:
    with st.container(key="layer-off-bar", horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control("Switch off", required=True, **PART.widget)
        with st.container(width=120):
            if PART.value == STRONGEST:
                entry.number_input("Number", help="How many of the strongest neurons of the token.", **COUNT.widget)
            elif PART.value == ONE:
                help_ = "The strongest neuron of the token, or one by its number. The view Neurons shows their numbers."
                entry.number_or_first(
                    "Neuron", format_func=entry.or_strongest, help=help_, **neurons_view.NEURON.widget
                )
            elif PART.value == HEAD_PART:
                widget = HEAD_NUMBER.widget | {"max_value": model.facts.heads}
                entry.number_input("Head", **widget)
        st.segmented_control("At", required=True, **WHERE.widget)
        st.segmented_control(
            "Set to",
            required=True,
            help="Zero removes the part completely. Its mean over 200 built-in sentences removes only what is specific"
            " to this sentence.",
            **VALUE.widget,
        )


def _is_drawn() -> bool:
    """Whether the controls are drawn at random; those of a layer's attention or network are all other layers."""
    return _PARTS[PART.value] in (NEURONS, HEAD)


def _settings(controls: int) -> None:
    drawn = _is_drawn()
    label = f"Random controls: {controls}" if drawn else "Controls: all other layers"
    with figures.expander("layer-off", label, ":material/tune:") as opened:
        if opened:
            if not drawn:
                page.caption("For a whole layer, the controls are all other layers, so none are drawn at random.")
            left, right = st.columns(2, gap="small")
            with left:
                help_ = "Of neurons and heads; of layers, all others are shown."
                entry.number_input("Random draws", help=help_, disabled=not drawn, **DRAWS.widget)
            with right:
                help_ = "Another seed draws other neurons and heads."
                entry.number_input("Seed", help=help_, disabled=not drawn, **SEED.widget)
