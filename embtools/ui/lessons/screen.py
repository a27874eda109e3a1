"""The Lessons page: the list with the form to write a lesson, or an open lesson."""

import streamlit as st

from embtools.lessons.lesson import LessonProblem
from embtools.ui import page, share, state
from embtools.ui.fields import Field
from embtools.ui.lessons import lesson, opened, overview, writing
from embtools.ui.lessons.opened import Opened


def show(explanation: str, sources: tuple[str, ...]) -> None:
    """Draw the page; the texts are constant Markdown."""
    found = opened.read(state.coming("lessons"))
    panel = found.panel if isinstance(found, Opened) else None
    fields: tuple[Field, ...] = (*opened.FIELDS, *(panel.fields if panel else ()))
    model = page.begin("lessons", fields)
    if isinstance(found, Opened):
        lesson.show(model, found)
        return
    own = next(each for each in page.PAGES if each.name == "lessons")
    with st.container(key="head", horizontal=True, vertical_alignment="center", gap="small"):
        st.title(own.title, anchor=False, width="content")
        st.markdown(own.question, width="stretch")
        tools = st.container(key="tools", horizontal=True, width="content", gap="small")
    for name, tab in state.tabs(opened.VIEW).items():
        if tab.open:
            with tab:
                if name == opened.WRITE:
                    writing.show(model)
                else:
                    overview.show(found if isinstance(found, LessonProblem) else None)
    state.follow()
    with tools:
        share.tools(share.begin(model))
        with st.popover("Explain", icon=":material/menu_book:", key="explain"):
            st.markdown(explanation)
            st.markdown("Sources: " + " · ".join(sources))
