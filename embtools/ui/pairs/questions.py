"""Panel that ranks known answers by their similarity to a question."""

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
    """Draw the fields, the ranked answers, and how well each layer combination finds the right answers."""
    recipes = recipe_names(cached.model(model).layers)
    own, chooser = st.columns([5, 4], gap="small")
    with own:
        st.text_input("Question", **QUESTION.widget)
        problems = st.container()
    with chooser:
        _chooser()
    expander = state.fold("answers-typed", "Answers, layers and pooling", ":material/edit:")
    if expander.open:
        with expander:
            st.text_area("Known answers (one per line)", height=230, **ANSWERS.widget)
            layers, pooling = st.columns(2)
            with layers:
                st.selectbox("Layer combination", help=glossary.definition("recipe"), **RECIPE.among(recipes))
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
    """Draw the choice of a built-in question; it shows none if the question or the answers were edited."""
    key = "pairs_question_choice"
    known = QUESTION.value in set(KNOWN["question"]) and ANSWERS.value == ANSWERS.default
    st.session_state[key] = QUESTION.value if known else None

    def choose() -> None:
        if chosen := st.session_state[key]:
            state.put({QUESTION.key: chosen, ANSWERS.key: ANSWERS.default})

    st.selectbox(
        "Built-in questions",
        KNOWN["question"],
        None,
        key=key,
        placeholder="Your own question",
        on_change=choose,
    )


def _ranking(result: Answers, recipe: str) -> None:
    """Draw the ranked answers; if the right one is known, the headline gives its rank with and without the model."""
    ranking = questions.ranked(result, 0, recipe, POOLING.value)
    own = next(iter(KNOWN.loc[KNOWN["question"] == result.questions[0], "answer"]), None)
    right = ranking[ranking["answer"] == own]
    if len(right):
        rank, control = right["rank"].iloc[0], right["control_rank"].iloc[0]
        st.header(
            f"The right answer has rank {rank} of {len(ranking)}. By shared words alone, its rank is {control:g}.",
            anchor=False,
        )
    else:
        st.header(texts.plain(f"The most similar answer is “{ranking['answer'].iloc[0][:120]}”"), anchor=False)
    figures.chart(
        cached.figure(charts.answers, ranking.head(_SHOWN), own),
        ranking,
        name="answers",
        alt=f"Bar chart of the {min(_SHOWN, len(ranking))} answers most similar to the question. The first is:"
        f" {ranking['answer'].iloc[0]}",
    )
    page.seen(
        "Each bar is a known answer. Longer bars: higher [[cosine]] with the question. Hollow diamonds are the control,"
        " the similarity by [[shared words]] alone. If several answers are equally similar by shared words, each of"
        " them gets their mean rank."
    )


def _quality(model: str, recipe: str) -> bool:
    """Draw the quality of every layer combination on the built-in questions; False if they could not be read."""
    st.header("Quality by layer combination and pooling", anchor=False)
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
        f"Each cell is the [[MRR|mean reciprocal rank]] over the {len(KNOWN)} built-in questions for one [[recipe|layer"
        f" combination]] and [[pooling]]. The control without a model, by [[shared words]], reaches {control:.2f}. With"
        " only twenty questions, differences below about 0.1 mean little. BERT was not trained to compare sentences;"
        " models trained for this do better (Reimers and Gurevych 2019)."
    )
    return True


def built_in(*, model: Any, progress: Progress = silent) -> pd.DataFrame:
    """How well every layer combination finds the answers to the built-in questions."""
    texts = tuple(KNOWN["question"]), tuple(KNOWN["answer"])
    return questions.quality(questions.compare_answers(*texts, model, progress=progress))
