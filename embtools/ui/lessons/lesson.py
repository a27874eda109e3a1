"""One step of a lesson: the question, the guess, then the answer of the real panel and the reason."""

from typing import Any

import streamlit as st

from embtools.lessons.guesses import right_choice
from embtools.lessons.lesson import MAX_STEPS, OTHERWISE, LessonProblem
from embtools.ui import fields, page, running, share, spelling, state, texts
from embtools.ui.lessons import opened, shown_panel, teacher
from embtools.ui.lessons.opened import Opened
from embtools.ui.lessons.shown_panel import ShownPanel
from embtools.ui.shown import Model

_ASKED = "lessons-asked"  # session key: the lessons from outside and their steps whose answers were asked for


def show(model: str, lesson: Opened) -> None:
    """Draw the step with its navigation."""
    panel = lesson.panel
    code = share.begin(model)
    with st.container(key="head", horizontal=True, vertical_alignment="center", gap="small"):
        st.title(texts.plain(lesson.lesson.title), anchor=False, width="content")
        st.markdown(f"Step {lesson.number} of {len(lesson.lesson.steps)}", width="stretch")
        tools = st.container(key="tools", horizontal=True, width="content", gap="small")
    own = [opened.texts_of(lesson.key)] if lesson.trusted else []
    capitals = spelling.begin([*([panel.module] if panel else []), *own])
    with st.container(key="lesson"):
        st.header(texts.plain(lesson.step.title), anchor=False)
        write(lesson.step.before, lesson.trusted)
        if lesson.step.question:
            _question(lesson)
        if lesson.guess is not None or not lesson.step.question:
            _answer(lesson, panel, model)
        _navigation(lesson)
    if panel and (lesson.guess is not None or not lesson.step.question):
        _panel(panel, model)
    spelling.badge(capitals)
    state.follow()
    with tools:
        share.tools(code)
        teacher.tool(lesson, model)
    running.finish()


def write(text: str, trusted: bool) -> None:
    """Draw a text of a lesson: Markdown if the lesson came with the app, otherwise as it is."""
    if text:
        (st.markdown if trusted else st.text)(text)


def verdict(lesson: Opened, answer: Any, written: str) -> str:
    """Return a sentence that compares the guess with the answer, which is also given as text."""
    choices = lesson.step.choices
    right = right_choice(choices, answer)
    guess = "" if lesson.guess is None else choices[lesson.guess].text
    if right is None:
        said = f"The answer is: {written}. None of the choices fits."
        return f"{said} You guessed: {guess}." if guess else said
    label = choices[right].text
    same = written.casefold() in (label.casefold(), choices[right].key.casefold()) and choices[right].key != OTHERWISE
    said = label if same else f"{label} ({written})"
    if not guess:
        return f"The answer is: {said}."
    return f"You guessed it: {said}." if lesson.guess == right else f"You guessed: {guess}. The answer is: {said}."


def _question(lesson: Opened) -> None:
    st.subheader(texts.plain(lesson.step.question), anchor=False)
    with st.container(key="guess-lesson", horizontal=True, gap="small"):
        for i, choice in enumerate(lesson.step.choices):
            st.button(
                texts.plain(choice.text),
                type="primary" if lesson.guess in (None, i) else "secondary",
                on_click=state.put,
                args=(opened.guessed(lesson, i) | _asked_here(lesson),),
                key=f"guess-{lesson.number}-{i}",
            )


def _may_compute(lesson: Opened) -> bool:
    """Return whether the answer of the step may be computed: no link to a lesson from outside makes a server work.

    The answers of the app's own lessons are computed at once. Those of other lessons wait until the visitor has pressed
    a choice or the button of the step.
    """
    return lesson.trusted or (lesson.lesson, lesson.number) in st.session_state.get(_ASKED, ())


def _asked_here(lesson: Opened) -> dict[str, Any]:
    """Return the value that says that the visitor has asked for the answer of the step."""
    asked = (lesson.lesson, lesson.number)
    others = [each for each in st.session_state.get(_ASKED, ()) if each != asked]
    return {_ASKED: (*others[-MAX_STEPS:], asked)}


def _answer(lesson: Opened, panel: ShownPanel | None, model: str) -> None:
    """Draw the answer, the text after it and the point to remember."""
    step = lesson.step
    if step.question and panel and not _may_compute(lesson):
        st.button(
            "Compute the answer",
            type="primary",
            icon=":material/play_arrow:",
            on_click=state.put,
            args=(_asked_here(lesson),),
            key=f"answer-{lesson.number}",
        )
    elif step.question and panel:
        with st.container(key="verdict", border=True):
            try:
                reading = shown_panel.reading_of(step, panel)
                with fields.given(panel.values):
                    answer = reading.read(Model(model))
                st.text(verdict(lesson, answer, reading.written(answer)))
            except LessonProblem as problem:
                texts.problem(problem.problem)
            except ValueError as error:
                texts.problem(error)
    write(step.after, lesson.trusted)
    if step.point:
        with st.container(key="point"):
            st.text(f"Remember: {step.point}")


def _navigation(lesson: Opened) -> None:
    last = len(lesson.lesson.steps)
    waiting = bool(lesson.step.question) and lesson.guess is None
    with st.container(key="lesson-steps", horizontal=True, vertical_alignment="center", gap="small"):
        if lesson.number > 1:
            back = opened.step_values(lesson.lesson, lesson.number - 1)
            st.button("Previous step", icon=":material/arrow_back:", on_click=state.put, args=(back,), key="previous")
        if lesson.number < last:
            following = opened.step_values(lesson.lesson, lesson.number + 1)
            st.button(
                "Next step",
                icon=":material/arrow_forward:",
                type="secondary" if waiting else "primary",
                on_click=state.put,
                args=(following,),
                key="next",
            )
        st.button("All lessons", icon=":material/list:", type="tertiary", on_click=state.put, args=(opened.closed(),))
        if lesson.number == last and not waiting:
            guessed = sum(letter != "-" for letter in lesson.guesses)
            st.text(f"This was the last step. You made {guessed} of {lesson.lesson.questions} guesses.")


def _panel(panel: ShownPanel, model: str) -> None:
    """Draw the real panel with the values of the step, and a link to it on its own page."""
    several = panel.page.title != panel.module.TAB
    title = f"{panel.page.title} › {panel.module.TAB}" if several else panel.page.title
    shared = {field.key for field in page.COMMON}
    common = {key: parts for key, parts in state.link("lessons", page.COMMON).items() if key in shared}
    with st.container(key="lesson-panel"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(f"This is the page “{title}” of this app. You can change everything in it.")
            st.page_link(
                panel.page.script, label="Open it there", icon=panel.page.icon, query_params=common | panel.parameters
            )
        page.draw(panel.module, model, title)
