"""Home from top to bottom. Everything that needs no model is drawn first; then the answers fill their containers."""

import streamlit as st

from embtools.ui import carried, glossary, menu, share
from embtools.ui.home import bank, doors, foot, own_words, rome, word_search
from embtools.ui.shown import Model

FIELDS = (*rome.FIELDS, *own_words.FIELDS, *word_search.FIELDS)
_QUESTION = (
    "Inside [[BERT]], every word is a list of numbers: its [[embedding]]. Change the numbers, ask again, see what"
    " happens."
)


def show(name: str) -> None:
    """Draw the page for a model, which is loaded only if an answer needs it."""
    with st.container(key="head", horizontal=True, vertical_alignment="center", gap="small"):
        st.title(menu.TITLE, anchor=False, width="content")
        st.html(glossary.html(_QUESTION), width="stretch")
        with st.container(key="tools", horizontal=True, width="content", gap="small"):
            share.link()
    carried.badge()
    with st.container(key="first-screen"):
        left, right = st.columns(2, gap="small")
    with left, st.container(key="game", border=True):
        game = rome.question(name)
    with right, st.container(key="own-words", border=True):
        drawn = own_words.field(name)
    with st.container(key="bank", border=True, horizontal=True, vertical_alignment="top", gap="medium"):
        bank.show()
    doors.show()
    looked_up = st.container()
    doors.pages()
    foot.model_in_use(name)
    foot.privacy()
    rome.answer(game, name)
    own_words.answer(drawn, name)
    with looked_up:
        word_search.answer(Model(name))
