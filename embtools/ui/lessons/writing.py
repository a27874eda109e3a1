"""Writing a lesson: a form for its steps, the list of its steps, and the whole lesson as text."""

from dataclasses import replace
from typing import Any

import streamlit as st

from embtools.lessons import markdown
from embtools.lessons.lesson import Lesson, LessonProblem
from embtools.lessons.markdown import parse, write
from embtools.ui import draft, entry, menu, running, state, texts, uploads
from embtools.ui.draft import TEXT
from embtools.ui.lessons import opened, outline, shown_panel, step_form

_BEFORE = "lesson-before-this"  # session key: the text that was replaced last
_UNFIT = "lesson-about-problem"  # session key: the text in which a value of a field of its own cannot be, and why
_ABOUT = ("title", "minutes", "summary", "notes")  # what has a field of its own
_TITLES = {each.name: each.title for each in menu.PAGES}


def show(name: str) -> None:
    """Draw the form for a step next to the lesson."""
    draft.take(with_text=True)
    if pages := draft.taken():
        text, message = outline.with_pages(str(TEXT.value), pages, _TITLES)
        state.put({TEXT.key: text, outline.SAID: message})
    draft.keep(with_text=True)
    left, right = st.columns(2, gap="large")
    with left:
        step_form.show(name)
    with right:
        _lesson()


def instead(text: str) -> dict[str, Any]:
    """Return the field values that open a text here; the one that was written before can be taken back."""
    old = st.session_state.get(TEXT.key, draft.STARTER)
    before = {_BEFORE: old} if old not in (draft.STARTER, text) else {}
    return (
        opened.closed() | step_form.empty() | before | {TEXT.key: text, opened.VIEW.key: opened.WRITE, outline.SAID: ""}
    )


def _lesson() -> None:
    st.header("The lesson", anchor=False)
    if message := st.session_state.get(outline.SAID):
        with st.container(key="lesson-said"):
            st.text(message)
    if lesson := running.attempt(lambda: shown_panel.check(parse(str(TEXT.value)))):
        _about(lesson)
        _steps(lesson)
        _finished(lesson)
    entry.text_area(
        "The lesson as text",
        height=300,
        help="You can change everything here too, for example the order of the steps. Your browser keeps the lesson.",
        **TEXT.widget,
    )
    _other_lessons()


def _about(lesson: Lesson) -> None:
    """Draw the fields about the whole lesson: they show what the text says, or what was typed and cannot be in it."""
    text, wrong = st.session_state.get(_UNFIT, ("", ""))
    wrong = wrong if text == TEXT.value else ""  # otherwise the text has been changed since
    for name in () if wrong else _ABOUT:
        st.session_state[f"lesson-about-{name}"] = getattr(lesson, name)
    title, minutes = st.columns([4, 1], gap="small")
    title.text_input("Title of the lesson", key="lesson-about-title", on_change=_rewrite, persist_state="session")
    minutes.number_input("Minutes", step=1, key="lesson-about-minutes", on_change=_rewrite, persist_state="session")
    st.text_input("Summary", key="lesson-about-summary", on_change=_rewrite, persist_state="session")
    st.text_area(
        "Notes for the teacher", height=80, key="lesson-about-notes", on_change=_rewrite, persist_state="session"
    )
    if wrong:
        texts.problem(wrong)


def _rewrite() -> None:
    """Write the fields about the whole lesson into its text."""
    values = {name: st.session_state[f"lesson-about-{name}"] for name in _ABOUT}
    try:
        text = write(replace(parse(str(TEXT.value)), **values))
    except LessonProblem as problem:
        st.session_state[_UNFIT] = TEXT.value, problem.problem
        return
    state.put({TEXT.key: text, outline.SAID: "", _UNFIT: ("", "")})


def _steps(lesson: Lesson) -> None:
    for number, step in enumerate(lesson.steps, 1):
        with st.container(key=f"lesson-row-{number}", horizontal=True, vertical_alignment="center", gap="small"):
            with st.container(gap=None):
                st.text(f"{number}. {step.title}")
                st.caption(texts.plain(outline.described(step, _TITLES)))
                if step.hides and not lesson.hides(number):
                    st.text(
                        f"⚠ This step hides nothing, because step {step.hides[0]} is not a later step with a question."
                    )
            for label, icon, act, off in (
                (f"Change step {number}", "edit", step_form.values_of(step, number), False),
                (f"Move step {number} up", "arrow_upward", number, number == 1),
                (f"Remove step {number}", "close", -number, len(lesson.steps) == 1),
            ):
                st.button(
                    texts.plain(label),
                    icon=f":material/{icon}:",
                    key=f"lesson-{icon}-{number}",
                    type="tertiary",
                    on_click=state.put if isinstance(act, dict) else _change,
                    args=(act,),
                    disabled=off,
                )


def _finished(lesson: Lesson) -> None:
    long = len(markdown.encode(lesson)) > opened.MOST_CODE
    st.caption(
        f"Steps: {len(lesson.steps)}. Questions: {lesson.questions}. "
        + ("The lesson is too long for a link, so save it as a file." if long else "The lesson fits into a link.")
    )
    with st.container(horizontal=True, gap="small"):
        st.button("Open the lesson", icon=":material/play_arrow:", type="primary", on_click=_open, key="lesson-open")
        st.download_button(
            "Save as a file", write(lesson), "lesson.md", "text/markdown", icon=":material/download:", on_click="ignore"
        )


def _other_lessons() -> None:
    with st.container(horizontal=True, gap="small"):
        st.button(
            "New lesson",
            icon=":material/note_add:",
            on_click=state.put,
            args=(instead(draft.STARTER),),
            key="lesson-new",
        )
        if before := st.session_state.get(_BEFORE):
            st.button(
                "Back to the lesson before",
                icon=":material/undo:",
                on_click=state.put,
                args=(instead(before),),
                key="lesson-before",
            )
    uploads.field("Open a lesson file here", ("md", "txt"), "lesson-edit-file", _read)


def _read(data: bytes) -> dict[str, Any]:
    return instead(write(shown_panel.check(markdown.read_file(data))))


def _change(number: int) -> None:
    """Move the step of this number up; remove the step of a negative one."""
    text = str(TEXT.value)
    try:
        changed = outline.moved(text, number) if number > 0 else outline.without_step(text, -number)
    except LessonProblem:  # the text was changed meanwhile; the page says what is wrong with it
        return
    message = f"Moved to step {number - 1}." if number > 0 else f"Removed step {-number}."
    state.put(step_form.empty() | {TEXT.key: changed, outline.SAID: message})


def _open() -> None:
    try:
        state.put(opened.values_of(parse(str(TEXT.value))))
    except LessonProblem as problem:
        st.session_state[outline.SAID] = f"⚠ {problem}"
