"""The third tab of the Layers page: known answers ranked against a question."""

from typing import Any

import streamlit as st

from embtools import wordlists
from embtools.charts.layers import survey as charts
from embtools.charts.layers import word as grids
from embtools.layers import questions
from embtools.layers.recipes import SECOND_TO_LAST, SENTENCE_POOLINGS, recipe_names
from embtools.layers.senses import CONTROL
from embtools.ui import cached, figures, jobs, last_good, page
from embtools.ui.fields import frame_choice

TAB = "Questions and answers"
KNOWN = wordlists.load("questions")
QUESTION = "What time does the library open?"
POOLING = "sentence: mean"


def state(question: str = QUESTION) -> dict[str, Any]:
    """The widgets' values for one of the known questions."""
    return {
        "layers_tab": TAB,
        "layers_question": question,
        "layers_answers": "\n".join(KNOWN["answer"]),
        "layers_answer_recipe": SECOND_TO_LAST,
        "layers_answer_pooling": POOLING,
    }


def show(model: str) -> str:
    """The tab; returns code for "copy as Python"."""
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.selectbox(
            "Twenty questions",
            KNOWN["question"],
            index=None,
            key="layers_question_choice",
            placeholder="Choose one, or write your own below",
            on_change=_choose,
        )
        question = st.text_input("New question", QUESTION, key="layers_question", bind="query-params", max_chars=500)
        known = st.text_area(
            "Known answers, one a line",
            "\n".join(KNOWN["answer"]),
            key="layers_answers",
            bind="query-params",
            height=260,
        )
        problems = st.container()
        recipe = frame_choice(
            "Layers", recipe_names(cached.model(model).layers), SECOND_TO_LAST, "layers_answer_recipe"
        )
        pooling = frame_choice("Pooling", SENTENCE_POOLINGS, POOLING, "layers_answer_pooling")
    asked = (question.strip(),), tuple(line.strip() for line in known.splitlines() if line.strip())
    first = ((QUESTION,), tuple(KNOWN["answer"]))
    good = last_good.last_good(
        "layers-answers",
        model,
        lambda given: jobs.stoppable(
            "layers-answers", questions.compare_answers, model, *given, label="Reading the answers"
        ),
        asked,
        first,
        problems,
    )
    if good is None:
        return ""
    asked, result = good
    with right:
        ranking = questions.ranked(result, 0, recipe, pooling)
        own = next(iter(KNOWN.loc[KNOWN["question"] == asked[0][0], "answer"]), None)
        _headline(ranking, own)
        figures.chart(
            cached.figure(charts.answers, ranking.head(8), own),
            ranking,
            name="answers",
            alt=f"The {min(8, len(ranking))} answers most similar to the question, first: {ranking['answer'].iloc[0]}",
        )
        quality = _quality(model, recipe, pooling)
    return (
        "from embtools import wordlists\nfrom embtools.layers import questions\n\n"
        f"result = questions.compare_answers({asked[0]!r}, {asked[1]!r}, model)\n"
        f"print(questions.ranked(result, 0, {recipe!r}, {pooling!r}).to_string())\n" + quality
    )


def _headline(ranking: Any, own: str | None) -> None:
    found = ranking[ranking["answer"] == own]
    if len(found):
        control = found["control_rank"].iloc[0]
        with st.container(horizontal=True):
            st.metric("The right answer is number", f"{found['rank'].iloc[0]} of {len(ranking)}", border=True)
            st.metric(
                "By shared words alone",
                f"{control:g} of {len(ranking)}",
                border=True,
                help="Answers that share equally much have the middle of their ranks: if none shares a word, all do.",
            )
        st.caption("★ is the answer that belongs to the question.")
    else:
        st.text(f"Nearest: {ranking['answer'].iloc[0]}")


def _quality(model: str, recipe: str, pooling: str) -> str:
    """Every recipe on the built-in questions; returns Python for the scores."""
    st.subheader("Which recipe finds the right answer?", anchor=False)
    try:
        texts = tuple(KNOWN["question"]), tuple(KNOWN["answer"])
        label = "Reading the built-in questions"
        result = jobs.stoppable("layers-quality", questions.compare_answers, model, *texts, label=label)
    except ValueError as error:  # a model of short texts, or a stop
        page.problem(error)
        return ""
    scores = questions.quality(result)
    control = scores.iloc[-1]
    st.caption(
        f"Mean of 1 / rank over the {len(KNOWN)} built-in questions; 1 means always first. Control, {CONTROL}:"
        f" {control['mrr']:.2f}. Twenty questions are few: differences below about 0.1 mean little. BERT was not"
        " trained to compare sentences; models trained for it do better (Reimers & Gurevych 2019)."
    )
    figures.chart(
        grids.grid(scores, "mrr", (recipe, pooling), float(control["mrr"])),
        scores,
        name="answer-recipes",
        alt=grids.grid_alt(scores, "mrr", "Mean reciprocal rank") + f" Control without a model: {control['mrr']:.2f}.",
    )
    return (
        "known = wordlists.load('questions')\n"
        "built_in = questions.compare_answers(tuple(known['question']), tuple(known['answer']), model)\n"
        "scores = questions.quality(built_in)\n"
        "print(scores.to_string())"
    )


def _choose() -> None:
    if st.session_state.layers_question_choice:
        page.set_state(state(st.session_state.layers_question_choice))
