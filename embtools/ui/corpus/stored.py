"""The nearest occurrences in a folder: those of the word at once, those of all words on request."""

from contextlib import suppress
from typing import Any

import streamlit as st

from embtools.charts.corpus import stored as charts
from embtools.corpus import stored as numbers
from embtools.corpus.search import Query, model_spelling
from embtools.corpus.stored import InFolder, nearest_in_folder
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.ui import cached, figures, folders, jobs, page, state, texts
from embtools.ui.corpus import lists, source, words
from embtools.ui.share import Code

_READING, _SEARCHING = "Reading the word", "Searching all occurrences"


def show(model: str, code: Code, folder: CorpusFolder, fields: tuple[Any, Any, Any]) -> None:
    """Show the fields and the list of the nearest occurrences, the headline and the chart.

    fields: those for a typed sentence, for other words only, and for the number of neighbours.
    """
    sentence, others, k = fields
    left, right = st.columns([5, 6], gap="medium")
    with left:
        query, place = _fields(model, folder, sentence, others, k)
    options = {"k": k.value, "same_word": not others.value}
    try:
        result = jobs.run(
            "corpus-in-word", nearest_in_folder, model, folder, query, label=_READING, whole=False, **options
        )
    except ValueError as error:
        with place:
            texts.problem(error)
        words.suggestions(folder, place)
        return
    with right:
        waiting, hero = st.container(), st.container(key="hero")
    with waiting:
        full = _whole(model, folder, query, options)
    with left:
        _near(full or result)
    with hero:
        source.badge()
        _picture(full or result)
    code.add(
        "nearest",
        folders.code(folder),
        f"result = nearest_in_folder(folder, model, query={query!r}, k={k.value},"
        f" same_word={not others.value}, whole={full is not None})",
        "print(stored.finding(result), result.others, result.spread, result.near, sep='\\n')",
    )


def _whole(model: str, folder: CorpusFolder, query: Query, options: dict[str, Any]) -> InFolder | None:
    """The search of all occurrences: at once if it is quick, otherwise after a press on a button."""
    known = cached.known(nearest_in_folder, model, folder, query, **options)
    seconds = 0.0 if known else numbers.seconds(folder)
    if not jobs.on_request("corpus-in-all", f"Search all {len(folder):,} occurrences", seconds, folder):
        return None
    try:
        return jobs.run("corpus-in-all", nearest_in_folder, model, folder, query, label=_SEARCHING, **options)
    except ValueError as error:
        texts.problem(error)
        return None


def _fields(model: str, folder: CorpusFolder, sentence: Any, others: Any, k: Any) -> tuple[Query, Any]:
    """The fields; returns the query and the container for error messages."""
    word, number = st.columns([1, 1], gap="small")
    with word:
        words.field()
    count = 1
    with suppress(ValueError):  # the error is shown by the search
        name = model_spelling(words.WORD.value, cached.model(model))
        count = max(1, folder.count(name))
    most = min(count, int(words.NUMBER.high))
    if words.NUMBER.value > most:
        state.put({words.NUMBER.key: 1})
    with number:
        st.number_input(f"Occurrence (1 to {count:,})", **words.NUMBER.widget | {"max_value": most})
    place = st.container()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.toggle("Other words only", help="Leaves out other occurrences of the same word.", **others.widget)
    fold = state.fold("mine", "Your own sentence, space", ":material/edit:")
    if fold.open:
        with fold:
            st.text_input("Your own sentence, containing the word", max_chars=sentence.most, **sentence.widget)
            processed, how_many = st.columns(2, gap="small")
            with processed:
                source.space()
            with how_many:
                st.slider("Number of neighbours", **k.widget)
    typed = sentence.value.strip()
    return Query(words.WORD.value.strip(), 1 if typed else words.NUMBER.value, typed), place


def _picture(result: InFolder) -> None:
    st.header(texts.plain(numbers.finding(result)), anchor=False)
    query = result.query.iloc[0]
    sentence = lists.marked(query["text"], query["start"], query["end"], "currentColor")
    st.html(f'<ol class="occurrences"><li>{sentence}</li></ol>')
    st.caption(texts.plain(numbers.answered_by(result)))
    if result.spread.empty:
        return
    figures.chart(
        cached.figure(charts.spread, result.spread, result.near, result.word),
        result.spread,
        name="corpus-spread",
        alt=charts.spread_alt(result.spread, result.near, result.word),
        below=lambda: page.seen(
            "The bars count [[occurrence|occurrences]] of the same word by their [[cosine]] with the chosen one."
            " Further right means more similar."
        ),
    )


def _near(result: InFolder) -> None:
    if result.rung == "word":
        lists.show(result.others)
    else:
        lists.show(result.near)
        figures.folded(result.near, "corpus-nearest-list")
    figures.folded(result.others, "corpus-others-list", "Occurrences of the same word, as a table")
