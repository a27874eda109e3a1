"""BERT's own answers to the question which colour is most similar to each."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from embtools.charts.similarity import matrix as charts
from embtools.mask_filling.typed_input import normalise_masks
from embtools.progress import Progress, silent
from embtools.similarity import answers, colours, verdict
from embtools.similarity.answers import ColourAnswers
from embtools.statistics.permutations import Mantel, mantel
from embtools.statistics.reporting import p_value
from embtools.ui import cached, figures, jobs, page
from embtools.ui.fields import Text
from embtools.ui.share import Code
from embtools.ui.similarity import colours as colours_panel
from embtools.ui.similarity import inputs
from embtools.ui.similarity.inputs import Query

QUESTION = Text("similarity_question", answers.MOST_SIMILAR, 300)
FIELDS = (QUESTION,)
_COLUMNS = {
    "answer": "top answer",
    "answer_in_list": "top answer among the other colours",
    "probability_in_list": "its probability",
    "probability_itself": "probability of the colour itself",
}


@dataclass(frozen=True)
class Answered:
    """The model's answers about the colours of a list, in the order of its tree, and two tests of these answers.

    left_out  colours of several tokens, which BERT cannot give as an answer
    """

    answers: ColourAnswers
    hexes: dict[str, str]
    left_out: tuple[str, ...]
    with_cosine: Mantel
    with_eye: Mantel


def show(model: str, code: Code) -> None:
    """Show the fields for the words and the question, then the answers."""
    left, right = st.columns([3, 2], gap="small")
    with left:
        words, container = inputs.bar(model)
    with right:
        st.text_input("Question about each {word}", max_chars=QUESTION.most, **QUESTION.widget)
        question_container = st.container()
    query = inputs.vectors(model, words, processed=False)
    enough = cached.compute(_answerable, model, query)
    fine = enough and inputs.readable(model, query)
    answer = jobs.ask(
        "similarity-question",
        answered,
        model,
        (query, normalise_masks(QUESTION.value)),
        (inputs.FIRST, QUESTION.default),
        label="Running one question per colour",
        place=question_container if fine else container,
    )
    if not fine:
        colours_panel.suggestions(model, query, container, enough=enough)
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
        "similar = answer_similarity(answers)",
        f"with_cosine = mantel(similar, similarity_matrix({shown.code('tuple(known)')}))",
        "with_eye = mantel(similar, -colour_differences(tuple(known.values())))",
        "print(verdict.answers(with_cosine, with_eye), with_cosine, with_eye, sep='\\n')",
    )


def answered(query: Query, question: str, *, model: Any, progress: Progress = silent) -> Answered:
    """The model's answers, compared with its cosines and with how similar the colours look."""
    result = inputs.compare(query, model=model, progress=progress)
    known = answers.one_piece_colours(result.words, model)
    found = answers.ask_most_similar(tuple(known), model, template=question)
    keep = [result.words.index(word) for word in known]
    similar = answers.answer_similarity(found)
    with_cosine = mantel(similar, result.values[np.ix_(keep, keep)])
    with_eye = mantel(similar, -colours.colour_differences(tuple(known.values())))
    order = [found.words.index(result.words[i]) for i in result.order if result.words[i] in known]
    ordered = replace(
        found,
        words=tuple(found.words[i] for i in order),
        probabilities=found.probabilities[np.ix_(order, order)],
    )
    left_out = tuple(word for word in colours.hexes(result.words) if word not in known)
    return Answered(ordered, known, left_out, with_cosine, with_eye)


def _answerable(query: Query, *, model: Any) -> bool:
    try:
        answers.one_piece_colours(query.words, model)
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
                rows="colour in the question",
                columns="answer",
                swatches=found.hexes,
            ),
            answers.answer_table(shown),
            name="answers",
            alt="Heatmap of the probabilities of answers. Most likely colour of the list for each question: "
            + ", ".join(f"{r['word']} → {r['answer_in_list']}" for _, r in shown.best.head(6).iterrows())
            + " …",
            above=25.2,
        )
    with right:
        for label, test in (("Answers and cosine", found.with_cosine), ("Answers and appearance", found.with_eye)):
            st.metric(label, f"ρ = {test.rho:+.2f}", p_value(test.p), delta_color="off", delta_arrow="off")
        page.seen(
            "Each row is a question and each column an answer, in the order of the list's tree. The model often repeats"
            " the colour in the question, or gives one answer to all questions. So before [[ρ]] is computed, each"
            " answer's mean is subtracted and the two directions of each pair are averaged. The test shuffles the words"
            " ([[Mantel test]])."
        )
        if found.left_out:
            st.text(f"Left out, because BERT can only answer with one token: {', '.join(found.left_out)}.")
        figures.table(shown.best, name="best-answers", height=260, column_config=_COLUMNS)
