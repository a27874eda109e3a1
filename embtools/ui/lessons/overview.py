"""The list of lessons, and the field that opens a lesson from a file."""

from typing import Any

import streamlit as st

from embtools.lessons import address, bundled
from embtools.lessons.lesson import LessonProblem
from embtools.ui import state, texts, uploads
from embtools.ui.lessons import opened


def show(problem: LessonProblem | None) -> None:
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
    return opened.values_of(address.read_file(data))
