"""A tab of the Pairs page: known answers ranked against a question."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools import wordlists
from embtools.charts import grids
from embtools.charts.pairs import questions as charts
from embtools.pairs import questions
from embtools.pairs.questions import Answers
from embtools.progress import Progress, silent
from embtools.recipes import SECOND_TO_LAST, SENTENCE_POOLINGS, recipe_names
from embtools.ui import cached, fields, figures, glossary, jobs, page, state, texts
from embtools.ui.fields import Choice, Text
from embtools.ui.share import Code
from embtools.words.overlap import CONTROL

TAB = "Questions and answers"
KNOWN = wordlists.load("questions")
QUESTION = Text("pairs_question", "What time does the library open?", most=500)
ANSWERS = Text("pairs_answers", "\n".join(KNOWN["answer"]))
RECIPE = Choice("pairs_answer_recipe", SECOND_TO_LAST)
POOLING = Choice("pairs_answer_pooling", "sentence: mean", SENTENCE_POOLINGS)
_SHOWN = 6
FIELDS = (QUESTION, ANSWERS, RECIPE, POOLING)
PRESETS: dict[str, dict[str, Any]] = {
    "The library": {},
    "The sky": {QUESTION.key: "Why is the sky blue?"},
    "Hamlet": {QUESTION.key: "Who wrote Hamlet?"},
}


def show(model: str, code: Code) -> None:
    """The bar of fields; the ranking beside the quality of every recipe."""
    recipes = recipe_names(cached.model(model).layers)
    own, chooser = st.columns([5, 4], gap="small")
    with own:
        st.text_input("New question", **QUESTION.widget)
        problems = st.container()
    with chooser:
        _chooser()
    fold = state.fold("answers-typed", "Your own answers, and the recipe", ":material/edit:")
    if fold.open:
        with fold:
            st.text_area("Known answers, one a line", height=230, **ANSWERS.widget)
            layers, pooling = st.columns(2)
            with layers:
                st.selectbox("Layers", help=glossary.definition("recipe"), **RECIPE.among(recipes))
            with pooling:
                st.selectbox("Pooling", help=glossary.definition("pooling"), **POOLING.widget)
    recipe = RECIPE.value if RECIPE.value in recipes else RECIPE.default
    answer = jobs.ask(
        "pairs-answers",
        questions.compare_answers,
        model,
        ((QUESTION.value.strip(),), fields.lines(ANSWERS.value)),
        ((QUESTION.default,), fields.lines(ANSWERS.default)),
        label="Reading the answers",
        place=problems,
    )
    if answer is None:
        return
    left, right = st.columns([3, 2], gap="large")
    with left, jobs.results(answer, "pairs-answers", answer.asked[0][0]):
        _ranking(answer.value, recipe)
    with right:
        quality = _quality(model, recipe)
    code.add(
        "answers",
        f"result = questions.compare_answers({answer.asked[0]!r}, {answer.asked[1]!r}, model)",
        f"print(questions.ranked(result, 0, {recipe!r}, {POOLING.value!r}))",
    )
    if quality:
        code.add(
            "quality",
            "known = wordlists.load('questions')",
            "built_in = questions.compare_answers(tuple(known['question']), tuple(known['answer']), model)",
            "scores = questions.quality(built_in)",
            "print(scores)",
        )


def _chooser() -> None:
    """One of the twenty questions; it shows which, as long as its answers stand as they are."""
    key = "pairs_question_choice"
    known = QUESTION.value in set(KNOWN["question"]) and ANSWERS.value == ANSWERS.default
    st.session_state[key] = QUESTION.value if known else None

    def choose() -> None:
        if chosen := st.session_state[key]:
            state.put({QUESTION.key: chosen, ANSWERS.key: ANSWERS.default})

    st.selectbox("Twenty questions", KNOWN["question"], None, key=key, placeholder="Your own", on_change=choose)


def _ranking(result: Answers, recipe: str) -> None:
    """The answers by likeness; where the right one is known, its rank with the model and without."""
    ranking = questions.ranked(result, 0, recipe, POOLING.value)
    own = next(iter(KNOWN.loc[KNOWN["question"] == result.questions[0], "answer"]), None)
    found = ranking[ranking["answer"] == own]
    if len(found):
        rank, control = found["rank"].iloc[0], found["control_rank"].iloc[0]
        st.header(
            f"The right answer is number {rank} of {len(ranking)}; by shared words alone it is number {control:g}.",
            anchor=False,
        )
    else:
        st.header(texts.plain(f"Nearest: {ranking['answer'].iloc[0][:120]}"), anchor=False)
    figures.chart(
        cached.figure(charts.answers, ranking.head(_SHOWN), own),
        ranking,
        name="answers",
        alt=f"The {min(_SHOWN, len(ranking))} answers most similar to the question, first: {ranking['answer'].iloc[0]}",
    )
    page.seen(
        "The known answers by their [[cosine]] with the question. Hollow diamonds: [[shared words]],"
        " the control. Answers that share equally much have the middle of their ranks."
    )


def _quality(model: str, recipe: str) -> bool:
    """Every recipe on the built-in questions; whether they could be read."""
    st.header("Which recipe finds the right answer?", anchor=False)
    try:
        scores = jobs.run("pairs-quality", built_in, model, label="Reading the built-in questions")
    except ValueError as error:  # a model of short texts, or a stop
        texts.problem(error)
        return False
    control = float(scores["mrr"].iloc[-1])
    figures.chart(
        cached.figure(grids.grid, scores, "mrr", (recipe, POOLING.value), control),
        scores,
        name="answer-recipes",
        alt=grids.grid_alt(scores, "mrr", "Mean reciprocal rank") + f" {CONTROL.capitalize()}: {control:.2f}.",
    )
    page.seen(
        f"[[MRR]] over the {len(KNOWN)} built-in questions. Control, {CONTROL}: {control:.2f}. Twenty are few:"
        " differences below about 0.1 mean little. BERT was not trained to compare sentences; models trained for it do"
        " better (Reimers & Gurevych 2019)."
    )
    return True


def built_in(*, model: Any, progress: Progress = silent) -> pd.DataFrame:
    """How well every recipe finds the answers of the twenty questions."""
    texts = tuple(KNOWN["question"]), tuple(KNOWN["answer"])
    return questions.quality(questions.compare_answers(*texts, model, progress=progress))
