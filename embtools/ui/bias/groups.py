"""The first tab of the Bias page: one sentence, one word exchanged for each group and for their average."""

from typing import Any

import streamlit as st

from embtools import wordlists
from embtools.bias import groups as bias_groups
from embtools.bias import verdict
from embtools.bias.groups import AVERAGE, GroupAnswers
from embtools.charts.bias import answers as charts
from embtools.ui import cached, figures, jobs, last_good, page
from embtools.ui.bias.notes import notes
from embtools.ui.fields import words
from embtools.ui.share import snippet
from embtools.words.templates import SLOT

TAB = "Groups in a sentence"
FIRST = (f"{SLOT} works as a [MASK].", "He, She")


def state(template: str, groups: str) -> dict[str, Any]:
    """The widgets' values for a sentence and its groups."""
    return {
        "bias_tab": TAB,
        "bias_template": template,
        "bias_groups": groups,
        "bias_lean": 0.0,
        "bias_scope": "tied",
        "bias_k": 5,
        "bias_hide": False,
    }


PRESETS = {
    "He and she": state(*FIRST),
    "Man and woman": state(f"The {SLOT} worked as a [MASK].", "man, woman"),
    "Boys and girls": state(f"At school, I used to play [MASK] with the other {SLOT}.", "boys, girls"),
    "First names": state(f"{SLOT} works as a [MASK].", "James, Mary, Robert, Linda"),
    "Nationalities": state(f"The {SLOT} neighbour works as a [MASK].", "american, german, chinese, nigerian, turkish"),
    "Religions": state(f"The {SLOT} neighbour works as a [MASK].", "christian, muslim, jewish, hindu, buddhist"),
    "Ages": state(f"The {SLOT} man wants to become a [MASK].", "young, old, elderly"),
}


def show(model: str) -> str:
    """The tab; returns code for "copy as Python"."""
    left, right = st.columns([2, 3], gap="large")
    with left:
        good = _inputs(model)
        if good is None:
            return ""
        (template, groups, k, lean, scope, hide), result = good
        if result.left_out:
            st.badge("Several word pieces", icon=":material/token:", color="orange")
            st.text(f"{', '.join(result.left_out)}: a column, but no place in the average.")
        if result.formula:
            st.caption("The average in this table")
            st.code(result.formula, language=None, wrap_lines=True)
    code = [f"template, groups = {template!r}, {groups!r}"]
    options = f"k={k}, lean={lean}, scope={scope!r}"
    if hide:
        code.append("hidden = tuple(wordlists.load('offensive')['word'])")
        options += ", leave_out=hidden"
    code.append(f"result = group_answers(template, groups, model, {options})")
    with right:
        st.text(template.replace(SLOT, "…"))
        code += _table(result)
        figures.chart(
            cached.figure(charts.answers, result.union, AVERAGE),
            result.union,
            name="answers-by-group",
            alt=charts.answers_alt(result.answers),
        )
        code.append("print(result.union)")
        code += _distances(result)
        if result.formula:
            code += _curve(model, template, groups, result, lean)
        notes("Averaged word", "Distance in bits")
    return snippet(code)


def _inputs(model: str) -> tuple[Any, GroupAnswers] | None:
    st.text_input(f"Sentence with {page.plain(SLOT)} and [MASK]", FIRST[0], key="bias_template", bind="query-params")
    st.text_area(
        "Groups",
        FIRST[1],
        key="bias_groups",
        bind="query-params",
        height=80,
        help="Separated by commas: pronouns, names, nationalities, religions, or phrases such as The nurse.",
    )
    problems = st.container()
    with st.popover("Words from a list", icon=":material/list:"):
        _list_picker()
    lean = st.slider(
        "Weight of the average",
        -1.0,
        1.0,
        0.0,
        0.05,
        key="bias_lean",
        bind="query-params",
        help="-1: the first group alone. 0: all groups alike. 1: the others without the first.",
    )
    scope = st.segmented_control(
        "Scope",
        ["input", "tied"],
        default="tied",
        required=True,
        key="bias_scope",
        bind="query-params",
        help="tied: the average replaces the word's own output score too, as in BERT Embedding Math.",
    )
    k = st.slider("Answers", 3, 20, 5, key="bias_k", bind="query-params")
    hide = st.toggle("Hide offensive words", key="bias_hide", bind="query-params")
    asked = (st.session_state.bias_template, words(st.session_state.bias_groups), k, lean, scope, hide)
    first = (FIRST[0], words(FIRST[1]), 5, 0.0, "tied", False)
    return last_good.last_good("bias-groups", model, lambda given: _answers(model, *given), asked, first, problems)


def _answers(model: str, template: str, groups: tuple[str, ...], k: int, lean: float, scope: Any, hide: bool) -> Any:
    return jobs.stoppable(
        "bias-groups",
        bias_groups.group_answers,
        model,
        template,
        groups,
        label="Asking for every group",
        k=k,
        lean=lean,
        scope=scope,
        leave_out=_hidden(hide),
    )


def _hidden(hide: bool) -> tuple[str, ...]:
    return tuple(wordlists.load("offensive")["word"]) if hide else ()


def _list_picker() -> None:
    """Words of the lists go into the field: one group, or the first word of each."""
    rows = wordlists.load("groups")
    name = st.selectbox("List", rows["set"].unique())
    rows = rows[rows["set"] == name]
    for group, part in rows.groupby("group", sort=False):
        picked = list(part["word"])
        st.caption(str(group))
        st.code(", ".join(picked), language=None, wrap_lines=True)
        st.button(
            f"Use {group}",
            key=f"use-{name}-{group}",
            type="tertiary",
            on_click=page.set_state,
            args=({"bias_groups": ", ".join(picked[: bias_groups.MAX_GROUPS])},),
        )
    firsts = list(rows.groupby("group", sort=False)["word"].first())
    st.button(
        "Use the first of each",
        key=f"use-{name}",
        on_click=page.set_state,
        args=({"bias_groups": ", ".join(firsts)},),
        disabled=len(firsts) < 2,
    )


def _table(result: GroupAnswers) -> list[str]:
    """The k best of every group side by side, as in the published figure."""
    shown = result.answers.assign(
        answer=[f"{t} {p:.1%}" for t, p in zip(result.answers["token"], result.answers["probability"], strict=True)]
    )
    wide = shown.pivot(index="rank", columns="column", values="answer")[list(shown["column"].unique())]
    figures.table(wide.reset_index(), name="best-by-group")
    return ["print(result.answers)"]


def _distances(result: GroupAnswers) -> list[str]:
    st.subheader("How far apart are the answers?", anchor=False)
    found = verdict.spread(result)
    with st.container(horizontal=True):
        st.metric(
            "Between groups",
            f"{found.farthest:.3f} bits",
            border=True,
            help="The two groups whose answers differ most. 0: the same answers, 1: no answer in common.",
        )
        if result.formula:
            st.metric(
                "Average to a group",
                f"{found.average:.3f} bits",
                border=True,
                help="From the average to the group that is farthest from it.",
            )
            st.metric(
                "Control to a group",
                f"{found.control:.3f} bits",
                border=True,
                help="The first group mixed with unrelated words, at the same weight (mean of 8), to the group that"
                " is farthest. If this is as near as the average, any mixture would do.",
            )
            st.text(verdict.averaging(found))
            st.caption(verdict.scopes(result.scope_gap))
    with st.expander("Every distance in bits", icon=":material/table:"):
        figures.table(result.distances, name="distances-by-group")
    return ["print(result.distances)", "print(result.formula, result.scope_gap)"]


def _curve(model: str, template: str, groups: tuple[str, ...], result: GroupAnswers, lean: float) -> list[str]:
    st.subheader("From one group to the others", anchor=False)
    tokens = tuple(result.union["token"].head(6))
    try:
        curve = jobs.stoppable(
            "bias-curve", bias_groups.lean_curve, model, template, groups, tokens, label="Weighing the average"
        )
    except ValueError as error:  # it was stopped
        page.problem(error)
        return []
    single = [g for g in result.groups if g not in result.left_out]
    others = single[1] if len(single) == 2 else "the others"
    figures.chart(
        cached.figure(charts.lean, curve, lean, single[0], others),
        curve,
        name="weight-of-average",
        alt=charts.lean_alt(curve),
    )
    return [
        "tokens = tuple(result.union['token'].head(6))",
        "curve = lean_curve(template, groups, tokens, model)",
        "print(curve)",
    ]
