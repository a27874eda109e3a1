"""How often a formula gives the expected word over many choices of sentences, in a text or in a folder."""

import streamlit as st

from embtools.charts import corpus as charts
from embtools.corpus import choices, search
from embtools.corpus.analogy_results import Analogy, Choices
from embtools.corpus.choices import all_choices
from embtools.ui import figures, long_work, page, running, shown
from embtools.ui.call import Call
from embtools.ui.corpora import source, whole_corpus
from embtools.ui.shown import Model, Models

_PACE = 250_000_000  # choices × occurrences per second
_EACH = "Each choice takes one [[occurrence]] of each of the three words."
_IN_TEXT = (
    f"{_EACH} If the three words are excluded from the answers, the expected word can be nearest even if the formula"
    " has hardly changed the vector of the first word. The **baseline** shows how often this happens: it uses the word"
    " nearest to each occurrence of the first word, without arithmetic."
)
_IN_FOLDER = (
    f"{_EACH} The answer is the nearest of all occurrences in the folder. The **baseline** takes the occurrence nearest"
    " to that of the first word, without arithmetic."
)


def show(answers: tuple[running.Answer[Analogy], ...], models: Models) -> None:
    """Draw for each model how often the expected word ranks 1st, and which words do.

    In a text, all choices are tried; in a folder, some of them, after a press on a button if it takes long.
    """
    first = answers[0].query
    corpus = first["corpus"]
    query = Call(all_choices, **{name: first[name] for name in ("corpus", "words", "expected", "space")})

    def query_of(model: Model) -> Call:
        return query.but(combination=source.combination_answered(answers, models, model))

    every = "other choices" if corpus.is_encoded else "every choice"
    st.subheader(f"Results for {every} of sentences", anchor=False)
    if not _may_begin(query_of(models[0]), models):
        return
    result = running.ask(
        "choices",
        query_of,
        models,
        label=f"Trying {every} of sentences",
        prints=("headline", "shares", "winners"),
    )
    _draw(result, _IN_FOLDER if corpus.is_encoded else _IN_TEXT)


def _may_begin(query: Call, models: Models) -> bool:
    """Whether the choices may be tried now: at once if this is quick, otherwise after a press on a button."""
    corpus, model = query["corpus"], models[0]
    if running.known(query, model):
        return True
    if corpus.is_encoded:
        wait = choices.seconds(corpus, space=query["space"])
        return long_work.requested("corpus-folder-choices", f"Try {choices.DRAWS} choices", wait, query)
    wait = (whole_corpus.reading(query, model) + _seconds(query, model)) * len(models)
    question = corpus, query["words"]
    return wait <= whole_corpus.PATIENT or long_work.requested("corpus-choices", "Try every choice", wait, question)


def _draw(answers: tuple[running.Answer[Choices], ...], caption: str) -> None:
    """Draw the results, except earlier ones. caption: which choices were tried."""
    for container in running.containers([answer for answer in answers if not answer.stale]):
        with container as answer:
            st.text(answer.value.headline)
            figures.show(charts.choices, answer.value, name="corpus-choices")
            page.caption(f"{caption} Many choices share a sentence, so they are not independent trials.")
            table = "Words that rank 1st, as a table"
            figures.as_table(answer.value.winners, f"corpus-winners{shown.suffix()}", table)


def _seconds(query: Call, model: Model) -> float:
    """About how long one model takes for all choices in a text."""
    corpus, combination = query["corpus"], query["combination"]
    total = sum(len(sentence.split()) for sentence in corpus.sentences)
    for word in query["words"]:
        total *= int(running.run(Call(search.count, corpus=corpus, word=word, combination=combination), model))
    return min(total, choices.MAX_SCORES) / _PACE
