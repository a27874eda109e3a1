"""Redirects of links to tabs that have moved to another page."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

import streamlit as st


@dataclass(frozen=True)
class Moved:
    """A tab that was on `page`, as the option `tab` of its field `key`, and is now on the page `target`.

    `names` gives the new names of its fields. The page's other fields are dropped; fields of all pages are kept.
    """

    page: str
    key: str
    tab: str
    target: str
    names: Mapping[str, str]

    def link(self, asked: Mapping[str, list[str]]) -> dict[str, list[str]] | None:
        """Return the parameters for the new page, or None if the URL does not ask for the tab."""
        if asked.get(self.key, [""])[-1] != self.tab:
            return None
        return {
            self.names.get(key, key): parts
            for key, parts in asked.items()
            if key in self.names or not key.startswith(f"{self.page}_")
        }


MOVED = (
    Moved(
        "layers", "layers_tab", "Questions and answers", "pairs",
        {
            "layers_tab": "pairs_tab", "layers_question": "pairs_question", "layers_answers": "pairs_answers",
            "layers_answer_recipe": "pairs_answer_recipe", "layers_answer_pooling": "pairs_answer_pooling",
        },
    ),
)  # fmt: skip


# The browser replaces the old address by the new one. `st.switch_page` would leave both in the history, and Back would
# lead to the old link, which redirects again.
_SCRIPT = "export default ({ data }) => window.location.replace(data);"


def address(page: str, asked: Mapping[str, list[str]]) -> str | None:
    """Return the relative address to which an old link to this page redirects; None for all other links."""
    for moved in MOVED:
        if moved.page == page and (link := moved.link(asked)) is not None:
            return f"{moved.target}?{urlencode(link, doseq=True)}"
    return None


def follow(page: str) -> None:
    """If the URL asks this page for a tab that has moved, redirect to it with all of its parameters."""
    target = address(page, {key: st.query_params.get_all(key) for key in st.query_params})
    if target is not None:
        st.components.v2.component("moved", html="<span></span>", js=_SCRIPT)(key="moved", data=target)
        st.stop()
