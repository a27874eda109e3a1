"""What a visitor sees after a fault of the app: a sentence, never a traceback."""

import streamlit as st

SORRY = "Something went wrong on this page. This is a fault of the app, not yours. Other pages still work."
NEXT = "Reload the page to try again, or press Reset to return to the first example."


def say(_: Exception) -> bool:
    """Show that something went wrong; returns True, so that Streamlit shows nothing else."""
    with st.container(border=True):
        st.text(f"⚠ {SORRY}")
        st.text(NEXT)
    return True
