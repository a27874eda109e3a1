"""What the server has heard of Back and Forward, noted in each page that it draws, so that a test can wait for it.

At a step back Streamlit asks for a run of its own, and the page asks for another one as it tells Python the address. On
a busy machine the first run has ended before the second one begins: only the page itself can say which of them it shows.
"""

from collections.abc import Iterable
from html import escape
from typing import Any

KEY = "heard"
# It takes no room.
_STYLE = f"<style>.st-key-{KEY} {{ position: absolute; height: 0; overflow: hidden; }}</style>"


def install() -> None:
    """Let every page of this process carry the address that was last told, with the time at which it was."""
    import streamlit as st

    from embtools.ui import state

    enter = state.enter

    def noted(page: str, fields: Iterable[Any]) -> None:
        enter(page, fields)
        with st.container(key=KEY):
            st.html(f'{_STYLE}<i data-heard="{escape(str(st.session_state.get(state._HEARD)))}"></i>')

    state.enter = noted
