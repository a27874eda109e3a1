"""Panel for what BERT answers without neurons, a head, or a layer's attention or feed-forward network."""

from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from embtools.charts import tracing as charts
from embtools.models.neurons import ACTIVATION, DIFFERENCE
from embtools.tracing import switching as numbers
from embtools.tracing.switching import ATTENTION, FEED_FORWARD, HEAD, MEAN, NEURONS, ZERO, SwitchedOff, switch_off
from embtools.ui import captions, entry, figures, long_work, page, running, shown, state
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number
from embtools.ui.one_token import OneToken, layer_field, token_field
from embtools.ui.shown import Model, Models
from embtools.ui.tracing import attribution

TAB = "Switch off"
USES_EDIT = True
CHOSEN = OneToken(attribution.TEXT, layer_field("tracing_off_layer", 4), token_field("tracing_off_token"))
STRONGEST, ONE, HEAD_PART, ATTENTION_PART, FEED_FORWARD_PART = (
    "Strongest neurons", "One neuron", "Head", "Attention", "Feed-forward network",
)  # fmt: skip
PART = Choice(
    "tracing_off",
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
COUNT = Number("tracing_off_count", 10, 1, 500, 1)
HEAD_NUMBER = Number("tracing_off_head", 1, 1, 64, 1)
EVERYWHERE, HERE = "All tokens", "This token"
WHERE = Choice("tracing_off_where", EVERYWHERE, {"all": EVERYWHERE, "token": HERE})
TO_ZERO, TO_MEAN = "Zero", "Its mean"
VALUE = Choice("tracing_off_value", TO_ZERO, {"zero": TO_ZERO, "mean": TO_MEAN})
DRAWS = Number("tracing_off_draws", 200, 5, 200, 5)
SEED = Number("tracing_off_seed", 0, 0, 9_999, 1)
NEURON = Number("tracing_off_neuron", 0, 0, 99_999, 1)  # 0: the strongest one
BY = Choice("tracing_off_by", "Above its mean", {"difference": "Above its mean", "activation": "Above zero"})
_BY = dict(zip(BY.options, (DIFFERENCE, ACTIVATION), strict=True))
FIELDS = (*CHOSEN.fields, PART, COUNT, HEAD_NUMBER, NEURON, WHERE, VALUE, BY, DRAWS, SEED)
PRESETS: dict[str, dict[str, Any]] = {
    "Without ten neurons": {},
    "Without attention": {PART.key: ATTENTION_PART, CHOSEN.layer.key: "layer 6"},
}
FIRST = CHOSEN.first(switch_off)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    number = {
        STRONGEST: (captions.Setting("number", COUNT),),
        ONE: (captions.Setting("neuron", NEURON),),
        HEAD_PART: (captions.Setting("head", HEAD_NUMBER),),
    }
    part, where, value = (
        captions.Setting(name, field) for name, field in (("switched off", PART), ("at", WHERE), ("set to", VALUE))
    )
    drawn = (captions.Setting("random draws", DRAWS),) if _is_drawn() else ()
    order = captions.changed("order", BY)
    return *CHOSEN.caption(), part, *number.get(PART.value, ()), where, value, order, *drawn


@state.fragment
def show(models: Models) -> None:
    """Draw what is switched off; for each model the answers before and after, next to the controls."""
    problems = CHOSEN.bar(models)
    _part(models[0])

    def query(model: Model) -> Call:
        part = _PARTS[PART.value]
        number = {ONE: int(NEURON.value), HEAD_PART: int(HEAD_NUMBER.value)}.get(PART.value, 0)
        if model != models[0]:  # parts of different models do not correspond
            number = min(number, model.facts.heads) if PART.value == HEAD_PART else 0
        return CHOSEN.query(
            switch_off,
            model,
            models,
            part=part,
            count=1 if PART.value == ONE else int(COUNT.value),
            number=number,
            by=_BY[BY.value],
            everywhere=WHERE.value == EVERYWHERE,
            value=ZERO if VALUE.value == TO_ZERO else MEAN,
            draws=int(DRAWS.value),
            seed=int(SEED.value),
        )

    def effort(call: Call) -> Call:
        names = ("text", "layer", "part", "by", "value", "draws")
        return Call(numbers.effort, **{name: call[name] for name in names})

    if not long_work.may_begin("tracing-off", "Switch off and ask again", query, models, effort):
        return
    answers = running.ask(
        "without",
        query,
        models,
        FIRST,
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
    _how(max(len(result.controls) for result in results))


def _result(result: SwitchedOff, results: Sequence[SwitchedOff]) -> None:
    shown.headline(result.headline)
    with st.container(key=f"limits{shown.suffix()}"):
        st.html(f'<p class="seen">{escape(result.comparison)}</p>')
    left, right = shown.split([1, 1], gap="medium")
    with left:
        figures.show(
            charts.answers,
            result,
            name="tracing-off-answers",
            options={"below": lambda: page.caption("Each pair of bars is a word at the [[mask]], before and after.")},
        )
    with right:
        figures.show(
            charts.runs,
            result,
            name="tracing-off-runs",
            beside=results,
            options={
                "below": lambda: page.caption(
                    "Each mark is a run: the change in the [[log probability]] of the top answer ([[nats]]). Hollow"
                    " marks: the top answer changes."
                )
            },
        )


def _part(model: Model) -> None:
    """Draw which part is switched off."""
    with st.container(key="tracing-off-bar", horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control("Switch off", required=True, **PART.widget)
        with st.container(width=120):
            if PART.value == STRONGEST:
                entry.number_input("Number", help="How many of the strongest neurons of the token.", **COUNT.widget)
            elif PART.value == ONE:
                help_ = "The strongest neuron of the token, or one by its number. Attention › The whole layer › Neurons"
                help_ += " shows their numbers."
                entry.number_or_first("Neuron", format_func=entry.or_strongest, help=help_, **NEURON.widget)
            elif PART.value == HEAD_PART:
                entry.number_input("Head", **HEAD_NUMBER.widget | {"max_value": model.facts.heads})


def _is_drawn() -> bool:
    """Whether the controls are drawn at random; those of a layer's attention or network are all other layers."""
    return _PARTS[PART.value] in (NEURONS, HEAD)


def _how(controls: int) -> None:
    """Draw where and to what the part is set; and in an expander, how the controls are drawn."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control("At", required=True, **WHERE.widget)
        st.segmented_control(
            "Set to",
            required=True,
            help="Zero removes the part completely. Its mean over 200 built-in sentences removes only what is specific"
            " to this sentence.",
            **VALUE.widget,
        )
        if _PARTS[PART.value] == NEURONS:
            st.segmented_control(
                "Strength",
                required=True,
                help="What makes a neuron strong: how far its activation is above its mean over built-in sentences, or"
                " above zero.",
                **BY.widget,
            )
    drawn = _is_drawn()
    label = f"Random controls: {controls}" if drawn else "Controls: all other layers"
    with figures.expander("tracing-off", label, ":material/tune:") as opened:
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
