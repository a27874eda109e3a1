"""How often a formula gives the expected word over many choices of sentences, in a text or in a folder."""

import streamlit as st

from embtools.charts.corpus import analogy as charts
from embtools.corpus import search, stored_analogy
from embtools.corpus.analogy import MAX_SCORES, all_choices
from embtools.corpus.analogy_results import Analogy, Choices
from embtools.ui import figures, long_work, page, running, shown
from embtools.ui.call import Call
from embtools.ui.corpus import source, whole_corpus
from embtools.ui.shown import Model, Models

_PACE = 250_000_000  # choices × occurrences per second


def show(answers: tuple[running.Answer[Analogy], ...], models: Models) -> None:
    """Draw for each model how often the expected word ranks 1st, and which words do.

    Of a text, all choices are counted; of a folder, a sample of them on request.
    """
    query = answers[0].query
    named = {name: query[name] for name in ("corpus", "words", "expected", "space")}
    if query["corpus"].is_encoded:
        _of_folder(Call(stored_analogy.choices_in_folder, **named), models)
    else:
        _of_text(Call(all_choices, **named), answers, models)


def _of_text(query: Call, answers: tuple[running.Answer[Analogy], ...], models: Models) -> None:
    st.subheader("Results for every choice of sentences", anchor=False)

    def query_of(model: Model) -> Call:
        return query.but(combination=source.combination_answered(answers, models, model))

    seconds = _seconds(query_of(models[0]), models[0]) * len(models)
    if seconds > whole_corpus.PATIENT and not long_work.requested(
        "corpus-choices", "Try every choice", seconds, (query["corpus"], query["words"])
    ):
        return
    found = running.ask(
        "choices",
        query_of,
        models,
        label="Trying every choice of sentences",
        prints=("headline", "shares", "winners"),
    )
    _draw(
        found,
        "Each choice takes one [[occurrence]] of each of the three words. If the three words are excluded from the"
        " answers, the expected word can be nearest even if the formula has hardly changed the vector of the first"
        " word. The **baseline** shows how often this happens: it uses the word nearest to each occurrence of the first"
        " word, without arithmetic.",
    )


def _of_folder(query: Call, models: Models) -> None:
    st.subheader("Results for other choices of sentences", anchor=False)
    known = running.known(query, models[0])
    seconds = 0.0 if known else stored_analogy.seconds(query["corpus"], space=query["space"])
    name, button = "corpus-folder-choices", f"Try {stored_analogy.DRAWS} choices"
    if not long_work.requested(name, button, seconds, tuple(query.arguments.values())):
        return
    found = running.ask(
        "choices", query, models, label="Trying choices of sentences", prints=("headline", "shares", "winners")
    )
    _draw(
        found,
        "Each choice takes one [[occurrence]] of each of the three words. The answer is the nearest of all occurrences"
        " in the folder. The **baseline** takes the occurrence nearest to that of the first word, without arithmetic.",
    )


def _draw(answers: tuple[running.Answer[Choices], ...], caption: str) -> None:
    """Draw the results, except earlier ones. caption: which choices were tried."""
    for container in running.containers([answer for answer in answers if not answer.stale]):
        with container as answer:
            st.text(answer.value.headline)
            figures.show(charts.shares, answer.value, name="corpus-choices")
            page.caption(f"{caption} Many choices share a sentence, so they are not independent trials.")
            table = "Words that rank 1st, as a table"
            figures.as_table(answer.value.winners, f"corpus-winners{shown.suffix()}", table)


def _seconds(query: Call, model: Model) -> float:
    """About how long one model takes for all choices in a text."""
    corpus, combination = query["corpus"], query["combination"]
    total = sum(len(sentence.split()) for sentence in corpus.sentences)
    for word in query["words"]:
        total *= int(running.run(Call(search.count, corpus=corpus, word=word, combination=combination), model))
    return min(total, MAX_SCORES) / _PACE
