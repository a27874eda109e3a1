"""The second tab of the Corpus page: all occurrences of a word on a map, and how well its senses are recovered."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.corpus import senses as charts
from embtools.corpus import senses, verdict
from embtools.corpus.senses import Map
from embtools.corpus.stored_senses import MAX_GROUPS
from embtools.corpus.stored_senses import least as groups_need
from embtools.occurrences.corpus import built_in_corpus
from embtools.spaces.space import AS_IS
from embtools.ui import cached, figures, glossary, jobs, page, spaces, texts
from embtools.ui.corpus import lists, points, source, stored_senses, words
from embtools.ui.fields import Choice, Number
from embtools.ui.share import Code

TAB = "Senses on a map"
METHOD = Choice("corpus_map", senses.PCA, senses.METHODS)
ONE, ALL = "This word", "All words with senses"
HOW_MANY = Choice("corpus_recovered", ONE, (ONE, ALL))
GROUPS = Number("corpus_groups", 2, 2, MAX_GROUPS, 1)
FIELDS = (words.WORD, words.NUMBER, METHOD, HOW_MANY, GROUPS, source.RECIPE, *source.PROCESSED.fields)
PRESETS: dict[str, dict[str, Any]] = {
    name: {words.WORD.key: name, words.NUMBER.key: 1} for name in ("bank", "letter", "table", "spring", "match")
} | {"cold, no senses given": {words.WORD.key: "cold", words.NUMBER.key: 1, METHOD.key: senses.TSNE}}
_PER_WORD = 0.16  # seconds for a word with eight sentences, all recipes


def examples() -> dict[str, dict[str, Any]]:
    """The examples, or words of the visitor's own text or folder that occur often enough."""
    if source.is_built_in():
        return PRESETS
    least = groups_need(int(GROUPS.default)) if source.is_folder() else senses.LEAST
    return words.examples(source.asked(), least=least)


def show(model: str, code: Code) -> None:
    """The word, its map beside the measures, and the sentence of the chosen point."""
    if source.is_folder():
        if folder := source.folder():
            stored_senses.show(model, code, folder, (METHOD, GROUPS))
        return
    text, recipe = source.chosen(), source.recipe(model)
    word, layers, method = st.columns([2, 2, 2], gap="small")
    with word:
        words.field()
    with layers:
        recipe = source.layers(model)
    source.space_folded("Space of the map")
    with method:
        st.segmented_control("Map", required=True, help=glossary.definition("PCA"), **METHOD.widget)
    place = st.container()
    space = source.PROCESSED.value
    if space != AS_IS and not source.may_read("corpus-senses-text", model, text, recipe):
        space = AS_IS
    asked = (text, words.WORD.value.strip(), recipe)
    first = (built_in_corpus(), words.WORD.default, recipe)
    answer = jobs.ask(
        "corpus-senses",
        senses.word_map,
        model,
        asked,
        first,
        label="Reading the sentences",
        place=place,
        method=METHOD.value,
        space=space,
    )
    if answer is None or answer.stale:
        words.suggestions(text, place, least=senses.LEAST)
    if answer is None:
        return
    with jobs.results(answer, "corpus-senses", str(answer.asked[1])):
        left, right = st.columns([5, 6], gap="medium")
        with left:  # first, because the tests take longer
            if space != AS_IS:
                source.badge("The measures of every layer stay")
            _map(answer.value)
        with right, st.container(key="hero"):
            lines = _recovered(model, answer.asked, answer.value)
    shown, name, of = answer.asked
    code.add(
        "senses",
        source.code(shown) if shown is text else "corpus = built_in_corpus()",
        f"drawn = word_map(corpus, {name!r}, {of!r}, model, method={METHOD.value!r}{spaces.option(space)})",
        "print(drawn.points, drawn.kept)",
        *lines,
    )


def _map(found: Map) -> None:
    points.show(found, "corpus-map")
    chosen = found.points[found.points["rank"] == words.NUMBER.value]
    lists.show(chosen if len(chosen) else found.points.head(1), senses=found.points["sense"])


def _recovered(model: str, asked: tuple[Any, ...], found: Map) -> list[str]:
    """The finding, and every recipe's measures, of the word or of all words with senses; returns the Python."""
    text, word, recipe = asked
    recovered, why_not = None, ""
    try:
        recovered = jobs.run("corpus-recovery", senses.recovery, model, text, word, label="Reading every layer")
    except ValueError as error:
        why_not = str(error)
    unknown = f"{found.count:,} occurrences of {found.word}. Their senses are not labelled in this text."
    finding = unknown if recovered is None else verdict.of_recovery(recovered, found.word, recipe)
    st.header(texts.plain(finding), anchor=False)
    lines = [
        f"recovered = recovery(corpus, {word!r}, model)",
        f"print(verdict.of_recovery(recovered, drawn.word, {recipe!r}))",
    ]
    lines = [] if recovered is None else lines
    st.segmented_control("Senses recovered", required=True, label_visibility="collapsed", **HOW_MANY.widget)
    if HOW_MANY.value == ONE:
        if recovered is None:
            st.text(why_not)
            return lines
        _measures(recovered, recipe, "corpus-recovery", "A word has few occurrences, so chance can reach far.")
        return [*lines, "print(recovered)"]
    count = len(senses.labelled_words(text))
    try:
        if not jobs.on_request("corpus-all", f"Measure {count} words", _PER_WORD * count, (model, text)):
            return lines
        frame, measured = jobs.run("corpus-all", senses.recovery_of_all, model, text, label=f"Measuring {count} words")
    except ValueError as error:
        texts.problem(error)
        return lines
    _measures(frame, recipe, "corpus-recovery-all", f"Means over {measured} words; each counts once.")
    return [*lines, "every, count = recovery_of_all(corpus, model)", "print(every)"]


def _measures(frame: pd.DataFrame, recipe: str, name: str, note: str) -> None:
    figures.chart(cached.figure(charts.recovery, frame, recipe), frame, name=name, alt=charts.recovery_alt(frame))
    page.seen(
        "Filled marks: how often the [[nearest neighbour]] of an occurrence has the same [[sense]], and how well"
        " [[k-means]] finds the senses without knowing them ([[adjusted Rand index]]). Open marks: the mean of 1,000"
        f" shuffles of the labels, with a line to their 95th percentile. {note}"
    )
