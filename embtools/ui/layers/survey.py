"""Panel for the layer combinations compared on fifty words, and the geometry of the layers."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.charts import layers as charts
from embtools.layers.survey import FiftyWords, fifty_words
from embtools.layers.verdict import ENOUGH, two_surveys
from embtools.messages import listed
from embtools.ui import captions, figures, long_work, page, running, shown, texts
from embtools.ui.call import Call
from embtools.ui.fields import Field
from embtools.ui.layers import layer_similarity
from embtools.ui.shown import Models

TAB = "Fifty words"
FIELDS: tuple[Field, ...] = ()
PRESETS: dict[str, dict[str, Any]] = {}
_FEW, _ALL = Call(fifty_words, words=5), Call(fifty_words)
_PRINTS = (
    "headline", "scores", "held_out", "by_word", "survey.control", "survey.geometry", "survey.words",
    "survey.occurrences",
)  # fmt: skip


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return ()


def show(models: Models) -> None:
    """Draw all fifty words if this is quick or already computed; otherwise the first five, and a button."""
    button = st.container(horizontal=True, vertical_alignment="center")
    answers = running.ask(
        "surveyed", _FEW, models, label="Encoding the sentences of five words", report=_unreadable, prints=_PRINTS
    )
    if not answers:
        return
    # The second model is asked about all words only when its time per word is known.
    measured = models[: len(answers)]
    seconds = sum(
        0.0 if running.known(_ALL, answer.model) else answer.value.seconds * _ALL["words"] for answer in answers
    )
    with button:
        requested = long_work.requested("layers-survey", "Score all fifty words", seconds, models)
    if requested:
        label = "Encoding the sentences of fifty words"
        answers = running.ask("surveyed", _ALL, measured, _FEW, label=label, prints=_PRINTS)
    running.say(two_surveys, answers, parts="by_word")
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            _scores(answer.value, results)
    shown.section("Geometry of the layers")
    surveys = [each.survey for each in results]
    for container in running.containers(answers, part="geometry"):
        with container as answer:
            survey = answer.value.survey
            figures.show(charts.geometry, survey, name="geometry", beside=surveys)
            page.caption(
                f"These values were measured on {survey.occurrences:,} occurrences of {survey.words:,} words. Only the"
                " difference, [[self-similarity]] minus [[anisotropy]], can be compared between layers."
            )
    page.caption("The tab *Similarity of layers* shows how similar any two layers are ([[CKA]]).")
    layer_similarity.open_with(layer_similarity.OF_FIFTY_WORDS)


def _unreadable(error: Exception) -> None:
    """Say that a model for another language, or one that distinguishes capitals, does not know the words."""
    texts.problem(f"This model cannot read the built-in sentences. {error}")


def _scores(result: FiftyWords, results: Sequence[FiftyWords]) -> None:
    shown.headline(result.headline)
    left, right = shown.split([5, 3], gap="medium")
    with left:
        figures.show(charts.stability, result, name="fifty-words", beside=results)
    with right:
        _uncertainty(result)


def _uncertainty(result: FiftyWords) -> None:
    """Draw how certain the best combination is, the score of every word with it, and published scores."""
    best, equal = result.best, result.equal
    mean, low, high = result.held_out
    if result.count >= ENOUGH:  # of a few words, neither can be estimated
        with st.container(horizontal=True):
            st.metric(
                "Mean AUC on other words",
                f"{mean:.3f}",
                help="The words are split into two halves at random, 50 times. The combination that is best on one"
                " half is measured on the other half. The headline gives the highest AUC of all combinations, which is"
                " slightly too high because it is partly due to chance.",
            )
            st.metric(
                "95% interval",
                f"{low:.3f} to {high:.3f}",
                help="The mean AUC on other words is computed many times, each time from a random sample of the words,"
                " drawn with replacement (bootstrap). 95% of these means lie in the interval.",
            )
    page.caption(
        "Each row is a [[layer combination]], and each mark is a [[pooling]]. Marks show the mean [[AUC]] over"
        " the words, with a 95% interval that shows how much it would vary with other words ([[bootstrap]]). The solid"
        " vertical line marks chance. The dotted line marks the control, which uses no model but only the words that"
        " two sentences share ([[shared words]])."
    )
    if len(equal):
        pairs = zip(equal["combination"], equal["pooling"], strict=True)
        named = listed(f"“{combination}, {pooling}”" for combination, pooling in pairs)
        st.caption(f"{named} {'has' if len(equal) == 1 else 'have'} the same mean AUC as the best combination.")
    with figures.expander("every-word", "Scores by word", ":material/list:") as opened:
        if opened:
            st.caption(
                f"These are the scores with “{best['combination']}, {best['pooling']}”. The hardest words come first."
            )
            figures.table(result.hardest, "Scores by word", name=f"words-under-best{shown.suffix()}")
    with figures.expander("published", "Published comparison", ":material/history_edu:") as opened:
        if opened:
            _published(result)


def _published(result: FiftyWords) -> None:
    """Draw the scores that BERT's authors published for another task, next to the scores of this model."""
    figures.table(result.published, "Published scores and those of this model", name=f"published{shown.suffix()}")
    st.caption(
        "The published scores are F1 scores of BERT base for recognising named entities in the CoNLL-2003 development"
        " set. In the published sums of layers, the layers are weighted (Devlin et al. 2019, table 7). Task and scale"
        " differ from those here, so only the order can be compared."
    )
