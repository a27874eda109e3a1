"""Panel for occupations: their scores in several sentences, and their projections on a direction."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools import wordlists
from embtools.bias import likelihood, two_models
from embtools.bias.occupations import Occupations, score_occupations
from embtools.charts import bias as charts
from embtools.ui import captions, entry, fields, figures, long_work, page, running, shown, spelling, state
from embtools.ui.bias import directions, lists, notes
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Flag, Text
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

TAB = "Occupations"
GROUPS, TEN_PAIRS = "the two groups", "ten pairs"
_TEMPLATES = wordlists.load("bias_templates").query("kind == 'score_occupation'")["template"]
TEMPLATES = Text("bias_templates", "\n".join(_TEMPLATES))
WORDS = Text("bias_words", ", ".join(wordlists.load("occupations")["occupation"]))
ONE, OTHER = Text("bias_first", "he"), Text("bias_second", "she")
AXIS = Choice("bias_axis", GROUPS, {"groups": GROUPS, "ten-pairs": TEN_PAIRS})
ALL = Flag("bias_all")
FIELDS = (ONE, OTHER, TEMPLATES, WORDS, AXIS, ALL, *directions.FIELDS)
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
_FIRST = Call(
    score_occupations,
    occupations=fields.words(WORDS.default),
    templates=fields.lines(TEMPLATES.default),
    first=fields.words(ONE.default),
    second=fields.words(OTHER.default),
)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return ONE, OTHER, TEMPLATES, WORDS


def show(models: Models) -> None:
    """Draw the fields; for each model the words with extreme scores, and the projections of static embeddings."""
    _bar()
    if long_work.may_begin("bias-occupations", "Score the occupations", _query, models, _effort):
        answers = running.ask(
            "occupations",
            _query,
            models,
            _FIRST,
            label="Scoring the occupations",
            prints=("headline", "one_sided", "agreement", "size", "summary", "both", "scores"),
        )
        if answers:
            _scores(answers)
            with figures.expander("by-sentence", "Scores by sentence", ":material/list:") as opened:
                for container in running.containers(answers, part="by-sentence") if opened else ():
                    with container as answer:
                        figures.table(
                            answer.value.scores,
                            "Scores by sentence and occupation",
                            name=f"scores-by-sentence{shown.suffix()}",
                        )
            directions.show(answers)
    notes.notes("Log-probability score", "Direction projection")


def _bar() -> None:
    one, other, axis, more = st.columns([5, 5, 5, 5], gap="small", vertical_alignment="bottom")
    with one:
        entry.text_input("First group", **ONE.widget)
    with other:
        entry.text_input("Second group", **OTHER.widget)
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
            entry.text_area(
                "Sentences (one per line)",
                height=140,
                help="Each sentence needs one {group} and one {occupation}, and should otherwise be neutral.",
                once="sentence",
                **TEMPLATES.widget,
            )
            entry.text_area("Words (comma-separated)", height=140, once="word", **WORDS.widget)


def _query(model: Model) -> Call:
    """Return the query of the fields for a model, with the words in its spelling."""
    words, one, other = (fields.words(spelling.text(field, model.name)) for field in (WORDS, ONE, OTHER))
    return Call(
        score_occupations,
        occupations=words,
        templates=fields.lines(TEMPLATES.value),
        first=one,
        second=other,
        pairs=() if AXIS.value == GROUPS else tuple(zip(*lists.ten_pairs(model.name), strict=True)),
    )


def _effort(query: Call) -> Call:
    return Call(likelihood.effort, templates=query["templates"], occupations=query["occupations"])


@state.fragment
def _scores(answers: Sequence[Answer[Occupations]]) -> None:
    """Draw the words with extreme scores, and the projections of the static embeddings."""
    running.say(two_models.occupation_gaps, answers)
    running.token_differences(answers, answers[0].query["occupations"])
    results = [answer.value for answer in answers]
    most = max(len(result.summary) for result in results)
    for container in running.containers(answers, gap="large"):
        with container as answer:
            result = answer.value
            shown.headline(result.headline)
            left, right = shown.split([1, 1], gap="large")
            with left:
                st.text(result.one_sided)
                figures.show(charts.ranges, result, ALL.value, name="scores-by-word", beside=results)
                if most > max(len(each.ends) for each in results) and not shown.suffix():
                    st.toggle(f"Show all {most} words", **ALL.widget)
                page.caption(
                    "Each mark shows which group an occupation makes more likely, and by how much ([[log-probability"
                    " score]]). It is the mean over the [[template|sentences]]; the line shows their range. A score of"
                    f" 0.69 [[nats]] means twice as likely. The mean absolute score here is {result.size:.2f}."
                )
            with right:
                _agreement(result, results)
    if len(answers) > 1:
        page.caption(notes.GAPS)


def _agreement(result: Occupations, results: Sequence[Occupations]) -> None:
    """Draw the scores by projection on the direction between the groups."""
    if result.agreement:
        st.text(result.agreement)
    if len(result.both) > 1:
        figures.show(charts.agreement, result, name="score-and-projection", beside=results)
        page.caption(
            "Each point is a word. Further right: its [[embedding|vector]] has a higher [[cosine]] with the"
            " [[direction]] from the first group to the second; 0 is the mean of these words. Further up: a higher"
            " score in sentences."
        )


READINGS = {
    "first-group": Reading(
        _query, "Occupation most strongly tied to the first group", "word", lambda it: it.summary["occupation"].iloc[0]
    ),
    "second-group": Reading(
        _query,
        "Occupation most strongly tied to the second group",
        "word",
        lambda it: it.summary["occupation"].iloc[-1],
    ),
}
