"""Motion: words fly from their places on the last map to those on the new one, unless the visitor wants none."""

from pathlib import Path

import streamlit as st

_SCRIPT = (Path(__file__).parent / "motion.js").read_text(encoding="utf-8")


def watch() -> None:
    """Let the page's maps move. The script stays with the page and watches its maps; it takes no room."""
    st.components.v2.component("motion", html="<span></span>", js=_SCRIPT)(key="motion")
