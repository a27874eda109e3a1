"""A second measure of colours: ask BERT which is most similar to each."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from embtools.charts.similarity import matrix as charts
from embtools.mask_filling.asking import spelt
from embtools.progress import Progress, silent
from embtools.similarity import answers, colours, verdict
from embtools.similarity.answers import ColourAnswers
from embtools.statistics.permutations import Mantel, mantel
from embtools.statistics.reporting import p_value
from embtools.ui import cached, figures, jobs, page
from embtools.ui.fields import Text
from embtools.ui.share import Code
from embtools.ui.similarity import inputs, sight
from embtools.ui.similarity.inputs import Asked

QUESTION = Text("similarity_question", answers.MOST_SIMILAR, 300)
FIELDS = (QUESTION,)


@dataclass(frozen=True)
class Answered:
    """What the model answers about the colours of a list, in the order of its tree, and two tests of these answers.

    left_out  colours of the list that are not a single token: BERT cannot answer with them
    """

    answers: ColourAnswers
    hexes: dict[str, str]
    left_out: tuple[str, ...]
    with_cosine: Mantel
    with_eye: Mantel


def show(model: str, code: Code) -> None:
    """The words and the question, then what is answered to each."""
    left, right = st.columns([3, 2], gap="small")
    with left:
        words, place = inputs.bar(model)
    with right:
        st.text_input("Question, {word} is each colour", max_chars=QUESTION.most, **QUESTION.widget)
        question_place = st.container()
    asked = inputs.vectors(model, words, processed=False)
    enough = cached.compute(_answerable, model, asked)
    fine = enough and inputs.readable(model, asked)
    answer = jobs.ask(
        "similarity-question",
        answered,
        model,
        (asked, spelt(QUESTION.value)),
        (inputs.FIRST, QUESTION.default),
        label="Asking about each colour",
        place=question_place if fine else place,
    )
    if not fine:
        sight.suggestions(model, asked, place, enough=enough)
    if answer is None:
        return
    shown, question = answer.asked
    with jobs.results(answer, "question", f"{question}  ·  {shown.says}"):
        _answers(answer.value)
    code.add(
        "question",
        f"known = one_piece_colours({list(shown.words)}, model)",
        f"answers = ask_most_similar(tuple(known), model, template={question!r})",
        "print(answers.best, answer_table(answers), sep='\\n')",
        "alike = answer_similarity(answers)",
        f"with_cosine = mantel(alike, similarity_matrix({shown.code('tuple(known)')}))",
        "with_eye = mantel(alike, -colour_differences(tuple(known.values())))",
        "print(verdict.answers(with_cosine, with_eye), with_cosine, with_eye, sep='\\n')",
    )


def answered(asked: Asked, question: str, *, model: Any, progress: Progress = silent) -> Answered:
    """The model's answers, compared with its cosines and with the look of the colours."""
    result = inputs.compare(asked, model=model, progress=progress)
    known = answers.one_piece_colours(result.words, model)
    found = answers.ask_most_similar(tuple(known), model, template=question)
    keep = [result.words.index(word) for word in known]
    alike = answers.answer_similarity(found)
    with_cosine = mantel(alike, result.values[np.ix_(keep, keep)])
    with_eye = mantel(alike, -colours.colour_differences(tuple(known.values())))
    order = [found.words.index(result.words[i]) for i in result.order if result.words[i] in known]
    ordered = replace(
        found,
        words=tuple(found.words[i] for i in order),
        probabilities=found.probabilities[np.ix_(order, order)],
    )
    left_out = tuple(word for word in colours.hexes(result.words) if word not in known)
    return Answered(ordered, known, left_out, with_cosine, with_eye)


def _answerable(asked: Asked, *, model: Any) -> bool:
    try:
        answers.one_piece_colours(asked.words, model)
    except ValueError:
        return False
    return True


def _answers(found: Answered) -> None:
    st.header(verdict.answers(found.with_cosine, found.with_eye), anchor=False)
    shown = found.answers
    left, right = st.columns([3, 2], gap="medium")
    with left:
        figures.chart(
            cached.figure(
                charts.heatmap,
                shown.probabilities,
                shown.words,
                kind="probability",
                rows="asked about",
                columns="answer",
                swatches=found.hexes,
            ),
            answers.answer_table(shown),
            name="answers",
            alt="Heatmap of answers: "
            + ", ".join(f"{r['word']} → {r['best_of_list']}" for _, r in shown.best.head(6).iterrows())
            + " …",
            above=25.2,
        )
    with right:
        for label, test in (("Answers and cosine", found.with_cosine), ("Answers and the eye", found.with_eye)):
            st.metric(label, f"ρ = {test.rho:+.2f}", p_value(test.p), delta_color="off", delta_arrow="off")
        page.seen(
            "A row is a question, a column an answer, in the order of the list's tree. Often the model just repeats the"
            " colour asked about, or gives one favourite to all: for [[ρ]] each answer's popularity is taken out, both"
            " directions are averaged, and the words shuffled ([[Mantel test]])."
        )
        if found.left_out:
            st.text(f"Not asked, because BERT can only answer with one word piece: {', '.join(found.left_out)}.")
        figures.table(shown.best, name="best-answers", height=260)
