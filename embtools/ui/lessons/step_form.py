"""The form for one step of a lesson: a new step, or one of the lesson that is being changed."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.lessons.guesses import marked, right_choice
from embtools.lessons.lesson import MAX_CHOICES, MAX_LINE, MAX_TEXT, Choice, LessonProblem, Step
from embtools.lessons.markdown import read_choice
from embtools.ui import draft, entry, fields, options, running, state, texts
from embtools.ui.fields import Choice as ChoiceField
from embtools.ui.fields import Text
from embtools.ui.lesson_answers import Reading
from embtools.ui.lessons import outline, shown_panel
from embtools.ui.lessons.shown_panel import ShownPanel
from embtools.ui.shown import Model

LINK, TITLE = Text("lesson_link", "", 8_000), Text("lesson_title", "", MAX_LINE)
BEFORE, HIDDEN = Text("lesson_before", "", MAX_TEXT), Text("lesson_hidden", "", MAX_LINE)
QUESTION, ANSWER = Text("lesson_question", "", MAX_LINE), ChoiceField("lesson_answer", "")
CHOICES, POINT = Text("lesson_choices", "", 2_000), Text("lesson_point", "", MAX_LINE)
AFTER = Text("lesson_after", "", MAX_TEXT)
FIELDS = (LINK, TITLE, BEFORE, HIDDEN, QUESTION, CHOICES, POINT, AFTER)
_EDITED = "lesson-edited"  # session key: the number of the step that the form changes; none for a new one
_PROBLEM = "lesson-form-problem"
_WARNED = "lesson-form-warned"  # session key: the step whose missing right choice was warned about
_NO_QUESTION = "no question"
_KEYS = {
    "word": "The part in brackets is the answer for which a choice is right; [*] stands for every other answer.",
    "yes or no": "The answer is yes or no: write [yes] and [no] in front of the two choices.",
    "number": "The answer is a number: write ranges, such as [..10], [10..50] and [50..].",
}


def show(name: str) -> None:
    """Draw the form."""
    for field in (ANSWER, *FIELDS):
        st.session_state.setdefault(field.key, field.default)
    number = edited()
    st.header(f"Change step {number}" if number else "Add a step", anchor=False)
    # In a narrow field, Streamlit's count of the characters would cover the end of a long link.
    entry.text_area(
        "Link to what the step shows",
        height=68,
        placeholder="Open a page, choose its settings, and paste its link here; or add it under My lesson in the menu",
        help="In the menu of each page, My lesson has a button that adds the page as it is now.",
        **LINK.widget,
    )
    panel = None
    if _link():
        panel = running.attempt(lambda: shown_panel.of(_link(), lenient=True))
        if panel is not None:
            st.caption(texts.plain(f"The step will show: {panel.page.title} › {panel.module.TAB}."))
    entry.text_input("Title of the step", **TITLE.widget)
    entry.text_area("Text before the question", height=80, **BEFORE.widget)
    if panel and panel.readings:
        _question(panel, name)
    entry.text_input("Point to remember", **POINT.widget)
    entry.text_area("Text after the answer", height=80, **AFTER.widget)
    with st.container(horizontal=True, gap="small"):
        st.button(
            f"Save step {number}" if number else "Add the step",
            icon=":material/save:" if number else ":material/add:",
            type="primary",
            on_click=_save,
            args=(name,),
            key="lesson-add",
        )
        if number:
            st.button("Cancel", on_click=state.put, args=(empty(),), key="lesson-cancel")
    if wrong := st.session_state.get(_PROBLEM):
        texts.problem(wrong)


def edited() -> int:
    """Return the number of the step that the form changes, 0 for a new step."""
    return int(st.session_state.get(_EDITED) or 0)


def values_of(step: Step, number: int) -> dict[str, Any]:
    """Return the field values with which the form changes a step."""
    return {
        LINK.key: step.shows, TITLE.key: step.title, BEFORE.key: step.before,
        HIDDEN.key: step.hidden, QUESTION.key: step.question,
        ANSWER.key: step.answer or _NO_QUESTION, CHOICES.key: _lines(step.choices), POINT.key: step.point,
        AFTER.key: step.after, _EDITED: number, _PROBLEM: None,
    }  # fmt: skip


def empty() -> dict[str, Any]:
    """Return the field values of the form for a new step."""
    return {field.key: "" for field in (ANSWER, *FIELDS)} | {_EDITED: 0, _PROBLEM: None}


def _link() -> str:
    return "".join(str(LINK.value).splitlines()).strip()


def _question(panel: ShownPanel, model_name: str) -> None:
    """Draw the fields of the question; the answer of the model in use helps to write the choices."""
    names = {_NO_QUESTION: _NO_QUESTION} | {name: reading.label for name, reading in panel.readings.items()}
    # The same name has other labels on other panels, so the labels change with the link.
    options.choose(st.selectbox, "Answer", ANSWER.key, names, ANSWER.value if ANSWER.value in names else _NO_QUESTION)
    reading = panel.readings.get(ANSWER.value)
    if reading is None:
        return
    entry.text_input("Question", **QUESTION.widget)
    entry.text_area(
        f"Choices (one per line, 2 to {MAX_CHOICES})",
        height=110,
        placeholder="[italy] Italy\n[france] France\n[*] Another word",
        help=f"{_KEYS[reading.kind]} The buttons below write it for you.",
        **CHOICES.widget,
    )
    with fields.given(panel.values):
        now = running.attempt(lambda: reading.read(Model(model_name)))
    if now is not None:
        _marks(reading, now)
    entry.text_input(
        "Hide the panel (optional)",
        placeholder="until step 3, except answers",
        help="If the panel gives away the answer of a later step, hide it until that step is answered. After “except”,"
        " name charts that stay visible, as their files are named.",
        **HIDDEN.widget,
    )


def _marks(reading: Reading, now: Any) -> None:
    """Draw for each choice whether it is the answer now, and a button that makes it so."""
    choices, answer = _typed(), reading.as_written(now)
    right = right_choice(choices, answer)
    st.text(f"The answer now: {reading.written(now)}")
    for at, choice in enumerate(choices):
        if at == right:
            st.text(f"✓ {choice.text}: this is the answer now")
        else:
            st.button(
                texts.plain(f"Mark as the answer: {choice.text}"),
                icon=":material/check:",
                key=f"lesson-mark-{at}",
                on_click=_mark,
                args=(at, answer, reading.digits_of(answer) if isinstance(answer, float) else 0),
            )
    if choices and right is None:
        st.text("⚠ None of the choices is the answer now. Mark the right one.")


def _mark(at: int, answer: Any, digits: int) -> None:
    """Make a choice the right one for the answer."""
    choices = marked(_typed(), at, answer, digits)
    state.put({CHOICES.key: _lines(choices), _PROBLEM: None})


def _typed() -> tuple[Choice, ...]:
    return tuple(read_choice(line) for line in fields.lines(CHOICES.value))


def _lines(choices: Sequence[Choice]) -> str:
    return "\n".join(f"[{choice.key}] {choice.text}" for choice in choices)


def _save(model_name: str) -> None:
    """Put the step of the form into the lesson and clear the form, after a second press if no choice is right;
    otherwise say what is wrong."""
    number = edited()
    try:
        step = filled()
        text, at = outline.with_step(str(draft.TEXT.value), step, number)
    except LessonProblem as problem:
        st.session_state[_PROBLEM] = str(problem)
        return
    warned = st.session_state.get(_WARNED) == step
    if not warned and (written := _unmatched(step, model_name)):
        st.session_state[_WARNED] = step
        st.session_state[_PROBLEM] = (
            f"None of the choices is the answer now ({written}). Mark the right one, or press again to save the step as"
            " it is."
        )
        return
    st.session_state.pop(_WARNED, None)
    message = f"Saved step {at}." if number else f"Added as step {at}."
    state.put(empty() | {draft.TEXT.key: text, outline.SAID: message})


def _unmatched(step: Step, model_name: str) -> str:
    """Return the answer as written if no choice of the step is right for it, otherwise ""."""
    if not step.question:
        return ""
    try:
        solved = shown_panel.solve(step, shown_panel.of(step.shows), model_name)
    except ValueError:  # the form says why there is no answer
        return ""
    return solved.written if solved.right is None else ""


def filled() -> Step:
    """Return the step that the form describes."""
    panel = shown_panel.of(_link(), lenient=True) if _link() else None
    has_question = panel is not None and ANSWER.value in panel.readings
    choices = _typed() if has_question else ()
    return Step(
        TITLE.value.strip(),
        BEFORE.value.strip("\n"),
        panel.address if panel else "",
        QUESTION.value.strip() if has_question else "",
        str(ANSWER.value) if has_question else "",
        choices,
        POINT.value.strip(),
        AFTER.value.strip("\n"),
        HIDDEN.value.strip() if panel else "",
    )
