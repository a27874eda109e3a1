"""The fifth tab of the Bias page: take the direction out; what that gains, what it costs, what remains."""

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
MAP, NEUTRAL = "The words that leaned, afterwards", "Every neutral sentence"
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
PRESETS: dict[str, dict[str, Any]] = {"Ten pairs taken out": {}, "He and she alone": {PAIRS.key: "he=she"}}


@dataclass(frozen=True)
class Measured:
    """What every method gains, costs (by sentence, and together) and leaves; and what that says, in two sentences."""

    gains: pd.DataFrame
    costs: pd.DataFrame
    summary: pd.DataFrame
    left_over: pd.DataFrame
    says: tuple[str, str]


def measure(text: str, scope: Any, per_side: int, *, model: Any, progress: Progress = silent) -> Measured:
    """Everything that the panel shows. Raises ValueError as each of its parts, and for pairs that cannot be read."""
    first, second = _sides(text)
    gains = mitigation.gain(
        _TEMPLATES, _OCCUPATIONS, first, second, model, scope=scope, progress=part(progress, 0, 0.1)
    )
    costs = mitigation.cost(
        tuple(_NEUTRAL["sentence"]),
        tuple(_NEUTRAL["answer"]),
        first,
        second,
        model,
        scope=scope,
        progress=part(progress, 0.1, 0.4),
    )
    left_over = residual.remains(first, second, model, per_side=per_side, progress=part(progress, 0.5, 0.5))
    summary = mitigation.cost_summary(costs)
    says = verdict.mitigation(gains, summary, left_over, (first[0], second[0]))
    return Measured(gains, costs, summary, left_over, says)


def show(model: str, code: Code) -> None:
    """The bar of fields, then gains, costs and what remains side by side."""
    pairs, scope, side = st.columns([9, 3, 5], gap="small")
    pairs.text_input(
        "Pairs that mark the direction",
        help="first=second. The first pair is asked for occupations.",
        **PAIRS.widget,
    )
    scope.segmented_control("Scope", required=True, help=glossary.definition("scope"), **REACH.widget)
    side.slider("Leaning words a side", **SIDE.widget)
    asked = _asked(model)
    first = (spelling.quietly(PAIRS.default, model), "tied", 200)
    if jobs.on_request("bias-mitigation", "Try the mitigations", cached.compute(_seconds, model, SIDE.value), asked):
        answer = jobs.ask("bias-mitigation", measure, model, asked, first, label="Trying the mitigations")
        if answer:
            with jobs.results(answer, "bias-mitigation", answer.asked[0]):
                _results(model, answer, code)
                _more(model, answer, code)
    notes.notes("Mitigation", "What remains")


def _asked(model: str) -> tuple[str, str, int]:
    """What the fields ask a model."""
    return spelling.text(PAIRS, model), str(REACH.value), int(SIDE.value)


def _seconds(per_side: int, *, model: Any) -> float:
    return mitigation.effort(_TEMPLATES, _NEUTRAL["sentence"], model) + residual.effort(per_side, model)


def _sides(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = fields.pairs(text)
    return tuple(a for a, _ in found), tuple(b for _, b in found)


def _results(model: str, answer: jobs.Answer[Measured], code: Code) -> None:
    found, pair = answer.value, _pair(answer.asked[0])
    beside = Beside(model, code, finding=found.says[0])
    beside.first.text(found.says[1])

    def of(name: str) -> Any:
        return answer.asked if answer.stale or name == model else _asked(name)

    again = beside.ask(
        "bias-mitigation",
        measure,
        of,
        label="Trying the mitigations",
        seconds=lambda name: cached.compute(_seconds, name, of(name)[2]),
        words=lambda name: sum(_sides(of(name)[0]), ()),
        meanwhile=lambda: two_models.remedies([_shown(found)], pair, beside),
    )
    if again:
        beside.finding(again.says[0], second=True)
        beside.second.text(again.says[1])
    two_models.remedies([_shown(each) for each in (found, again) if each], pair, beside)
    page.seen(
        "What you see: a row a [[mitigation|method]]. Gains: how differently BERT answers for the first pair, over"
        f" {len(_OCCUPATIONS)} occupations. Costs: right answers in {len(_NEUTRAL)} sentences about no group. Remains:"
        " the share of words whose old side a [[classifier]] still finds; the cross is [[chance level|chance]]. The"
        " diamond is the [[control]]: a random [[direction]] taken out."
    )
    code.add(
        "mitigation",
        *_lines(answer.asked),
        f"print(*verdict.mitigation(gains, summary, left_over, {pair!r}), sep='\\n')",
    )
    if again:
        both = (beside.title, beside.other_title)
        beside.code(
            *_lines(of(beside.other), "other", "other_"),
            f"print(two_models.remedies((gains, left_over), (other_gains, other_left_over), {both!r}))",
        )
    if beside.other:
        st.caption(f"Below: {beside.title} only.")


def _shown(found: Measured) -> two_models.Remedies:
    return found.gains, found.summary, found.left_over


def _pair(text: str) -> tuple[str, str]:
    """The first pair, which is asked for occupations."""
    first, second = _sides(text)
    return first[0], second[0]


def _lines(asked: tuple[Any, ...], model: str = "model", more: str = "") -> list[str]:
    """The Python of what is measured in a model, its names beginning with `more`."""
    first, second = _sides(asked[0])
    sides, options = f"{more}first, {more}second", f"{model}, scope={asked[1]!r}"
    return [
        f"{sides} = {first!r}, {second!r}",
        f"templates = {_TEMPLATES!r}",
        "occupations = tuple(wordlists.load('occupations')['occupation'])",
        f"{more}gains = mitigation.gain(templates, occupations, {sides}, {options})",
        "neutral = wordlists.load('neutral_sentences')",
        "sentences, answers = tuple(neutral['sentence']), tuple(neutral['answer'])",
        f"{more}costs = mitigation.cost(sentences, answers, {sides}, {options})",
        f"{more}summary = mitigation.cost_summary({more}costs)",
        f"{more}left_over = residual.remains({sides}, {model}, per_side={asked[2]})",
        f"print({more}gains, {more}summary, {more}left_over, sep='\\n')",
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
    st.segmented_control("Words after", required=True, help=glossary.definition("mitigation"), **METHOD.widget)
    points = cached.compute(residual.remains_map, model, METHOD.value, first, second, per_side=per_side)
    names = (first[0], second[0]) if METHOD.value != charts.CONTROL else ("one end", "the other")
    figures.chart(
        cached.figure(charts.sides, points, *names),
        points,
        name="remains-map",
        alt=f"{len(points)} words in the plane of their two main directions after {METHOD.value},"
        " marked by the side they leaned to before.",
    )
    page.seen(
        "What you see: the words that leaned most to either side before, in the plane of their two"
        " [[principal component|main directions]] after the change. Two clouds: the sides can still be told apart."
    )
    code.add(
        "map",
        f"points = residual.remains_map({METHOD.value!r}, first, second, model, per_side={per_side})",
        "print(points)",
    )


def _sentences(found: Measured, code: Code) -> None:
    """Every sentence that no group is spoken of in, with what each method leaves of its acceptable answers."""
    before, after = (found.summary.set_index("method").loc[m] for m in ("none", "project away"))
    st.text(
        f"Before and after “project away” the best guess is acceptable in {before['hits']:.0%} and {after['hits']:.0%};"
        f" all acceptable words together have {before['probability']:.1%} and {after['probability']:.1%}."
    )
    st.caption("Probability of all acceptable words together, by method.")
    wide = found.costs.pivot(index="sentence", columns="method", values="probability")[list(METHODS)]
    figures.table(wide.reset_index(), name="neutral")
    code.add(
        "sentences",
        "by_sentence = costs.pivot(index='sentence', columns='method', values='probability')",
        "print(by_sentence)",
    )
