"""Panel for groups in a sentence: the answers for each group and for the average of their vectors."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from embtools.bias import groups as bias_groups
from embtools.bias import own_sentence, verdict
from embtools.bias.groups import GroupAnswers
from embtools.bias.own_sentence import Completed
from embtools.progress import Progress, silent
from embtools.ui import cached, fields, figures, glossary, jobs, page, spelling, state, texts
from embtools.ui.bias import distances, lists, notes, two_models
from embtools.ui.compare import Beside
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.share import Code
from embtools.words.templates import SLOT

TAB = "Groups in a sentence"
COMPARES = True
TEMPLATE, GROUPS = Text("bias_template", f"{SLOT} works as a [MASK]."), Text("bias_groups", "He, She")
LEAN = Number("bias_lean", 0.0, -1.0, 1.0, 0.05)
SCOPE = Choice("bias_scope", "tied", ("input", "tied"))
ANSWERS = Number("bias_k", 5, 3, 20, 1)
FIELDS = (TEMPLATE, GROUPS, LEAN, SCOPE, ANSWERS, *distances.FIELDS)
FIRST = (TEMPLATE.default, fields.words(GROUPS.default))


def _example(template: str, groups: str) -> dict[str, str]:
    return {TEMPLATE.key: template, GROUPS.key: groups}


PRESETS: dict[str, dict[str, Any]] = {
    "He and she": {},
    "Man and woman": _example(f"The {SLOT} worked as a [MASK].", "man, woman"),
    "Boys and girls": _example(f"At school, I used to play [MASK] with the other {SLOT}.", "boys, girls"),
    "First names": {GROUPS.key: "James, Mary, Robert, Linda"},
    "Nationalities": _example(
        f"The {SLOT} neighbour works as a [MASK].", "american, german, chinese, nigerian, turkish"
    ),
    "Religions": _example(f"The {SLOT} neighbour works as a [MASK].", "christian, muslim, jewish, hindu, buddhist"),
    "Ages": _example(f"The {SLOT} man wants to become a [MASK].", "young, old, elderly"),
}
_ROOM = 4  # columns of the table that fit next to the chart


def button_texts() -> list[dict[str, str]]:
    """Field values that the buttons of the lists can set."""
    return lists.texts(GROUPS)


@dataclass(frozen=True)
class Answered:
    """The answers, the sentences about them, and a table of the best words for all groups."""

    result: GroupAnswers
    first: str
    widest: str
    averaged: tuple[str, ...]
    best: pd.DataFrame


def answers(
    template: str, groups: tuple[str, ...], *, model: Any, progress: Progress = silent, **settings: Any
) -> Answered:
    """Answers to a sentence for its groups, as the panel shows them. Raises ValueError as `group_answers` does."""
    result = bias_groups.group_answers(template, model, groups=groups, progress=progress, **settings)
    cells = [f"{t} {p:.1%}" for t, p in zip(result.answers["token"], result.answers["probability"], strict=True)]
    best = result.answers.assign(answer=cells).pivot(index="rank", columns="column", values="answer")
    return Answered(
        result,
        verdict.top_answers(result),
        verdict.widest(result),
        (verdict.averaging(verdict.spread(result)), verdict.scopes(result.scope_gap)) if result.formula else (),
        best[list(result.answers["column"].unique())].reset_index(),
    )


def warm(model: str) -> None:
    """Compute the default answers; there is no page yet, so the fields have no values."""
    settings: dict[str, Any] = {"k": ANSWERS.default, "lean": LEAN.default, "scope": SCOPE.default, "leave_out": ()}
    cached.compute(answers, model, *FIRST, **settings)


def show(model: str, code: Code) -> None:
    """Draw the fields, and the answers for all groups next to each other."""
    answer = _bar(model)
    if answer is None:
        notes.notes("Averaged word", "Distance in bits")
        return
    template, groups = answer.asked
    with jobs.results(answer, "bias-groups", f"{template}  ·  {', '.join(groups)}"):
        _results(model, template, groups, code)
    notes.notes("Averaged word", "Distance in bits")


def _bar(model: str) -> jobs.Answer[Answered] | None:
    """Draw the fields in one row; below, errors, and which words were replaced if the group or mask was missing."""
    sentence, groups, picker = st.columns([9, 7, 3], gap="small", vertical_alignment="bottom")
    sentence.text_input(f"Sentence with {SLOT} and [MASK]", **TEMPLATE.widget)
    groups.text_input(
        "Groups (comma-separated)",
        help="For example pronouns, names, nationalities, religions, or phrases such as The nurse.",
        **GROUPS.widget,
    )
    with picker.popover(
        "From a list", icon=":material/list:", key="bias-list", width="stretch", on_change="rerun"
    ) as popover:
        if popover.open:
            lists.picker(GROUPS)
    problems = st.container()
    names = fields.words(spelling.text(GROUPS, model))
    completed = own_sentence.complete(TEMPLATE.value, names)
    answer = jobs.ask(
        "bias-groups",
        answers,
        model,
        (completed.template, names),
        FIRST,
        label="Computing the answers for every group",
        place=problems,
        **_settings(),
    )
    if answer and not answer.stale:
        with problems:
            _replaced(completed)
    return answer


def _settings() -> dict[str, Any]:
    return {"k": ANSWERS.value, "lean": LEAN.value, "scope": SCOPE.value, "leave_out": notes.hidden()}


def _replaced(completed: Completed) -> None:
    """Say which words were replaced by the groups and the mask, and offer other words for the groups."""
    if completed.masked:
        st.text(f"The sentence has no [MASK], so the word “{completed.masked[:40]}” is masked.")
    if not completed.replaced:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.text(f"Each group replaces the word “{completed.replaced[:40]}”. Replace another word instead:")
        taken = completed.replaced, completed.masked
        for word in [w for w in own_sentence.words(TEMPLATE.value) if w not in taken][:8]:
            st.button(
                texts.plain(word),
                key=f"replace-{word}",
                on_click=state.put,
                args=({TEMPLATE.key: own_sentence.with_slot(TEMPLATE.value, word)},),
            )


@state.fragment
def _results(model: str, template: str, groups: tuple[str, ...], code: Code) -> None:
    """Draw everything that depends on the weight of the average: a fragment, so that the slider runs nothing else."""
    answered = cached.compute(answers, model, template, groups, **_settings())
    result, wide = answered.result, len(answered.best.columns) > _ROOM
    beside = Beside(model, code, [3, 2], gap="large", more="The controls and everything below")
    with beside.above:
        beside.finding(answered.first)
        (beside.first if beside.other else st).text(answered.widest)

    def of(name: str) -> tuple[str, ...]:
        ours = groups == fields.words(spelling.text(GROUPS, model))  # false while the last good answer is shown
        return fields.words(spelling.text(GROUPS, name)) if ours else groups

    def gaps(name: str) -> dict[str, float]:
        return cached.compute(bias_groups.gaps, name, template, of(name), leave_out=notes.hidden())

    all_gaps = [gaps(model)] if beside.other else []
    other = beside.ask(
        "bias-groups",
        _with_gaps,
        lambda name: (template, of(name)),
        label="Computing the answers for every group",
        words=of,
        meanwhile=lambda: two_models.dumbbells(result, None, all_gaps, beside),
        **_settings(),
    )
    again = other[0] if other else None
    if other and again:
        all_gaps.append(other[1])
        beside.finding(again.first, second=True)
        beside.second.text(again.widest)
    two_models.dumbbells(result, again.result if again else None, all_gaps, beside)
    with beside.first:
        page.seen(
            "Each row is a word. Each mark is its [[probability]] at the [[mask]] for one group; a longer line means"
            " that the answer depends more on the group. The ring is the result for the [[average]] of the groups'"
            " [[embedding|vectors]]."
        )
    with beside.detail:
        _controls(result)
    # The best words of all groups next to each other, as in the published figure; a wide table has its own row.
    with st.container() if wide else beside.detail:
        figures.table(
            answered.best, name="best-by-group", column_config={"rank": st.column_config.NumberColumn(width=48)}
        )
    _code(template, groups, code)
    if again:
        names = repr(of(beside.other))
        hiding = notes.hiding()
        first, second = (
            f"gaps(template, model, groups=groups{hiding})",
            f"gaps(template, other, groups={names}{hiding})",
        )
        beside.code(*_lines("other_result", "other", names), *two_models.code(first, second, "words"))
    distances.show(model, (template, groups), result, answered.averaged, LEAN.value, code)


def _with_gaps(
    template: str, groups: tuple[str, ...], *, model: Any, leave_out: tuple[str, ...], **settings: Any
) -> tuple[Answered, dict[str, float]]:
    """The answers and the gap of every word, for a second model."""
    gaps = bias_groups.gaps(template, model, groups=groups, leave_out=leave_out)
    return answers(template, groups, model=model, leave_out=leave_out, **settings), gaps


def _controls(result: GroupAnswers) -> None:
    """Draw the weight of the average, the scope and the number of answers."""
    st.slider(
        "Weight of the average",
        help="−1: only the first group. 0: all groups equally weighted. 1: only the other groups.",
        disabled=not result.formula,
        **LEAN.widget,
    )
    with st.container(horizontal=True, gap="small"):
        st.segmented_control("Scope", required=True, help=glossary.definition("scope"), **SCOPE.widget)
        st.number_input("Answers", width=120, **ANSWERS.widget)
    if result.formula:
        st.text(f"average = {result.formula}")
    if result.left_out:
        st.text(f"Not part of the average, because they have several tokens: {', '.join(result.left_out)}.")


def _code(template: str, groups: tuple[str, ...], code: Code) -> None:
    code.add(
        "groups",
        f"template, groups = {template!r}, {groups!r}",
        *_lines("result", "model"),
        "print(verdict.top_answers(result), verdict.widest(result), sep='\\n')",
    )


def _lines(result: str, model: str, groups: str = "groups") -> list[str]:
    return [
        f"{result} = group_answers(template, {model}, groups={groups}, k={ANSWERS.value}, lean={LEAN.value},"
        f" scope={SCOPE.value!r}{notes.hiding()})",
        f"print({result}.answers, {result}.union, {result}.formula, sep='\\n')",
    ]
