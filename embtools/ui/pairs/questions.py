"""Panel that ranks known answers by their similarity to a question."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools import wordlists
from embtools.charts import grids
from embtools.charts import pairs as charts
from embtools.pairs import questions
from embtools.pairs.questions import Answers
from embtools.ui import captions, combinations, entry, fields, figures, glossary, page, running, shown, state
from embtools.ui.call import Call
from embtools.ui.fields import Text
from embtools.ui.shown import Model, Models
from embtools.words.overlap import CONTROL

TAB = "Questions and answers"
USES_EDIT = True
KNOWN = wordlists.load("questions")
QUESTION = Text("pairs_question", "What time does the library open?", most=500)
ANSWERS = Text("pairs_answers", "\n".join(KNOWN["answer"]))
COMBINATION = combinations.combination("pairs_answer_recipe")
POOLING = combinations.sentence_pooling("pairs_answer_pooling")
FIELDS = (QUESTION, ANSWERS, COMBINATION, POOLING)
PRESETS: dict[str, dict[str, Any]] = {
    "The library": {},
    "The sky": {QUESTION.key: "Why is the sky blue?"},
    "Hamlet": {QUESTION.key: "Who wrote Hamlet?"},
}
FIRST = Call(questions.compare_answers, questions=(QUESTION.default,), answers=fields.lines(ANSWERS.default))


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return QUESTION, ANSWERS, captions.Setting("layer combination", COMBINATION), captions.Setting("pooling", POOLING)


def show(models: Models) -> None:
    """Draw the fields; for each model the ranked answers, and how well each layer combination finds the right ones."""
    own, chooser = st.columns([5, 4], gap="small")
    with own:
        entry.text_input("Question", **QUESTION.widget)
        problems = st.container()
    with chooser:
        _chooser()
    offered = combinations.shared(models)
    COMBINATION.keep_among(offered)
    _settings(offered)
    answers = running.ask(
        "answers",
        Call(questions.compare_answers, questions=(QUESTION.value.strip(),), answers=fields.lines(ANSWERS.value)),
        models,
        FIRST,
        label="Reading the answers",
        container=problems,
        prints=(f"headline{_chosen()}", f"ranked{_chosen()}"),
    )
    if not answers:
        return
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            left, right = shown.split([3, 2], gap="large")
            with left:
                _ranking(answer.value, results)
            with right:
                _quality(answer.model)


def _chosen() -> tuple[str, str]:
    return COMBINATION.value, POOLING.value


def _settings(offered: tuple[str, ...]) -> None:
    with figures.expander("answers-typed", "Answers, layers and pooling", ":material/edit:") as opened:
        if opened:
            entry.text_area("Known answers (one per line)", height=230, **ANSWERS.widget)
            layers, pooling = st.columns(2)
            with layers:
                st.selectbox(
                    "Layer combination",
                    help=glossary.definition("layer combination"),
                    **COMBINATION.among(offered),
                )
            with pooling:
                st.selectbox("Pooling", help=glossary.definition("pooling"), **POOLING.widget)


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


def _ranking(result: Answers, results: Sequence[Answers]) -> None:
    shown.headline(result.headline(*_chosen()))
    figures.show(charts.answers, result, *_chosen(), name="answers", beside=results)
    page.caption(
        "Each bar is a known answer. A longer bar means a higher [[cosine]] with the question. Hollow diamonds are the"
        " control, the similarity based on [[shared words]] alone. If several answers are equally similar on this"
        " basis, each gets the mean of their ranks."
    )


def _quality(model: Model) -> None:
    """Draw the quality of every layer combination on the built-in questions."""
    shown.section("Quality by layer combination and pooling")
    query = Call(questions.built_in_quality)
    scores = running.detail("scores", query, model, label="Reading the built-in questions")
    if scores is None:  # a model of short texts, or a stop
        return
    control = float(scores["mrr"].iloc[-1])
    note = f"{CONTROL.capitalize()}: {control:.2f}."
    name = "Mean reciprocal rank"
    figures.show(grids.combinations, scores, "mrr", _chosen(), control, name, note, name="answer-recipes")
    page.caption(
        f"Each cell is the [[MRR|mean reciprocal rank]] over the {len(KNOWN)} built-in questions for one [[layer"
        f" combination]] and [[pooling]]. The control without a model, which compares the [[shared words]], reaches"
        f" {control:.2f}. With only twenty questions, differences below about 0.1 mean little. BERT was not trained to"
        " compare sentences; models trained for this do better (Reimers and Gurevych 2019)."
    )
