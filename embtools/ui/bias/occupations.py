"""Panel for occupations: their scores in several sentences, and their projections on a direction."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from embtools import wordlists
from embtools.bias import directions, leanings, likelihood, verdict
from embtools.charts.bias import likelihood as charts
from embtools.progress import Progress, silent
from embtools.statistics import permutations
from embtools.ui import cached, fields, figures, jobs, page, spelling, state
from embtools.ui.bias import directions as directions_panel
from embtools.ui.bias import lists, notes, two_models
from embtools.ui.bias.directions import Axis
from embtools.ui.compare import Beside
from embtools.ui.fields import Choice, Flag, Text
from embtools.ui.share import Code

TAB = "Occupations"
COMPARES = True
GROUPS, TEN_PAIRS = "the two groups", "ten pairs"
_TEMPLATES = wordlists.load("bias_templates").query("kind == 'score_occupation'")["template"]
TEMPLATES = Text("bias_templates", "\n".join(_TEMPLATES))
WORDS = Text("bias_words", ", ".join(wordlists.load("occupations")["occupation"]))
ONE, OTHER = Text("bias_first", "he"), Text("bias_second", "she")
AXIS = Choice("bias_axis", GROUPS, (GROUPS, TEN_PAIRS))
ALL = Flag("bias_all")
FIELDS = (ONE, OTHER, TEMPLATES, WORDS, AXIS, ALL, *directions_panel.FIELDS)
PRESETS: dict[str, dict[str, Any]] = {
    "He and she": {},
    "First names": {ONE.key: "james, robert, michael, david", OTHER.key: "mary, linda, susan, sarah"},
    "Young and old": {
        ONE.key: "young",
        OTHER.key: "old",
        TEMPLATES.key: "The {group} woman is the {occupation}.\nThe {occupation} was a {group} man.\n"
        "They hired a {group} person as the new {occupation}.",
    },
}
_ENDS = 5  # words shown at each end of the scores


@dataclass(frozen=True)
class Measured:
    """Scores by sentence and by word, projections, and the sentences about them.

    names      the groups, by their first words
    ends       the words with the highest and lowest scores
    headline   the words that lean most towards each group
    agreement  whether scores and projections agree; "" if there are too few words
    one_sided  how many words lean towards the same group in every sentence
    size       mean absolute score
    """

    names: tuple[str, str]
    scores: pd.DataFrame
    summary: pd.DataFrame
    ends: pd.DataFrame
    both: pd.DataFrame
    headline: str
    agreement: str
    one_sided: str
    size: float


def measure(
    templates: tuple[str, ...],
    words: tuple[str, ...],
    one: tuple[str, ...],
    other: tuple[str, ...],
    axis: Axis,
    *,
    model: Any,
    progress: Progress = silent,
) -> Measured:
    """Everything that the panel shows. Raises ValueError as its parts do, before the long run if possible."""
    first, second, how = axis
    direction = directions.direction(first, second, model, how=how)
    directions.projections(words, model, axis=direction)  # raises errors before the long run
    scores = likelihood.template_scores(templates, model, occupations=words, first=one, second=other, progress=progress)
    summary = likelihood.summary(scores)
    along = directions.projections(tuple(summary["occupation"]), model, axis=direction)
    both = summary.assign(projection=along["cosine"], inner=along["inner"])
    agreement = ""
    with suppress(ValueError):  # too few words to compare their order
        agreement = verdict.agreement(permutations.rank_agreement(along["cosine"], summary["score"]))
    names = _name(one), _name(other)
    return Measured(
        names,
        scores,
        summary,
        pd.concat([summary.head(_ENDS), summary.tail(_ENDS)]) if len(summary) > 2 * _ENDS else summary,
        both,
        leanings.headline(summary, *names),
        agreement,
        leanings.one_sided(summary),
        float(summary["score"].abs().mean()),
    )


def show(model: str, code: Code) -> None:
    """Draw the fields, the words with extreme scores, and the projections of the static embeddings."""
    _bar()
    query = _query(model)
    first = (
        fields.lines(TEMPLATES.default),
        fields.words(WORDS.default),
        fields.words(ONE.default),
        fields.words(OTHER.default),
        (fields.words(ONE.default), fields.words(OTHER.default), "difference"),
    )
    if jobs.on_request("bias-occupations", "Score the occupations", cached.compute(_seconds, model, *query[:2]), query):
        answer = jobs.ask("bias-occupations", measure, model, query, first, label="Scoring the occupations")
        if answer:
            with jobs.results(answer, "bias-occupations", " · ".join(answer.value.names)):
                _results(model, answer, code)
    notes.notes("Log-probability score", "Direction projection")


def _bar() -> None:
    one, other, axis, more = st.columns([6, 6, 5, 4], gap="small", vertical_alignment="bottom")
    one.text_input("First group", **ONE.widget)
    other.text_input("Second group", **OTHER.widget)
    axis.segmented_control(
        "Direction",
        required=True,
        help="“the two groups” uses the difference between the means of the two groups. “ten pairs” uses the first"
        " principal component of the ten male and female pairs of Bolukbasi et al. 2016.",
        **AXIS.widget,
    )
    with more.popover(
        "Sentences and words", icon=":material/edit_note:", key="bias-sentences", width="stretch", on_change="rerun"
    ) as lists:
        if lists.open:
            st.text_area(
                "Sentences (one per line)",
                height=140,
                help="Each sentence needs one {group} and one {occupation}, and should otherwise be neutral.",
                **TEMPLATES.widget,
            )
            st.text_area("Words (comma-separated)", height=140, **WORDS.widget)


def _seconds(templates: tuple[str, ...], words: tuple[str, ...], *, model: Any) -> float:
    try:
        return likelihood.effort(templates, model, occupations=words)
    except ValueError:
        return 0.0  # input that cannot be read is refused immediately


def _query(model: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...], Axis]:
    """The query of the fields for a model: sentences, words, both groups, and their direction."""
    words, one, other = (fields.words(spelling.text(field, model)) for field in (WORDS, ONE, OTHER))
    axis = (one, other, "difference") if AXIS.value == GROUPS else (*lists.ten_pairs(model), "pca")
    return fields.lines(TEMPLATES.value), words, one, other, axis


def _name(group: tuple[str, ...]) -> str:
    """The name of a group: its first words."""
    return ", ".join(group[:2]) + (" …" if len(group) > 2 else "")


def _results(model: str, answer: jobs.Answer[Measured], code: Code) -> None:
    result = answer.value
    _code(answer, code)
    if result.agreement:
        code.add(
            "fit",
            "fit = permutations.rank_agreement(both['projection'], both['score'])",
            "print(verdict.agreement(fit))",
        )
    _scores(model, answer, code)
    expander = state.fold("by-sentence", "Scores by sentence", ":material/list:")
    if expander.open:
        with expander:
            figures.table(result.scores, name="scores-by-sentence")
    directions_panel.show(model, tuple(result.summary["occupation"]), answer.asked[4], code)


@state.fragment
def _scores(model: str, answer: jobs.Answer[Measured], code: Code) -> None:
    """Draw the words with extreme scores, for one model or two, and the projections of the static embeddings."""
    result, query = answer.value, answer.asked
    beside = Beside(model, code, [1, 1], gap="large", more="Everything below", finding=result.headline)

    beside.first.text(result.one_sided)

    def of(name: str) -> Any:
        return query if answer.stale or name == model else _query(name)

    again = beside.ask(
        "bias-occupations",
        measure,
        of,
        label="Scoring the occupations",
        seconds=lambda name: cached.compute(_seconds, name, *of(name)[:2]),
        words=lambda name: of(name)[1],
        meanwhile=lambda: two_models.ranges([_shown(result)], result.names, beside),
    )
    if again:
        beside.finding(again.headline, second=True)
        beside.second.text(again.one_sided)
    two_models.ranges([_shown(each) for each in (result, again) if each], result.names, beside)
    with beside.first:
        if len(result.summary) > len(result.ends):
            st.toggle(f"Show all {len(result.summary)} words", **ALL.widget)
        page.seen(
            "Each mark shows which group an occupation makes more likely, and by how much ([[log-probability"
            " score]]). It is the mean over the [[template|sentences]]; the line shows their range. A score of 0.69"
            f" [[nats]] means twice as likely. The mean absolute score here is {result.size:.2f}."
        )
    if again:
        templates, words, one, other, _ = of(beside.other)
        beside.code(
            f"other_scores = likelihood.template_scores({templates!r}, other, occupations={words!r},"
            f" first={one!r}, second={other!r})",
            "other_summary = likelihood.summary(other_scores)",
            "print(other_summary)",
            *two_models.code("scored(summary)", "scored(other_summary)", "occupations"),
        )
    with beside.detail:
        _agreement(result)


def _shown(result: Measured) -> tuple[pd.DataFrame, pd.DataFrame]:
    """All scores, and the scores in the chart."""
    return result.summary, result.summary if ALL.value else result.ends


def _agreement(result: Measured) -> None:
    """Draw the scores by projection on the direction between the groups."""
    if result.agreement:
        st.text(result.agreement)
    if len(result.both) > 1:
        figures.chart(
            cached.figure(charts.agreement, result.both, *result.names),
            result.both,
            name="score-and-projection",
            alt=f"{charts.agreement_alt(result.both, *result.names)} {result.agreement}",
        )
        page.seen(
            "Each point is a word. Further right: its [[embedding|vector]] has a higher [[cosine]] with the"
            " [[direction]] from the first group to the second. Further up: a higher score in sentences."
        )


def _code(answer: jobs.Answer[Measured], code: Code) -> None:
    templates, words, one, other, axis = answer.asked
    a, b, how = axis
    first, second = answer.value.names
    code.add(
        "occupations",
        f"templates = {templates!r}",
        f"occupations = {words!r}",
        f"scores = likelihood.template_scores(templates, model, occupations=occupations,"
        f" first={one!r}, second={other!r})",
        "summary = likelihood.summary(scores)",
        f"axis = directions.direction({a!r}, {b!r}, model, how={how!r})",
        "along = directions.projections(tuple(summary['occupation']), model, axis=axis)",
        "both = summary.assign(projection=along['cosine'], inner=along['inner'])",
        "print(scores, both, sep='\\n')",
        f"print(leanings.headline(both, {first!r}, {second!r}), leanings.one_sided(both), sep='\\n')",
        "print(both['score'].abs().mean())",
    )
