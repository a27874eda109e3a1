"""The second tab of the Corpus page where the text is a folder: groups of a word's occurrences, which nobody named."""

from typing import Any

import streamlit as st

from embtools.corpus import stored_senses as numbers
from embtools.corpus.stored_senses import Groups
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.ui import cached, figures, folders, glossary, jobs, page, texts
from embtools.ui.corpus import lists, points, source, words
from embtools.ui.share import Code


def show(model: str, code: Code, folder: CorpusFolder, fields: tuple[Any, Any]) -> None:
    """The word; its map beside what stands for each group. fields: those of the map and of how many groups."""
    method, groups = fields
    word, count, kind = st.columns([2, 2, 2], gap="small")
    with word:
        words.field()
    with count:
        st.slider("Groups", help=glossary.definition("k-means"), **groups.widget)
    with kind:
        st.segmented_control("Map", required=True, help=glossary.definition("PCA"), **method.widget)
    source.space_folded()
    place = st.container()
    asked, options = words.WORD.value.strip(), {"groups": int(groups.value), "method": method.value}
    try:
        found = jobs.run(
            "corpus-groups", numbers.groups_in_folder, model, folder, asked, label="Reading the word", **options
        )
    except ValueError as error:
        with place:
            texts.problem(error)
        words.suggestions(folder, place, least=numbers.least(int(groups.value)))
        return
    left, right = st.columns([5, 6], gap="medium")
    with right, st.container(key="hero"):
        st.header(texts.plain(numbers.finding(found)), anchor=False)
        lists.show(found.examples, senses=found.points["sense"])
        page.seen(
            "The folder says no [[sense|senses]], so these groups have no names: [[k-means]] finds some everywhere. Of"
            " each the occurrences nearest to its centre, with their [[cosine]]. The [[silhouette]] says how far the"
            " groups lie apart; beside it stand five clouds of the same spread that have none."
        )
        figures.folded(found.examples, "corpus-group-examples")
        figures.folded(found.table, "corpus-groups", "The groups as a table")
    with left:
        source.badge()
        _map(model, folder, found)
    code.add(
        "senses",
        folders.code(folder),
        f"found = groups_in_folder(folder, {asked!r}, model, groups={groups.value!r}, method={method.value!r})",
        "print(stored_senses.finding(found), found.points, found.examples, found.table, sep='\\n')",
    )


def _map(model: str, folder: CorpusFolder, found: Groups) -> None:
    points.show(found, "corpus-groups-map", "Colours are the groups.")
    if words.NUMBER.value in set(found.points["rank"]):
        chosen = cached.compute(numbers.occurrence, model, folder, found.word, int(words.NUMBER.value))
        lists.show(chosen)
