"""What every page is: a headline, examples, panels under tabs, and the tools that hand on what it shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import streamlit as st

from embtools.models.catalogue import BUNDLED
from embtools.ui import cached, citation, compare, figures, glossary, models, moved, share, spelling, state, warm
from embtools.ui.fields import Choice, Field, Text
from embtools.ui.share import Code
from embtools.ui.texts import plain

TITLE = citation.APP
MODELS = models.FIRST, compare.SECOND
COMMON: tuple[Field, ...] = (
    *(field for chooser in MODELS for field in (chooser.field, chooser.wanted)),
    figures.TABLES,
    figures.PICTURE,
)
"""The fields that all pages share."""
_HERE = Path(__file__).parent
_SHEETS = "".join((_HERE / f"{name}.css").read_text(encoding="utf-8") for name in ("style", "narrow", "print"))
_STYLE = f"<style>{_SHEETS}</style>"
_SCRIPT = (_HERE / "page.js").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Page:
    """A line of the menu and a card on Home. The name is that of the script, the packages and the tests."""

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
        "arithmetic", "Arithmetic", ":material/calculate:", "Words",
        "Change a word with a formula and ask BERT again: is the effect real?",
    ),
    Page(
        "similarity", "Similarity", ":material/grid_on:", "Words",
        "Which words does BERT find alike, and does that follow the eye?",
    ),
    Page(
        "clusters", "Clusters", ":material/scatter_plot:", "Words",
        "Your words on a map: which stand together, and how far can the map be trusted?",
    ),
    Page(
        "bias", "Bias", ":material/balance:", "Words",
        "Swap he for she: which prejudices has BERT learnt, and what do remedies leave?",
    ),
    Page(
        "inputs", "Inputs", ":material/input:", "Inside BERT",
        "What goes into BERT for a word: the same word in two places, term by term",
    ),
    Page(
        "attention", "Attention", ":material/visibility:", "Inside BERT",
        "What does a word look at, head by head, and does that explain the answer?",
    ),
    Page(
        "layers", "Layers", ":material/layers:", "Inside BERT",
        "One word in several sentences: where does BERT tell a river bank from a bank robber?",
    ),
    Page(
        "pairs", "Pairs", ":material/join_inner:", "Inside BERT",
        "Two sentences: does one follow the other, how alike are they, would others do as well?",
    ),
    Page(
        "probing", "Probing", ":material/science:", "Inside BERT",
        "What can be read out of BERT's vectors: tense, number, topic, or labels of your own?",
    ),
    Page(
        "corpus", "Corpus", ":material/library_books:", "Texts",
        "Every word of a text in its sentence: what is near it there, and do its senses fall apart?",
    ),
    Page(
        "decomposition", "Decomposition", ":material/blender:", "Texts",
        "Which other words is a word made of, and is that more than chance?",
    ),
    Page(
        "isotropy", "Isotropy", ":material/blur_on:", "Texts",
        "BERT's vectors crowd into a cone: does it help to spread them out?",
    ),
    Page(
        "paper", "Paper", ":material/fact_check:", "Published",
        "What five articles claim, and whether it holds in the model you have chosen",
    ),
)  # fmt: skip


class Panel(Protocol):
    """A module that fills a tab: its name, its fields, its examples (values that differ from the defaults).

    One that can show a second model beside the first says so: `COMPARES = True`. What its buttons put into fields
    besides the examples, `button_texts() -> [{key: text}, …]` names: a cased model is asked it in its own spelling.
    If the examples depend on what the page is about, `examples()` returns those that fit, as PRESETS would have them.
    """

    TAB: str
    FIELDS: tuple[Field, ...]
    PRESETS: dict[str, dict[str, Any]]

    def show(self, model: str, code: Code) -> None:
        """Draw fields and results; write the Python that reproduces them."""


def show(name: str, panels: Sequence[Any], explanation: str, sources: Sequence[str], above: Any = None) -> None:
    """A whole page. `panels` are modules (see `Panel`); the texts are constant Markdown, never a visitor's.

    `above` is a module with FIELDS and show(): a line over all tabs, whose fields no example changes.
    """
    tab = Choice(f"{name}_tab", panels[0].TAB, tuple(panel.TAB for panel in panels))
    fields = (tab, *(field for part in (*([above] if above else ()), *panels) for field in part.FIELDS))
    model = begin(name, fields)
    code = Code(name, model)
    page = next(page for page in PAGES if page.name == name)
    with st.container(key="head", horizontal=True, vertical_alignment="center", gap="small"):
        st.title(page.title, anchor=False, width="content")
        st.markdown(page.question, width="stretch")
        tools = st.container(key="tools", horizontal=True, width="content", gap="small")
    if above:
        above.show()
    capitals = spelling.begin(panels)
    if len(panels) == 1:
        if panels[0].PRESETS:
            _examples(panels, panels[0], fields)
        compare.note(model, panels[0], panels)
        _describe(page.title, panels[0], model)
        panels[0].show(model, code)
    else:
        for panel, opened in zip(panels, state.tabs(tab).values(), strict=True):
            if opened.open:
                with opened:
                    _examples(panels, panel, fields)
                    compare.note(model, panel, panels)
                    _describe(f"{page.title} › {panel.TAB}", panel, model)
                    panel.show(model, code)
    spelling.badge(capitals)
    state.follow()
    with tools:
        share.tools(code)
        with st.popover("Explain", icon=":material/menu_book:", key="explain"):
            st.markdown(explanation)
            st.markdown("Sources: " + " · ".join(sources))


def begin(name: str, fields: Sequence[Field] = ()) -> str:
    """Begin the page of that name ("" for Home); returns the name of the model that answers.

    If the visitor has chosen a model that cannot be loaded, the page says why and what to do, and the bundled one
    answers. Home loads none.
    """
    moved.follow(name)
    page = next((p for p in PAGES if p.name == name), None)
    warm.visited(tuple(p.name for p in PAGES))
    st.set_page_config(
        page_title=f"{page.title} · {TITLE}" if page else TITLE,
        page_icon="🧭",  # a material icon would be fetched from another host
        layout="wide",
    )
    st.html(_STYLE)
    st.components.v2.component("page", html="<span></span>", js=_SCRIPT)(key="page-script")
    state.enter(name, (*COMMON, *fields))
    for chooser in MODELS:
        chooser.settle()
    compare.settle()
    state.follow()
    with st.sidebar:
        _menu()
        _settings()
        ahead = st.empty()
    for chooser in MODELS:
        chooser.offer()
    model: str = models.MODEL.value
    if not page:
        return model
    if not cached.at_hand(BUNDLED):
        figures.ahead(ahead)
    models.load(model)
    ahead.empty()
    warm.somebody_waits()  # whose page has only now something to draw with
    return model


def seen(text: str) -> None:
    """One line under a picture: what you see. Constant text, its terms marked as `glossary.html` reads them."""
    st.html(glossary.html(text))


def example(panel: Any, values: dict[str, Any]) -> dict[str, Any]:
    """The values of all of a panel's fields that an example stands for: its own, and the defaults of the others.

    An example is shown as it was meant, whatever was set before.
    """
    return {field.key: field.default for field in panel.FIELDS} | values


def _describe(title: str, panel: Any, model: str) -> None:
    figures.describe(title, [field for field in panel.FIELDS if isinstance(field, Text)], compare.titles(model))


def _examples(panels: Sequence[Any], panel: Any, fields: Sequence[Field]) -> None:
    """The examples of the open panel in a row, and the way back to the start."""
    tab = fields[0].key
    fitting = getattr(panel, "examples", None)  # Clusters has a module of that name
    offered = fitting() if callable(fitting) else panel.PRESETS
    with st.container(key="choices", horizontal=True, gap="small"):
        if offered:
            examples = st.container(key="examples", horizontal=True, vertical_alignment="center", gap="small")
        for name, values in offered.items():
            examples.button(
                plain(name),
                on_click=state.put,
                args=({**example(panel, values), tab: panel.TAB},),
                key=f"example-{panel.TAB}-{name}",
                type="tertiary",
            )
        st.button(
            "Reset",
            icon=":material/restart_alt:",
            on_click=state.put,
            args=({field.key: field.default for field in fields if field.key != tab},),
            key="reset",
            type="tertiary",
        )


def _menu() -> None:
    st.html(f'<p class="name">{TITLE}</p>')
    links = state.links(("", *(page.name for page in PAGES)), COMMON)
    st.page_link("app.py", label="Home", icon=":material/home:", query_params=links[""])
    section = ""
    for page in PAGES:
        if page.section != section:
            section = page.section
            st.caption(section)
        st.page_link(page.script, label=page.title, icon=page.icon, query_params=links[page.name])


def _settings() -> None:
    fold = state.fold("settings", f"{compare.titles(models.MODEL.value)} · settings", ":material/tune:")
    if fold.open:
        with fold:
            models.picker()
            compare.picker(models.MODEL.value)
            figures.settings()
