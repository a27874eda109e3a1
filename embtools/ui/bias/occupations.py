"""The third tab of the Bias page: sixty occupations in a battery of sentences, and along a direction."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools import wordlists
from embtools.bias import directions, likelihood
from embtools.charts.bias import scores as bias_scores
from embtools.statistics import permutations
from embtools.ui import cached, figures, last_good, page
from embtools.ui.bias.notes import notes
from embtools.ui.fields import lines, words
from embtools.ui.jobs import asks_first, requested_call
from embtools.ui.share import snippet

TAB = "Occupations"
_TEMPLATES = wordlists.load("bias_templates").query("kind == 'score_occupation'")["template"]
FIRST = ("\n".join(_TEMPLATES), ", ".join(wordlists.load("occupations")["occupation"]), "he", "she")
GROUPS, TEN_PAIRS = "the two groups", "ten pairs"


def state(first: str, second: str, templates: str = FIRST[0]) -> dict[str, Any]:
    """The widgets' values for two groups."""
    return {
        "bias_tab": TAB,
        "bias_templates": templates,
        "bias_words": FIRST[1],
        "bias_first": first,
        "bias_second": second,
        "bias_axis": GROUPS,
        "bias_reference": "dancer",
    }


PRESETS = {
    "Occupations of he and she": state("he", "she"),
    "Occupations of names": state("james, robert, michael, david", "mary, linda, susan, sarah"),
    "Occupations of the young and the old": state(
        "young",
        "old",
        "The {group} woman is the {occupation}.\nThe {occupation} was a {group} man.\n"
        "They hired a {group} person as the new {occupation}.",
    ),
}


def show(model: str) -> str:
    """The tab; returns code for "copy as Python"."""
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.text_area("First group", FIRST[2], key="bias_first", bind="query-params", height=68)
        st.text_area("Second group", FIRST[3], key="bias_second", bind="query-params", height=68)
        st.text_area(
            "Sentences, one a line",
            FIRST[0],
            key="bias_templates",
            bind="query-params",
            height=130,
            help="Each with one {group} and one {occupation}. Write neutral ones.",
        )
        st.text_area("Words", FIRST[1], key="bias_words", bind="query-params", height=130)
        st.segmented_control(
            "Direction between",
            [GROUPS, TEN_PAIRS],
            default=GROUPS,
            required=True,
            key="bias_axis",
            bind="query-params",
            help="ten pairs: the main component of the ten male and female pairs of Bolukbasi et al. 2016.",
        )
        if asks_first(model, "Score the occupations"):
            notes("Log-probability score", "Direction projection")
            return ""
        asked = (
            lines(st.session_state.bias_templates),
            words(st.session_state.bias_words),
            words(st.session_state.bias_first),
            words(st.session_state.bias_second),
            st.session_state.bias_axis,
        )
        first = (lines(FIRST[0]), words(FIRST[1]), words(FIRST[2]), words(FIRST[3]), GROUPS)
        good = last_good.last_good("bias-occupations", model, lambda given: _measure(model, *given), asked, first)
    if good is None:
        return ""
    asked, (scores, projections, fit) = good
    with right:
        code = _results(scores, projections, fit, asked)
        notes("Log-probability score", "Direction projection")
        code += _one_direction(model, tuple(projections["word"]), _axis(asked))
    return snippet(code)


def _axis(asked: Any) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """First words, second words and how their direction is found."""
    if asked[4] == GROUPS:
        return asked[2], asked[3], "difference"
    ten = wordlists.load("gender_pairs")
    return tuple(ten["male"]), tuple(ten["female"]), "pca"


def _measure(model: str, *asked: Any) -> tuple[pd.DataFrame, pd.DataFrame, tuple[float, float, float, float] | None]:
    axis = _axis(asked)
    cached.compute(
        directions.word_projections, model, asked[1][:1], *axis[:2], how=axis[2]
    )  # errors before the long run
    scores = requested_call(likelihood.template_scores, model, *asked[:4], label="Scoring the occupations")
    summary = likelihood.summary(scores)
    along = cached.compute(directions.word_projections, model, tuple(summary["occupation"]), *axis[:2], how=axis[2])
    try:
        fit = cached.compute(_fit, model, tuple(along["cosine"]), tuple(summary["score"]))
    except ValueError:
        fit = None
    return scores, along, fit


def _results(scores: pd.DataFrame, along: pd.DataFrame, fit: Any, asked: Any) -> list[str]:
    templates, occupations, one, other, _ = asked
    axis = _axis(asked)
    code = [
        f"templates = {templates!r}",
        f"occupations = {occupations!r}",
        f"scores = likelihood.template_scores(templates, occupations, {one!r}, {other!r}, model)",
        "summary = likelihood.summary(scores)",
        f"axis = directions.direction({axis[0]!r}, {axis[1]!r}, model, {axis[2]!r})",
        "along = directions.projections(tuple(summary['occupation']), axis, model)",
        "both = summary.assign(projection=along['cosine'], inner=along['inner'])",
        "print(scores)",
        "print(both, both['agree'].mean(), both['score'].abs().mean())",
    ]
    first, second = (", ".join(group[:2]) + (" …" if len(group) > 2 else "") for group in asked[2:4])
    summary = likelihood.summary(scores)
    both = summary.assign(projection=along["cosine"], inner=along["inner"])
    with st.container(horizontal=True):
        st.metric(
            "On one side in every sentence",
            f"{both['agree'].mean():.0%} of {len(both)}",
            border=True,
            help="Only for these words do all sentences agree on the side.",
        )
        st.metric(
            "Mean size of the score",
            f"{both['score'].abs().mean():.2f} nats",
            border=True,
            help="0.69 nats: the occupation makes one group twice as likely as the other.",
        )
        if fit:
            rho, low, high, p = fit
            st.metric(
                "Do both measures agree?",
                f"ρ = {rho:.2f}",
                f"95 %: {low:.2f} to {high:.2f}, p = {p:.4f}",
                delta_color="off",
                delta_arrow="off",
                border=True,
                help="Spearman's rank correlation of score and projection; bootstrap interval, permutation p.",
            )
            code.append("fit = permutations.rank_agreement(along['cosine'], summary['score'])")
            code.append("print(fit)")
    if len(both) > 1:
        figures.chart(
            cached.figure(bias_scores.agreement, both.rename(columns={"occupation": "word"}), first, second),
            both,
            name="score-and-projection",
            alt=_alt(both, fit, first, second),
        )
    st.subheader("Every word with its range over the sentences", anchor=False)
    figures.chart(
        cached.figure(bias_scores.scores, summary, first, second),
        summary,
        name="scores-by-word",
        alt=f"Scores from {summary['score'].min():+.2f} ({summary['occupation'].iloc[0]}, towards {first}) to"
        f" {summary['score'].max():+.2f} ({summary['occupation'].iloc[-1]}, towards {second}).",
    )
    with st.expander("Every word in every sentence", icon=":material/list:"):
        figures.table(scores, name="scores-by-sentence")
    return code


def _one_direction(model: str, known: tuple[str, ...], axis: Any) -> list[str]:
    """Whether the groups' difference is one direction, and how much of likenesses comes from it.

    known: the words scored; axis as from `_axis`.
    """
    code: list[str] = []
    with st.expander("Is there one direction at all?", icon=":material/straighten:"):
        ten = wordlists.load("gender_pairs")
        try:
            shares = cached.compute(directions.explained, model, tuple(ten["male"]), tuple(ten["female"]))
            st.caption(
                "Share of the ten pairs' differences on each main component, beside ten pairs of unrelated words."
            )
            figures.table(shares, name="one-direction")
            code += [
                "ten = wordlists.load('gender_pairs')",
                "shares = directions.explained(tuple(ten['male']), tuple(ten['female']), model)",
                "print(shares)",
            ]
        except ValueError as error:  # a model without all of these words
            page.problem(error)
        reference = st.text_input(
            "How much of a likeness comes from the direction? Compare with",
            "dancer",
            key="bias_reference",
            bind="query-params",
        )
        good = last_good.last_good(
            "bias-reference", model, lambda word: _indirect(model, known, axis, word), reference.strip(), known[0]
        )
        if good is None:
            return code
        st.caption(
            "β: share of each word's likeness to that word which is lost without the direction"
            " (Bolukbasi et al. 2016). Unsteady where the cosine is near 0."
        )
        figures.table(good[1], name="indirect-bias")
        code += [
            f"others = tuple(word for word in summary['occupation'] if word != {good[0]!r})",
            f"likeness = directions.indirect_bias(others, {good[0]!r}, axis, model)",
            "likeness = likeness.sort_values('cosine', ascending=False)",
            "print(likeness)",
        ]
    return code


def _fit(one: tuple[float, ...], other: tuple[float, ...], *, model: Any) -> tuple[float, float, float, float]:
    return permutations.rank_agreement(one, other)


def _indirect(model: str, known: tuple[str, ...], axis: Any, reference: str) -> pd.DataFrame:
    return cached.compute(_indirect_bias, model, known, reference, axis)


def _indirect_bias(known: tuple[str, ...], reference: str, axis: Any, *, model: Any) -> pd.DataFrame:
    others = tuple(word for word in known if word != reference)
    found = directions.indirect_bias(others, reference, directions.direction(axis[0], axis[1], model, axis[2]), model)
    return found.sort_values("cosine", ascending=False, ignore_index=True)


def _alt(both: pd.DataFrame, fit: Any, first: str, second: str) -> str:
    low, high = both.loc[both["score"].idxmin(), "occupation"], both.loc[both["score"].idxmax(), "occupation"]
    text = f"{len(both)} words by projection and score; lowest score {low} ({first}), highest {high} ({second})."
    return text + (f" Rank correlation {fit[0]:.2f}." if fit else "")
