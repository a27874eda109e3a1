"""Nothing is lost to a slip of the keyboard, or to a stop: the last good result stays on the page."""

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from embtools.ui import page

T = TypeVar("T")


def last_good(name: str, model: str, compute: Callable[..., T], asked: Any, first: Any, place: Any = None) -> Any:
    """(what is shown, `compute` of it): of what was asked; else of the last good question; else of the first example.

    `name` keeps the panels apart, and each model has its own last good question. An error is shown in `place` (beside
    the field) or here; when even the first example fails, as with a model that does not know its words, the panel
    ends there: None.
    """
    key = f"good-{name}-{model}"
    try:
        result = compute(asked)
    except ValueError as error:
        with place if place is not None else st.container():
            page.problem(error)
            last = st.session_state.get(key, first)
            if last == asked:
                return None
            try:
                result = compute(last)
            except ValueError:
                return None
            st.caption("The last good result stays." if key in st.session_state else "Meanwhile: the first example.")
        return last, result
    st.session_state[key] = asked
    return asked, result
