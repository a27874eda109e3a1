"""What a teacher needs for a lesson: notes, the link for pupils, worksheets, and the lesson as a file."""

from urllib.parse import urlencode

import streamlit as st

from embtools.lessons import markdown, worksheet
from embtools.lessons.lesson import for_pupils
from embtools.lessons.markdown import write
from embtools.ui import carried, draft, notebook, page, presenter, qr, state
from embtools.ui.lessons import opened, shown_panel, writing
from embtools.ui.lessons.opened import Opened

_SOLVED = "lessons-solved"  # session key: the lesson and model whose solutions were asked for


def tool(lesson: Opened, model_name: str) -> None:
    """Draw the popover; it is filled when it is open."""
    teacher = st.popover("For teachers", icon=":material/co_present:", key="lesson-teacher", on_change="rerun")
    if not teacher.open:
        return
    with teacher:
        draft.take(with_text=True)  # so that a lesson that was written before can be taken back
        draft.keep(with_text=True)
        if lesson.lesson.notes:
            (st.markdown if lesson.trusted else st.text)(lesson.lesson.notes)
        st.caption(_what_pupils_get(lesson))
        link = pupils(lesson)
        st.code(
            link or _own_address("lessons?" + urlencode({opened.PUPIL.key: "true"})), language=None, wrap_lines=True
        )
        name = notebook.file_name(lesson.lesson.title, "lesson")[:40]
        with st.container(horizontal=True, gap="small"):
            sheet = worksheet.html(lesson.lesson, markdown=lesson.trusted, address=link)
            _download("Worksheet", sheet, f"{name}.html", "text/html", "sheet")
            if st.session_state.get(_SOLVED) == (lesson.lesson, model_name):
                _solutions(lesson, model_name, link, name)
            else:
                st.button(
                    "Compute the solutions",
                    icon=":material/play_arrow:",
                    on_click=state.put,
                    args=({_SOLVED: (lesson.lesson, model_name)},),
                    key="lesson-solve",
                )
            _download("Lesson as a file", write(lesson.lesson), f"{name}.md", "text/markdown", "file")
            if not link:
                copy = write(for_pupils(lesson.lesson))
                _download("File for pupils", copy, f"{name}-pupils.md", "text/markdown", "pupils-file")
            st.button(
                "Change this lesson",
                icon=":material/edit:",
                on_click=state.put,
                args=(writing.instead(write(lesson.lesson)),),
                key="lesson-change",
                help="Opens a copy of the lesson under Write a lesson.",
            )


def pupils(lesson: Opened) -> str:
    """Return the link for pupils: the lesson from its first step, with the chosen model; "" if it is too long."""
    return _own_address(handed_out(lesson))


def handed_out(lesson: Opened, step: int = 1) -> str:
    """Return the page for pupils at a step, as rooms hand it out, without what pupils must not read; "" if the lesson
    is too long for an address."""
    left_out = {each.key for each in (*presenter.FIELDS, *carried.FIELDS)}
    common = {key: parts for key, parts in page.common().items() if key not in left_out}
    own = {opened.LESSON.key: [lesson.key], opened.PUPIL.key: opened.PUPIL.write(True)}
    if not lesson.trusted:
        code = markdown.encode(for_pupils(lesson.lesson))
        if len(code) > opened.MOST_CODE:
            return ""
        own |= {opened.LESSON.key: [opened.OWN], opened.CODE.key: [code]}
    if step > 1:
        own[opened.STEP.key] = opened.STEP.write(step)
    return f"lessons?{urlencode(common | own, doseq=True)}"


def solutions(lesson: Opened, name: str) -> dict[int, tuple[int | None, str]]:
    """Return, for each step with a question, its right choice and the answer in words, computed by the model."""
    result: dict[int, tuple[int | None, str]] = {}
    for number, step in enumerate(lesson.lesson.steps):
        if step.question:
            try:
                solved = shown_panel.solve(step, shown_panel.of(step.shows, step.line), name)
                result[number] = solved.right, f"Answer: {solved.written}"
            except ValueError as error:
                result[number] = None, f"No answer: {error}"
    return result


def _what_pupils_get(lesson: Opened) -> str:
    """Say what is part of the link for pupils, and what it only hides."""
    if lesson.trusted:
        return (
            "Link for pupils: it opens the first step, without guesses, and hides these notes, the solutions and the"
            " room. This lesson is part of the app, so pupils who open it from the list can read all of them."
        )
    if handed_out(lesson):
        start = "Link for pupils: it opens the first step, without guesses, and does not contain your notes."
        if lesson.key == opened.OWN and lesson.lesson.notes:
            start += " The address of this page contains them, so do not give your pupils what is under Link."
    else:
        start = (
            "This lesson is too long for a link. Give your pupils the file for pupils, which does not contain your"
            " notes, and this link, where they open it under Open a lesson from a file."
        )
    return (
        f"{start} It contains the texts after the answers, which the app shows after each guess: pupils who decode"
        " the link can read them earlier. It contains no answers: the app computes them after any guess, or as"
        " solutions for those who remove lesson_pupil from the address."
    )


def _own_address(query: str) -> str:
    """Return the address of a page of this server, if possible one that phones reach; "" for an empty query."""
    here = (st.context.url or "").partition("?")[0]
    return query and f"{qr.for_phones(here) or here}?{query.partition('?')[2]}"


def _solutions(lesson: Opened, model_name: str, link: str, name: str) -> None:
    solved = solutions(lesson, model_name)
    sheet = worksheet.html(lesson.lesson, markdown=lesson.trusted, address=link, solutions=solved)
    _download("Solutions", sheet, f"{name}-solutions.html", "text/html", "solutions")


def _download(label: str, data: str, file: str, kind: str, key: str) -> None:
    st.download_button(label, data, file, kind, key=f"lesson-{key}", icon=":material/download:", on_click="ignore")
