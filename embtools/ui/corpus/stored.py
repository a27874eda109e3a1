"""The first tab of the Corpus page where the text is a folder: within one word at once, out of all on request."""

from contextlib import suppress
from typing import Any

import streamlit as st

from embtools.charts.corpus import stored as charts
from embtools.corpus import stored as numbers
from embtools.corpus.search import Query, spelt
from embtools.corpus.stored import InFolder, nearest_in_folder
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.ui import cached, figures, folders, jobs, page, state, texts
from embtools.ui.corpus import lists, source, words
from embtools.ui.share import Code

_READING, _SEARCHING = "Reading the word", "Searching every occurrence"


def show(model: str, code: Code, folder: CorpusFolder, fields: tuple[Any, Any, Any]) -> None:
    """Word and occurrence on the left with what is near, the finding and the picture on the right.

    fields: those of a typed sentence, of other words only, and of how many.
    """
    sentence, others, k = fields
    left, right = st.columns([5, 6], gap="medium")
    with left:
        query, place = _fields(model, folder, sentence, others, k)
    options = {"k": k.value, "same_word": not others.value}
    try:
        found = jobs.run(
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
        _near(full or found)
    with hero:
        source.badge()
        _picture(full or found)
    code.add(
        "nearest",
        folders.code(folder),
        f"found = nearest_in_folder(folder, {query!r}, model, k={k.value}, same_word={not others.value},"
        f" whole={full is not None})",
        "print(stored.finding(found), found.others, found.spread, found.near, sep='\\n')",
    )


def _whole(model: str, folder: CorpusFolder, query: Query, options: dict[str, Any]) -> InFolder | None:
    """Out of all occurrences: at once where that is quick, else after a press."""
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
    """The fields; returns the query, and the place for what is wrong with it."""
    word, number = st.columns([1, 1], gap="small")
    with word:
        words.field()
    count = 1
    with suppress(ValueError):  # which is told where it is asked for
        name = spelt(words.WORD.value, cached.model(model))
        count = max(1, folder.count(name))
    most = min(count, int(words.NUMBER.high))
    if words.NUMBER.value > most:
        state.put({words.NUMBER.key: 1})
    with number:
        st.number_input(f"Which of its {count:,} occurrences", **words.NUMBER.widget | {"max_value": most})
    place = st.container()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.toggle("Other words only", help="Leaves out the occurrences of the word itself.", **others.widget)
    fold = state.fold("mine", "A sentence of your own; space", ":material/edit:")
    if fold.open:
        with fold:
            st.text_input("A sentence of your own, with the word", max_chars=sentence.most, **sentence.widget)
            processed, how_many = st.columns(2, gap="small")
            with processed:
                source.space()
            with how_many:
                st.slider("How many", **k.widget)
    mine = sentence.value.strip()
    return Query(words.WORD.value.strip(), 1 if mine else words.NUMBER.value, mine), place


def _picture(found: InFolder) -> None:
    st.header(texts.plain(numbers.finding(found)), anchor=False)
    query = found.query.iloc[0]
    asked = lists.marked(query["text"], query["start"], query["end"], "currentColor")
    st.html(f'<ol class="occurrences"><li>{asked}</li></ol>')
    st.caption(texts.plain(numbers.answered_by(found)))
    if found.spread.empty:
        return
    figures.chart(
        cached.figure(charts.spread, found.spread, found.near, found.word),
        found.spread,
        name="corpus-spread",
        alt=charts.spread_alt(found.spread, found.near, found.word),
        below=lambda: page.seen(
            "The further right, the higher an [[occurrence]]'s [[cosine]] with the chosen one of the same word."
        ),
    )


def _near(found: InFolder) -> None:
    if found.rung == "word":
        lists.show(found.others)
    else:
        lists.show(found.near)
        figures.folded(found.near, "corpus-nearest-list")
    figures.folded(found.others, "corpus-others-list", "The word's own as a table")
