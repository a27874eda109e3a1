"""Home from top to bottom, with its three doors (to learn, to explore and to measure) and all pages with their
questions.

Everything that needs no model is drawn first; then the answers fill their containers.
"""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from embtools.lessons import bundled
from embtools.ui import carried, glossary, menu, page, share, state
from embtools.ui.arithmetic import edit_query
from embtools.ui.home import bank, foot, own_words, rome, word_search
from embtools.ui.shown import Model

FIELDS = (*rome.FIELDS, *own_words.FIELDS, *word_search.FIELDS)
_QUESTION = (
    "Inside [[BERT]], every word is a list of numbers: its [[embedding]]. Change the numbers, ask again, see what"
    " happens."
)


class Door(NamedTuple):
    """A link: its label, the page to which it leads, and the parameters that this page gets."""

    label: str
    leads: str
    query: dict[str, list[str]]


_EXPLORE = (
    Door("Your words on a map", "clusters", {"clusters_list": ["own"]}),
    Door("Your sentence with a gap", "arithmetic", {edit_query.TEXT.key: [""], edit_query.EDITS.key: [""]}),
    Door("Your file of word vectors", "clusters", {"clusters_of": ["file"], "open": ["vectors-file"]}),
)
_MEASURE = (
    Door("One edit in hundreds of cases", "evidence", {}),
    Door("One edit in many sentences", "arithmetic", {"arithmetic_tab": ["many"]}),
    Door("Claims of five articles, tested", "paper", {}),
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
    _doors()
    looked_up = st.container()
    _pages()
    foot.model_in_use(name)
    foot.privacy()
    rome.answer(game, name)
    own_words.answer(drawn, name)
    with looked_up:
        word_search.answer(Model(name))


def _doors() -> None:
    """Draw the three doors next to each other, with the search for a word in the second."""
    lessons = bundled.lessons()
    hour = [Door(lessons[key].title, "lessons", {"lesson": [key]}) for key in bundled.HOUR]
    with st.container(key="doors"):
        learn, explore, measure = st.columns(3, gap="small")
    with learn, st.container(border=True, key="door-learn", gap="xsmall"):
        st.header("Learn", anchor=False)
        st.text(f"Guess first, then see why. {bundled.hour()}")
        _links([*hour, Door(f"All {bundled.summary()}", "lessons", {})])
    with explore, st.container(border=True, key="door-explore", gap="xsmall"):
        st.header("Explore", anchor=False)
        st.text("Take what you like, and change it.")
        _links(_EXPLORE)
        word_search.field()
    with measure, st.container(border=True, key="door-measure", gap="xsmall"):
        st.header("Measure", anchor=False)
        st.text("One example proves little. Try many cases, and controls that should not work.")
        _links(_MEASURE)


def _pages() -> None:
    """Draw the links to the pages with their questions, by the groups of the menu; the first door leads to Lessons."""
    st.header("Pages and their questions", anchor=False)
    links = state.links([each.name for each in menu.PAGES], page.COMMON)
    with st.container(key="pages"):
        for section in filter(None, dict.fromkeys(each.section for each in menu.PAGES)):
            with st.container(key=f"pages-{section}", gap=None):
                st.subheader(section, anchor=False)
                for each in menu.PAGES:
                    if each.section == section:
                        st.page_link(each.script, label=each.title, icon=each.icon, query_params=links[each.name])
                        st.caption(each.question)


def _links(doors: Sequence[Door]) -> None:
    icons = {each.name: each for each in menu.PAGES}
    for label, leads, query in doors:
        st.page_link(icons[leads].script, label=label, icon=icons[leads].icon, query_params=page.common() | query)
