"""Panel for mitigation: what removing a direction gains, what it costs, and the residual bias."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from embtools import wordlists
from embtools.bias import methods, residual, two_models
from embtools.bias.methods import OCCUPATIONS, SENTENCES, Methods
from embtools.bias.mitigated import METHODS
from embtools.charts import bias as charts
from embtools.ui import captions, entry, fields, figures, glossary, long_work, page, running, shown, spelling, state
from embtools.ui.bias import notes
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

TAB = "Mitigation"
MAP, NEUTRAL = "Previously biased words", "Neutral sentences"
_TEN = wordlists.load("gender_pairs")
PAIRS = Text("bias_axis_pairs", ", ".join(f"{m}={f}" for m, f in zip(_TEN["male"], _TEN["female"], strict=True)))
REACH = Choice("bias_reach", "tied", ("input", "tied"))
SIDE = Number("bias_side", 200, 50, residual.MAX_PER_SIDE, 50)
METHOD = Choice("bias_method", "project away", {method.replace(" ", "-").lower(): method for method in METHODS})
MORE = Choice("bias_left", MAP, {"map": MAP, "sentences": NEUTRAL})
FIELDS = (PAIRS, REACH, SIDE, METHOD, MORE)
PRESETS: dict[str, dict[str, Any]] = {"Ten pairs": {}, "Only he and she": {PAIRS.key: "he=she"}}


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return PAIRS, captions.Setting("scope", REACH), captions.Setting("words per side", SIDE)


def show(models: Models) -> None:
    """Draw the fields; for each model gains, costs and residual bias, and more about words or sentences."""
    pairs, scope, side = st.columns([9, 3, 5], gap="small")
    with pairs:
        entry.text_input(
            "Pairs that define the direction (comma-separated)",
            help="Write each pair as first=second. The first pair is used to ask about occupations.",
            once="pair",
            **PAIRS.widget,
        )
    scope.segmented_control("Scope", required=True, help=glossary.definition("scope"), **REACH.widget)
    side.slider(
        "Biased words per side",
        help="The words most similar to either end of the direction. After mitigation, a classifier tries to assign"
        " them to their old side.",
        **SIDE.widget,
    )
    if long_work.may_begin("bias-mitigation", "Compare the methods", _query, models, _effort):
        more = ("neutral", "by_sentence") if MORE.value == NEUTRAL else ()
        result = running.ask(
            "methods",
            _query,
            models,
            _first,
            label="Comparing the methods",
            prints=("headline", "control", "erasers", "gains", "summary", "residuals", *more),
        )
        answers = [replace(answer, about=(_typed(answer.query),)) for answer in result]
        if answers:
            _results(answers)
            _more(answers)
    notes.notes("Mitigation", "LEACE and INLP", "Residual bias")


def _query(model: Model) -> Call:
    """Return the query of the fields for a model; raises ValueError for pairs that cannot be read."""
    return _of(spelling.text(PAIRS, model.name), scope=REACH.value, per_side=int(SIDE.value))


def _first(model: Model) -> Call:
    return _of(spelling.quietly(PAIRS.default, model.name))


def _of(text: str, **settings: Any) -> Call:
    pairs = fields.pairs(text)
    first, second = tuple(a for a, _ in pairs), tuple(b for _, b in pairs)
    return Call(methods.compare_methods, first=first, second=second, **settings)


def _typed(query: Call) -> str:
    """The pairs as the visitor writes them."""
    return ", ".join(f"{a}={b}" for a, b in zip(query["first"], query["second"], strict=True))


def _effort(query: Call) -> Call:
    return Call(methods.effort, per_side=query["per_side"])


def _results(answers: Sequence[Answer[Methods]]) -> None:
    running.say(two_models.project_away, answers)
    running.token_differences(answers, [*answers[0].query["first"], *answers[0].query["second"]])
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            shown.headline(answer.value.headline)
            if not shown.alone():
                _more_sentences(answer.value)
            _charts(answer.value, results)
            if shown.alone():
                _more_sentences(answer.value)
    page.caption(
        "Each row is a [[mitigation|method]]. Gains: how differently BERT answers for the first pair, averaged over"
        f" {len(OCCUPATIONS)} occupations; 0 means no difference. Costs: how much the probability of acceptable"
        f" answers changes in {len(SENTENCES)} sentences that mention no group. Residual bias: the share of words that"
        " a [[classifier]] assigns to their old side; the cross is the [[chance level]]. Diamonds are [[control]]s:"
        " one random [[direction]] is removed, or as many as [[INLP]] removes. INLP and [[LEACE]] are fitted on the"
        " words of the pairs."
    )


def _more_sentences(result: Methods) -> None:
    st.text(result.control)
    st.text(result.erasers)


def _charts(result: Methods, results: Sequence[Methods]) -> None:
    """Draw gains, costs and residual bias: next to each other for one model, below each other for two."""
    named = (
        ("Gains", "gain", charts.gains),
        ("Costs", "cost", charts.costs),
        ("Residual bias", "residual-bias", charts.residual_bias),
    )
    for container, (title, name, draw) in zip(shown.split([1, 1, 1], gap="medium"), named, strict=True):
        with container:
            st.subheader(title, anchor=False) if shown.alone() else st.markdown(f"**{title}**")
            figures.show(draw, result, name=name, beside=results)


def _more(answers: Sequence[Answer[Methods]]) -> None:
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                if name == MAP:
                    _map(answers)
                    return
                for container in running.containers(answers, part="sentences"):
                    with container as answer:
                        _sentences(answer.value)


@state.fragment
def _map(answers: Sequence[Answer[Methods]]) -> None:
    st.segmented_control(
        "Method", required=True, help="The map shows the words after this method has been applied.", **METHOD.widget
    )
    for container in running.containers(answers, part="map"):
        with container as answer:
            sides = {name: answer.query[name] for name in ("first", "second", "per_side")}
            query = Call(residual.residual_map, method=METHOD.value, **sides)
            points: pd.DataFrame | None = running.detail("points", query, answer.model)
            if points is not None:
                figures.show(charts.sides, points, METHOD.value, answer.value.pair, name="residual-map")
    page.caption(
        "Each point is a word that was strongly biased before. The axes are the first two [[principal"
        " component|principal components]] of these words after mitigation. If you see two separate clouds, the old"
        " sides can still be distinguished."
    )


def _sentences(result: Methods) -> None:
    """Draw a table of the neutral sentences: the probability of acceptable answers after each method."""
    st.text(result.neutral)
    st.caption("Each column shows the total probability of all acceptable words after one method.")
    figures.table(
        result.by_sentence, "Probability of acceptable answers by sentence and method", name=f"neutral{shown.suffix()}"
    )
