"""A map of a word's occurrences in a folder, divided into clusters because the folder has no labelled senses."""

from typing import Any

import streamlit as st

from embtools.corpus import stored_senses as numbers
from embtools.corpus.stored_senses import Groups
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.ui import cached, figures, folders, glossary, jobs, page, texts
from embtools.ui.corpus import lists, points, source, words
from embtools.ui.share import Code


def show(model: str, code: Code, folder: CorpusFolder, fields: tuple[Any, Any]) -> None:
    """Show the fields, the map, and examples of each cluster.

    fields: those for the projection and for the number of clusters.
    """
    method, groups = fields
    word, count, kind = st.columns([2, 2, 2], gap="small")
    with word:
        words.field()
    with count:
        st.slider("Number of clusters", help=glossary.definition("k-means"), **groups.widget)
    with kind:
        st.segmented_control("Projection", required=True, help=glossary.definition(method.value), **method.widget)
    source.space_folded()
    place = st.container()
    query, options = words.WORD.value.strip(), {"groups": int(groups.value), "method": method.value}
    try:
        result = jobs.run(
            "corpus-groups", numbers.groups_in_folder, model, folder, query, label="Reading the word", **options
        )
    except ValueError as error:
        with place:
            texts.problem(error)
        words.suggestions(folder, place, least=numbers.least(int(groups.value)))
        return
    left, right = st.columns([5, 6], gap="medium")
    with right, st.container(key="hero"):
        st.header(texts.plain(numbers.finding(result)), anchor=False)
        lists.show(result.examples, senses=result.points["sense"])
        page.seen(
            "The folder has no labelled [[sense|senses]], so [[k-means]] divides the occurrences into clusters without"
            " names. It always finds clusters, even where there are none. The list shows the occurrences nearest to the"
            " centre of each cluster, with their [[cosine]] to it. The [[silhouette]] measures how well the clusters"
            " are separated. The headline compares it with five sets of random points that have the same mean and"
            " covariance but no clusters."
        )
        figures.folded(result.examples, "corpus-group-examples")
        figures.folded(result.table, "corpus-groups", "Clusters, as a table")
    with left:
        source.badge()
        _map(model, folder, result)
    code.add(
        "senses",
        folders.code(folder),
        f"result = groups_in_folder(folder, model, word={query!r}, groups={groups.value!r}, method={method.value!r})",
        "print(stored_senses.finding(result), result.points, result.examples, result.table, sep='\\n')",
    )


def _map(model: str, folder: CorpusFolder, result: Groups) -> None:
    points.show(result, "corpus-groups-map", "Colours show the clusters.")
    if words.NUMBER.value in set(result.points["rank"]):
        chosen = cached.compute(numbers.occurrence, model, folder, result.word, int(words.NUMBER.value))
        lists.show(chosen)
