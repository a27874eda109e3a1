"""Panel for colour words: do colours that look similar also have similar vectors and answers in BERT?"""

from contextlib import AbstractContextManager

import streamlit as st

from embtools.ui import captions, state
from embtools.ui.corpora import text_vectors
from embtools.ui.fields import Choice, given
from embtools.ui.shown import Models
from embtools.ui.similarity import answers, black_sheep, colours, inputs
from embtools.ui.vectors_of import MODEL

TAB = "Colour perception"
USES_EDIT = True
LOOK, ASK, SHEEP = "Appearance and usage", "BERT's answers", "Black sheep"
PARTS = {LOOK: colours, ASK: answers, SHEEP: black_sheep}
PART = Choice("similarity_sight", LOOK, {"appearance": LOOK, "answers": ASK, "sheep": SHEEP})
FIELDS = (*inputs.FIELDS, PART, *answers.FIELDS, *black_sheep.FIELDS)
BASIC = "black, white, red, green, yellow, blue, brown, purple, pink, orange, gray"  # Berlin & Kay 1969
PRESETS = {
    "21 colours": {PART.key: LOOK},
    "Eleven basic colours": {PART.key: LOOK, inputs.WORDS.key: BASIC},
    "Most similar colour": {PART.key: ASK},
    "Opposite colour": {PART.key: ASK, answers.QUESTION.key: "The opposite of {word} is [MASK]."},
    "Black sheep": {PART.key: SHEEP},
    "Green grass, red blood": {
        PART.key: SHEEP,
        black_sheep.SUBJECTS.key: "grass, leaf, frog, apple, blood, rose, fire, car, thing",
        black_sheep.TWO.key: "green, red",
    },
}


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    if PART.value == ASK:
        return inputs.WORDS, answers.QUESTION
    with _source():
        return black_sheep.FIELDS if PART.value == SHEEP else inputs.caption()


def show(models: Models) -> None:
    """Draw three comparisons in tabs."""
    for name, tab in state.tabs(PART).items():
        if tab.open:
            with tab:
                if name == LOOK and text_vectors.are_chosen(inputs.OF):
                    st.text("Occurrences and sentences are not colours, so this tab compares this model's vectors.")
                with _source():
                    PARTS[name].show(models)


def _source() -> AbstractContextManager[None]:
    """Let a part use the chosen source if it can, else the model, so that other tabs keep theirs."""
    source = inputs.OF.source
    possible = PART.value == LOOK and not text_vectors.are_chosen(inputs.OF)
    return given({source.key: source.value if possible else MODEL})
