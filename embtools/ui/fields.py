"""What a visitor types into a field: words, lines, pairs; and choices that a model may not have."""

import re

import streamlit as st


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def words_of(text: str) -> tuple[str, ...]:
    """Words separated by commas or lines."""
    return tuple(w.strip() for w in re.split(r"[,\n]", text) if w.strip())


def words(text: str) -> tuple[str, ...]:
    """The words of a field, separated by commas or lines."""
    return tuple(part.strip() for part in re.split(r"[,;\n]", text) if part.strip())


def lines(text: str) -> tuple[str, ...]:
    """The lines of a field that are not empty."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Pairs such as "he=she", separated by commas or lines; ValueError for a part without one "=" between two words."""
    found = []
    for part in words(text):
        a, sign, b = (piece.strip() for piece in part.partition("="))
        if not (a and sign and b) or "=" in b:
            raise ValueError(f"'{part[:60]}' is not a pair. Write pairs such as he=she, separated by commas.")
        found.append((a, b))
    return tuple(found)


def frame_choice(label: str, options: tuple[str, ...], default: str, key: str) -> str:
    """A menu in the address; a value that this model does not have gives way to the default."""
    if st.session_state.get(key, default) not in options:
        del st.session_state[key]
    return st.selectbox(label, options, index=options.index(default), key=key, bind="query-params")
