"""The second tab of the Layers page: the recipes on fifty words, and what the layers do to the space."""

import time
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.layers import survey as charts
from embtools.layers import published, survey
from embtools.layers.survey import Survey
from embtools.progress import Progress, silent
from embtools.ui import cached, figures, glossary, jobs, page, state, texts
from embtools.ui.fields import Field
from embtools.ui.share import Code

TAB = "Fifty words"
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
        "print(scores, result.scores, result.control, sep='\\n')",
        "print(result.geometry, result.likeness, result.words, result.occurrences, sep='\\n')",
    )
    _stability(found.survey, found.scores, words)
    _geometry(found.survey)


def scored(words: int, *, model: Any, progress: Progress = silent) -> Scored:
    """The survey of so many words."""
    ends: list[float] = []

    def tell(done: float) -> None:
        ends.append(time.perf_counter())  # from the end of the first: before it lie imports that are needed once
        progress(done)

    result = survey.survey(model, words=words, progress=tell)
    return Scored(result, survey.stability(result), (ends[-1] - ends[0]) / (len(ends) - 1))


def _stability(result: Survey, scores: pd.DataFrame, words: int) -> None:
    """Which recipe keeps the senses apart, and how sure that is."""
    every, control = scores.iloc[:-1], scores.iloc[-1]
    best = every.loc[every["auc"].idxmax()]
    over = "Over fifty words" if words == _ALL else "Over the first five words"
    st.header(
        f"{over} “{best['recipe']}, {best['pooling']}” keeps two senses apart best: mean AUC {best['auc']:.3f}, without"
        f" any model {control['auc']:.3f}.",
        anchor=False,
    )
    left, right = st.columns([5, 3], gap="medium")
    with left:
        figures.chart(
            cached.figure(charts.stability, scores),
            scores,
            name="fifty-words",
            alt=f"Mean AUC of {every['recipe'].nunique()} recipes with intervals. Best: {best['recipe']},"
            f" {best['pooling']}, {best['auc']:.2f}. Control without a model: {control['auc']:.2f}.",
        )
    with right:
        _sure(every, best, control)
        fold = state.fold("every-word", "Every word's score", ":material/list:")
        if fold.open:
            with fold:
                under = (result.scores["recipe"] == best["recipe"]) & (result.scores["pooling"] == best["pooling"])
                st.caption(f"Under {best['recipe']}, {best['pooling']}, the hardest words first.")
                figures.table(result.scores[under].sort_values("auc", ignore_index=True), name="words-under-best")
        fold = state.fold("published", "Beside a published comparison", ":material/history_edu:")
        if fold.open:
            with fold:
                _published(every)


def _sure(every: pd.DataFrame, best: pd.Series, control: pd.Series) -> None:
    with st.container(horizontal=True):
        st.metric("Not beaten in", f"{best['best']:.0%}", help="Share of 2,000 resamples of the words (bootstrap).")
        st.metric("95 % interval", f"{best['low']:.3f} – {best['high']:.3f}", help=glossary.definition("bootstrap"))
    page.seen(
        "Each [[recipe]] of layers is a row, each [[pooling]] a mark: its mean [[AUC]] over the words, with the"
        " interval in which it would lie for other words ([[bootstrap]]). The solid rule is chance, the dotted one"
        " [[shared words]]."
    )
    equal = every[(every["auc"] > best["auc"] - 1e-9) & (every.index != best.name)]
    if len(equal):
        pairs = zip(equal["recipe"], equal["pooling"], strict=True)
        st.caption("Equal to the best: " + "; ".join(f"{recipe}, {pooling}" for recipe, pooling in pairs) + ".")


def _published(every: pd.DataFrame) -> None:
    """The ranking of recipes that BERT's authors found for another task, with this model's scores beside it."""
    table = published.beside_recipes(every)
    names = {"published": "named entities, F1 (published)", "own": "senses, AUC (here)"}
    figures.table(table.rename(columns=names), name="published")
    st.caption(
        "Devlin et al. 2019, table 7: BERT base, named entities of CoNLL-2003, development set, weighted sums."
        " Another task, another scale: only the order can be compared."
    )


def _geometry(result: Survey) -> None:
    """What the layers do to the space, measured on the words of the same sentences."""
    st.header("What the layers do to the space", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        figures.chart(
            cached.figure(charts.geometry, result.geometry),
            result.geometry,
            name="geometry",
            alt=charts.geometry_alt(result.geometry),
        )
        page.seen(
            f"{result.occurrences:,} occurrences of {result.words:,} words: [[self-similarity]] minus [[anisotropy]] is"
            " what can be compared between layers."
        )
    with right:
        table = pd.DataFrame(result.likeness).round(4)
        table.insert(0, "layer", range(len(table)))
        figures.chart(
            cached.figure(charts.likeness, result.likeness),
            table.rename(columns=str),
            name="likeness",
            alt=charts.likeness_alt(result.likeness),
        )
        page.seen("Likeness of every two layers ([[CKA]]): 1 the same arrangement of words, 0 unrelated.")
