"""Panel for mitigation: what removing a direction gains, what it costs, and the residual bias."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from embtools import wordlists
from embtools.bias import mitigation, residual, verdict
from embtools.bias.mitigation import METHODS
from embtools.charts.bias import mitigation as charts
from embtools.progress import Progress, part, silent
from embtools.ui import cached, fields, figures, glossary, jobs, page, spelling, state
from embtools.ui.bias import notes, two_models
from embtools.ui.compare import Beside
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.share import Code

TAB = "Mitigation"
COMPARES = True
MAP, NEUTRAL = "Previously biased words", "Neutral sentences"
_TEN = wordlists.load("gender_pairs")
_OCCUPATIONS = tuple(wordlists.load("occupations")["occupation"])
_NEUTRAL = wordlists.load("neutral_sentences")
_TEMPLATES = tuple(wordlists.load("bias_templates").query("kind == 'fill_occupation' and slot == 'noun'")["template"])
PAIRS = Text("bias_axis_pairs", ", ".join(f"{m}={f}" for m, f in zip(_TEN["male"], _TEN["female"], strict=True)))
REACH = Choice("bias_reach", "tied", ("input", "tied"))
SIDE = Number("bias_side", 200, 50, mitigation.MAX_PER_SIDE, 50)
METHOD = Choice("bias_method", "project away", METHODS)
MORE = Choice("bias_left", MAP, (MAP, NEUTRAL))
FIELDS = (PAIRS, REACH, SIDE, METHOD, MORE)
PRESETS: dict[str, dict[str, Any]] = {"Ten pairs": {}, "Only he and she": {PAIRS.key: "he=she"}}


@dataclass(frozen=True)
class Measured:
    """Gains, costs (by sentence, and together) and residual bias of every method, and two sentences about them."""

    gains: pd.DataFrame
    costs: pd.DataFrame
    summary: pd.DataFrame
    residuals: pd.DataFrame
    sentences: tuple[str, str]


def measure(text: str, scope: Any, per_side: int, *, model: Any, progress: Progress = silent) -> Measured:
    """Everything that the panel shows. Raises ValueError as its parts do, and for pairs that cannot be read."""
    first, second = _sides(text)
    gains = mitigation.gain(
        _TEMPLATES,
        model,
        occupations=_OCCUPATIONS,
        first=first,
        second=second,
        scope=scope,
        progress=part(progress, 0, 0.1),
    )
    costs = mitigation.cost(
        tuple(_NEUTRAL["sentence"]),
        model,
        answers=tuple(_NEUTRAL["answer"]),
        first=first,
        second=second,
        scope=scope,
        progress=part(progress, 0.1, 0.4),
    )
    residuals = residual.residual_bias(first, second, model, per_side=per_side, progress=part(progress, 0.5, 0.5))
    summary = mitigation.cost_summary(costs)
    sentences = verdict.mitigation(gains, summary, residuals, (first[0], second[0]))
    return Measured(gains, costs, summary, residuals, sentences)


def show(model: str, code: Code) -> None:
    """Draw the fields, and gains, costs and residual bias next to each other."""
    pairs, scope, side = st.columns([9, 3, 5], gap="small")
    pairs.text_input(
        "Pairs that define the direction (comma-separated)",
        help="Write each pair as first=second. The first pair is used to ask about occupations.",
        **PAIRS.widget,
    )
    scope.segmented_control("Scope", required=True, help=glossary.definition("scope"), **REACH.widget)
    side.slider(
        "Biased words per side",
        help="The words most similar to either end of the direction. After mitigation, a classifier tries to assign"
        " them to their old side.",
        **SIDE.widget,
    )
    query = _query(model)
    first = (spelling.quietly(PAIRS.default, model), "tied", 200)
    if jobs.on_request("bias-mitigation", "Compare the methods", cached.compute(_seconds, model, SIDE.value), query):
        answer = jobs.ask("bias-mitigation", measure, model, query, first, label="Comparing the methods")
        if answer:
            with jobs.results(answer, "bias-mitigation", answer.asked[0]):
                _results(model, answer, code)
                _more(model, answer, code)
    notes.notes("Mitigation", "Residual bias")


def _query(model: str) -> tuple[str, str, int]:
    """The query of the fields for a model."""
    return spelling.text(PAIRS, model), str(REACH.value), int(SIDE.value)


def _seconds(per_side: int, *, model: Any) -> float:
    return mitigation.effort(_TEMPLATES, model, sentences=_NEUTRAL["sentence"]) + residual.effort(per_side, model)


def _sides(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    pairs = fields.pairs(text)
    return tuple(a for a, _ in pairs), tuple(b for _, b in pairs)


def _results(model: str, answer: jobs.Answer[Measured], code: Code) -> None:
    result, pair = answer.value, _pair(answer.asked[0])
    beside = Beside(model, code, finding=result.sentences[0])
    if beside.other:
        beside.first.text(result.sentences[1])

    def of(name: str) -> Any:
        return answer.asked if answer.stale or name == model else _query(name)

    again = beside.ask(
        "bias-mitigation",
        measure,
        of,
        label="Comparing the methods",
        seconds=lambda name: cached.compute(_seconds, name, of(name)[2]),
        words=lambda name: sum(_sides(of(name)[0]), ()),
        meanwhile=lambda: two_models.remedies([_shown(result)], pair, beside),
    )
    if again:
        beside.finding(again.sentences[0], second=True)
        beside.second.text(again.sentences[1])
    two_models.remedies([_shown(each) for each in (result, again) if each], pair, beside)
    if not beside.other:
        st.text(result.sentences[1])
    page.seen(
        "Each row is a [[mitigation|method]]. Gains: how differently BERT answers for the first pair, averaged over"
        f" {len(_OCCUPATIONS)} occupations; 0 means no difference. Costs: how much the probability of acceptable"
        f" answers changes in {len(_NEUTRAL)} sentences that mention no group. Residual bias: the share of words that a"
        " [[classifier]] assigns to their old side; the cross is the [[chance level]]. The diamond is the [[control]]:"
        " a random [[direction]] is removed."
    )
    code.add(
        "mitigation",
        *_lines(answer.asked),
        f"print(*verdict.mitigation(gains, summary, residuals, {pair!r}), sep='\\n')",
    )
    if again:
        both = (beside.title, beside.other_title)
        beside.code(
            *_lines(of(beside.other), "other", "other_"),
            f"print(two_models.remedies((gains, residuals), (other_gains, other_residuals), {both!r}))",
        )
    if beside.other:
        st.caption(f"Below: {beside.title} only.")


def _shown(result: Measured) -> two_models.Remedies:
    return result.gains, result.summary, result.residuals


def _pair(text: str) -> tuple[str, str]:
    """The first pair, which is used to ask about occupations."""
    first, second = _sides(text)
    return first[0], second[0]


def _lines(query: tuple[Any, ...], model: str = "model", more: str = "") -> list[str]:
    """Python code of the measurements on a model; its names begin with `more`."""
    first, second = _sides(query[0])
    sides, named = f"{more}first, {more}second", f"first={more}first, second={more}second, scope={query[1]!r}"
    return [
        f"{sides} = {first!r}, {second!r}",
        f"templates = {_TEMPLATES!r}",
        "occupations = tuple(wordlists.load('occupations')['occupation'])",
        f"{more}gains = mitigation.gain(templates, {model}, occupations=occupations, {named})",
        "neutral = wordlists.load('neutral_sentences')",
        "sentences, answers = tuple(neutral['sentence']), tuple(neutral['answer'])",
        f"{more}costs = mitigation.cost(sentences, {model}, answers=answers, {named})",
        f"{more}summary = mitigation.cost_summary({more}costs)",
        f"{more}residuals = residual.residual_bias({sides}, {model}, per_side={query[2]})",
        f"print({more}gains, {more}summary, {more}residuals, sep='\\n')",
    ]


def _more(model: str, answer: jobs.Answer[Measured], code: Code) -> None:
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                if name == MAP:
                    first, second = _sides(answer.asked[0])
                    _map(model, first, second, answer.asked[2], code)
                else:
                    _sentences(answer.value, code)


@state.fragment
def _map(model: str, first: tuple[str, ...], second: tuple[str, ...], per_side: int, code: Code) -> None:
    st.segmented_control(
        "Method", required=True, help="The map shows the words after this method was applied.", **METHOD.widget
    )
    points = cached.compute(residual.residual_map, model, first, second, method=METHOD.value, per_side=per_side)
    names = (first[0], second[0]) if METHOD.value != charts.CONTROL else ("one end", "the other end")
    figures.chart(
        cached.figure(charts.sides, points, *names),
        points,
        name="residual-map",
        alt=f"Map of {len(points)} words on two principal components after “{METHOD.value}”, marked by the side they"
        " leaned towards before.",
    )
    page.seen(
        "Each point is a word that was strongly biased before. The axes are the first two [[principal"
        " component|principal components]] of these words after mitigation. If you see two separate clouds, the old"
        " sides can still be distinguished."
    )
    code.add(
        "map",
        f"points = residual.residual_map(first, second, model, method={METHOD.value!r}, per_side={per_side})",
        "print(points)",
    )


def _sentences(result: Measured, code: Code) -> None:
    """Draw a table of the neutral sentences: the probability of acceptable answers after each method."""
    before, after = (result.summary.set_index("method").loc[m] for m in ("none", "project away"))
    st.text(
        f"The top answer is acceptable in {before['top_acceptable']:.0%} of the sentences before “project away” and in"
        f" {after['top_acceptable']:.0%} after. All acceptable words together get {before['probability']:.1%} of the"
        f" probability before and {after['probability']:.1%} after."
    )
    st.caption("Each column shows the total probability of all acceptable words after one method.")
    wide = result.costs.pivot(index="sentence", columns="method", values="probability")[list(METHODS)]
    figures.table(wide.reset_index(), name="neutral")
    code.add(
        "sentences",
        "by_sentence = costs.pivot(index='sentence', columns='method', values='probability')",
        "print(by_sentence)",
    )
