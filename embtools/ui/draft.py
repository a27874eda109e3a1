"""The lesson that a visitor is writing: its text, and the pages that wait to become steps of it.

Both are stored in the visit and in the visitor's browser. Every page with panels can be added as it is now; the Lessons
page turns what was added into steps.
"""

import json
from collections.abc import Mapping

import streamlit as st

from embtools.lessons.lesson import MAX_CHARACTERS, MAX_SHOWS, MAX_STEPS
from embtools.ui import browser, presenter, state
from embtools.ui.fields import Text
from embtools.ui.step_names import name_of

HEAD = """---
title: My lesson
minutes: 10
summary: What this lesson is about.
notes:
  Notes for the teacher.
---
"""
STARTER = f"""{HEAD}
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
TEXT = Text("lesson_text", STARTER, MAX_CHARACTERS)  # not part of the address: a finished lesson is, when it is opened
_OPEN, _EXPANDER = "lesson-draft-open", "fold-lesson-draft"  # session keys: whether My lesson is open, and its widget
_ADDED = "lesson-added"  # session key: addresses of pages that wait to become steps
_EARLY = "lesson-early"  # session key: pages that became steps before the browser said which lesson it has stored
_TEXT, _PAGES = "lesson-text", "lesson-pages"  # names under which the browser keeps them


def take(*, with_text: bool = False) -> None:
    """Take what the browser has stored: at a new visit, or because another tab changed it."""
    if (reported := browser.reported(_PAGES)) is not None:
        st.session_state[_ADDED] = _read(reported)
    if with_text and (reported := browser.reported(_TEXT)) is not None:
        st.session_state[TEXT.key] = reported[: TEXT.most] or STARTER
        if early := st.session_state.pop(_EARLY, ()):  # become steps of that lesson
            st.session_state[_ADDED] = [*early, *added()]


def keep(*, with_text: bool = False) -> None:
    """Let the browser keep what there is now, the text only where it is written or replaced; after `take`."""
    pages = st.session_state.get(_ADDED)
    browser.store(_PAGES, None if pages is None else json.dumps(pages) if pages else "")
    if with_text:
        text, early = st.session_state.get(TEXT.key), _EARLY in st.session_state
        text = None if early else "" if text == STARTER else text
        browser.store(_TEXT, text, answer=early)
        st.session_state.setdefault(TEXT.key, STARTER)


def added() -> tuple[str, ...]:
    """Return the addresses of the pages that wait to become steps."""
    return tuple(st.session_state.get(_ADDED) or ())


def taken() -> tuple[str, ...]:
    """Return the addresses of the pages that wait, and let none wait any more."""
    pages = added()
    if pages:
        st.session_state[_ADDED] = []
        if TEXT.key not in st.session_state:
            st.session_state[_EARLY] = pages
    return pages


def settings(page: str, titles: Mapping[str, str], write: dict[str, list[str]]) -> None:
    """Draw the expander of the menu with the button that adds this page as it is now, and what was added; `write` are
    the URL parameters of the page on which lessons are written."""
    pages = added()

    def toggled() -> None:
        st.session_state[_OPEN] = st.session_state[_EXPANDER]

    # Not part of the address of a page: whoever collects pages goes from one to the next. Set every time, because for
    # Streamlit an expander with another label is a new one, and closed.
    st.session_state[_EXPANDER] = bool(st.session_state.setdefault(_OPEN, "lesson-draft" in state.OPEN.value))
    label = f"My lesson · {len(pages)}" if pages else "My lesson"
    with st.container(key="my-lesson"):
        opened = st.expander(label, key=_EXPANDER, icon=":material/school:", type="compact", on_change=toggled)
    if not opened.open:
        return
    with opened:
        if not pages:
            st.caption(
                "Collects pages for a lesson of your own. Each becomes a step that shows the page as it is now, with"
                " its tab, texts and settings. Your browser keeps what you have added."
            )
        st.button(
            "Add to my lesson",
            icon=":material/add:",
            key="draft-add",
            on_click=_add,
            args=(page,),
            disabled=len(pages) >= MAX_STEPS or len(presenter.current(page)) > MAX_SHOWS,
        )
        for number, address in enumerate(pages):
            with st.container(key=f"draft-{number}", horizontal=True, vertical_alignment="center", gap="small"):
                st.text(f"{number + 1}. {name_of(address, titles)}", width="stretch")
                st.button(
                    f"Remove page {number + 1}",
                    icon=":material/close:",
                    key=f"draft-close-{number}",
                    type="tertiary",
                    on_click=_remove,
                    args=(number, address),
                )
        st.page_link("pages/lessons.py", label="Write the lesson", icon=":material/edit:", query_params=write)


def _add(page: str) -> None:
    # As it is at the press: a part of the page may have been drawn alone since the button was drawn.
    st.session_state[_ADDED] = _read(json.dumps([*added(), presenter.current(page)]))


def _remove(number: int, address: str) -> None:
    # From the list at the press: another tab of the browser may have changed it since the button was drawn.
    st.session_state[_ADDED] = [page for at, page in enumerate(added()) if (at, page) != (number, address)]


def _read(reported: str) -> list[str]:
    """Return the addresses that the browser has stored, as many and as long as a lesson takes; all else is left out."""
    try:
        value = json.loads(reported or "[]")
    except (ValueError, RecursionError):
        return []
    pages = value if isinstance(value, list) else []
    return [page for page in pages if isinstance(page, str) and len(page) <= MAX_SHOWS][:MAX_STEPS]
