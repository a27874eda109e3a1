"""A map of all occurrences of a word, and how well each layer combination recovers its senses."""

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
METHOD = Choice("corpus_map", senses.PCA, {"pca": senses.PCA, "tsne": senses.TSNE})
ONE, ALL = "This word", "All words with senses"
HOW_MANY = Choice("corpus_recovered", ONE, {"word": ONE, "all": ALL})
GROUPS = Number("corpus_groups", 2, 2, MAX_GROUPS, 1)
FIELDS = (words.WORD, words.NUMBER, METHOD, HOW_MANY, GROUPS, source.RECIPE, *source.PROCESSED.fields)
PRESETS: dict[str, dict[str, Any]] = {
    name: {words.WORD.key: name, words.NUMBER.key: 1} for name in ("bank", "letter", "table", "spring", "match")
} | {"cold (no labelled senses)": {words.WORD.key: "cold", words.NUMBER.key: 1, METHOD.key: senses.TSNE}}
_PER_WORD = 0.16  # seconds for a word with eight sentences and all layer combinations


def examples() -> dict[str, dict[str, Any]]:
    """The built-in examples; for another text or folder, words that occur often enough."""
    if source.is_built_in():
        return PRESETS
    least = groups_need(int(GROUPS.default)) if source.is_folder() else senses.LEAST
    return words.examples(source.current(), least=least)


def show(model: str, code: Code) -> None:
    """Show the fields, the map, the sentence of the chosen point, and the measures."""
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
        st.segmented_control("Projection", required=True, help=glossary.definition(METHOD.value), **METHOD.widget)
    place = st.container()
    space = source.PROCESSED.value
    if space != AS_IS and not source.may_read("corpus-senses-text", model, text, recipe):
        space = AS_IS
    query = (text, words.WORD.value.strip(), recipe)
    first = (built_in_corpus(), words.WORD.default, recipe)
    answer = jobs.ask(
        "corpus-senses",
        senses.word_map,
        model,
        query,
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
                source.badge("The measures for all layers stay")
            _map(answer.value)
        with right, st.container(key="hero"):
            lines = _recovered(model, answer.asked, answer.value)
    shown, name, of = answer.asked
    code.add(
        "senses",
        source.code(shown) if shown is text else "corpus = built_in_corpus()",
        f"drawn = word_map(corpus, model, word={name!r}, recipe={of!r}, method={METHOD.value!r}{spaces.option(space)})",
        "print(drawn.points, drawn.kept)",
        *lines,
    )


def _map(result: Map) -> None:
    points.show(result, "corpus-map")
    chosen = result.points[result.points["rank"] == words.NUMBER.value]
    lists.show(chosen if len(chosen) else result.points.head(1), senses=result.points["sense"])


def _recovered(model: str, query: tuple[Any, ...], result: Map) -> list[str]:
    """Show the headline and the measures, of the word or of all words with senses; returns lines of Python."""
    text, word, recipe = query
    recovered, why_not = None, ""
    try:
        recovered = jobs.run("corpus-recovery", senses.recovery, model, text, word, label="Reading every layer")
    except ValueError as error:
        why_not = str(error)
    unknown = f"{result.word} occurs {result.count:,} times in this text. Its senses are not labelled."
    headline = unknown if recovered is None else verdict.of_recovery(recovered, result.word, recipe)
    st.header(texts.plain(headline), anchor=False)
    lines = [
        f"recovered = recovery(corpus, model, word={word!r})",
        f"print(verdict.of_recovery(recovered, drawn.word, {recipe!r}))",
    ]
    lines = [] if recovered is None else lines
    st.segmented_control("Words", required=True, label_visibility="collapsed", **HOW_MANY.widget)
    if HOW_MANY.value == ONE:
        if recovered is None:
            st.text(why_not)
            return lines
        _measures(
            recovered,
            recipe,
            "corpus-recovery",
            "A single word has few occurrences, so high values can occur by chance.",
        )
        return [*lines, "print(recovered)"]
    count = len(senses.labelled_words(text))
    try:
        if not jobs.on_request("corpus-all", f"Measure {count} words", _PER_WORD * count, (model, text)):
            return lines
        frame, measured = jobs.run("corpus-all", senses.recovery_of_all, model, text, label=f"Measuring {count} words")
    except ValueError as error:
        texts.problem(error)
        return lines
    _measures(
        frame, recipe, "corpus-recovery-all", f"All values are means over {measured} words; each word counts once."
    )
    return [*lines, "every, count = recovery_of_all(corpus, model)", "print(every)"]


def _measures(frame: pd.DataFrame, recipe: str, name: str, note: str) -> None:
    figures.chart(cached.figure(charts.recovery, frame, recipe), frame, name=name, alt=charts.recovery_alt(frame))
    page.seen(
        "Filled circles show the share of occurrences whose [[nearest neighbour]] has the same [[sense]]. Filled"
        " diamonds show how well [[k-means]] finds the senses without the labels ([[adjusted Rand index]]). Open marks"
        " show the mean over 1,000 shuffles of the labels; the line above each mark ends at their 95th percentile."
        f" {note}"
    )
