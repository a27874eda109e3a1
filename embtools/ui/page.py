"""What every page begins with: page config, the menu, the model picker; and the notices pages share."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from embtools.models.catalogue import BUNDLED, CATALOGUE
from embtools.ui import cached, figures

TITLE = "BERT Embedding Explorer"


@dataclass(frozen=True)
class Page:
    """A line of the menu and a card on Home. The name is that of the script, the module and the tests."""

    name: str
    title: str
    icon: str
    section: str
    card: str

    @property
    def script(self) -> str:
        return f"pages/{self.name}.py"


PAGES = (
    Page(
        "arithmetic", "Arithmetic", ":material/calculate:", "Change",
        "Change a word's embedding with a formula, ask BERT again, and see whether the effect is real.",
    ),
    Page(
        "bias", "Bias", ":material/balance:", "Change",
        "Swap he for she, measure a model's prejudices by four methods, and see what a remedy costs and leaves behind.",
    ),
    Page(
        "clusters", "Clusters", ":material/scatter_plot:", "Compare words",
        "Draw your words on a map, select, search and colour it, and learn how far the map can be trusted.",
    ),
    Page(
        "similarity", "Similarity", ":material/grid_on:", "Compare words",
        "A heatmap and dendrogram of your words: which pairs does BERT find alike, and does that follow the eye?",
    ),
    Page(
        "layers", "Layers", ":material/layers:", "Words in context",
        "One word in several sentences: which layer and which pooling tells a river bank from a bank robber?",
    ),
)  # fmt: skip


def begin(name: str) -> str:
    """Begin the page of that name ("" for Home); returns the name of the model the visitor has chosen.

    If that model cannot be loaded the page says why and what to do, and the bundled one is used.
    """
    page = next((p for p in PAGES if p.name == name), None)
    st.set_page_config(
        page_title=f"{page.title} · {TITLE}" if page else TITLE,
        page_icon="🧭",  # a material icon would be fetched from another host
        layout="wide",
    )
    with st.sidebar:
        chosen = _model_picker()
        _menu(chosen)
        figures.settings()
    if page:
        st.title(page.title, anchor=False)
        st.markdown(page.card)
        return loaded(chosen)
    return chosen


def loaded(name: str) -> str:
    """Load the chosen model, or say why that failed and fall back to the bundled one; returns the name in use."""
    try:
        cached.model(name)
        return name
    except ValueError as error:
        problem(error)
        return BUNDLED


def problem(error: Exception | str) -> None:
    """Show what is wrong and what to do, as plain text: it may quote what the visitor typed."""
    with st.container(border=True):
        st.text(f"⚠ {error}")


def how_to_read(text: str, *sources: str) -> None:
    """A short explanation with its limits and its sources. Constant Markdown, never a visitor's text."""
    with st.expander("How to read this", icon=":material/menu_book:"):
        st.markdown(text)
        if sources:
            st.caption("Sources: " + " · ".join(sources))


def plain(text: str) -> str:
    """Escape text for the places that Streamlit reads as Markdown (labels, pills, metrics): "##ing" stays "##ing".

    Addresses are turned into links even when escaped; an invisible joiner (U+2060) inside them prevents that.
    """
    text = re.sub(r"((?:www|https?|ftp)(?=[.:])|@(?=\w))", "\\1\u2060", text, flags=re.IGNORECASE)
    return re.sub(r"([\\`*_{}\[\]()#+\-.!$:~<>|&@^])", r"\\\1", text)


def set_state(values: Mapping[str, Any]) -> None:
    """Put values into widgets by key, for presets and resets: use as `on_click=set_state, args=(values,)`."""
    for key, value in values.items():
        st.session_state[key] = value


def model_query(model: str) -> dict[str, str]:
    """The query parameters that carry the chosen model to another page."""
    return {} if model == BUNDLED else {"model": model}


def _model_picker() -> str:
    # Bound to the address by hand: with `bind` or `persist_state` the first page switch puts the default back.
    asked = st.session_state.get("model") or st.query_params.get("model", BUNDLED)
    st.session_state["model"] = asked if asked in CATALOGUE else BUNDLED
    name = st.selectbox(
        "Model",
        list(CATALOGUE),
        key="model",
        help="Larger models are downloaded from the Hugging Face hub at first use.",
    )
    if name == BUNDLED:
        st.query_params.pop("model", None)
    elif st.query_params.get("model") != name:
        st.query_params["model"] = name
    chosen = CATALOGUE[name]
    st.caption(f"{chosen.title} · {chosen.megabytes:,} MB. {chosen.note}")
    return name


def _menu(model: str) -> None:
    # The chosen model travels in the links: a bound widget alone forgets it on a page switch.
    query = model_query(model)
    st.page_link("app.py", label="Home", icon=":material/home:", query_params=query)
    section = ""
    for page in PAGES:
        if page.section != section:
            section = page.section
            st.caption(section)
        st.page_link(page.script, label=page.title, icon=page.icon, query_params=query)
