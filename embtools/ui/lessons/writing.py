"""A form to write a lesson: steps from copied links, and the whole lesson as text."""

from typing import Any

import streamlit as st

from embtools.lessons import address
from embtools.lessons.lesson import MAX_CHARACTERS, MAX_CHOICES, MAX_LINE, MAX_TEXT, Choice, Lesson, LessonProblem, Step
from embtools.lessons.markdown import parse, read_choice, write
from embtools.ui import fields, state, texts
from embtools.ui.fields import Choice as ChoiceField
from embtools.ui.fields import Text
from embtools.ui.lessons import opened, shown_panel
from embtools.ui.lessons.shown_panel import ShownPanel
from embtools.ui.shown import Model

_STARTER = """---
title: My lesson
minutes: 10
summary: What this lesson is about.
notes:
  Notes for the teacher.
---

## What does BERT answer?

Read the sentence: Rome is the capital of …

shows: arithmetic?arithmetic_edits=
question: Which word is BERT's top answer?
answer: top
- [italy] Italy
- [france] France
- [*] Another word
point: BERT gives every word of its vocabulary a probability.
"""
# These fields are not part of the address: a finished lesson is, when it is opened.
TEXT = Text("lesson_text", _STARTER, MAX_CHARACTERS)
LINK, TITLE, BEFORE = (
    Text("lesson_link", "", 8_000),
    Text("lesson_title", "", MAX_LINE),
    Text("lesson_before", "", MAX_TEXT),
)
QUESTION, ANSWER = Text("lesson_question", "", MAX_LINE), ChoiceField("lesson_answer", "")
CHOICES, POINT = Text("lesson_choices", "", 2_000), Text("lesson_point", "", MAX_LINE)
_STEP = (LINK, TITLE, BEFORE, QUESTION, CHOICES, POINT)
_PROBLEM = "lesson-writing-problem"
_NO_QUESTION = "no question"
_KEYS = {
    "word": "The part in brackets is the answer for which a choice is right; [*] stands for every other answer.",
    "yes or no": "The answer is yes or no: write [yes] and [no] in front of the two choices.",
    "number": "The answer is a number: write ranges, such as [..10], [10..50] and [50..].",
}


def show(model: str) -> None:
    """Draw the form for a step next to the lesson."""
    for field in (TEXT, ANSWER, *_STEP):
        st.session_state.setdefault(field.key, field.default)
    left, right = st.columns(2, gap="large")
    with left:
        _step(model)
    with right:
        _lesson()


def _step(model: str) -> None:
    st.header("1. Add steps", anchor=False)
    st.text_input(
        "Link to what the step shows",
        placeholder="Open a page of this app, set everything, and copy its address",
        max_chars=LINK.most,
        **LINK.widget,
    )
    panel = None
    if LINK.value.strip():
        try:
            panel = shown_panel.of(LINK.value, lenient=True)
            st.caption(texts.plain(f"The step will show: {panel.page.title} › {panel.module.TAB}."))
        except LessonProblem as problem:
            texts.problem(problem.problem)
    st.text_input("Title of the step", max_chars=TITLE.most, **TITLE.widget)
    st.text_area("Text before the question", height=80, max_chars=BEFORE.most, **BEFORE.widget)
    if panel and panel.readings:
        _question(panel, model)
    st.text_input("Point to remember", max_chars=POINT.most, **POINT.widget)
    st.button("Add the step", icon=":material/add:", type="primary", on_click=_add, key="lesson-add")
    if wrong := st.session_state.get(_PROBLEM):
        texts.problem(wrong)


def _question(panel: ShownPanel, model: str) -> None:
    """Draw the fields of the question; the answer of the model in use helps to write the choices."""
    names = {_NO_QUESTION: _NO_QUESTION} | {name: reading.label for name, reading in panel.readings.items()}
    st.selectbox("Answer", format_func=names.__getitem__, **ANSWER.among(tuple(names), _NO_QUESTION))
    reading = panel.readings.get(ANSWER.value)
    if reading is None:
        return
    st.text_input("Question", max_chars=QUESTION.most, **QUESTION.widget)
    st.text_area(
        f"Choices (one per line, 2 to {MAX_CHOICES})",
        height=110,
        placeholder="[italy] Italy\n[france] France\n[*] Another word",
        help=_KEYS[reading.kind],
        max_chars=CHOICES.most,
        **CHOICES.widget,
    )
    try:
        with fields.given(panel.values):
            st.text(f"The answer now: {reading.written(reading.read(Model(model)))}")
    except ValueError as error:
        texts.problem(error)


def _lesson() -> None:
    st.header("2. Check and open the lesson", anchor=False)
    st.text_area(
        "The lesson as text",
        height=420,
        max_chars=TEXT.most,
        help="You can change everything here: the title, the notes, the steps and their order.",
        **TEXT.widget,
    )
    try:
        lesson = parse(TEXT.value)
        shown_panel.check(lesson)
    except LessonProblem as problem:
        texts.problem(problem)
        return
    long = len(address.encode(lesson)) > state.MOST - 500
    st.caption(
        f"Steps: {len(lesson.steps)}. Questions: {lesson.questions}. "
        + ("It is too long for a link, so save it as a file." if long else "It fits into a link.")
    )
    with st.container(horizontal=True, gap="small"):
        st.button("Open the lesson", icon=":material/play_arrow:", type="primary", on_click=_open, key="lesson-open")
        st.download_button(
            "Save as a file", write(lesson), "lesson.md", "text/markdown", icon=":material/download:", on_click="ignore"
        )


def _open() -> None:
    try:
        state.put(opened.values_of(parse(TEXT.value)))
    except LessonProblem as problem:
        st.session_state[_PROBLEM] = str(problem)


def _add() -> None:
    """Add the step of the form to the lesson and clear the form; otherwise say what is wrong."""
    try:
        lesson = parse(TEXT.value)
        added = Lesson(lesson.title, lesson.minutes, lesson.summary, lesson.notes, (*lesson.steps, _filled()))
        text = write(added)
        shown_panel.check(parse(text))
    except LessonProblem as problem:
        st.session_state[_PROBLEM] = str(problem)
        return
    cleared: dict[str, Any] = {field.key: "" for field in _STEP}
    state.put(cleared | {TEXT.key: text, _PROBLEM: None})


def _filled() -> Step:
    """Return the step that the form describes."""
    panel = shown_panel.of(LINK.value, lenient=True) if LINK.value.strip() else None
    asked = panel is not None and ANSWER.value in panel.readings
    lines = fields.lines(CHOICES.value) if asked else ()
    choices: tuple[Choice, ...] = tuple(read_choice(line) for line in lines)
    return Step(
        TITLE.value.strip(),
        BEFORE.value.strip("\n"),
        panel.address if panel else "",
        QUESTION.value.strip() if asked else "",
        str(ANSWER.value) if asked else "",
        choices,
        POINT.value.strip(),
    )
