"""Arithmetic with words in sentences of a folder: the four words at once, ranks among all words on request."""

from contextlib import suppress
from typing import Any

import streamlit as st

from embtools.corpus import stored_analogy as numbers
from embtools.corpus import verdict
from embtools.corpus.analogy import terms
from embtools.corpus.search import model_spelling
from embtools.corpus.stored_analogy import FolderAnalogy, analogy_in_folder, choices_in_folder
from embtools.occurrences.folder import opened as searching
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.ui import cached, figures, folders, jobs, running, state, texts
from embtools.ui.corpus import choices, lists, source
from embtools.ui.share import Code
from embtools.ui.texts import plain

_PACE = 120_000  # rows of 384 numbers that are compared with a hundred choices per second


def show(model: str, code: Code, folder: CorpusFolder, fields: tuple[Any, Any, Any, Any]) -> None:
    """Show the fields, the answers, and how often the expected word ranks 1st over many choices of sentences.

    fields: those for the formula, the expected word, the occurrences, and including the three words in the answers.
    """
    formula, expected, picks, inputs = fields
    left, right = st.columns([3, 2], gap="small")
    with left:
        st.text_input("Formula", max_chars=formula.most, on_change=choices.reset, args=(picks,), **formula.widget)
    with right:
        st.text_input("Expected word", max_chars=expected.most, **expected.widget)
    place = st.container()
    try:
        words = terms(formula.value)
        chosen = _picks(model, folder, words, picks)
        query = (folder, words, expected.value.strip())
        options: dict[str, Any] = {"numbers": chosen, "k": choices.K, "inputs": inputs.value}
        label = "Reading the four words"
        result = jobs.run("corpus-four", analogy_in_folder, model, *query, label=label, whole=False, **options)
    except ValueError as error:
        with place:
            texts.problem(error)
        return
    left, right = st.columns([6, 5], gap="medium")
    with left, st.container(key="hero"):
        source.badge()
        result = _whole(model, query, options) or result
        _answer(result, words, query[2], inputs)
    with right:
        more = _choices(model, query)
    code.add(
        "analogy",
        folders.code(folder),
        f"words, expected = {words!r}, {query[2]!r}",
        f"result = analogy_in_folder(folder, model, words=words, expected=expected, numbers={chosen!r},"
        f" k={choices.K}, inputs={inputs.value!r}, whole={result.answers is not None})",
        *(
            ["print(stored_analogy.finding(result))"]
            if result.answers is None
            else [
                "print(verdict.of_analogy(result.answers, words, expected), result.answers.near, result.answers.ranks,"
                " sep='\\n')"
            ]
        ),
        "print(result.words, result.cosines, sep='\\n')",
        *more,
    )


def _whole(model: str, query: tuple[Any, ...], options: dict[str, Any]) -> FolderAnalogy | None:
    """The ranks among all occurrences: at once if this is quick, otherwise after a press on a button."""
    folder = query[0]
    known = cached.known(analogy_in_folder, model, *query, **options)
    seconds = 0.0 if known else searching.seconds(folder)
    if not running.requested("corpus-rank-all", f"Rank among all {len(folder):,} occurrences", seconds, folder):
        return None
    try:
        label = "Searching all occurrences"
        return jobs.run("corpus-rank-all", analogy_in_folder, model, *query, label=label, **options)
    except ValueError as error:
        texts.problem(error)
        return None


def _answer(result: FolderAnalogy, words: tuple[str, str, str], expected: str, inputs: Any) -> None:
    if result.answers is None:
        st.header(plain(numbers.finding(result)), anchor=False)
    else:
        st.header(plain(verdict.of_analogy(result.answers, words, expected)), anchor=False)
        st.toggle("Include the three words in the answers", **inputs.widget)
        lists.show(result.answers.near)
    st.caption(plain(numbers.answered_by(result)))
    if result.answers is not None:
        figures.folded(result.answers.near, "corpus-folder-near")
        figures.folded(result.answers.ranks, "corpus-folder-ranks", "Ranks, as a table")
    figures.folded(result.cosines, "corpus-folder-cosines", "Cosines of the expected word, as a table")
    figures.folded(result.words, "corpus-folder-words", "Counts of the four words, as a table")


def _picks(model: str, folder: CorpusFolder, words: tuple[str, str, str], picks: Any) -> tuple[int, int, int]:
    """Which occurrence of each word is used (0: the mean of all)."""
    counts = []
    for word, pick in zip(words, picks, strict=True):
        count = 0
        with suppress(ValueError):  # the error is shown by the search
            count = folder.count(model_spelling(word, cached.model(model)))
        if pick.value > count:
            pick.mend(0)
        counts.append(count)
    fold = state.fold("picks", f"{choices.picks_label(words)}, space", ":material/tune:")
    if fold.open:
        with fold:
            columns = st.columns(4, gap="small")
            with columns[0]:
                source.space()
            for column, word, pick, count in zip(columns[1:], words, picks, counts, strict=True):
                most = {"max_value": min(count, int(pick.high))}
                with column:
                    label = f"{plain(word)}: 1 to {count:,}, or 0 for the mean"
                    st.number_input(label, **pick.widget | most)
    a, b, c = (int(pick.value) for pick in picks)
    return a, b, c


def _choices(model: str, query: tuple[Any, ...]) -> list[str]:
    """Show the results for a hundred choices of occurrences, on request; returns lines of Python."""
    folder, words, expected = query
    st.subheader("Results for other choices of sentences", anchor=False)
    known = cached.known(choices_in_folder, model, *query)
    seconds = 0.0 if known else searching.seconds(folder) + len(folder) * folder.dimensions / 384 / _PACE
    if not running.requested("corpus-folder-choices", f"Try {numbers.DRAWS} choices", seconds, query):
        return []
    try:
        label = "Trying choices of sentences"
        result = jobs.run("corpus-folder-choices", choices_in_folder, model, *query, label=label)
    except ValueError as error:
        texts.problem(error)
        return []
    choices.show(
        result,
        words,
        expected,
        "corpus-folder",
        "Each choice takes one [[occurrence]] of each of the three words. The answer is the nearest of all occurrences"
        " in the folder. The **baseline** takes the occurrence nearest to that of the first word, without arithmetic.",
    )
    return [
        "choices = choices_in_folder(folder, model, words=words, expected=expected)",
        "print(verdict.of_choices(choices, words, expected), choices.shares, choices.winners, sep='\\n')",
    ]
