"""Presenter mode: a list of states, shown one after another in large type, without menu and tools.

The list is in the address, so that a link has all of it. The browser of a visitor keeps it too: it is there again on a
page that was opened by a link without a list.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode

import streamlit as st

from embtools.messages import counted, shortened
from embtools.ui import browser, state, texts, uploads
from embtools.ui.fields import Field, Flag, Number
from embtools.ui.step_names import MOST_NAME, NAME, name_of
from embtools.ui.texts import plain

MOST = 20
"""Maximum number of steps."""

_HERE = Path(__file__).parent
_ADDRESS = re.compile(r"([a-z]*)(?:\?[\x21-\x7e]*)?")
_MOST_SIGNS = 2_000  # characters of a step
_PAGE_SIGNS = 1_500  # characters of an address that are kept for the page itself, next to the list of steps


@dataclass(frozen=True)
class Steps(Field):
    """The addresses of the steps: the name of a page ("" for Home) and its parameters."""

    default: tuple[str, ...] = ()

    def read(self, parts: list[str]) -> tuple[str, ...]:
        return tuple(part for part in parts if _is_step(part))[:MOST]


PRESENT, STEP, STEPS = Flag("present"), Number("step", 0, 0, MOST, 1), Steps("steps")
FIELDS = (PRESENT, STEP, STEPS)
_OWN = "presentation-own"  # session key: the list as the visitor has made it, which a link does not replace
_STORED = "presentation"  # name under which the browser keeps it
_RENAMED, _PROBLEM = "presentation-renamed", "presentation-problem"  # session keys: a step by number, and what is wrong
_FILE = "presentation-file"  # key of the field for a file
_AROUND = ("settings", "presentation", "lesson-draft", "room-results")  # expanders that are not part of a page
_NO_ROOM = "This page cannot be added, because the address would become too long."


def own(query: str) -> str:
    """Return the parameters of a page without those of the presentation."""
    names = {field.key for field in FIELDS}
    return urlencode([(key, value) for key, value in parse_qsl(query, keep_blank_values=True) if key not in names])


def current(page: str) -> str:
    """Return this page as it is now, as a step: without what is open in the menu or about a room."""
    shown = parse_qsl(own(state.query()), keep_blank_values=True)
    query = urlencode([each for each in shown if each[0] != state.OPEN.key or each[1] not in _AROUND])
    return f"{page}{'?' if query else ''}{query}"


def begin(page: str, titles: Mapping[str, str]) -> None:
    """While a presentation is shown, enlarge the page, hide what is not for the class, and listen to its keys."""
    if not PRESENT.value:
        return
    st.html(f"<style>{(_HERE / 'presenter.css').read_text(encoding='utf-8')}</style>")
    component = st.components.v2.component(
        "presenter",
        html=(_HERE / "presenter.html").read_text(encoding="utf-8"),
        js=(_HERE / "presenter.js").read_text(encoding="utf-8"),
    )
    names = [name_of(step, titles) for step in STEPS.value]
    data = {
        "page": page, "steps": list(STEPS.value), "step": int(STEP.value), "own": own(state.query()), "names": names,
    }  # fmt: skip
    component(key="presenter", data=data)


def take() -> None:
    """Show the list that the browser has kept, unless the address has another one."""
    if PRESENT.value:
        return
    own: tuple[str, ...] = st.session_state.get(_OWN, ())
    if (reported := browser.reported(_STORED)) is not None:
        st.session_state[_OWN] = _read(reported)
    kept = st.session_state.get(_OWN, ())
    if STEPS.value in ((), own) and STEPS.value != kept:
        STEPS.correct(kept)


def keep() -> None:
    """Let the browser keep the list that the visitor has made; after `take`."""
    own = st.session_state.get(_OWN)
    browser.store(_STORED, None if own is None else json.dumps(own) if own else "")


def _add(page: str) -> None:
    """Add this page as it is at the press: a part of it may have been drawn alone since the button was drawn."""
    added = (*STEPS.value, current(page))
    if _fits(added) and _is_step(added[-1]):
        _change(added)
    else:
        st.session_state[_PROBLEM] = _NO_ROOM


def _change(steps: tuple[str, ...]) -> None:
    """Replace the list, in the address and in the browser."""
    st.session_state[_RENAMED] = None
    st.session_state[_OWN] = steps
    state.put({STEPS.key: steps})


def _read(reported: str | bytes) -> tuple[str, ...]:
    """Return the list that the browser or a file has kept; whatever else it says is left out."""
    try:
        value = json.loads(reported or "[]")
    except (ValueError, RecursionError):
        return ()
    return STEPS.read([step for step in value if isinstance(step, str)]) if isinstance(value, list) else ()


def _opened(data: bytes) -> dict[str, Any]:
    """Return the list of a saved file as a value for its field."""
    steps = _read(data)
    if not steps:
        raise ValueError("This file has no list of steps. Choose a file that was saved with Save the list.")
    if not _fits(steps):
        raise ValueError("The list of this file is too long for an address. Save a shorter list.")
    return uploads.Filled({STEPS.key: steps}, counted(len(steps), "step"))


def _fits(steps: tuple[str, ...]) -> bool:
    """Return whether an address has room for these steps, next to the parameters of a page."""
    return len(urlencode([(STEPS.key, step) for step in steps])) <= state.MOST - _PAGE_SIGNS


def _named(step: str, name: str) -> str:
    """Return a step with another name; "" gives it the name of what it shows again."""
    page, _, query = step.partition("?")
    parts = [(key, value) for key, value in parse_qsl(query, keep_blank_values=True) if key != NAME]
    name = shortened(name, MOST_NAME)
    query = urlencode([*parts, *([(NAME, name)] if name else [])])
    return f"{page}{'?' if query else ''}{query}"


def _rename(number: int, key: str) -> None:
    steps = tuple(STEPS.value)
    changed = (*steps[:number], _named(steps[number], str(st.session_state[key])), *steps[number + 1 :])
    if _fits(changed) and _is_step(changed[number]):
        _change(changed)
    else:
        st.session_state[_PROBLEM] = "The address has no room for this name. Choose a shorter one."


def settings(page: str, titles: Mapping[str, str]) -> None:
    """Draw the list of steps in the menu: add this page as it is now, move and remove steps, start."""
    steps = tuple(STEPS.value)
    opened = state.expander(
        "presentation", f"Presentation · {len(steps)}" if steps else "Presentation", ":material/slideshow:"
    )
    if not opened.open:
        return
    with opened:
        st.caption(
            "A presentation shows pages in large type, without the menu. Page Up, Page Down, a clicker and the left"
            " and right arrow keys step through the list. The other arrow keys scroll. B makes the screen black."
            " Escape ends the presentation. Your browser keeps the list."
        )
        now = current(page)
        fits = _fits((*steps, now)) and _is_step(now)
        st.button(
            "Add this page",
            icon=":material/star:",
            key="present-add",
            on_click=_add,
            args=(page,),
            disabled=len(steps) >= MOST or not fits,
            help="Adds the page as it is now: tab, texts and settings. The link contains the whole list.",
        )
        if len(steps) >= MOST:
            st.caption(f"A presentation has at most {MOST} steps.")
        elif not fits:
            st.caption(_NO_ROOM)
        for number, step in enumerate(steps):
            _row(number, step, steps, titles, page)
        if problem := st.session_state.pop(_PROBLEM, ""):
            texts.problem(problem)
        _file(steps)
        st.button(
            "Start",
            type="primary",
            icon=":material/play_arrow:",
            key="present-start",
            on_click=state.put,
            args=({PRESENT.key: True, STEP.key: 0},),
            help="Begins with this page. The first key press goes to the first step.",
        )


def _file(steps: tuple[str, ...]) -> None:
    """Draw the button that saves the list as a file, and the field that opens one."""
    if steps:
        st.download_button(
            "Save the list",
            json.dumps(steps, indent=1),
            "presentation.json",
            "application/json",
            key="present-save",
            on_click="ignore",
            icon=":material/download:",
        )
    with uploads.popover("Open a list", _FILE):
        st.caption("A saved list replaces the steps above.")
        uploads.field("File", ("json",), _FILE, _opened, lambda: _change(STEPS.value), most=1_000_000)
    uploads.notes(_FILE)


def _row(number: int, step: str, steps: tuple[str, ...], titles: Mapping[str, str], page: str) -> None:
    """Draw a step: its name, which opens it, and buttons that change the list."""
    shown, count = step.partition("?")[0], number + 1
    query = parse_qs(step.partition("?")[2], keep_blank_values=True)
    query |= {STEPS.key: list(steps), state.OPEN.key: [*query.get(state.OPEN.key, []), "presentation"]}
    query.pop(NAME, None)
    with st.container(key=f"present-step-{number}", horizontal=True, vertical_alignment="center", gap=None):
        pressed = st.button(
            plain(f"{count}. {name_of(step, titles)}"),
            key=f"present-go-{number}",
            type="tertiary",
            width="stretch",
            disabled=shown not in titles,
            on_click=state.reopen if shown == page else None,
            args=(query,) if shown == page else None,
        )
        st.button(
            f"Rename step {count}",
            icon=":material/edit:",
            key=f"present-edit-{number}",
            type="tertiary",
            on_click=state.put,
            args=({_RENAMED: None if st.session_state.get(_RENAMED) == number else number},),
        )
        for label, icon, changed, off in (
            (f"Move step {count} up", "arrow_upward", _moved(steps, number), number == 0),
            (f"Move step {count} down", "arrow_downward", _moved(steps, count), count == len(steps)),
            (f"Remove step {count}", "close", (*steps[:number], *steps[count:]), False),
        ):
            st.button(
                plain(label),
                icon=f":material/{icon}:",
                key=f"present-{icon}-{number}",
                type="tertiary",
                on_click=_change,
                args=(changed,),
                disabled=off,
            )
    if st.session_state.get(_RENAMED) == number:
        key = f"present-name-{number}"
        st.text_input(
            f"Name of step {count}",
            dict(parse_qsl(step.partition("?")[2])).get(NAME, ""),
            MOST_NAME,
            key=key,
            placeholder=name_of(_named(step, ""), titles),
            on_change=_rename,
            args=(number, key),
        )
    if pressed and shown != page:
        st.switch_page(f"pages/{shown}.py" if shown else "app.py", query_params=query)


def _moved(steps: tuple[str, ...], number: int) -> tuple[str, ...]:
    """Return the steps with this one before the one above it."""
    if not 0 < number < len(steps):
        return steps
    return (*steps[: number - 1], steps[number], steps[number - 1], *steps[number + 1 :])


def _is_step(address: str) -> bool:
    return len(address) <= _MOST_SIGNS and _ADDRESS.fullmatch(address) is not None
