"""The text of *Explain*: what holds for all tabs, the open tab, and the other tabs in an expander."""

from collections.abc import Mapping, Sequence

import streamlit as st

Explanation = str | Mapping[str, str]
"""Markdown for the whole page, or by the key of its tab; "" is the key of the text for all tabs."""
ALL, OTHERS = "", "Other tabs"


def whole(explanation: Explanation, tabs: Mapping[str, str], sources: Sequence[str]) -> str:
    """Return the whole text as Markdown, with the sources; `tabs` are the names of the tabs by key."""
    parts = _parts(explanation)
    texts = [parts.get(ALL, ""), *(_under(tabs[key], parts[key]) for key in tabs if key in parts)]
    return "\n\n".join([*filter(None, texts), _sources(sources)])


def popover(explanation: Explanation, tabs: Mapping[str, str], opened: str, sources: Sequence[str]) -> None:
    """Draw the popover *Explain*; `opened` is the key of the open tab."""
    with st.popover("Explain", icon=":material/menu_book:", key="explain"):
        show(explanation, tabs, opened, sources)


def show(explanation: Explanation, tabs: Mapping[str, str], opened: str, sources: Sequence[str]) -> None:
    """Draw the text for all tabs, that of the open tab, those of the other tabs in an expander, and the sources."""
    parts = _parts(explanation)
    texts = {key: _under(title, parts[key]) for key, title in tabs.items() if key in parts}
    own = texts.pop(opened, "")
    for text in filter(None, (parts.get(ALL), own)):
        st.markdown(text)
    if texts:
        with st.expander(OTHERS):
            for text in texts.values():
                st.markdown(text)
    st.markdown(_sources(sources))


def _parts(explanation: Explanation) -> dict[str, str]:
    given = {ALL: explanation} if isinstance(explanation, str) else explanation
    return {key: text.strip() for key, text in given.items()}


def _under(title: str, text: str) -> str:
    return f"### {title}\n\n{text}"


def _sources(sources: Sequence[str]) -> str:
    return f"Sources: {' · '.join(sources)}"
