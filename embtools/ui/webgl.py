"""Whether the visitor's browser can draw WebGL, which charts in space and large maps need."""

from pathlib import Path

import streamlit as st

_SCRIPT = (Path(__file__).parent / "webgl.js").read_text(encoding="utf-8")
_KEY = "webgl"


def is_missing(name: str) -> bool:
    """Return whether the browser is known to have no WebGL; it says so after the first chart (`name`) that needs it,
    and the page is drawn again."""
    known = bool(st.session_state.get(_KEY, False))
    component = st.components.v2.component("webgl", html="<span></span>", js=_SCRIPT)
    report = component(key=f"{_KEY}-{name}", data={"known": known}, on_missing_change=lambda: None)
    if report.get("missing"):
        st.session_state[_KEY] = known = True
    return known
