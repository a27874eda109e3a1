"""Animation of maps: words move from their positions on the last map to the new ones, unless motion is turned off."""

from pathlib import Path

import streamlit as st

_SCRIPT = (Path(__file__).parent / "motion.js").read_text(encoding="utf-8")


def watch() -> None:
    """Animate the maps of this page, by an invisible script that stays on the page."""
    st.components.v2.component("motion", html="<span></span>", js=_SCRIPT)(key="motion")
