"""The layer combinations compared on fifty words, and the geometry of the layers."""

import time
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.layers import survey as charts
from embtools.layers import published, survey, verdict
from embtools.layers.survey import Survey
from embtools.progress import Progress, silent
from embtools.ui import cached, figures, jobs, page, state, texts
from embtools.ui.compare import Beside
from embtools.ui.fields import Field
from embtools.ui.share import Code

TAB = "Fifty words"
COMPARES = True
FIELDS: tuple[Field, ...] = ()
PRESETS: dict[str, dict[str, Any]] = {}
_ALL, _FEW = 50, 5


@dataclass(frozen=True)
class Scored:
    """A survey, the mean scores with their intervals, and the seconds per word on this server."""

    survey: Survey
    scores: pd.DataFrame
    seconds: float


def show(model: str, code: Code) -> None:
    """Show all fifty words if this is quick or already computed; otherwise the first five, and a button."""
    button = st.container(horizontal=True, vertical_alignment="center")
    try:
        result, words = jobs.run("layers-few", scored, model, _FEW, label="Encoding the sentences of five words"), _FEW
    except ValueError as error:  # a model for another language, or one that distinguishes capitals
        texts.problem(f"This model cannot read the built-in sentences. {error}")
        return
    seconds = 0 if cached.known(scored, model, _ALL) else result.seconds * _ALL
    with button:
        requested = jobs.on_request("layers-survey", "Score all fifty words", seconds, model)
    if requested:
        try:
            label = "Encoding the sentences of fifty words"
            result, words = jobs.run("layers-survey", scored, model, _ALL, label=label), _ALL
        except ValueError as error:  # it was stopped
            texts.problem(error)
    code.add(
        "survey",
        f"result = survey.survey(model, words={words}, seed=0)",
        "scores = survey.stability(result, seed=0)",
        f"print(verdict.survey_finding(scores, {words}), scores, result.scores, result.control, sep='\\n')",
        "print(result.geometry, result.similarity, result.words, result.occurrences, sep='\\n')",
    )
    beside = Beside(model, code, [5, 3], more="Uncertainty", finding=verdict.survey_finding(result.scores, words))
    again = beside.ask(
        "layers-survey",
        scored,
        lambda name: (words,),
        label="Encoding the sentences",
        seconds=lambda name: 0.0 if cached.known(scored, name, words) else _seconds(name, words),
        meanwhile=lambda: _stability([result.scores], beside),
    )
    if again:
        beside.finding(verdict.survey_finding(again.scores, words), second=True)
    shown = [result, again] if again else [result]
    _stability([each.scores for each in shown], beside)
    with beside.detail:
        _sure(result)
    if again:
        names = (beside.title, beside.other_title)
        beside.say(verdict.two_surveys(result.survey.scores, again.survey.scores, names))
        beside.code(
            f"other_result = survey.survey(other, words={words}, seed=0)",
            "other_scores = survey.stability(other_result, seed=0)",
            "print(other_scores, other_result.geometry, other_result.similarity, sep='\\n')",
            f"print(verdict.two_surveys(result.scores, other_result.scores, {names!r}))",
        )
    _geometry([each.survey for each in shown], beside)


def _seconds(model: str, words: int) -> float:
    """Estimated seconds for this number of words, from the time for the first five."""
    return cached.compute(scored, model, _FEW).seconds * (words if words > _FEW else 0)


def scored(words: int, *, model: Any, progress: Progress = silent) -> Scored:
    """The survey of the first words."""
    ends: list[float] = []

    def report(done: float) -> None:
        ends.append(time.perf_counter())  # from the end of the first word, because it includes imports
        progress(done)

    result = survey.survey(model, words=words, progress=report)
    return Scored(result, survey.stability(result), (ends[-1] - ends[0]) / (len(ends) - 1))


def _stability(scores: list[pd.DataFrame], beside: Beside) -> None:
    """Show how well every layer combination separates the senses, in one model or two."""
    for number, frame in enumerate(scores):
        every, control, best = frame.iloc[:-1], frame.iloc[-1], survey.best(frame)
        with beside.second if number else beside.first:
            figures.chart(
                cached.figure(charts.stability, frame, scores[1 - number] if len(scores) > 1 else None),
                frame,
                name="fifty-words" + number * "-second",
                alt=beside.alt(
                    f"Mean AUC of {every['recipe'].nunique()} layer combinations with 95% intervals. The best is"
                    f" {best['recipe']}, {best['pooling']}, with {best['auc']:.2f}. The control without a model has"
                    f" {control['auc']:.2f}.",
                    second=bool(number),
                ),
            )


def _sure(result: Scored) -> None:
    """Show how certain the best combination is, the score of every word with it, and published scores."""
    best = survey.best(result.scores)
    every = result.scores.iloc[:-1]
    with st.container(horizontal=True):
        st.metric(
            "Best in resamples",
            f"{best['best']:.0%}",
            help="The share of 2,000 resamples of the words (bootstrap) in which no other combination is better.",
        )
        st.metric(
            "95% interval",
            f"{best['ci_low']:.3f} to {best['ci_high']:.3f}",
            help="The mean AUC is computed many times, each time from a random sample of the words, drawn with"
            " replacement (bootstrap). 95% of these means lie in the interval.",
        )
    page.seen(
        "Each row is a [[recipe|layer combination]], and each mark is a [[pooling]]. Marks show the mean [[AUC]] over"
        " the words, with a 95% interval that shows how much it would vary with other words ([[bootstrap]]). The solid"
        " vertical line marks chance. The dotted line marks the control, which uses only [[shared words]] and no model."
    )
    equal = every[(every["auc"] > best["auc"] - 1e-9) & (every.index != best.name)]
    if len(equal):
        pairs = zip(equal["recipe"], equal["pooling"], strict=True)
        st.caption(
            "These combinations have the same mean AUC as the best one: "
            + "; ".join(f"{recipe}, {pooling}" for recipe, pooling in pairs)
            + "."
        )
    fold = state.fold("every-word", "Scores by word", ":material/list:")
    if fold.open:
        with fold:
            scores = result.survey.scores
            under = (scores["recipe"] == best["recipe"]) & (scores["pooling"] == best["pooling"])
            st.caption(
                f"These are the scores with “{best['recipe']}, {best['pooling']}”. The hardest words come first."
            )
            figures.table(scores[under].sort_values("auc", ignore_index=True), name="words-under-best")
    fold = state.fold("published", "Published comparison", ":material/history_edu:")
    if fold.open:
        with fold:
            _published(every)


def _published(every: pd.DataFrame) -> None:
    """Show the scores that BERT's authors published for another task, next to the scores of this model."""
    table = published.beside_recipes(every)
    names = {"published": "f1_published", "own": "auc_here"}
    figures.table(table.rename(columns=names), name="published")
    st.caption(
        "The published scores are F1 scores of BERT base for recognising named entities in the CoNLL-2003 development"
        " set. Its sums of layers are weighted (Devlin et al. 2019, table 7). Task and scale differ from those here,"
        " so only the order can be compared."
    )


def _geometry(surveys: list[Survey], beside: Beside) -> None:
    """Show the geometry of the layers, measured on all words of the same sentences, in one model or two."""
    st.header("Geometry of the layers", anchor=False)
    two = len(surveys) > 1
    columns = [[column, column] for column in beside.row()] if two else [st.columns(2, gap="large")]
    for number, (result, (left, right)) in enumerate(zip(surveys, columns, strict=True)):
        with left:
            figures.chart(
                cached.figure(charts.geometry, result.geometry, surveys[1 - number].geometry if two else None),
                result.geometry,
                name="geometry" + number * "-second",
                alt=beside.alt(charts.geometry_alt(result.geometry), second=bool(number)),
            )
            page.seen(
                f"These values were measured on {result.occurrences:,} occurrences of {result.words:,} words. Only the"
                " difference, [[self-similarity]] minus [[anisotropy]], can be compared between layers."
            )
        with right:
            table = pd.DataFrame(result.similarity).round(4)
            table.insert(0, "layer", range(len(table)))
            figures.chart(
                cached.figure(charts.layer_similarity, result.similarity),
                table.rename(columns=str),
                name="layer-similarity" + number * "-second",
                alt=beside.alt(charts.layer_similarity_alt(result.similarity), second=bool(number)),
            )
            page.seen(
                "Each cell shows how similar two layers are ([[CKA]]): 1 means that they arrange the words in the same"
                " way, 0 that they are unrelated."
            )
