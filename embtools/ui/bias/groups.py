"""Panel for groups in a sentence: the answers for each group and for the average of their vectors."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.bias import own_sentence, two_models
from embtools.bias.answers_by_group import GroupAnswers
from embtools.bias.groups import group_answers
from embtools.bias.own_sentence import Completed
from embtools.charts import bias as charts
from embtools.mask_filling.guesses import mask_question
from embtools.rooms.question import Ask
from embtools.ui import captions, entry, fields, figures, glossary, page, running, shown, spelling, state, texts
from embtools.ui.bias import distances, lists, notes
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.shown import Model, Models
from embtools.words.templates import SLOT, fill

TAB = "Groups in a sentence"
TEMPLATE, GROUPS = Text("bias_template", f"{SLOT} works as a [MASK]."), Text("bias_groups", "He, She")
LEAN = Number("bias_lean", 0.0, -1.0, 1.0, 0.05)
SCOPE = Choice("bias_scope", "tied", ("input", "tied"))
ANSWERS = Number("bias_k", 5, 3, 20, 1)
FIELDS = (TEMPLATE, GROUPS, LEAN, SCOPE, ANSWERS, *distances.FIELDS)
ASKED_ABOUT = (TEMPLATE, GROUPS)
FIRST = Call(group_answers, template=TEMPLATE.default, groups=fields.words(GROUPS.default))


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


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return TEMPLATE, GROUPS, captions.Setting("scope", SCOPE), captions.changed("weight of the average", LEAN)


def show(models: Models) -> None:
    """Draw the fields; for each model the answers for all groups next to each other."""
    _bar()
    _results(models)
    notes.notes("Averaged word", "Distance in bits")


def question(models: Models) -> Ask:
    """Ask a class about the mask, with the last group in the sentence."""
    model = models[0]
    groups = _groups(model)
    if not groups:
        raise ValueError("Write at least one group.")
    text = fill(_completed(model).template, groups[-1], SLOT)
    return lambda choices: running.run(Call(mask_question, text=text, choices=tuple(choices)), model)


def _bar() -> None:
    sentence, groups, picker = st.columns([9, 7, 3], gap="small", vertical_alignment="bottom")
    with sentence:
        entry.text_input(f"Sentence with {SLOT} and [MASK]", **TEMPLATE.widget)
    with groups:
        entry.text_input(
            "Groups (comma-separated)",
            help="For example pronouns, names, nationalities, religions, or phrases such as The nurse.",
            **GROUPS.widget,
        )
    with picker.popover(
        "From a list", icon=":material/list:", key="bias-list", width="stretch", on_change="rerun"
    ) as popover:
        if popover.open:
            lists.picker(GROUPS)


def _completed(model: Model) -> Completed:
    """Return the visitor's sentence for a model, with {group} and [MASK] put in if they are missing."""
    return own_sentence.complete(TEMPLATE.value, _groups(model))


def _groups(model: Model) -> tuple[str, ...]:
    return fields.words(spelling.text(GROUPS, model.name))


def _query(model: Model) -> Call:
    return Call(
        group_answers,
        template=_completed(model).template,
        groups=_groups(model),
        k=int(ANSWERS.value),
        lean=float(LEAN.value),
        scope=SCOPE.value,
        leave_out=notes.hidden(),
    )


@state.fragment
def _results(models: Models) -> None:
    """Draw everything that depends on the weight of the average: a fragment, so that the slider runs nothing else."""
    answers = running.ask(
        "result",
        _query,
        models,
        FIRST,
        label="Computing the answers for every group",
        prints=("headline", "widest", "answers", "union", "formula", *distances.prints()),
    )
    if not answers:
        return
    if not answers[0].stale:
        _replaced(_completed(models[0]))
    running.say(two_models.group_gaps, answers)
    running.token_differences(answers, answers[0].query["groups"])
    results = [answer.value for answer in answers]
    for container in running.containers(answers, gap="large"):
        with container as answer:
            _result(answer.value, results)
    if len(answers) > 1:
        page.caption(notes.GAPS)
        _controls(any(answer.value.formula for answer in answers))
    distances.show(answers, float(LEAN.value))


def _replaced(completed: Completed) -> None:
    """Say which words were replaced by the groups and the mask, and offer other words for the groups."""
    if completed.masked:
        st.text(f"The sentence has no [MASK], so the word “{completed.masked[:40]}” is masked.")
    if not completed.replaced:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.text(f"Each group replaces the word “{completed.replaced[:40]}”. Replace another word instead:")
        taken = {completed.replaced.lower(), completed.masked.lower()}
        with state.of_the_page():
            for word in [w for w in own_sentence.words(TEMPLATE.value) if w.lower() not in taken][:8]:
                st.button(
                    texts.plain(word),
                    key=f"replace-{word}",
                    on_click=state.put,
                    args=({TEMPLATE.key: own_sentence.with_slot(TEMPLATE.value, word)},),
                )


def _result(result: GroupAnswers, results: Sequence[GroupAnswers]) -> None:
    left, right = shown.split([3, 2], gap="medium")
    with left:
        shown.headline(result.headline)
        st.text(result.widest)
        figures.show(charts.answers, result, name="answers-by-group", beside=results)
        page.caption(
            "Each row is a word. Each mark is its [[probability]] at the [[mask]] for one group; a longer line means"
            " that the answer depends more on the group. The ring is the result for the [[average]] of the groups'"
            " [[embedding|vectors]]."
        )
    with right:
        if shown.alone():
            _controls(bool(result.formula))
        if result.formula:
            st.text(f"average = {result.formula}")
        if result.left_out:
            st.text(f"Not part of the average, because they have several tokens: {', '.join(result.left_out)}.")
    # The best words of all groups next to each other, as in the published figure; a wide table has its own row.
    best = result.best
    with st.container() if len(best.columns) > _ROOM else right:
        figures.table(
            best,
            "Top answers by group",
            name=f"best-by-group{shown.suffix()}",
            column_config={"rank": st.column_config.NumberColumn(width=40)},
        )


def _controls(averaged: bool) -> None:
    """Draw the weight of the average, the scope and the number of answers."""
    st.slider(
        "Weight of the average",
        help="−1: only the first group. 0: all groups equally weighted. 1: only the other groups.",
        disabled=not averaged,
        **LEAN.widget,
    )
    with st.container(horizontal=True, gap="small"):
        st.segmented_control("Scope", required=True, help=glossary.definition("scope"), **SCOPE.widget)
        entry.number_input("Answers", width=120, **ANSWERS.widget)
