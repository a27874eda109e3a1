"""Tabs that have moved to another page: what a link to their old place goes on to."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

import streamlit as st


@dataclass(frozen=True)
class Moved:
    """A tab that stood on `page`, as the option `tab` of its field `key`, and is now that of `target`.

    names: what its fields are called there; the page's other fields stay behind, what all pages share goes along.
    """

    page: str
    key: str
    tab: str
    target: str
    names: Mapping[str, str]

    def link(self, asked: Mapping[str, list[str]]) -> dict[str, list[str]] | None:
        """The parameters for the new place, or None where an address does not ask for the tab."""
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


# The browser puts the new address in the place of the old one: `st.switch_page` would leave both in the history, and
# Back would lead to the old link, and from there on again.
_SCRIPT = "export default ({ data }) => window.location.replace(data);"


def address(page: str, asked: Mapping[str, list[str]]) -> str | None:
    """The address, beside that of the page, to which an old link to this page goes on; None for all other links."""
    for moved in MOVED:
        if moved.page == page and (link := moved.link(asked)) is not None:
            return f"{moved.target}?{urlencode(link, doseq=True)}"
    return None


def follow(page: str) -> None:
    """Where the address asks this page for a tab that has moved, go on to it, with all that the link says of it."""
    target = address(page, {key: st.query_params.get_all(key) for key in st.query_params})
    if target is not None:
        st.components.v2.component("moved", html="<span></span>", js=_SCRIPT)(key="moved", data=target)
        st.stop()
