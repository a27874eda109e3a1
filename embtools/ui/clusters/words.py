"""Which words are on the map, and which vectors of them: the first tab beside it."""

from typing import Any

import streamlit as st

from embtools.ui import cached, glossary, uploads
from embtools.ui.clusters.asking import (
    FORMULAS,
    LAYERS,
    LIST,
    ONLY,
    OWN,
    PICK,
    PIECES,
    SENTENCE,
    SHUFFLE,
    SOURCE,
    TEMPLATES,
    TYPED,
    VOCABULARY,
)
from embtools.words import groups


def show(model: str) -> None:
    """The fields of the words."""
    name = LIST.value
    st.selectbox("List", **LIST.widget)
    if name == VOCABULARY:
        st.caption("The entries of the model's vocabulary, in their kinds: 30,000 at most, without special tokens.")
    else:
        st.text_area(
            "Groups, one a line",
            height=130,
            help="A name, a colon, words between commas. Edit them as you like.",
            **TYPED[name].widget,
        )
        uploads.table("word, group", "clusters-file", _read)
    st.segmented_control(
        "Vectors",
        required=True,
        help=f"Static embedding: {glossary.definition('static embedding')} In a sentence:"
        f" {glossary.definition('hidden state')}",
        **SOURCE.widget,
    )
    if SOURCE.value == SENTENCE:
        _sentence(cached.model(model).layers, name)
    st.text_area(
        "Formulas as further points, one a line",
        height=68,
        placeholder="rome = rome - italy + france",
        help="word = formula draws a line from the word to its edited vector; a formula alone is a point of its own.",
        **FORMULAS.widget,
    )
    st.segmented_control(
        "Words of several pieces",
        required=True,
        help=f"{glossary.definition('word piece')} Leave such words out, take the mean of their pieces, or only the"
        " first piece, as in the script behind Figure 1.",
        **PIECES.widget,
    )
    st.toggle(
        "Shuffle the groups",
        help="A control: words change places between groups. What you still see then is not in the words.",
        **SHUFFLE.widget,
    )
    if ONLY.value:
        st.text_area("Map only these words", height=68, help="Empty it to see all words again.", **ONLY.widget)


def _sentence(layers: int, name: str) -> None:
    st.text_input("Sentence with {word}", **TEMPLATES[name].widget)
    st.slider(
        "Layer",
        help=f"{glossary.definition('layer')} 0 is the embedding output: position and segment added.",
        **LAYERS[layers].widget,
    )


def _read(data: bytes) -> dict[str, Any]:
    return {LIST.key: OWN, TYPED[OWN].key: groups.write_groups(groups.from_csv(data)), ONLY.key: "", PICK.key: ""}
