"""The Lessons page: the list with the form to write a lesson, or an open lesson."""

from typing import Any

import streamlit as st

from embtools.lessons import bundled, markdown
from embtools.lessons.lesson import LessonProblem
from embtools.ui import carried, explain, menu, page, recorded, share, state, texts, uploads
from embtools.ui.fields import Field
from embtools.ui.lessons import classroom, lesson, opened, writing
from embtools.ui.lessons.opened import Opened
from embtools.ui.rooms import board, key, teacher


def show(explanation: str, sources: tuple[str, ...]) -> None:
    """Draw the page; the texts are constant Markdown."""
    opening = opened.read(state.coming(opened.PAGE))
    panel = opening.panel if isinstance(opening, Opened) else None
    fields: tuple[Field, ...] = (*opened.FIELDS, *(panel.fields if panel else ()))
    model = page.begin(opened.PAGE, fields, menu=not isinstance(opening, Opened))
    if isinstance(opening, Opened):
        classroom.ask(opening, model)  # first, so that the browser keeps that the room is shown now
    key.exchange()
    if isinstance(opening, Opened):
        lesson.show(model, opening)
        return
    if board.is_shown(opened.PAGE):
        board.show(opened.PAGE, classroom.ways(None))
        state.follow()
        return
    own = next(each for each in menu.PAGES if each.name == opened.PAGE)
    tools = page.bar(own.title, own.question)
    carried.badge()
    for name, tab in state.tabs(opened.VIEW).items():
        if tab.open:
            with tab:
                if name == opened.WRITE:
                    writing.show(model)
                else:
                    _list(opening if isinstance(opening, LessonProblem) else None)
    state.follow()
    with tools:
        code = recorded.current()
        code.explanation = explain.whole(explanation, {}, sources)
        share.tools(code)
        if not opened.PUPIL.value:
            teacher.popover(opened.PAGE, None, (), hint=classroom.HINT)
        explain.popover(explanation, {}, "", sources)


def _list(problem: LessonProblem | None) -> None:
    """Draw the lessons as cards; `problem` says why a lesson could not be opened."""
    if problem:
        texts.problem(problem.problem if not problem.line else problem)
    lessons = bundled.lessons()
    st.header(bundled.summary().capitalize(), anchor=False)
    st.text("First you guess, then the app computes the answer, and then you read why. You can begin with any lesson.")
    with st.container(key="lesson-cards", horizontal=True, gap="small"):
        for key, lesson in lessons.items():
            with st.container(border=True, key=f"lesson-card-{key}", width=330):
                st.button(
                    lesson.title,
                    type="tertiary",
                    on_click=state.put,
                    args=(opened.begun(key, lesson),),
                    key=f"open-{key}",
                )
                st.text(lesson.summary)
                st.caption(f"{lesson.minutes} minutes · {lesson.questions} questions")
    with st.expander("Open a lesson from a file", icon=":material/upload_file:", type="compact"):
        st.caption(
            "This opens a lesson that somebody wrote on this page and saved as a file. The file is read but not stored."
        )
        uploads.field("Lesson file", ("md", "txt"), "lesson-file", _read)


def _read(data: bytes) -> dict[str, Any]:
    return opened.values_of(markdown.read_file(data))
