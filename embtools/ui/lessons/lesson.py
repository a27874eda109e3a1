"""One step of a lesson: the question, the guess, then the answer of the real panel and the reason."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from embtools.lessons.guesses import named, score, score_of_class
from embtools.ui import carried, page, recorded, running, share, spelling, state, texts
from embtools.ui.lessons import classroom, opened, shown_panel, teacher
from embtools.ui.lessons.opened import Opened
from embtools.ui.lessons.shown_panel import ShownPanel, Solution
from embtools.ui.rooms import asking, board, key
from embtools.ui.rooms import teacher as rooms

_OF_CLASS = "The class's most frequent guess"
_NOTES_IN_LINK = "This link contains your notes. Give your pupils the link under For teachers instead."


def show(name: str, lesson: Opened) -> None:
    """Draw the step with its navigation."""
    panel = lesson.panel
    code = recorded.current()
    if board.is_shown(opened.PAGE):
        board.show(opened.PAGE, classroom.ways(lesson))
        state.follow()
        return
    tools = page.bar(texts.plain(lesson.lesson.title), f"Step {lesson.number} of {len(lesson.lesson.steps)}")
    carried.badge()
    own = [opened.texts_of(lesson.key)] if lesson.trusted else []
    capitals = spelling.begin([*([panel.module] if panel else []), *own])
    answered = lesson.guess is not None or not lesson.step.question
    waits = lesson.waits
    if answered and panel and (waits is None or waits[1]):  # side by side: the chart is in sight while the text is read
        text, shown = st.columns([9, 20], gap="medium")
        with text, st.container(key="lesson"):
            _text(lesson, panel, name, answered)
        with shown, st.container(key="lesson-panel"):
            if waits:
                st.html(f"<style>{_only(waits[1])}</style>")
            _panel(panel, name)
    else:
        with st.container(key="lesson"):
            _text(lesson, panel, name, answered)
    spelling.badge(capitals)
    state.follow()
    with tools:
        share.tools(code, _NOTES_IN_LINK if lesson.key == opened.OWN and lesson.lesson.notes else "")
        if not opened.PUPIL.value:
            rooms.popover(opened.PAGE, None, (), address=teacher.handed_out(lesson), hint=classroom.HINT)
            teacher.tool(lesson, name)
    running.finish()


def write(text: str, trusted: bool) -> None:
    """Draw a text of a lesson: Markdown if the lesson came with the app, otherwise as it is."""
    if text:
        (st.markdown if trusted else st.text)(text)


def verdict(lesson: Opened, solved: Solution, *, given: Sequence[int] = ()) -> str:
    """Return a sentence that compares the guess with the answer; the most frequent one that the class has `given` is
    called the class's, and after a tie there is no guess."""
    choices, right = lesson.step.choices, solved.right
    tie = classroom.is_tie(given, lesson.guess)
    guess = "" if lesson.guess is None or tie else choices[lesson.guess].text
    by_class = bool(guess and given and given[lesson.guess or 0] == max(given))
    guessed = f"{_OF_CLASS if by_class else 'You guessed'}: {guess}."
    answer = named(choices, right, solved.written)
    if right is None:
        answer = f"The answer is: {answer}. None of the choices fits."
        return f"{answer} {guessed}" if guess else answer
    if not guess:
        return f"{'The class was divided. ' if tie else ''}The answer is: {answer}."
    if lesson.guess != right:
        return f"{guessed} The answer is: {answer}."
    return f"{_OF_CLASS} is right: {answer}." if by_class else f"You guessed it: {answer}."


def _text(lesson: Opened, panel: ShownPanel | None, name: str, answered: bool) -> None:
    """Draw the text of the step, its question, and after the guess the answer and the reason."""
    st.header(texts.plain(lesson.step.title), anchor=False)
    with st.container(key="lesson-before"):
        write(lesson.step.before, lesson.trusted)
    if lesson.step.question:
        _question(lesson)
    if answered:
        _answer(lesson, panel, name)
    with st.container(key="lesson-reason"):
        if answered:
            _reason(lesson)
        if answered and panel and lesson.waits:
            what = "The rest of the figure" if lesson.waits[1] else "The figure"
            why = "because it gives that answer away."
            st.caption(f"{what} is shown when you have answered step {lesson.waits[0]}, {why}")
        elif answered and panel:
            _link(panel)
    _navigation(lesson, name)


def _question(lesson: Opened) -> None:
    held = key.held()
    to_class = lesson.guess is None and held
    st.subheader(texts.plain(lesson.step.question), anchor=False)
    with st.container(key="guess-lesson", horizontal=True, gap="small"):
        for i, choice in enumerate(lesson.step.choices):
            st.button(
                texts.plain(choice.text),
                type="primary" if lesson.guess == i or (lesson.guess is None and not to_class) else "secondary",
                on_click=state.put,
                args=(opened.guessed(lesson, i) | opened.may_compute(lesson),),
                key=f"guess-{lesson.number}-{i}",
            )
    if to_class:
        classroom.buttons(lesson)
    elif held:
        asking.back(opened.PAGE)


def _answer(lesson: Opened, panel: ShownPanel | None, name: str) -> None:
    """Draw the answer next to the guess, or the button that computes it."""
    step = lesson.step
    if step.question and panel and not opened.is_computed(lesson):
        st.button(
            "Compute the answer",
            type="primary",
            icon=":material/play_arrow:",
            on_click=state.put,
            args=(opened.may_compute(lesson),),
            key=f"answer-{lesson.number}",
        )
    elif step.question and panel:
        with st.container(key="verdict", border=True):
            running.attempt(lambda: _verdict(lesson, panel, name))


def _reason(lesson: Opened) -> None:
    """Draw the text after the answer and the point to remember."""
    step = lesson.step
    write(step.after, lesson.trusted)
    if step.point:
        with st.container(key="point"):
            st.text(f"Remember: {step.point}")


def _verdict(lesson: Opened, panel: ShownPanel, name: str) -> None:
    """Compute the answer and compare it with the guess; raises ValueError if there is no answer."""
    step = replace(lesson.step, line=0)  # for an error that does not name the line in the file
    solved = shown_panel.solve(step, panel, name)
    opened.remember(lesson, name, solved.right)
    given = classroom.answers(lesson)
    st.text(verdict(lesson, solved, given=given))
    if given:
        st.caption(texts.plain(classroom.counted(lesson, given)))


def _navigation(lesson: Opened, name: str) -> None:
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
            count, of_class = lesson.lesson.questions, classroom.rights(lesson)
            counted = score_of_class(count, of_class) if of_class else score(count, opened.rights(lesson, name))
            st.text(f"This was the last step. {counted}" if count else "This was the last step.")


def _only(charts: Sequence[str]) -> str:
    """Return the style with which only some charts, or containers, of the panel are visible; their names are safe in
    it, see `Step.hides`."""
    shown = "".join(
        f":not(.st-key-chart-{each}, .st-key-{each} *)" for name in charts for each in (name, f"{name}-second")
    )
    elements = "stElementContainer", "stExpander", "stPopover", "stTabs", "stForm"
    hidden = ", ".join(f'.st-key-lesson-panel [data-testid="{element}"]{shown}' for element in elements)
    return f"{hidden} {{ display: none !important; }}"


def _title(panel: ShownPanel) -> str:
    several = panel.page.title != panel.module.TAB
    return f"{panel.page.title} › {panel.module.TAB}" if several else panel.page.title


def _link(panel: ShownPanel) -> None:
    """Draw the link to the panel on its own page, with the values of the step."""
    st.page_link(
        panel.page.script,
        label=f"Open the page: {_title(panel)}",
        icon=panel.page.icon,
        query_params=page.common() | panel.parameters,
        help="The page has this figure with all its fields, tables and tabs. There you can change everything.",
    )


def _panel(panel: ShownPanel, name: str) -> None:
    """Draw the real panel with the values of the step; style.css shows its headline and figures only."""
    with carried.without():  # the question of the step is about the model without it
        page.draw(panel.module, name, _title(panel))
