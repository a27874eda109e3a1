"""The settings of the Clusters page: which words, which vectors of them."""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from embtools.clusters import maps, points
from embtools.clusters.points import Words
from embtools.clusters.view import View
from embtools.ui import cached, jobs, page
from embtools.ui.clusters import view as clusters_view
from embtools.ui.clusters.examples import (
    LISTS,
    OWN,
    SENTENCE,
    SENTENCES,
    STATIC,
    VOCABULARY,
    sentence_key,
    text,
    words_key,
)
from embtools.ui.clusters.view import More
from embtools.words import groups as words_groups
from embtools.words.groups import FIGURE_1


@dataclass(frozen=True)
class Asked:
    """A map as the visitor asked for it; `stability`: with t-SNE from random starts as well; what `more` it carries."""

    words: Words
    view: View
    stability: bool = False
    more: More = field(default_factory=More)


def inputs(model: str) -> Asked:
    """The fields; returns what was asked, or the last map that could be drawn when this one has an error.

    The page ends here, with the reason shown, when there is no such map: a model need not know the first example.
    """
    page.set_state(st.session_state.pop("clusters_next", {}))
    with st.container(border=True):
        name = st.selectbox("Words", LISTS, key="clusters_list", bind="query-params")
        words = _words(model, name)
    with st.container(border=True):
        view, stability, more = clusters_view.inputs()
        if words and (asked := _drawable(model, words, view, stability, more)):
            st.session_state[f"clusters_good-{model}"] = asked
            return asked
    return _last_good(model)


def _last_good(model: str) -> Asked:
    """The last map of this model that could be drawn, or the first example; the page ends when it cannot be drawn."""
    key = f"clusters_good-{model}"
    asked: Asked = st.session_state.get(key) or Asked(Words(words_groups.preset(FIGURE_1)), View())
    try:
        jobs.long_call(maps.compute, model, asked.words, asked.view, label="Drawing the last map")
    except ValueError:
        st.stop()
    st.caption(
        "The last map that could be drawn stays." if key in st.session_state else "Meanwhile: the first example."
    )
    return asked


def _words(model: str, name: str) -> Words | None:
    """The fields of the words; None, with the reason shown, when they cannot be read."""
    typed = ""
    if name == VOCABULARY:
        st.caption("The entries of the model's vocabulary, in their kinds: 30,000 at most, without special tokens.")
    else:
        typed = st.text_area(
            "Groups, one a line",
            text(name),
            key=words_key(name),
            bind="query-params",
            height=150,
            help="A name, a colon, words between commas. Edit them as you like.",
        )
        _upload()
    problems = st.container()
    formulas = st.text_area(
        "Formulas as further points, one a line",
        key="clusters_formulas",
        bind="query-params",
        height=68,
        placeholder="rome = rome - italy + france",
        help="word = formula draws a line from the word to its edited vector; a formula alone is a point of its own.",
    )
    source = st.segmented_control(
        "Vectors",
        [STATIC, SENTENCE],
        default=STATIC,
        required=True,
        key="clusters_source",
        bind="query-params",
        help="The row of the embedding matrix, or the word's hidden state at a layer of a sentence.",
    )
    template, layer = _sentence(model, name) if source == SENTENCE else ("", 0)
    with st.expander("More about the words", icon=":material/tune:"):
        pieces: Any = st.segmented_control(
            "Words of several pieces",
            ["leave out", "mean", "first"],
            default="leave out",
            required=True,
            key="clusters_pieces",
            bind="query-params",
            help="mean: of their pieces. first: their first piece, as in the script behind Figure 1.",
        )
        only = st.text_area(
            "Map only these words",
            key="clusters_only",
            bind="query-params",
            height=68,
            placeholder="all; or a few, between commas",
            help="Select points on the map to fill this in.",
        )
        shuffle = st.toggle(
            "Shuffle the groups",
            key="clusters_shuffle",
            bind="query-params",
            help="A control: words change places between groups. What you still see then is not in the words.",
        )
    try:
        words = Words(
            None if name == VOCABULARY else words_groups.read_groups(typed),
            only=words_groups.read_words(only),
            formulas=tuple(line.strip() for line in formulas.splitlines() if line.strip()),
            pieces=pieces,
            template=template,
            layer=layer,
            shuffled=int(st.session_state.get("clusters_seed", 0)) if shuffle else None,
        )
        cached.compute(points.effort, model, words)
        return words
    except ValueError as error:
        with problems:
            page.problem(error)
        return None


def _sentence(model: str, name: str) -> tuple[str, int]:
    layers = cached.compute(_layers, model)
    template = st.text_input("Sentence with {word}", SENTENCES[name], key=sentence_key(name), bind="query-params")
    layer = st.slider(
        "Layer",
        0,
        layers,
        layers // 2,
        key=f"clusters_layer_{layers}",
        bind="query-params",
        help="0 is the embedding output: position and segment added.",
    )
    return template or " ", layer  # an empty sentence is an error to be told, not the static embedding


def _drawable(model: str, words: Words, view: View, stability: bool, more: More) -> Asked | None:
    """What was asked, drawn once so that it is remembered; None, with the reason shown, when it cannot be drawn."""
    words, view, stability, stop = clusters_view.affordable(model, words, view, stability, more)
    try:
        jobs.long_call(maps.compute, model, words, view, label="Drawing the map", stop=stop)
        if stability:
            label = "Drawing it from five random starts"
            jobs.long_call(maps.stability, model, words, view, label=label, stop=stop)
        return Asked(words, view, stability, more)
    except ValueError as error:
        page.problem(error)
        return None


def _upload() -> None:
    with st.popover("Upload a CSV", icon=":material/upload:"):
        st.caption("Columns word and group, with that first line, in UTF-8. The file is read and forgotten.")
        st.file_uploader("CSV file", type="csv", key="clusters_file", on_change=_read_upload)
    if error := st.session_state.get("clusters_upload_error"):
        page.problem(error)


def _read_upload() -> None:
    st.session_state["clusters_upload_error"] = ""
    file = st.session_state.get("clusters_file")
    if file is None:
        return
    try:
        groups = words_groups.from_csv(file.getvalue())
    except ValueError as error:
        st.session_state["clusters_upload_error"] = str(error)
        return
    page.set_state({"clusters_list": OWN, words_key(OWN): words_groups.write_groups(groups), "clusters_only": ""})


def _layers(*, model: Any) -> int:
    return int(model.layers)
