"""Panel for BERT's own answers to the question which colour is most similar to each."""

from collections.abc import Sequence

import streamlit as st

from embtools.charts import matrix as charts
from embtools.mask_filling.typed_input import normalise_masks
from embtools.similarity import answers as numbers
from embtools.similarity.answers import ComparedAnswers
from embtools.similarity.colours import FEWEST
from embtools.similarity.matrix import preset
from embtools.statistics.decimals import decimal
from embtools.statistics.reporting import p_value
from embtools.ui import entry, figures, page, running, shown
from embtools.ui.call import Call
from embtools.ui.fields import Text
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.similarity import colours, inputs

QUESTION = Text("similarity_question", numbers.MOST_SIMILAR, 300)
FIELDS = (QUESTION,)
FIRST = Call(numbers.compare_answers, words=preset("Colours"))
_COLUMNS = {
    "answer": "top answer",
    "answer_in_list": "top answer among the other colours",
    "probability_in_list": "its probability",
    "probability_itself": "probability of the colour itself",
}


def show(models: Models) -> None:
    """Draw the fields for the words and the question; for each model its answers."""
    left, right = st.columns([3, 2], gap="small")
    with left:
        container = inputs.bar(models[0].name, of=False)[1]
    with right:
        entry.text_input("Question about each {word}", **QUESTION.widget)
        question_container = st.container()
    vectors = inputs.chosen_vectors(models[0].name, processed=False)

    def query(model: Model) -> Call:
        return FIRST.but(
            words=inputs.words(model.name),
            question=normalise_masks(QUESTION.value),
            **inputs.at_depth(vectors, model, models[0]),
        )

    first = query(models[0])
    fine = _are_enough(first, models[0]) and inputs.is_listed(first, models[0])  # an error is about the question
    answers = running.ask(
        "compared",
        query,
        models,
        FIRST,
        label="Running one question per colour",
        container=question_container if fine else container,
        prints=("headline", "answers.best", "table", "with_cosine", "with_eye"),
    )
    if not fine or (answers and not answers[0].stale):
        colours.suggest(answers, query, models, container, _are_enough)
    for container in running.containers(answers) if answers else ():
        with container as answer:
            _answers(answer, answers)


def _are_enough(query: Call, model: Model) -> bool:
    """Whether the model can answer with enough colours of the list."""
    return len(running.run(Call(numbers.answerable, words=query["words"]), model)) >= FEWEST


def _answers(answer: Answer[ComparedAnswers], answers: Sequence[Answer[ComparedAnswers]]) -> None:
    result = answer.value
    shown.headline(result.headline)
    left, right = shown.split([3, 2], gap="medium")
    with left:
        other = next((each.value for each in answers if each is not answer), None)
        figures.show(charts.answers, result, other, name="answers", options={"above": 25.2})
    with right:
        for label, test in (("Answers and cosine", result.with_cosine), ("Answers and appearance", result.with_eye)):
            st.metric(
                label, f"ρ = {decimal(test.rho, signed=True)}", p_value(test.p), delta_color="off", delta_arrow="off"
            )
        page.caption(
            "Each row is a question and each column an answer, in the order of the words in the tree. The model often"
            " repeats the colour in the question, or gives one answer to all questions. So before [[ρ]] is computed,"
            " the mean log probability of each answer over all questions is subtracted. The two values of each pair of"
            " colours (one for each direction) are then averaged. The test shuffles the words ([[Mantel test]])."
        )
        if result.left_out:
            st.text(f"Left out, because BERT can only answer with one token: {', '.join(result.left_out)}.")
        figures.table(
            result.answers.best,
            "Top answer for each word",
            name=f"best-answers{shown.suffix()}",
            height=260,
            column_config=_COLUMNS,
        )
