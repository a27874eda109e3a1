"""Occurrences of a word on the map: their sentences, and how well each layer recovers the senses."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts import clusters as charts
from embtools.charts.map_names import mark
from embtools.clusters import senses
from embtools.clusters.kmeans import FoundClusters
from embtools.clusters.map_result import Map
from embtools.clusters.occurrences import occurrence
from embtools.clusters.points import NO_LABEL
from embtools.clusters.senses import Recovery
from embtools.occurrences.corpus import LEAST_MAPPED, labelled_words
from embtools.ui import figures, long_work, page, running, shown
from embtools.ui.call import Call
from embtools.ui.clusters.inputs import FOUND, OF, PICK
from embtools.ui.corpora import lists, source, text_vectors, words
from embtools.ui.fields import Choice
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

ONE, ALL = "This word", "All words with senses"
HOW_MANY = Choice("clusters_recovered", ONE, {"word": ONE, "all": ALL})
FIELDS = (words.NUMBER, HOW_MANY)
_PER_WORD = 0.16  # seconds for a word with eight sentences and all layer combinations
_SHOWN = 3  # occurrences shown for each found cluster, and of the selected ones


def is_shown() -> bool:
    """Whether the map shows the occurrences of a word."""
    return bool(OF.source.value == text_vectors.OCCURRENCES)


def examples() -> dict[str, dict[str, Any]]:
    """Words of the visitor's text or of a folder that occur often enough; none for the built-in corpus."""
    if source.is_built_in():
        return {}
    now = {field.key: field.value for field in (*source.FIELDS, source.COMBINATION, OF.source)}
    return {word: now | values for word, values in words.examples(source.corpus_in_use(), least=LEAST_MAPPED).items()}


def clusters_by_default() -> int:
    """The number of clusters that are found unless the visitor chooses another one: a folder labels no senses."""
    return 0 if not is_shown() or text_vectors.corpus().labels_senses else 2


def below(answers: Sequence[Answer[Map]], models: Models, found: Sequence[FoundClusters | None]) -> None:
    """Draw for each model the sentences of the selected occurrences, and how well every layer recovers the senses."""
    for container, clusters in zip(running.containers(tuple(answers), part="sentences"), found, strict=True):
        with container as answer:
            _sentences(answer, clusters)
    query = _made(answers[0].model)
    if query is None or not query["corpus"].labels_senses:
        page.caption(
            "The folder has no labelled [[sense|senses]], so [[k-means]] divides the occurrences into clusters without"
            " names. It always finds clusters, even where there are none."
        )
        return
    _recovered(answers[0].value, query, models)


def _made(model: Model) -> Call | None:
    return model.vectors if isinstance(model.vectors, Call) else None


def _sentences(answer: Answer[Map], found: FoundClusters | None) -> None:
    """Draw the sentences of the selected occurrences, or of those nearest to the centre of each found cluster."""
    query, drawn = _made(answer.model), answer.value
    if query is None:
        return
    base = Model(answer.model.name, change=answer.model.change)
    note: tuple[str, ...] = running.run(query, base).notes
    st.text(note[0])
    groups = dict(zip(drawn.points["word"], drawn.points["group"], strict=True))
    picked = [name.strip() for name in str(PICK.value).split(",") if name.strip() in groups][:_SHOWN]
    if found is not None and not picked:
        by_cluster = dict(zip(drawn.points["word"], found.names, strict=True))
        chosen = [name for typical in found.table["typical"] for name in typical.split(", ")[:_SHOWN]]
    else:
        by_cluster, chosen = groups, picked or list(groups)[:1]
    frames = [_occurrence(query, base, name) for name in chosen]
    frame = pd.concat([each.assign(sense=by_cluster[name]) for each, name in zip(frames, chosen, strict=True)])
    looks = {name: mark(number) for number, name in enumerate(dict.fromkeys(by_cluster.values()))}
    marks = {name: (look.colour, look.symbol) for name, look in looks.items()}
    lists.show(frame, marks=marks)
    if found is not None and not picked:
        figures.as_table(frame, f"clusters-found-examples{shown.suffix()}", "Occurrences of each cluster, as a table")


def _occurrence(query: Call, model: Model, name: str) -> pd.DataFrame:
    more = {"combination": query["combination"]} if query["combination"] else {}
    number = int(name.rpartition(" ")[2])
    own = Call(occurrence, corpus=query["corpus"], word=query["word"], number=number, **more)
    frame: pd.DataFrame = running.run(own, model)
    return frame


def _recovered(drawn: Map, query: Call, models: Models) -> None:
    """Draw how well every layer combination recovers the senses of the word, or of all words."""
    shown.section("How well does each layer separate the senses?")
    st.segmented_control("Words", required=True, label_visibility="collapsed", **HOW_MANY.widget)
    corpus, counts = query["corpus"], drawn.points["group"][drawn.points["group"] != NO_LABEL].value_counts()
    if HOW_MANY.value == ONE and (counts > 1).sum() < 2:
        st.text(senses.too_few_senses(query["word"]))
        return
    count = len(labelled_words(corpus))
    seconds = _PER_WORD * count * len(models)
    if HOW_MANY.value == ALL and not long_work.requested(
        "clusters-all-senses", f"Measure {count} words", seconds, (models, corpus)
    ):
        return

    def query_of(model: Model) -> Call:
        combination = source.combination_of(corpus, models, model)
        if HOW_MANY.value == ALL:
            return Call(senses.recovery_of_all, corpus=corpus, combination=combination)
        return Call(senses.recovery, corpus=corpus, word=query["word"], combination=combination)

    name, prints = ("recovered", ("headline", "frame")) if HOW_MANY.value == ONE else ("every_word", ("frame",))
    answers = running.ask(name, query_of, models, label="Reading every layer", prints=prints)
    answers = tuple(answer for answer in answers if not answer.stale)
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            st.text(answer.value.headline)
            _measures(answer.value, results)


def _measures(result: Recovery, results: Sequence[Recovery]) -> None:
    name = "clusters-recovery" if result.word else "clusters-recovery-all"
    figures.show(charts.recovery, result, beside=results, name=name)
    note = (
        "A single word has few occurrences, so high values can occur by chance."
        if result.word
        else f"All values are means over {result.words} words; each word counts once."
    )
    if result.is_cut and not result.word:
        note += f" Of each word, at most {senses.MAX_LABELLED} labelled occurrences are compared, drawn at random."
    page.caption(
        "Filled circles show the share of occurrences whose [[nearest neighbour]] has the same [[sense]]. Filled"
        " diamonds show how well [[k-means]] finds the senses without the labels ([[adjusted Rand index]]). Open marks"
        " show the mean over 1,000 shuffles of the labels; the line above each mark ends at their 95th percentile."
        f" {note}"
    )


def chosen_clusters() -> int:
    """The number of clusters to find: that of the field, or of a source that has no groups."""
    return int(FOUND.value) or clusters_by_default()
