"""A link back to the page from which a link led here, with everything as it was left there."""

from collections.abc import Mapping

import streamlit as st

from embtools.ui import state

FIELD = state.BACK


def link(pages: Mapping[str, tuple[str, str]]) -> None:
    """Draw the link if the visitor has opened that page in this session; `pages` maps the name of a page to its title
    and its script."""
    name = FIELD.value
    if name in pages and (address := state.left(name)) is not None:
        title, script = pages[name]
        st.page_link(script, label=f"Back to {title}", icon=":material/arrow_back:", query_params=address)
