"""The fifth tab of the Bias page: take the direction out; what that gains, what it costs, what remains."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools import wordlists
from embtools.bias import mitigation, residual
from embtools.bias.mitigation import METHODS
from embtools.charts.bias import scores
from embtools.ui import cached, figures, last_good
from embtools.ui.bias.notes import notes
from embtools.ui.fields import pairs
from embtools.ui.jobs import asks_first, requested_call
from embtools.ui.share import snippet

TAB = "Mitigation"
_PAIRS = wordlists.load("gender_pairs")
FIRST = ", ".join(f"{m}={f}" for m, f in zip(_PAIRS["male"], _PAIRS["female"], strict=True))
_TEMPLATES = wordlists.load("bias_templates").query("kind == 'fill_occupation' and slot == 'noun'")["template"]


def state(pairs_: str) -> dict[str, Any]:
    """The widgets' values for some pairs."""
    return {
        "bias_tab": TAB,
        "bias_axis_pairs": pairs_,
        "bias_reach": "tied",
        "bias_side": 200,
        "bias_method": METHODS[2],
    }


PRESETS = {"Ten pairs taken out": state(FIRST), "He and she alone": state("he=she")}


def show(model: str) -> str:
    """The tab; returns code for "copy as Python"."""
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.text_area(
            "Pairs that mark the direction",
            FIRST,
            key="bias_axis_pairs",
            bind="query-params",
            height=120,
            help="first=second. The first pair is asked for occupations.",
        )
        st.segmented_control(
            "Scope",
            ["input", "tied"],
            default="tied",
            required=True,
            key="bias_reach",
            bind="query-params",
            help="input: only what BERT reads changes. tied: the output scores too, because both are one matrix.",
        )
        st.slider("Leaning words a side", 50, mitigation.MAX_PER_SIDE, 200, 50, key="bias_side", bind="query-params")
        if asks_first(model, "Try the mitigations"):
            notes("Mitigation", "What remains")
            return ""
        given = st.session_state
        asked = (given.bias_axis_pairs, given.bias_reach, given.bias_side)
        good = last_good.last_good(
            "bias-mitigation", model, lambda given: _measure(model, *given), asked, (FIRST, "tied", 200)
        )
    if good is None:
        return ""
    asked, (gains, costs, left_over) = good
    first, second = _sides(asked[0])
    with right:
        code = [f"first, second = {first!r}, {second!r}"]
        code += _gain(gains, asked[1])
        code += _cost(costs, asked[1])
        code += _remains(left_over, asked[2])
        code += _map(model, first, second, asked[2])
        notes("Mitigation", "What remains")
    return snippet(code)


def _sides(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = pairs(text)
    return tuple(a for a, _ in found), tuple(b for _, b in found)


def _measure(model: str, text: str, scope: Any, per_side: int) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    first, second = _sides(text)
    occupations, neutral = tuple(wordlists.load("occupations")["occupation"]), wordlists.load("neutral_sentences")
    gains = requested_call(
        mitigation.gain,
        model,
        tuple(_TEMPLATES),
        occupations,
        first,
        second,
        scope=scope,
        label="Asking for occupations",
    )
    costs = requested_call(
        mitigation.cost,
        model,
        tuple(neutral["sentence"]),
        tuple(neutral["answer"]),
        first,
        second,
        scope=scope,
        label="Filling neutral sentences",
    )
    left_over = requested_call(
        residual.remains, model, first, second, per_side=per_side, label="Looking for what remains"
    )
    return gains, costs, left_over


def _gain(gains: pd.DataFrame, scope: str) -> list[str]:
    st.subheader("What it gains", anchor=False)
    figures.chart(
        cached.figure(scores.intervals, gains, "gap", "gap between the first pair's occupations (nats)"),
        gains,
        name="gain",
        alt=_alt(gains, "gap", "Gap between the answers for the first pair"),
    )
    occupations = len(wordlists.load("occupations"))
    st.caption(
        f"Mean difference of log P over {occupations} occupations and {len(_TEMPLATES)} sentences. 0: the same answers"
        " for both. The sentences keep their article: *a* [MASK] speaks against words such as *actor*, in both alike."
    )
    return [
        f"templates = {tuple(_TEMPLATES)!r}",
        "occupations = tuple(wordlists.load('occupations')['occupation'])",
        f"gains = mitigation.gain(templates, occupations, first, second, model, scope={scope!r})",
        "print(gains)",
    ]


def _cost(costs: pd.DataFrame, scope: str) -> list[str]:
    summary = mitigation.cost_summary(costs)
    st.subheader("What it costs", anchor=False)
    figures.chart(
        cached.figure(
            scores.intervals, summary, "log_change", "change of log P of acceptable answers (nats)", form=".3f"
        ),
        summary,
        name="cost",
        alt=_alt(summary, "log_change", "Change of the acceptable answers' log-probability"),
    )
    before, after = (summary.set_index("method").loc[m] for m in ("none", "project away"))
    st.caption(
        f"{costs['sentence'].nunique()} neutral sentences before and after *project away*: the best guess is"
        f" acceptable in {before['hits']:.0%} and {after['hits']:.0%}; acceptable words have"
        f" {before['probability']:.1%} and {after['probability']:.1%} together. Interval: 95 %, bootstrap over them."
    )
    with st.expander("Every neutral sentence", icon=":material/list:"):
        st.caption("Probability of all acceptable words together, by method.")
        wide = costs.pivot(index="sentence", columns="method", values="probability")[list(METHODS)]
        figures.table(wide.reset_index(), name="neutral")
    return [
        "neutral = wordlists.load('neutral_sentences')",
        "sentences, answers = tuple(neutral['sentence']), tuple(neutral['answer'])",
        f"costs = mitigation.cost(sentences, answers, first, second, model, scope={scope!r})",
        "summary = mitigation.cost_summary(costs)",
        "by_sentence = costs.pivot(index='sentence', columns='method', values='probability')",
        "print(summary, by_sentence)",
    ]


def _remains(left_over: pd.DataFrame, per_side: int) -> list[str]:
    st.subheader("What remains", anchor=False)
    figures.chart(
        cached.figure(
            scores.intervals,
            left_over,
            "accuracy",
            "sides told apart (share of words)",
            marks="shuffled",
            neutral=0.5,
            form=".0%",
            mark_name="shuffled sides",
            value_name="accuracy",
        ),
        left_over,
        name="remains",
        alt=_alt(left_over, "accuracy", "Share of words whose former side is recognised"),
    )
    rows = left_over.set_index("method")
    left, control = rows.loc["project away"], rows.loc["random direction"]
    st.markdown(
        f"After **project away** the sides are still told apart in {left['accuracy']:.0%} of the words (two clusters:"
        f" {left['clusters']:.0%}). For a **random direction**, the control, it is {control['accuracy']:.0%}: that much"
        " belongs to any direction of this space."
    )
    return [f"left_over = residual.remains(first, second, model, per_side={per_side})", "print(left_over)"]


def _map(model: str, first: tuple[str, ...], second: tuple[str, ...], per_side: int) -> list[str]:
    method = st.segmented_control(
        "Words after", list(METHODS), default=METHODS[2], required=True, key="bias_method", bind="query-params"
    )
    points = cached.compute(residual.remains_map, model, method, first, second, per_side=per_side)
    names = (first[0], second[0]) if method != "random direction" else ("one end", "the other")
    figures.chart(
        cached.figure(scores.sides, points, *names),
        points,
        name="remains-map",
        alt=f"{len(points)} words in the plane of their two main directions after {method},"
        " marked by the side they leaned to before.",
    )
    return [f"points = residual.remains_map({method!r}, first, second, model, per_side={per_side})", "print(points)"]


def _alt(frame: pd.DataFrame, column: str, what: str) -> str:
    return what + ": " + "; ".join(f"{m} {v:.3f}" for m, v in zip(frame["method"], frame[column], strict=True)) + "."
