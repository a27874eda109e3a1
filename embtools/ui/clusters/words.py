"""The fields for the words on the map and for their vectors, and badges for what became of the words."""

from typing import Any

import streamlit as st

from embtools.clusters.map_result import Map
from embtools.clusters.maps import MAX_TSNE
from embtools.messages import counted
from embtools.tables.columns import Chosen, listed_again
from embtools.ui import entry, fields, glossary, options, shown, state, uploads
from embtools.ui.clusters.inputs import (
    FORMULAS,
    LABELS,
    LAYERS,
    LIST,
    MOST_DRAWN,
    OF,
    ONLY,
    OWN,
    PICK,
    PIECES,
    SAMPLE,
    SENTENCE,
    SHUFFLE,
    SOURCE,
    TEMPLATES,
    TYPED,
    VOCABULARY,
    edited,
    has_many,
    label_columns,
)
from embtools.words import groups


def show(layers: int) -> None:
    """Draw the fields, for a model with this number of layers."""
    name, file = LIST.value, OF.file
    named = {option: "all words of the file" if file and option == VOCABULARY else option for option in LIST.options}
    options.choose(st.selectbox, "List", LIST.key, named, name)
    if edited():
        st.caption("You have changed the groups, so they are no longer those of this list.")
    if name == VOCABULARY and file:
        _of_file()
    elif name == VOCABULARY:
        st.caption("All tokens of the model's vocabulary, grouped by kind: at most 30,000, without special tokens.")
    else:
        entry.text_area(
            "Groups (one per line)",
            height=130,
            help="For each group, write a name, a colon and comma-separated words. You can change the groups.",
            **TYPED[name].widget,
        )
        if groups.is_pasted_table(text := str(TYPED[name].value)):
            uploads.pasted(groups.read_table, text, "clusters-pasted", _read, errors=False)
        else:
            uploads.say(*groups.left_out(text))
        uploads.table("word, group", "clusters-file", _read)
    if not OF.only_file:
        st.segmented_control(
            "Vectors",
            required=True,
            help=f"Static embedding: {glossary.definition('static embedding')} In a sentence:"
            f" {glossary.definition('hidden state')}",
            **SOURCE.widget,
        )
        if SOURCE.value == SENTENCE:
            _sentence(layers, name)
    entry.text_area(
        "Formulas as additional points (one per line)",
        height=68,
        placeholder="rome = rome - italy + france",
        help="“word = formula” draws a line from the word to its edited vector. A formula alone becomes a point of its"
        " own.",
        **FORMULAS.widget,
    )
    uploads.say(*listed_again(fields.lines(FORMULAS.value), "formula"))
    if not OF.only_file:
        st.segmented_control(
            "Words of several tokens",
            required=True,
            help=f"{glossary.definition('word piece')} Leave such words out, use the mean of their tokens, or use only"
            " the first token, as in the script behind Figure 1.",
            **PIECES.widget,
        )
    controls()


def controls() -> None:
    """Draw the fields that all sources have."""
    st.toggle(
        "Shuffle the groups",
        help="A control: the words are assigned to the groups at random. Any pattern of groups that you still see is"
        " due to chance.",
        **SHUFFLE.widget,
    )
    if ONLY.value:
        entry.text_area(
            "Show only these words", height=68, help="Clear this field to see all words again.", **ONLY.widget
        )


def badges(drawn: Map) -> None:
    """Draw badges for what a map itself does not show: shuffled groups, and words of several tokens."""
    several = drawn.several
    if drawn.words.shuffled is None and not drawn.left_out and not several:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if drawn.words.shuffled is not None:
            st.badge("Groups shuffled", icon=":material/shuffle:", color="orange")
        if drawn.left_out:
            st.badge(
                f"{len(drawn.left_out)} left out (several tokens)", icon=":material/extension_off:", color="orange"
            )
            st.text(", ".join(drawn.left_out[:20]))
            st.button(
                "Use the mean of their tokens",
                key=f"clusters-mean{shown.suffix()}",
                on_click=state.put,
                args=({PIECES.key: "mean"},),
                type="tertiary",
            )
        if several:
            st.badge(
                f"{len(several)} read as the mean of their tokens"
                if drawn.words.pieces == "mean"
                else f"{len(several)} read as their first token",
                icon=":material/extension:",
                color="orange",
            )
            st.text(", ".join(several[:20]))


def _of_file() -> None:
    """Draw the choice of labels, and of a sample of many words."""
    if len(columns := label_columns()) > 1:
        LABELS.keep_among(("", *columns[1:]))
        named = {"": columns[0], **{column: column for column in columns[1:]}}
        options.choose(st.selectbox, "Groups: column of labels", LABELS.key, named, LABELS.value)
    if has_many(OF.file):
        st.toggle(
            f"Random sample of {MOST_DRAWN:,} words",
            help=f"t-SNE is available for at most {MAX_TSNE:,} points. PCA can show all words of the file.",
            **SAMPLE.widget,
        )


def _sentence(layers: int, name: str) -> None:
    entry.text_input("Sentence around each {word}", **TEMPLATES[name].widget)
    st.slider(
        "Layer",
        help=f"{glossary.definition('layer')} Layer 0 is the input embedding: the static embedding with position and"
        " segment added.",
        **LAYERS[layers].widget,
    )


def _read(source: str | bytes, columns: Chosen | None = None) -> dict[str, Any]:
    found = groups.read_table(source, columns)
    read = f"{counted(sum(len(words) for _, words in found.value), 'word')} in {counted(len(found.value), 'group')}"
    values = {LIST.key: OWN, TYPED[OWN].key: groups.write_groups(found.value), ONLY.key: "", PICK.key: ""}
    return uploads.Filled(values, read, found.notes)
