"""Tabs that have moved to another page: what a link to their old place goes on to."""

from collections.abc import Mapping
from dataclasses import dataclass

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


def follow(page: str) -> None:
    """Where the address asks this page for a tab that has moved, go on to it, with all that the link says of it."""
    asked = {key: st.query_params.get_all(key) for key in st.query_params}
    for moved in MOVED:
        if moved.page == page and (link := moved.link(asked)) is not None:
            st.switch_page(f"pages/{moved.target}.py", query_params=link)
