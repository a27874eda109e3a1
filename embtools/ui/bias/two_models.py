"""Two models on the Bias page: the same pictures to one scale, and whether both say the same."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from embtools.bias import likelihood, two_models, verdict
from embtools.bias.association import Association
from embtools.bias.groups import AVERAGE, GroupAnswers
from embtools.charts.bias import association as association_charts
from embtools.charts.bias import counterfactual as swap_charts
from embtools.charts.bias import groups as group_charts
from embtools.charts.bias import likelihood as score_charts
from embtools.charts.bias import mitigation as remedy_charts
from embtools.statistics import agreement
from embtools.statistics.agreement import Ranks
from embtools.ui import cached, figures, page
from embtools.ui.compare import Beside

_MEANING = (
    "A gap: how much likelier a word is for one group, in [[nats]]. [[ρ]] asks whether both models put the words in the"
    " same order by it; [[p-value|p]]: how often chance does as well."
)


def dumbbells(
    first: GroupAnswers, second: GroupAnswers | None, gaps: Sequence[dict[str, float]], beside: Beside
) -> None:
    """The answers for every group, and those of the second model if there is one, with the gaps in both."""
    results = [result for result in (first, second) if result]
    most = max(float(result.union.drop(columns="token").to_numpy().max()) for result in results)
    if second:
        beside.say(verdict.two_models("words", _ranks(gaps[0], gaps[1])))
    for number, result in enumerate(results):
        with beside.second if number else beside.first:
            figures.chart(
                cached.figure(group_charts.dumbbells, result.union, AVERAGE, most if second else 0.0),
                result.union,
                name="answers-by-group" + number * "-second",
                alt=beside.alt(group_charts.dumbbells_alt(result.answers), second=bool(number)),
            )
            if number:
                page.seen(_MEANING)


def ranges(shown: Sequence[tuple[pd.DataFrame, pd.DataFrame]], names: tuple[str, str], beside: Beside) -> None:
    """The scores of occupations: for each model all of them, and those that are drawn."""
    reach = max(float(drawn[["low", "high"]].abs().to_numpy().max()) for _, drawn in shown)
    if len(shown) > 1:
        first, second = (likelihood.scored(summary) for summary, _ in shown)
        beside.say(verdict.two_models("occupations", _ranks(first, second)))
    for number, (summary, drawn) in enumerate(shown):
        with beside.second if number else beside.first:
            figures.chart(
                cached.figure(score_charts.ranges, drawn, *names, reach if len(shown) > 1 else 0.0),
                summary,
                name="scores-by-word" + number * "-second",
                alt=beside.alt(score_charts.ranges_alt(summary, *names), second=bool(number)),
            )
            if number:
                page.seen(_MEANING)


def words(shown: Sequence[Association], names: tuple[str, ...], beside: Beside) -> None:
    """Where the words of an association test lie, in one model or two."""
    ends = association_charts.reach(*(found.scores for found in shown)) if len(shown) > 1 else None
    if len(shown) > 1:
        beside.say(two_models.associations(shown[0], shown[1], (beside.title, beside.other_title)))
    for number, found in enumerate(shown):
        with beside.second if number else beside.first:
            figures.chart(
                cached.figure(association_charts.words, found.scores, *names, ends),
                found.scores,
                name="associations" + number * "-second",
                alt=beside.alt(association_charts.words_alt(found.scores), second=bool(number)),
            )
            page.seen(
                "The words are the same, their [[cosine|cosines]] are not on one scale: compare the [[effect size]] and"
                " the order of the words."
                if number
                else "What you see: each [[target]] word, the further right the nearer to the [[attribute|attributes]]"
                " A; X above, Y below. The [[permutation test|test]] asks whether the dashed means lie further apart"
                " than a shuffling of the words would put them."
            )


def battery(shown: Sequence[pd.DataFrame], names: list[str], said: Sequence[str], beside: Beside) -> None:
    """The effects of the published tests, in one model or two; `said` of each."""
    reach = 0.0
    if len(shown) > 1:
        beside.say(two_models.batteries(shown[0], shown[1], (beside.title, beside.other_title)))
        reach = 1.06 * max(float(f[["effect", "low", "high", "published"]].abs().max().max()) for f in shown)
    for number, tests in enumerate(shown):
        with beside.second if number else beside.first:
            st.text(said[number])
            figures.chart(
                cached.figure(association_charts.battery, tests, names, reach),
                tests,
                name="ten-tests" + number * "-second",
                alt=beside.alt(
                    f"Effect sizes of the published tests on this model. {said[number]}", second=bool(number)
                ),
            )
            if not number:
                page.seen(
                    "What you see: the [[effect size]] of each published test on this model's"
                    " [[static embedding|static embeddings]] with its [[confidence interval|95% interval]], and the"
                    " one published for [[GloVe]]."
                )


def changes(shown: Sequence[pd.DataFrame], beside: Beside) -> None:
    """What a swapped group does to the other words, in one model or two."""
    reach = 0.0
    if len(shown) > 1:
        beside.say(two_models.swaps(shown[0], shown[1]))
        reach = max(float(words["change"].abs().max()) for words in shown)
    for number, words in enumerate(shown):
        with beside.second if number else beside.first:
            st.text(verdict.swapped(words)[1])
            figures.chart(
                cached.figure(swap_charts.changes, words, reach),
                words,
                name="words-swapped" + number * "-second",
                alt=beside.alt(swap_charts.changes_alt(words), second=bool(number)),
            )
            page.seen(
                "[[ρ]] asks whether both models order the words alike by their change; [[p-value|p]]: how often chance"
                " does as well."
                if number
                else "What you see: each word that the sentence shares with its [[counterfactual]], hidden behind a"
                " [[mask]] in turn. Up: BERT expects it more after the swap; down: before; in [[nats]] of"
                " [[log probability]]."
            )


Remedies = tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]
"""What every method of taking a direction out gains, costs (together) and leaves in a model."""


def remedies(shown: Sequence[Remedies], pair: tuple[str, str], beside: Beside) -> None:
    """Gains, costs and what remains: beside each other in one model, below each other where a second stands beside."""
    gains, costs, left_over = (list(frames) for frames in zip(*shown, strict=True))
    if len(shown) > 1:
        both = tuple(zip(gains, left_over, strict=True))
        beside.say(two_models.remedies(both[0], both[1], (beside.title, beside.other_title)))
    test: dict[str, Any] = {"chance": "shuffled", "neutral": 0.5, "form": ".0%"}
    charts: tuple[tuple[str, str, list[pd.DataFrame], str, str, dict[str, Any]], ...] = (
        ("Gains", "gain", gains, "gap", f"gap of {pair[0][:12]} and {pair[1][:12]} (nats)", {}),
        ("Costs", "cost", costs, "log_change", "change elsewhere (nats)", {}),
        ("Remains", "remains", left_over, "accuracy", "sides still told apart", test),
    )
    places = beside.first.columns(3, gap="medium") if not beside.other else [beside.first] * 3
    for (title, name, frames, column, axis, options), place in zip(charts, places, strict=True):
        ends = remedy_charts.reach(frames, column, options.get("neutral", 0.0)) if len(frames) > 1 else None
        for number, frame in enumerate(frames):
            with beside.second if number else place:
                st.markdown(f"**{title}**") if beside.other else st.subheader(title, anchor=False)
                figures.chart(
                    cached.figure(remedy_charts.methods, frame, column, axis, ends=ends, **options),
                    frame,
                    name=name + number * "-second",
                    alt=beside.alt(remedy_charts.methods_alt(frame, column, axis), second=bool(number)),
                )


def code(first: str, second: str, what: str) -> list[str]:
    """The Python of the sentence on both; `first`, `second`: the gaps by word."""
    return [
        "try:",
        f"    print(verdict.two_models({what!r}, agreement.ranks({first}, {second})))",
        "except ValueError:",
        f"    print(verdict.two_models({what!r}, None))",
    ]


def _ranks(first: dict[str, float], second: dict[str, float]) -> Ranks | None:
    try:
        return agreement.ranks(first, second)
    except ValueError:
        return None
