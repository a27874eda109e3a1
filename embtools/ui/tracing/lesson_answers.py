"""What a lesson can ask about a trace."""

from embtools.tracing.averages import Average
from embtools.tracing.cases import OTHER, RANDOM
from embtools.tracing.components import Components, trace_components
from embtools.tracing.knockout import KNOCKOUT
from embtools.tracing.positions import SUFFICIENCY, Trace, trace_positions
from embtools.ui.lesson_answers import Reading, result
from embtools.ui.shown import Model
from embtools.ui.tracing import average, sentences


def _traced(model: Model) -> Trace:
    traced: Trace = result(sentences.query(trace_positions)(model), model)
    return traced


def _arrives(traced: Trace) -> int:
    traced.runs.check()
    return traced.arrives


def _halfway(model: Model) -> str:
    """Return the word that holds most of the effect after half of the layers."""
    traced = _traced(model)
    if not traced.runs.defined:
        raise ValueError("The effect is too small to be traced.")
    shares = traced.grid(SUFFICIENCY)
    return traced.runs.words[int(shares[len(shares) // 2].argmax())]


def _components(model: Model) -> Components:
    components: Components = result(sentences.query(trace_components)(model), model)
    if not components.runs.defined:
        raise ValueError("The effect is too small to be divided among heads.")
    return components


def _averaged(model: Model) -> Average:
    averaged: Average = result(average._query(), model)
    if not averaged.defined:
        raise ValueError("The effect is too small to be traced.")
    return averaged


def _effect(model: Model, condition: str) -> float:
    return 100 * float(_averaged(model).effects.set_index("condition").loc[condition, "share"])


def _changes(components: Components, where: str) -> bool:
    """Return whether the answer still changes with blocked attention: everywhere, or in every single head."""
    if where == "heads":
        return components.unchanged_heads.empty
    whole = components.knockouts.iloc[-1]
    return bool(whole["first_answer"] != whole["second_answer"])


def _held_out(model: Model) -> float:
    """Return the share of the effect (in %) that the best head brings in cases that were not used to select it."""
    return 100 * float(_averaged(model).heads.iloc[0][SUFFICIENCY])


READINGS = {
    "map": {
        "layer": Reading(
            "Layer that brings the effect to the mask",
            "number",
            lambda model: float(_arrives(_traced(model))),
            digits=0,
        ),
        "halfway": Reading("Word with most of the effect after half of the layers", "word", _halfway),
        "changed": Reading(
            "Whether the top answer changes",
            "yes or no",
            lambda model: _traced(model).runs.tops[0] != _traced(model).runs.tops[1],
        ),
    },
    "components": {
        "head": Reading(
            "Share of the strongest head",
            "number",
            lambda model: 100 * float(_components(model).strongest[SUFFICIENCY].iloc[0]),
            "%",
        ),
        "without-heads": Reading(
            "Whether the answer still changes without any one head",
            "yes or no",
            lambda model: _changes(_components(model), "heads"),
        ),
        "without-attention": Reading(
            "Whether the answer still changes without attention to the word in any layer",
            "yes or no",
            lambda model: _changes(_components(model), "layers"),
        ),
        "lost": Reading(
            "Share of the effect that is lost without attention to the word in any layer",
            "number",
            lambda model: 100 * float(_components(model).knockouts[KNOCKOUT].iloc[-1]),
            "%",
        ),
    },
    "average": {
        "stays": Reading(
            "Share at the word before the layer that moves most",
            "number",
            lambda model: 100 * float(_averaged(model).layers["stays"].iloc[0]),
            "%",
        ),
        "random": Reading("Effect of a random difference", "number", lambda model: _effect(model, RANDOM), "%"),
        "other": Reading("Effect of the edit of another word", "number", lambda model: _effect(model, OTHER), "%"),
        "set-aside": Reading(
            "Share of the best head in the cases that were set aside, in percent", "number", _held_out, digits=0
        ),
    },
}
