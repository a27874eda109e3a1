"""The examples of a panel: the values that each puts into the fields, and the row of their buttons."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.ui import state
from embtools.ui.fields import Field
from embtools.ui.texts import plain


def values_of(panel: Any, values: dict[str, Any]) -> dict[str, Any]:
    """Return an example's own values and the defaults of the panel's other fields, so that its result never depends on
    what was set before."""
    return {field.key: field.default for field in panel.FIELDS} | values


def show(panel: Any, fields: Sequence[Field]) -> None:
    """Draw the examples of the open panel in a row, and the reset button."""
    tab = fields[0].key
    offered = panel.examples() if callable(getattr(panel, "examples", None)) else panel.PRESETS
    # What examples open, Reset closes.
    closed = {state.OPEN.key: ()} if any(state.OPEN.key in values for values in offered.values()) else {}
    with st.container(key="choices", horizontal=True, gap="small"):
        if offered:
            examples = st.container(key="examples", horizontal=True, vertical_alignment="center", gap="small")
        for name, values in offered.items():
            examples.button(
                plain(name),
                on_click=state.put,
                args=({**values_of(panel, values), tab: panel.TAB},),
                key=f"example-{panel.TAB}-{name}",
                type="tertiary",
            )
        st.button(
            "Reset",
            icon=":material/restart_alt:",
            on_click=state.put,
            args=({field.key: field.default for field in fields if field.key != tab} | closed | state.NO_LINK,),
            key="reset",
            type="tertiary",
        )
