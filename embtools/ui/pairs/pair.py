"""Fields for the two sentences, shared by two panels of the Pairs page."""

from typing import Any

import streamlit as st

from embtools.ui import entry, state
from embtools.ui.fields import Text

FIRST, SECOND = Text("pairs_first", "I went to the store.", 5_000), Text("pairs_second", "They were closed.", 5_000)
FIELDS = (FIRST, SECOND)


def bar() -> Any:
    """Draw the fields of the two sentences and the button that swaps them; return the container for errors."""
    with st.container(key="pairs-bar", horizontal=True, vertical_alignment="bottom", gap="small"):
        entry.text_input("First sentence", **FIRST.widget)
        st.button(
            "Swap",
            icon=":material/swap_horiz:",
            on_click=state.put,
            args=({FIRST.key: SECOND.value, SECOND.key: FIRST.value},),
            key="pairs-swap",
        )
        entry.text_input("Second sentence", **SECOND.widget)
    return st.container()


def of(first: str, second: str) -> dict[str, Any]:
    """Field values for an example with these two sentences."""
    return {FIRST.key: first, SECOND.key: second}
