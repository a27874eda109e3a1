"""The third tab of the Corpus page where the text is a folder: the four words at once, all occurrences on request."""

from contextlib import suppress
from typing import Any

import streamlit as st

from embtools.corpus import stored as searching
from embtools.corpus import stored_analogy as numbers
from embtools.corpus import verdict
from embtools.corpus.analogy import terms
from embtools.corpus.search import spelt
from embtools.corpus.stored_analogy import FolderAnalogy, analogy_in_folder, choices_in_folder
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.ui import cached, figures, folders, jobs, state, texts
from embtools.ui.corpus import choices, lists, source
from embtools.ui.share import Code
from embtools.ui.texts import plain

_PACE = 120_000  # rows of 384 numbers that are tried in a second, against a hundred choices


def show(model: str, code: Code, folder: CorpusFolder, fields: tuple[Any, Any, Any, Any]) -> None:
    """The formula; the answers beside how often the expected word comes first.

    fields: those of the formula, of the expected word, of which occurrences, and of the words among the answers.
    """
    formula, expected, picks, inputs = fields
    left, right = st.columns([3, 2], gap="small")
    with left:
        st.text_input("Formula", max_chars=formula.most, on_change=choices.reset, args=(picks,), **formula.widget)
    with right:
        st.text_input("Expected", max_chars=expected.most, **expected.widget)
    place = st.container()
    try:
        words = terms(formula.value)
        chosen = _picks(model, folder, words, picks)
        asked = (folder, words, expected.value.strip())
        options: dict[str, Any] = {"numbers": chosen, "k": choices.K, "inputs": inputs.value}
        label = "Reading the four words"
        found = jobs.run("corpus-four", analogy_in_folder, model, *asked, label=label, whole=False, **options)
    except ValueError as error:
        with place:
            texts.problem(error)
        return
    left, right = st.columns([6, 5], gap="medium")
    with left, st.container(key="hero"):
        source.badge()
        found = _whole(model, asked, options) or found
        _answer(found, words, asked[2], inputs)
    with right:
        more = _choices(model, asked)
    code.add(
        "analogy",
        folders.code(folder),
        f"words, expected = {words!r}, {asked[2]!r}",
        f"found = analogy_in_folder(folder, words, expected, model, numbers={chosen!r}, k={choices.K},"
        f" inputs={inputs.value!r}, whole={found.answers is not None})",
        *(
            ["print(stored_analogy.finding(found))"]
            if found.answers is None
            else [
                "print(verdict.of_analogy(found.answers, words, expected), found.answers.near, found.answers.ranks,"
                " sep='\\n')"
            ]
        ),
        "print(found.words, found.cosines, sep='\\n')",
        *more,
    )


def _whole(model: str, asked: tuple[Any, ...], options: dict[str, Any]) -> FolderAnalogy | None:
    """Ranks among all occurrences: at once where that is quick, else after a press."""
    folder = asked[0]
    known = cached.known(analogy_in_folder, model, *asked, **options)
    seconds = 0.0 if known else searching.seconds(folder)
    if not jobs.on_request("corpus-rank-all", f"Rank among all {len(folder):,} occurrences", seconds, folder):
        return None
    try:
        label = "Searching every occurrence"
        return jobs.run("corpus-rank-all", analogy_in_folder, model, *asked, label=label, **options)
    except ValueError as error:
        texts.problem(error)
        return None


def _answer(found: FolderAnalogy, words: tuple[str, str, str], expected: str, inputs: Any) -> None:
    if found.answers is None:
        st.header(plain(numbers.finding(found)), anchor=False)
    else:
        st.header(plain(verdict.of_analogy(found.answers, words, expected)), anchor=False)
        st.toggle("The three words among the answers", **inputs.widget)
        lists.show(found.answers.near)
    st.caption(plain(numbers.answered_by(found)))
    if found.answers is not None:
        figures.folded(found.answers.near, "corpus-folder-near")
        figures.folded(found.answers.ranks, "corpus-folder-ranks", "The ranks as a table")
    figures.folded(found.cosines, "corpus-folder-cosines", "The expected word's cosines as a table")
    figures.folded(found.words, "corpus-folder-words", "How often the words occur")


def _picks(model: str, folder: CorpusFolder, words: tuple[str, str, str], picks: Any) -> tuple[int, int, int]:
    """Which occurrence of each word; 0 for the mean of all."""
    counts = []
    for word, pick in zip(words, picks, strict=True):
        count = 0
        with suppress(ValueError):  # which is told where it is asked for
            count = folder.count(spelt(word, cached.model(model)))
        if pick.value > count:
            pick.mend(0)
        counts.append(count)
    fold = state.fold("picks", f"Which {', which '.join(plain(word) for word in words)}; space", ":material/tune:")
    if fold.open:
        with fold:
            columns = st.columns(4, gap="small")
            with columns[0]:
                source.space()
            for column, word, pick, count in zip(columns[1:], words, picks, counts, strict=True):
                most = {"max_value": min(count, int(pick.high))}
                with column:
                    label = f"{plain(word)}: which of {count:,} (0: their mean)"
                    st.number_input(label, **pick.widget | most)
    a, b, c = (int(pick.value) for pick in picks)
    return a, b, c


def _choices(model: str, asked: tuple[Any, ...]) -> list[str]:
    """A hundred choices of occurrences, on request; returns the Python."""
    folder, words, expected = asked
    st.subheader("And with other choices of sentences?", anchor=False)
    known = cached.known(choices_in_folder, model, *asked)
    seconds = 0.0 if known else searching.seconds(folder) + len(folder) * folder.dimensions / 384 / _PACE
    if not jobs.on_request("corpus-folder-choices", f"Try {numbers.DRAWS} choices", seconds, asked):
        return []
    try:
        label = "Trying choices of sentences"
        found = jobs.run("corpus-folder-choices", choices_in_folder, model, *asked, label=label)
    except ValueError as error:
        texts.problem(error)
        return []
    choices.show(
        found,
        words,
        expected,
        "corpus-folder",
        "Each choice takes one [[occurrence]] of each of the three words, and all occurrences of the folder may answer."
        " The **baseline** is the nearest to the first word's, without arithmetic.",
    )
    return [
        "choices = choices_in_folder(folder, words, expected, model)",
        "print(verdict.of_choices(choices, words, expected), choices.shares, choices.winners, sep='\\n')",
    ]
