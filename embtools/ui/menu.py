"""The entries of the menu: the pages, each with its title, its icon and the question that it answers."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache

import streamlit as st

from embtools.lessons.bundled import summary
from embtools.ui import citation, state
from embtools.ui.fields import Field

TITLE = citation.APP


@dataclass(frozen=True)
class Page:
    """An entry of the menu and of the list on Home. Script, packages and tests have the same name as the page."""

    name: str
    title: str
    icon: str
    section: str
    question: str

    @property
    def script(self) -> str:
        return f"pages/{self.name}.py"


PAGES = (
    Page(
        "lessons", "Lessons", ":material/school:", "",
        f"Guess first, then see the answer and the reason: {summary()}, or one of your own",
    ),
    Page(
        "arithmetic", "Arithmetic", ":material/calculate:", "Words",
        "Change a word and ask BERT again. Is the effect real?",
    ),
    Page(
        "similarity", "Similarity", ":material/grid_on:", "Words",
        "Which words are similar in BERT, in your file or in texts? Do similar colours have similar words?",
    ),
    Page(
        "clusters", "Clusters", ":material/scatter_plot:", "Words",
        "Words on a map: which are near each other, can you trust the map, and is the space even?",
    ),
    Page(
        "bias", "Bias", ":material/balance:", "Words",
        "Replace he with she: which prejudices has BERT learnt, and what remains after mitigation?",
    ),
    Page(
        "inputs", "Inputs", ":material/input:", "Inside BERT",
        "Which vector does BERT read for a word? The same word at two positions, step by step",
    ),
    Page(
        "layers", "Layers", ":material/layers:", "Inside BERT",
        "One word in several sentences: in which layer does BERT distinguish the bank of a river from a bank that"
        " lends money?",
    ),
    Page(
        "attention", "Attention", ":material/visibility:", "Inside BERT",
        "BERT reads each word together with the others. From which words does it take how much, layer by layer?",
    ),
    Page(
        "tracing", "Tracing", ":material/route:", "Inside BERT",
        "Where in BERT does the answer come from? Copy, block or switch off a part, and see whether the answer changes",
    ),
    Page(
        "pairs", "Pairs", ":material/join_inner:", "Inside BERT",
        "Does the second sentence follow the first, and how similar are the two?",
    ),
    Page(
        "concepts", "Concepts", ":material/explore:", "Inside BERT",
        "What has BERT learnt about tense, number, topic or your own labels? Read it, find its direction, erase it or"
        " add it",
    ),
    Page(
        "corpus", "Corpus", ":material/library_books:", "Texts",
        "A word in its sentences: which words have similar vectors, and do its senses separate?",
    ),
    Page(
        "features", "Features", ":material/blender:", "Texts",
        "What is a word made of for BERT? Patterns that it has learned from text, or a mix of a few other words",
    ),
    Page(
        "evidence", "Evidence", ":material/checklist:", "Evidence",
        "How often does an edit work? The same edit for hundreds of words, compared with its controls",
    ),
    Page(
        "paper", "Paper", ":material/fact_check:", "Evidence",
        "What five articles claim about BERT, and whether it holds for the model you have chosen",
    ),
)  # fmt: skip
IDEAS = tuple(page for page in PAGES if page.section)
"""The pages with panels of their own. The others show the panels of these."""
OWN_VECTORS = "Your vectors"
"""The way to a map of a visitor's file."""
ABOUT = "about"
"""The page without panels that is last in the menu."""


def titles() -> dict[str, str]:
    """Return the title of each page by its name, also of Home ("") and About."""
    return {"": "Home", ABOUT: "About", **{page.name: page.title for page in PAGES}}


def draw_links(shared: Sequence[Field]) -> None:
    """Draw the links to all pages, which keep the values of these fields; the first section, and those of pages that
    the visitor has opened, are unfolded at first."""
    st.html(f'<p class="name">{TITLE}</p>')
    links = state.links(("", *(page.name for page in PAGES), ABOUT), shared)
    opened = {page.section for page in PAGES if state.left(page.name) is not None} | {IDEAS[0].section}
    with st.container(key="menu", gap=None):
        st.page_link(_target("app.py"), label="Home", icon=":material/home:", query_params=links[""])
        for section in dict.fromkeys(page.section for page in PAGES):
            fold = st.expander(section, expanded=section in opened, type="compact") if section else nullcontext()
            with fold:
                for page in PAGES:
                    if page.section == section:
                        st.page_link(
                            _target(page.script), label=page.title, icon=page.icon, query_params=links[page.name]
                        )
                        if page.name == "clusters":
                            of_file = {**links[page.name], "clusters_of": ["file"], "open": ["vectors-file"]}
                            of_file.pop("clusters_tab", None)
                            with st.container(key="menu-own-vectors"):  # the page that is marked is Clusters
                                st.page_link(
                                    _target(page.script),
                                    label=OWN_VECTORS,
                                    icon=":material/upload_file:",
                                    query_params=of_file,
                                )
        st.page_link(_target("pages/about.py"), label="About", icon=":material/info:", query_params=links[ABOUT])


@lru_cache
def _target(script: str) -> st.Page:
    """Return the page of a script next to the app, kept because Streamlit would look for the file of each link again in
    every run of every page."""
    return st.Page(script, default=script == "app.py")
