"""The second tab of the Layers page: the recipes on fifty words, and what the layers do to the space."""

import time
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.layers import survey as charts
from embtools.layers import published, survey, verdict
from embtools.layers.survey import Survey
from embtools.progress import Progress, silent
from embtools.ui import cached, figures, glossary, jobs, page, state, texts
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
    """A survey, the mean scores with their intervals, and the seconds that a word takes here."""

    survey: Survey
    scores: pd.DataFrame
    seconds: float


def show(model: str, code: Code) -> None:
    """All fifty words where that takes a moment or is known; else the first five, and the question."""
    question = st.container(horizontal=True, vertical_alignment="center")
    try:
        found, words = jobs.run("layers-few", scored, model, _FEW, label="Encoding the sentences of five words"), _FEW
    except ValueError as error:  # a model of another language, or with capitals
        texts.problem(f"This model cannot read the built-in sentences. {error}")
        return
    seconds = 0 if cached.known(scored, model, _ALL) else found.seconds * _ALL
    with question:
        asked = jobs.on_request("layers-survey", "Score all fifty words", seconds, model)
    if asked:
        try:
            label = "Encoding the sentences of fifty words"
            found, words = jobs.run("layers-survey", scored, model, _ALL, label=label), _ALL
        except ValueError as error:  # it was stopped
            texts.problem(error)
    code.add(
        "survey",
        f"result = survey.survey(model, words={words}, seed=0)",
        "scores = survey.stability(result, seed=0)",
        f"print(verdict.survey_finding(scores, {words}), scores, result.scores, result.control, sep='\\n')",
        "print(result.geometry, result.likeness, result.words, result.occurrences, sep='\\n')",
    )
    beside = Beside(model, code, [5, 3], more="How sure this is", finding=verdict.survey_finding(found.scores, words))
    again = beside.ask(
        "layers-survey",
        scored,
        lambda name: (words,),
        label="Encoding the sentences",
        seconds=lambda name: 0.0 if cached.known(scored, name, words) else _seconds(name, words),
        meanwhile=lambda: _stability([found.scores], beside),
    )
    if again:
        beside.finding(verdict.survey_finding(again.scores, words), second=True)
    shown = [found, again] if again else [found]
    _stability([each.scores for each in shown], beside)
    with beside.detail:
        _sure(found)
    if again:
        names = (beside.title, beside.other_title)
        beside.say(verdict.two_surveys(found.survey.scores, again.survey.scores, names))
        beside.code(
            f"other_result = survey.survey(other, words={words}, seed=0)",
            "other_scores = survey.stability(other_result, seed=0)",
            "print(other_scores, other_result.geometry, other_result.likeness, sep='\\n')",
            f"print(verdict.two_surveys(result.scores, other_result.scores, {names!r}))",
        )
    _geometry([each.survey for each in shown], beside)


def _seconds(model: str, words: int) -> float:
    """About how long so many words take, from the first five."""
    return cached.compute(scored, model, _FEW).seconds * (words if words > _FEW else 0)


def scored(words: int, *, model: Any, progress: Progress = silent) -> Scored:
    """The survey of so many words."""
    ends: list[float] = []

    def tell(done: float) -> None:
        ends.append(time.perf_counter())  # from the end of the first: before it lie imports that are needed once
        progress(done)

    result = survey.survey(model, words=words, progress=tell)
    return Scored(result, survey.stability(result), (ends[-1] - ends[0]) / (len(ends) - 1))


def _stability(scores: list[pd.DataFrame], beside: Beside) -> None:
    """How well every recipe keeps the senses apart, in one model or two."""
    for number, frame in enumerate(scores):
        every, control, best = frame.iloc[:-1], frame.iloc[-1], survey.best(frame)
        with beside.second if number else beside.first:
            figures.chart(
                cached.figure(charts.stability, frame, scores[1 - number] if len(scores) > 1 else None),
                frame,
                name="fifty-words" + number * "-second",
                alt=beside.alt(
                    f"Mean AUC of {every['recipe'].nunique()} recipes with intervals. Best: {best['recipe']},"
                    f" {best['pooling']}, {best['auc']:.2f}. Control without a model: {control['auc']:.2f}.",
                    second=bool(number),
                ),
            )


def _sure(found: Scored) -> None:
    """How sure the best recipe is, every word's score under it, and the published order of recipes."""
    best = survey.best(found.scores)
    every = found.scores.iloc[:-1]
    with st.container(horizontal=True):
        st.metric("Not beaten in", f"{best['best']:.0%}", help="Share of 2,000 resamples of the words (bootstrap).")
        st.metric("95% interval", f"{best['low']:.3f} – {best['high']:.3f}", help=glossary.definition("bootstrap"))
    page.seen(
        "Each [[recipe]] of layers is a row, each [[pooling]] a mark: its mean [[AUC]] over the words, with the"
        " interval in which it would lie for other words ([[bootstrap]]). The solid rule is chance, the dotted one"
        " [[shared words]]."
    )
    equal = every[(every["auc"] > best["auc"] - 1e-9) & (every.index != best.name)]
    if len(equal):
        pairs = zip(equal["recipe"], equal["pooling"], strict=True)
        st.caption("Equal to the best: " + "; ".join(f"{recipe}, {pooling}" for recipe, pooling in pairs) + ".")
    fold = state.fold("every-word", "Every word's score", ":material/list:")
    if fold.open:
        with fold:
            scores = found.survey.scores
            under = (scores["recipe"] == best["recipe"]) & (scores["pooling"] == best["pooling"])
            st.caption(f"Under {best['recipe']}, {best['pooling']}, the hardest words first.")
            figures.table(scores[under].sort_values("auc", ignore_index=True), name="words-under-best")
    fold = state.fold("published", "Beside a published comparison", ":material/history_edu:")
    if fold.open:
        with fold:
            _published(every)


def _published(every: pd.DataFrame) -> None:
    """The ranking of recipes that BERT's authors found for another task, with this model's scores beside it."""
    table = published.beside_recipes(every)
    names = {"published": "named entities, F1 (published)", "own": "senses, AUC (here)"}
    figures.table(table.rename(columns=names), name="published")
    st.caption(
        "Devlin et al. 2019, table 7: BERT base, named entities of CoNLL-2003, development set, weighted sums."
        " Another task, another scale: only the order can be compared."
    )


def _geometry(surveys: list[Survey], beside: Beside) -> None:
    """What the layers do to the space, measured on the words of the same sentences, in one model or two."""
    st.header("What the layers do to the space", anchor=False)
    two = len(surveys) > 1
    places = [[place, place] for place in beside.row()] if two else [st.columns(2, gap="large")]
    for number, (result, (left, right)) in enumerate(zip(surveys, places, strict=True)):
        with left:
            figures.chart(
                cached.figure(charts.geometry, result.geometry, surveys[1 - number].geometry if two else None),
                result.geometry,
                name="geometry" + number * "-second",
                alt=beside.alt(charts.geometry_alt(result.geometry), second=bool(number)),
            )
            page.seen(
                f"{result.occurrences:,} occurrences of {result.words:,} words: [[self-similarity]] minus"
                " [[anisotropy]] is what can be compared between layers."
            )
        with right:
            table = pd.DataFrame(result.likeness).round(4)
            table.insert(0, "layer", range(len(table)))
            figures.chart(
                cached.figure(charts.likeness, result.likeness),
                table.rename(columns=str),
                name="likeness" + number * "-second",
                alt=beside.alt(charts.likeness_alt(result.likeness), second=bool(number)),
            )
            page.seen("Likeness of every two layers ([[CKA]]): 1 the same arrangement of words, 0 unrelated.")
