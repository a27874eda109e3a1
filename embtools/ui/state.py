"""One state per page: what its fields hold, kept in the session, in the address, and in the menu's links.

Streamlit can bind a widget to the address, but only while it is on screen: what an example sets on another tab, or an
upload, would be missing in the link. So each page names its fields once, and this module alone reads and writes the
address. The session is the truth; the address is, when a page is entered and when Back or Forward is pressed.
A small script in the page (history.js) makes one history entry of each press and of each finished text, and none while
a visitor types or moves a slider.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

from embtools.ui.fields import MENDED, Choice, Field, Names

MOST = 6_000
"""Characters that an address may have: more is cut by servers and proxies, and by people who paste it."""

OPEN = Names("open")
"""The folds that are open, by name; a field of every page."""

# In the session: the page and its fields, what its address was told last, what each page's address asks for, which
# press of Back was last heard, and what is being put into fields.
_PAGE, _FIELDS, _WRITTEN, _ASKED = "state-page", "state-fields", "state-written", "state-asked"
_HEARD, _PUTTING = "state-heard", "state-putting"
_SCRIPT = (Path(__file__).parent / "history.js").read_text(encoding="utf-8")
Function = TypeVar("Function", bound=Callable[..., Any])


def enter(page: str, fields: Iterable[Field]) -> None:
    """Begin a run of a page: every field has its value afterwards, from the address when the page was just entered."""
    session = st.session_state
    put({})  # what an interrupted run has left to do
    session[_FIELDS] = {field.key: field for field in (*fields, OPEN)}
    # One component for the page: the script stays, and tells of Back and Forward until it is heard. A callback would be
    # lost where the next question interrupts it, and Streamlit asks one of its own at each step back.
    component = st.components.v2.component("history", html="<span></span>", js=_SCRIPT)
    told = session.get("history", {}).get("address")
    component(key="history", data=told, on_address_change=lambda: None)
    if session.get(_PAGE) != page:
        asked = {key: st.query_params.get_all(key) for key in st.query_params}
        put(_read(asked) | {_PAGE: page, _WRITTEN: asked, _HEARD: told})
    elif told and told != session[_HEARD]:  # Back or Forward: the address is right, and the fields follow it
        asked = parse_qs(told.rpartition("#")[0].lstrip("?"), keep_blank_values=True)
        # Not to be written: a quick hand may be two steps on, and would find this address over another.
        put(_read(asked) | {_WRITTEN: asked, _HEARD: told})
    for key, field in session[_FIELDS].items():
        session.setdefault(key, field.default)
    write()


def put(values: Mapping[str, Any]) -> None:
    """Put values into fields by key, for examples, uploads and resets: use as `on_click=put, args=(values,)`."""
    # All or none: Streamlit may end a run or a callback at each touch of the session, for what is asked next; what
    # was not put then is put by the next one.
    session = st.session_state
    session[_PUTTING] = session.get(_PUTTING, {}) | values
    for key, value in session[_PUTTING].items():
        session[key] = value
    session[_PUTTING] = {}


def write() -> None:
    """Let the address, and the menu's link to this page, ask for what the fields hold now."""
    session = st.session_state
    asked = shortened(_wanted())
    session[_ASKED] = {**_asked_of_all(), session[_PAGE]: asked}
    # Not compared with the address as it is: after Back that is ahead of the fields, after a quick hand behind them.
    if asked != session[_WRITTEN]:
        st.query_params.from_dict(asked)
        session[_WRITTEN] = asked


def follow() -> None:
    """Write the address once more where drawing gave a field another value (`Field.mend`); at the end of a run."""
    if st.session_state.pop(MENDED, False):
        write()


def fragment(function: Function) -> Function:
    """`st.fragment`, for parts whose fields stand in the address: running alone, they are written as by a page."""

    def drawn(*arguments: Any, **named: Any) -> Any:
        if not alone():
            return function(*arguments, **named)
        put({})
        write()
        found = function(*arguments, **named)
        follow()
        return found

    drawn.__qualname__, drawn.__module__ = function.__qualname__, function.__module__  # Streamlit's name for it
    return st.fragment(drawn)  # type: ignore[return-value]


def alone() -> bool:
    """Whether a fragment runs without the rest of the page."""
    context = get_script_run_ctx()
    return bool(context and context.fragment_ids_this_run)


def of_the_page() -> AbstractContextManager[None]:
    """What is drawn inside belongs to the whole page, also where a fragment draws it: a press runs the whole page."""
    return ThreadState.scoped(fragment_id=None, delta_path=None)


def tabs(field: Choice) -> dict[str, Any]:
    """The tabs of a field by name; only the open one (`.open`) is to be filled."""
    # Streamlit forgets which tab or fold is open while it is not drawn: the field remembers, and tells its widget.
    key = f"tabs-{field.key}"

    def chosen() -> None:
        st.session_state[field.key] = st.session_state[key]

    _tell(key, field.value if field.value in field.options else field.default)
    return dict(zip(field.options, st.tabs(field.options, key=key, on_change=chosen), strict=True))


def fold(name: str, label: str, icon: str | None = None) -> Any:
    """A fold; only while it is open (`.open`) is it to be filled."""
    key = f"fold-{name}"

    def toggled() -> None:
        others = tuple(other for other in OPEN.value if other != name)
        st.session_state[OPEN.key] = (*others, name) if st.session_state[key] else others

    # Told every time: to Streamlit a fold whose label has changed is a new one, and closed.
    st.session_state[key] = name in OPEN.value
    return st.expander(label, key=key, icon=icon, type="compact", on_change=toggled)


def _tell(key: str, value: Any) -> None:
    if st.session_state.get(key) != value:
        st.session_state[key] = value


def links(pages: Iterable[str], common: Iterable[Field] = ()) -> dict[str, dict[str, list[str]]]:
    """The parameters with which the menu opens pages as they were left, and what is common to all as it is now."""
    shared = {field.key: field for field in common}
    now, left = _spelt(shared), _asked_of_all()
    return {
        page: {key: parts for key, parts in left.get(page, {}).items() if key not in shared} | now for page in pages
    }


def link(page: str, common: Iterable[Field] = ()) -> dict[str, list[str]]:
    """The same of one page."""
    return links((page,), common)[page]


def query() -> str:
    """What stands behind the question mark of this page's address."""
    return urlencode(_asked_of_all().get(st.session_state[_PAGE], {}), doseq=True)


def too_long() -> tuple[str, ...]:
    """The keys of fields that hold more than an address can carry."""
    return tuple(key for key in _wanted() if key not in _asked_of_all().get(st.session_state[_PAGE], {}))


def shortened(asked: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The parameters without the longest of them, so that together they fit into an address.

    >>> shortened({"a": ["x"], "b": ["y" * 7000]})
    {'a': ['x']}
    """
    kept = dict(asked)
    while len(urlencode(kept, doseq=True)) > MOST:
        del kept[max(kept, key=lambda key: len(urlencode({key: kept[key]}, doseq=True)))]
    return kept


def _wanted() -> dict[str, list[str]]:
    return _spelt(st.session_state[_FIELDS])


def _spelt(fields: Mapping[str, Field]) -> dict[str, list[str]]:
    """The parameters that ask for what fields hold: those that are not as they are by default."""
    held = {key: field.value for key, field in fields.items()}
    asked = {key: field.write(held[key]) for key, field in fields.items() if not field.is_default(held[key])}
    for key, field in fields.items():
        if (default := _default(field, asked)) != field.default:
            asked.pop(key, None)
            spelt = field.write(held[key])
            asked |= {key: spelt} if spelt != field.write(default) else {}
    return asked


def _read(asked: Mapping[str, list[str]]) -> dict[str, Any]:
    """The value of every field as an address asks for it; what is missing or cannot be gets the field's default."""
    fields = st.session_state[_FIELDS]
    return {key: field.read(asked[key]) if key in asked else _default(field, asked) for key, field in fields.items()}


def _default(field: Field, asked: Mapping[str, list[str]]) -> Any:
    """What a field holds that an address does not name: its default, or what the address implies otherwise."""
    implied = field.implied if isinstance(field, Choice) else ()
    return next((option for key, option in implied if key in asked), field.default)


def _asked_of_all() -> dict[str, dict[str, list[str]]]:
    return st.session_state.get(_ASKED, {})
