"""Texts that the visitor's browser stores for the app: they survive a reload, and the server does not store them."""

from pathlib import Path

import streamlit as st

_SCRIPT = (Path(__file__).parent / "browser_storage.js").read_text(encoding="utf-8")


def reported(name: str) -> str | None:
    """Return what the browser has reported since the last call, at a new visit or because another tab changed it; None
    if nothing is new."""
    held = st.session_state.get(_key(name), {}).get("held")
    at, text = (held.get("at"), held.get("text")) if isinstance(held, dict) else (None, None)
    if not isinstance(text, str) or at == st.session_state.get(f"{_key(name)}-at"):
        return None
    st.session_state[f"{_key(name)}-at"] = at
    return text


def store(name: str, text: str | None) -> None:
    """Let the browser store a text under a name, "" for none; None asks for the text that it has."""
    component = st.components.v2.component("browser-storage", html="<span></span>", js=_SCRIPT)
    component(key=_key(name), data={"name": name, "value": text}, on_held_change=lambda: None)


def _key(name: str) -> str:
    return f"stored-{name}"
