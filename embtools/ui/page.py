"""The frame of every page: menu, title, examples, tabs with panels, link, code and explanation."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Protocol

import streamlit as st

from embtools.models.catalogue import BUNDLED
from embtools.ui import (
    cached,
    carried,
    compare,
    draft,
    entry,
    examples,
    explain,
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
    texts,
    turns,
    visitors,
    warm,
)
from embtools.ui.explain import Explanation
from embtools.ui.fields import Choice, Field
from embtools.ui.menu import IDEAS, PAGES, TITLE, draw_links, titles
from embtools.ui.rooms import asking, board, key, teacher
from embtools.ui.shown import Models

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

Panels = Sequence[Any] | Mapping[str, Any]
_HERE = Path(__file__).parent
_SHEETS = "".join((_HERE / f"{name}.css").read_text(encoding="utf-8") for name in ("style", "narrow", "print"))
_STYLE = f"<style>{_SHEETS}</style>"
_SCRIPT = "".join((_HERE / f"{name}.js").read_text(encoding="utf-8") for name in ("keyboard", "saved_chart", "page"))
_FOLLOW = (_HERE / "follow.js").read_text(encoding="utf-8")


class Panel(Protocol):
    """A module that fills a tab: its name, its fields, and its examples (values that differ from the defaults).

    `FIRST` is the query of the defaults, which is asked before the first visitor comes; a panel without it is not
    prepared. `DETAILS` are further queries of the first view that take long. A panel with `ONE_MODEL = True` shows only
    the model in use, and one with `HAS_GUESSES = True` asks for a guess itself, so that *Guess first* does not hide its
    results. One with `USES_EDIT = True` shows the model in use without and with the carried edit. `button_texts() ->
    [{key: text}, …]` names the texts that its other buttons put into fields, so that a cased model gets them in its own
    spelling. If the examples depend on the content of the page, `examples()` returns those that fit, in the form of
    PRESETS. `caption()` returns what the caption of a saved chart names: the texts and settings that its numbers depend
    on. `question(models)` returns what asks a class about the result for the fields, with its own or other choices: the
    `question` of that result. `ASKED_ABOUT` are the fields that make it another question. With `QUESTION_TAKES_TIME =
    True`, it is only asked from the popover *Room*, and not before the page is drawn. `READINGS` are what a lesson can
    ask about its result, by name.
    """

    TAB: str
    FIELDS: tuple[Field, ...]
    PRESETS: dict[str, dict[str, Any]]

    def show(self, models: Models) -> None:
        """Draw the fields, and for each model the results."""


@turns.turn()
def show(name: str, panels: Panels, explanation: Explanation, sources: Sequence[str], above: Any = None) -> None:
    """Draw a whole page of `panels`, modules by permanent key, below the fields of `above`, a module with FIELDS and
    show(), which examples do not change."""
    # The texts are constant Markdown, never a visitor's.
    keyed = panels if isinstance(panels, Mapping) else {panel.TAB: panel for panel in panels}
    panels = tuple(keyed.values())
    tabs = {key: panel.TAB for key, panel in keyed.items()}
    tab = Choice(f"{name}_tab", panels[0].TAB, tabs)
    fields = (tab, *(field for part in (*([above] if above else ()), *panels) for field in part.FIELDS))
    model = begin(name, fields)
    code = recorded.current()
    code.explanation = explain.whole(explanation, tabs, sources)
    key.exchange()
    if board.is_shown(name):
        board.show(name)
        state.follow()
        return
    page = next(page for page in PAGES if page.name == name)
    tools = bar(page.title, page.question)
    _back_link({page.name: (page.title, page.script) for page in IDEAS if page.name != name})
    edit = st.container() if carried.is_carried() else nullcontext()
    if above:
        above.show()
    capitals = spelling.begin(panels)
    current = next(iter(keyed))
    if len(panels) == 1:
        if panels[0].PRESETS:
            examples.show(panels[0], fields)
        with edit:
            carried.badge(model, panels[0], "page", compare.other(model))
        _result(name, panels[0], model, page.title)
    else:
        for (panel_key, panel), opened in zip(keyed.items(), state.tabs(tab).values(), strict=True):
            if opened.open:
                current = panel_key
                with edit:
                    carried.badge(model, panel, "tab", compare.other(model))
                with opened:
                    examples.show(panel, fields)
                    _result(name, panel, model, f"{page.title} › {panel.TAB}")
    spelling.badge(capitals)
    state.follow()
    with tools:
        share.tools(code)
        teacher.popover(name, keyed[current], compare.models_of(model, keyed[current]))
        explain.popover(explanation, tabs, current, sources)
    running.finish()


def _back_link(pages: Mapping[str, tuple[str, str]]) -> None:
    """Draw a link back to the page from which a link led here, with everything as it was left there, if the visitor has
    opened it in this session; `pages` maps the name of a page to its title and its script."""
    name = state.BACK.value
    if name in pages and (address := state.left(name)) is not None:
        title, script = pages[name]
        st.page_link(script, label=f"Back to {title}", icon=":material/arrow_back:", query_params=address)


def _result(name: str, panel: Any, model_name: str, title: str) -> None:
    """Draw a panel; if its results must wait for the visitor's guess or for a class, only its fields."""
    models_shown = compare.models_of(model_name, panel)
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
        draw(panel, model_name, title)


def draw(panel: Any, name: str, title: str) -> None:
    """Draw a panel under a title for saved pictures: "Pairs › Similarity"."""
    compare.note(name, panel, "tab" if "›" in title else "page")
    figures.describe(title, panel, compare.titles(name, panel))
    entry.begin_notes(panel.FIELDS, name)
    above = st.container()
    panel.show(compare.models_of(name, panel))
    with above:
        entry.rest_of_notes()


def begin(name: str, fields: Sequence[Field] = (), title: str = "", *, menu: bool = True) -> str:
    """Begin the page of that name ("" for Home) and return the model in use, the bundled one if the chosen one cannot
    be loaded; pages without panels load none, and may give a title."""
    page = next((p for p in PAGES if p.name == name), None)
    warm.visited(tuple(p.name for p in PAGES))
    st.set_page_config(
        page_title=" · ".join(filter(None, (page.title if page else title, TITLE))),
        page_icon="🧭",  # a material icon would be fetched from another host
        layout="wide",
        initial_sidebar_state="auto" if menu else "collapsed",
    )
    st.html(_STYLE)
    script = st.components.v2.component("page", html="<span></span>", js=_SCRIPT)
    script(key="page-script", data={"dark": st.context.theme.type == "dark"}, on_dark_change=lambda: None)
    state.enter(name, (*COMMON, *(chooser.weights for chooser in MODELS), *fields))
    guess_first.begin()
    carried.begin()
    running.begin()
    for chooser in MODELS:
        chooser.settle()
    compare.settle()
    presenter.take()
    state.follow()
    presenter.begin(name, titles())
    with st.sidebar:
        draw_links(COMMON)
        _settings()
        presenter.keep()
        presenter.settings(name, titles())
        if page in IDEAS:
            draft.take()
            draft.keep()
            draft.settings(name, titles(), common() | {"lessons_tab": ["write"]})
        if host := visitors.links():  # legal notice and privacy notice
            st.html(f'<p class="foot">{host}</p>')
        ahead = st.empty()
    share.received()
    for chooser in MODELS:
        chooser.offer()
    model: str = models.MODEL.value
    recorded.begin(model, page.title if page else title)
    if not page:
        _notes()
        return model
    if not cached.at_hand(BUNDLED):
        figures.ahead(ahead)
    models.load(model)
    ahead.empty()
    _notes(shown.settle_weights({models.FIRST.weights: model, compare.SECOND.weights: compare.other(model)}))
    warm.somebody_waits()  # only now the page can begin to draw results
    return model


def _notes(*notes: str) -> None:
    """Draw what is to be known about the link that was opened, with what could not be used; "" is nothing."""
    if any(notes := (*notes, *map(texts.plain, state.unusable()))):
        with st.container(key="link-notes"):
            for note in filter(None, notes):
                st.caption(note)


def bar(title: str, says: str) -> Any:
    """Draw the title of a page, what it is about, and the code of a room; returns the container for tools."""
    with st.container(key="head", horizontal=True, vertical_alignment="center", gap="small"):
        st.title(title, anchor=False, width="content")
        st.markdown(says, width="stretch")
        teacher.corner()
        return st.container(key="tools", horizontal=True, width="content", gap="small")


def head(title: str) -> None:
    """Draw the title and the link of a page that shows no numbers of a model."""
    with st.container(key="head", horizontal=True, vertical_alignment="center", gap="small"):
        st.title(title, anchor=False, width="stretch")
        with st.container(key="tools", horizontal=True, width="content", gap="small"):
            share.link()


def common() -> dict[str, list[str]]:
    """Return the URL parameters of the fields that all pages share, for links that set the fields of a page."""
    return state.parameters(COMMON)


def caption(text: str) -> None:
    """Draw the caption of a chart: constant text, with terms marked as `glossary.html` reads them."""
    st.html(glossary.html(text))
    recorded.current().write(notebook.caption(text))


def follow(key: str, *, by_touch: bool = True) -> None:
    """Let the browser follow the link in the container of this key, for a click on a chart, and keep the address of
    this page for Back, unlike `st.switch_page`."""
    # Without `by_touch`, a touch screen does not follow it: there a tap is also the only way to read a mark.
    data = {"link": key, "by_touch": by_touch}
    st.components.v2.component("follow", html="<span></span>", js=_FOLLOW)(key=f"follow-{key}", data=data)


def _settings() -> None:
    with figures.expander("settings", f"{compare.titles(models.MODEL.value)} · settings", ":material/tune:") as opened:
        if opened:
            models.picker()
            compare.picker(models.MODEL.value)
            figures.settings()
            guess_first.setting()
