"""The frame of every page: menu, title, examples, tabs with panels, link, code and explanation."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import streamlit as st

from embtools.lessons.bundled import counted
from embtools.models.catalogue import BUNDLED
from embtools.ui import (
    back,
    cached,
    carried,
    citation,
    compare,
    draft,
    figures,
    glossary,
    guess_first,
    models,
    notebook,
    presenter,
    recorded,
    running,
    share,
    shown,
    spelling,
    state,
    visitors,
    warm,
)
from embtools.ui.fields import Choice, Field
from embtools.ui.rooms import asking, board, key, teacher
from embtools.ui.shown import Models
from embtools.ui.texts import plain

TITLE = citation.APP
MODELS = models.FIRST, compare.SECOND
COMMON: tuple[Field, ...] = (
    *(field for chooser in MODELS for field in (chooser.field, chooser.wanted)),
    figures.TABLES,
    figures.PICTURE,
    *presenter.FIELDS,
    guess_first.FIELD,
    *carried.FIELDS,
)
"""The fields that all pages share."""
_HERE = Path(__file__).parent
_SHEETS = "".join((_HERE / f"{name}.css").read_text(encoding="utf-8") for name in ("style", "narrow", "print"))
_STYLE = f"<style>{_SHEETS}</style>"
_SCRIPT, _FOLLOW = ((_HERE / f"{name}.js").read_text(encoding="utf-8") for name in ("page", "follow"))


@dataclass(frozen=True)
class Page:
    """An entry of the menu and a card on Home. Script, packages and tests have the same name as the page."""

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
        f"Guess first, then see the answer and the reason: {counted()}, or one of your own",
    ),
    Page(
        "arithmetic", "Arithmetic", ":material/calculate:", "Words",
        "Change a word with a formula and ask BERT again. Is the effect real?",
    ),
    Page(
        "similarity", "Similarity", ":material/grid_on:", "Words",
        "Which words does BERT find similar? Does it agree with how similar colours look?",
    ),
    Page(
        "clusters", "Clusters", ":material/scatter_plot:", "Words",
        "Your words on a map: which are near each other, and how far can you trust the map?",
    ),
    Page(
        "bias", "Bias", ":material/balance:", "Words",
        "Replace he with she: which prejudices has BERT learnt, and what remains after mitigation?",
    ),
    Page(
        "own_vectors", "Your vectors", ":material/upload_file:", "Words",
        "Word vectors from your file: their map, neighbours, associations, and how they differ from BERT's",
    ),
    Page(
        "inputs", "Inputs", ":material/input:", "Inside BERT",
        "Which vector does BERT read for a word? The same word at two positions, step by step",
    ),
    Page(
        "attention", "Attention", ":material/visibility:", "Inside BERT",
        "Which words does a word attend to, head by head, and does this explain the answer?",
    ),
    Page(
        "tracing", "Tracing", ":material/route:", "Inside BERT",
        "Where does an edit act: at which word, in which layer, through which heads?",
    ),
    Page(
        "layers", "Layers", ":material/layers:", "Inside BERT",
        "One word in several sentences: in which layer does BERT distinguish a river bank from a bank robber?",
    ),
    Page(
        "pairs", "Pairs", ":material/join_inner:", "Inside BERT",
        "Does the second sentence follow the first, and how similar are the two?",
    ),
    Page(
        "probing", "Probing", ":material/science:", "Inside BERT",
        "What can a simple classifier read from BERT's vectors: tense, number, topic, or your own labels?",
    ),
    Page(
        "directions", "Directions", ":material/explore:", "Inside BERT",
        "Is a concept a direction? Find it, erase it, or add it, and ask BERT again",
    ),
    Page(
        "corpus", "Corpus", ":material/library_books:", "Texts",
        "A word in its sentences: which words are near it, and do its senses separate?",
    ),
    Page(
        "decomposition", "Decomposition", ":material/blender:", "Texts",
        "Can a word's vector be written as a mix of a few other words?",
    ),
    Page(
        "isotropy", "Isotropy", ":material/blur_on:", "Texts",
        "BERT's vectors point in similar directions. Does it help to spread them out?",
    ),
    Page(
        "evidence", "Evidence", ":material/checklist:", "Evidence",
        "How often does an edit work? The same edit for hundreds of words, next to its controls",
    ),
    Page(
        "paper", "Paper", ":material/fact_check:", "Evidence",
        "What five articles claim about BERT, and whether it holds in the model you have chosen",
    ),
)  # fmt: skip
IDEAS = tuple(page for page in PAGES if page.section)
"""The pages with panels of their own. The others show the panels of these."""


ABOUT = "about"
"""The page without panels that is last in the menu."""


class Panel(Protocol):
    """A module that fills a tab: its name, its fields, and its examples (values that differ from the defaults).

    `FIRST` is the query of the defaults, which is asked before the first visitor comes; a panel without it is not
    prepared. `DETAILS` are further queries of the first view that take long. A panel with `ONE_MODEL = True` shows only
    the model in use, and one with `HAS_GUESSES = True` asks for a guess itself, so that *Guess first* does not hide its
    results. One with `USES_EDIT = True` shows the model in use without and with the carried edit. `button_texts() ->
    [{key: text}, …]` names the texts that its other buttons put into fields, so that a cased model gets them in its own
    spelling. If the examples depend on the content of the page, `examples()` returns those that fit, in the form of
    PRESETS. `caption()` returns what the caption of a saved chart names: the texts and settings that its numbers depend
    on. `question(models) -> (query, model)` gives a question for a class about what the fields hold: the query takes
    `choices` and returns a `Question`. `ASKED_ABOUT` are the fields that make it another question. With
    `QUESTION_TAKES_TIME = True`, it is only asked from the popover *Room*, and not before the page is drawn.
    """

    TAB: str
    FIELDS: tuple[Field, ...]
    PRESETS: dict[str, dict[str, Any]]

    def show(self, models: Models) -> None:
        """Draw the fields, and for each model the results."""


def show(
    name: str, panels: Sequence[Any] | Mapping[str, Any], explanation: str, sources: Sequence[str], above: Any = None
) -> None:
    """Draw a whole page. `panels` are modules by permanent key; the texts are constant Markdown, never a visitor's.

    `above` is a module with FIELDS and show(): fields above all tabs, which examples do not change.
    """
    keyed = panels if isinstance(panels, Mapping) else {panel.TAB: panel for panel in panels}
    panels = tuple(keyed.values())
    tab = Choice(f"{name}_tab", panels[0].TAB, {key: panel.TAB for key, panel in keyed.items()})
    fields = (tab, *(field for part in (*([above] if above else ()), *panels) for field in part.FIELDS))
    model = begin(name, fields)
    code = recorded.current()
    code.explanation = f"{explanation.strip()}\n\nSources: {' · '.join(sources)}"
    key.exchange()
    if board.is_shown(name):
        board.show(name)
        state.follow()
        return
    page = next(page for page in PAGES if page.name == name)
    with st.container(key="head", horizontal=True, vertical_alignment="center", gap="small"):
        st.title(page.title, anchor=False, width="content")
        st.markdown(page.question, width="stretch")
        tools = st.container(key="tools", horizontal=True, width="content", gap="small")
    back.link({page.name: (page.title, page.script) for page in IDEAS if page.name != name})
    edit = st.container() if carried.is_carried() else nullcontext()
    if above:
        above.show()
    capitals = spelling.begin(panels)
    opened_panel = panels[0]
    if len(panels) == 1:
        if panels[0].PRESETS:
            _examples(panels, panels[0], fields)
        with edit:
            carried.badge(model, panels[0], "page", compare.other(model))
        _result(name, panels[0], model, page.title)
    else:
        for panel, opened in zip(panels, state.tabs(tab).values(), strict=True):
            if opened.open:
                opened_panel = panel
                with edit:
                    carried.badge(model, panel, "tab", compare.other(model))
                with opened:
                    _examples(panels, panel, fields)
                    _result(name, panel, model, f"{page.title} › {panel.TAB}")
    spelling.badge(capitals)
    state.follow()
    with tools:
        share.tools(code)
        teacher.popover(name, opened_panel, compare.models_of(model, opened_panel))
        with st.popover("Explain", icon=":material/menu_book:", key="explain"):
            st.markdown(explanation)
            st.markdown("Sources: " + " · ".join(sources))
    running.finish()


def _result(name: str, panel: Any, model: str, title: str) -> None:
    """Draw a panel; if its results must wait for the visitor's guess or for a class, only its fields."""
    models_shown = compare.models_of(model, panel)
    about = tuple(getattr(panel, "ASKED_ABOUT", ()))
    guess_first.begin(
        guess_first.Tab(
            title,
            about,
            lambda: asking.question(panel, models_shown) if about else None,
            has_guess=bool(getattr(panel, "HAS_GUESSES", False)),
        )
    )
    asking.waiting(name, panel, models_shown)
    guess_first.note()
    if guess_first.waiting() and compare.shows_one(panel):  # stored results, for which it asks no query
        guess_first.form()
    else:
        draw(panel, model, title)


def draw(panel: Any, model: str, title: str) -> None:
    """Draw a panel under a title for saved pictures: "Pairs › Similarity"."""
    compare.note(model, panel, "tab" if "›" in title else "page")
    figures.describe(title, panel, compare.titles(model, panel))
    panel.show(compare.models_of(model, panel))


def begin(name: str, fields: Sequence[Field] = (), title: str = "", *, menu: bool = True) -> str:
    """Begin the page of that name ("" for Home); returns the name of the model in use.

    If the visitor has chosen a model that cannot be loaded, the page says why and what to do, and uses the bundled
    model. Home and other pages without panels load no model; these give their title. If `menu` is false, the menu is
    closed until the visitor opens it.
    """
    page = next((p for p in PAGES if p.name == name), None)
    warm.visited(tuple(p.name for p in PAGES))
    st.set_page_config(
        page_title=" · ".join(filter(None, (page.title if page else title, TITLE))),
        page_icon="🧭",  # a material icon would be fetched from another host
        layout="wide",
        initial_sidebar_state="auto" if menu else "collapsed",
    )
    st.html(_STYLE)
    st.components.v2.component("page", html="<span></span>", js=_SCRIPT)(key="page-script")
    state.enter(name, (*COMMON, *(chooser.weights for chooser in MODELS), *fields))
    guess_first.begin()
    carried.begin()
    for chooser in MODELS:
        chooser.settle()
    compare.settle()
    state.follow()
    titles = {"": "Home", ABOUT: "About", **{page.name: page.title for page in PAGES}}
    presenter.begin(name, titles)
    with st.sidebar:
        _menu()
        _settings()
        presenter.settings(name, titles)
        if page in IDEAS:
            draft.take()
            draft.keep()
            draft.settings(name, titles, common() | {"lessons_tab": ["write"]})
        _foot()
        ahead = st.empty()
    for chooser in MODELS:
        chooser.offer()
    model: str = models.MODEL.value
    recorded.begin(model, page.title if page else title)
    if not page:
        return model
    if not cached.at_hand(BUNDLED):
        figures.ahead(ahead)
    models.load(model)
    ahead.empty()
    shown.settle_weights({models.FIRST.weights: model, compare.SECOND.weights: compare.other(model)})
    warm.somebody_waits()  # only now the page can begin to draw results
    return model


def head(title: str) -> None:
    """Draw the title and the link of a page that shows no numbers of a model."""
    with st.container(key="head", horizontal=True, vertical_alignment="center", gap="small"):
        st.title(title, anchor=False, width="stretch")
        with st.container(key="tools", horizontal=True, width="content", gap="small"):
            share.link()


def common() -> dict[str, list[str]]:
    """Return the URL parameters of the fields that all pages share, for links that set the fields of a page."""
    shared = {field.key for field in COMMON}
    return {key: parts for key, parts in state.link("", COMMON).items() if key in shared}


def seen(text: str) -> None:
    """Draw the caption of a chart: constant text, with terms marked as `glossary.html` reads them."""
    st.html(glossary.html(text))
    recorded.current().write(notebook.caption(text))


def follow(key: str) -> None:
    """Let the browser follow the link in the container of this key, for a click on a chart that leads to another page.

    Unlike `st.switch_page` this keeps the address of this page, to which Back returns.
    """
    st.components.v2.component("follow", html="<span></span>", js=_FOLLOW)(key=f"follow-{key}", data=key)


def address(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the URL parameters of a link to another page: these values, with the model and the other common fields."""
    shared = {field.key for field in COMMON}
    return {key: parts for key, parts in state.link("", COMMON).items() if key in shared} | dict(values)


def example(panel: Any, values: dict[str, Any]) -> dict[str, Any]:
    """Return the values of all fields of a panel for an example: its own values, and the defaults of the others.

    The result of an example then never depends on what was set before.
    """
    return {field.key: field.default for field in panel.FIELDS} | values


def _examples(panels: Sequence[Any], panel: Any, fields: Sequence[Field]) -> None:
    """Draw the examples of the open panel in a row, and the reset button."""
    tab = fields[0].key
    offered = panel.examples() if callable(getattr(panel, "examples", None)) else panel.PRESETS
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
    links = state.links(("", *(page.name for page in PAGES), ABOUT), COMMON)
    st.page_link("app.py", label="Home", icon=":material/home:", query_params=links[""])
    section = ""
    for page in PAGES:
        if page.section != section:
            section = page.section
            st.caption(section)
        st.page_link(page.script, label=page.title, icon=page.icon, query_params=links[page.name])
    st.page_link("pages/about.py", label="About", icon=":material/info:", query_params=links[ABOUT])


def _foot() -> None:
    """Draw the host's links to its legal notice and privacy notice, if it has any."""
    if links := visitors.links():
        st.html(f'<p class="foot">{links}</p>')


def _settings() -> None:
    fold = state.fold("settings", f"{compare.titles(models.MODEL.value)} · settings", ":material/tune:")
    if fold.open:
        with fold:
            models.picker()
            compare.picker(models.MODEL.value)
            figures.settings()
            guess_first.setting()
