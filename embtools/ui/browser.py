"""What the visitor's browser tells the app: the texts that it stores, which survive a reload and are not stored by the
server, and whether it can draw WebGL, which charts in space and large maps need.
"""

from pathlib import Path

import streamlit as st

_STORAGE = (Path(__file__).parent / "browser_storage.js").read_text(encoding="utf-8")
_WEBGL = (Path(__file__).parent / "webgl.js").read_text(encoding="utf-8")
_KEY = "webgl"


def reported(name: str) -> str | None:
    """Return what the browser has reported since the last call, at a new visit or because another tab changed it; None
    if nothing is new."""
    held = st.session_state.get(_key(name), {}).get("held")
    at, text = (held.get("at"), held.get("text")) if isinstance(held, dict) else (None, None)
    if not isinstance(text, str) or at == st.session_state.get(f"{_key(name)}-at"):
        return None
    st.session_state[f"{_key(name)}-at"] = at
    return text


def store(name: str, text: str | None, *, answer: bool = False) -> None:
    """Let the browser store a text under a name, "" for none; None asks for the text that it has, and with `answer` it
    also says that it has none."""
    component = st.components.v2.component("browser-storage", html="<span></span>", js=_STORAGE)
    component(key=_key(name), data={"name": name, "value": text, "answer": answer}, on_held_change=lambda: None)


def _key(name: str) -> str:
    return f"stored-{name}"


def has_no_webgl(name: str) -> bool:
    """Return whether the browser is known to have no WebGL; it says so after the first chart (`name`) that needs it,
    and the page is drawn again."""
    known = bool(st.session_state.get(_KEY, False))
    component = st.components.v2.component("webgl", html="<span></span>", js=_WEBGL)
    report = component(key=f"{_KEY}-{name}", data={"known": known}, on_missing_change=lambda: None)
    if report.get("missing"):
        st.session_state[_KEY] = known = True
    return known
