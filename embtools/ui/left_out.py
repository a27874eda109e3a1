"""Texts that are too long for an address: the visit keeps them, and the address has a short name for them instead.

So they come back with the menu's links and with Back. In another browser or after a reload the name is unknown.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

import streamlit as st

KEY = "left_out"  # the parameter of the address
LETTERS = 8  # of a name
MOST = 5  # stored in a visit; each can have hundreds of thousands of characters
_KEPT = "left-out"  # session key: the values by name, the newest last


def keep(values: Mapping[str, Any]) -> str:
    """Keep the values of fields and return their name, which is the same for equal values."""
    name = hashlib.sha256(repr(sorted(values.items())).encode(errors="surrogatepass")).hexdigest()[:LETTERS]
    others = {other: stored for other, stored in st.session_state.get(_KEPT, {}).items() if other != name}
    st.session_state[_KEPT] = dict([*others.items(), (name, dict(values))][-MOST:])
    return name


def find(name: str) -> dict[str, Any] | None:
    """Return the values that were stored under a name; None if this visit does not know it."""
    values: dict[str, Any] | None = st.session_state.get(_KEPT, {}).get(name)
    return values
