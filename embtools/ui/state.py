"""The state of each page: the values of its fields in the session, in the URL and in the menu's links.

Streamlit can bind a widget to the URL, but only while the widget is on screen: values that an example sets on another
tab, or an upload, would be missing in the link. So each page lists its fields once, and only this module reads and
writes the URL. The session has the current values, except when a page is entered and when Back or Forward is pressed:
then the URL has them. A small script in the page (history.js) adds one entry to the browser's history for each button
and each finished text, and none while a visitor types or moves a slider.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

from embtools import messages
from embtools.ui import left_out, turns
from embtools.ui import note as notes
from embtools.ui.fields import CORRECTED, Choice, Field, Names, Text

MOST = 6_000
"""Maximum number of characters of an address: servers, proxies and people who paste it cut longer ones."""

_LAST = {"lesson", "lesson_code", "lesson_step"}  # keys that a long address loses last

OPEN = Names("open")
"""The names of the open expanders; a field of every page."""

RUN = Names("run")
"""The names of the results that a button has started; a field of every page."""

_WEIGHTS = "weights"

BACK = Text("back", most=30)
"""The name of the page from which a link led here; a field of every page."""

# Session keys: the page and its fields, the parameters that were last written to its URL, the parameters of each page,
# the last address that Back led to, and the values that are being put into fields.
_PAGE, _FIELDS, _WRITTEN, _ASKED = "state-page", "state-fields", "state-written", "state-parameters"
_HEARD, _PUTTING = "state-heard", "state-putting"
_LIMITED = "state-limited"  # by key: the value that replaced one outside the limits of its field, and why
# Fields for checksums that were compared with their models since the URL was read, and those that differed.
_SETTLED, _DIFFERENT = "state-settled", "state-different"
# The parameters of the address that was opened, until the visitor changes something; and what was replaced of them.
_OPENED, _REPLACED = "state-opened", "state-replaced"
NO_LINK: dict[str, Any] = {_OPENED: {}}
"""What `put` puts so that nothing is said about the address that was opened any more."""
_NOTE, _NOTE_OF = "state-note", "state-note-of"  # the note of the link that was opened; what its page shows
_SCRIPT = (Path(__file__).parent / "history.js").read_text(encoding="utf-8")
_RUNS = "state-fragment-runs"
_MISSING = object()
_fragment: ContextVar[tuple[str, int]] = ContextVar("fragment", default=("", 0))
_inside: ContextVar[str] = ContextVar("inside", default="")
Function = TypeVar("Function", bound=Callable[..., Any])


def coming(page: str) -> dict[str, list[str]] | None:
    """Return the URL parameters from which `enter` will set the fields, for a page whose fields depend on the value of
    another; None if the session has their values."""
    session = st.session_state
    put({})  # finishes what an interrupted run left undone
    address = session.get("history", {}).get("address")
    if session.get(_PAGE) != page:
        return {key: st.query_params.get_all(key) for key in st.query_params}
    if address and address != session[_HEARD]:  # Back or Forward: the URL is right, and the fields follow it
        return parse_qs(address.rpartition("#")[0].lstrip("?"), keep_blank_values=True)
    return None


def enter(page: str, fields: Iterable[Field]) -> None:
    """Begin a run of a page and give every field its value, from the URL if the page was just entered."""
    session = st.session_state
    parameters = coming(page)
    session[_FIELDS] = {field.key: field for field in (*fields, OPEN, RUN, BACK)}
    # One component for the page: the script stays and reports Back and Forward until a run has read it. A callback
    # would be lost if the next rerun interrupts it, and Streamlit starts a rerun of its own at each step back.
    component = st.components.v2.component("history", html="<span></span>", js=_SCRIPT)
    address = session.get("history", {}).get("address")
    component(key="history", data=address, on_address_change=lambda: None, on_asked_change=lambda: None)
    if parameters is not None:
        # Marked as written: after Back, a fast visitor may be two steps further, and this URL must not replace another.
        fresh = {_PAGE: page, _WRITTEN: parameters, _HEARD: address, _SETTLED: (), _DIFFERENT: ()}
        noted = {_NOTE: notes.read(parameters.get(notes.KEY, ())), _NOTE_OF: None, _OPENED: parameters, _REPLACED: {}}
        put(_read(parameters) | fresh | noted)
    write(_within_limits())


def replaced() -> dict[str, Any]:
    """Return the values in the address that was opened of choices that do not offer them with the model in use."""
    given, fields = st.session_state.get(_OPENED, {}), st.session_state[_FIELDS]
    open_choices = [key for key in given if isinstance(fields.get(key), Choice) and not fields[key].options]
    return {key: wanted for key in open_choices if (wanted := fields[key].read(given[key])) != fields[key].value}


def unusable() -> list[str]:
    """Return what could not be used of the address that was opened, as sentences."""
    given, fields, other, sentences = st.session_state[_OPENED], st.session_state[_FIELDS], replaced(), []
    if left_out.KEY in given and left_out.find(given[left_out.KEY][0]) is None:
        sentences.append(
            "This link does not contain a text or list that is too long for an address, so the page shows its default."
            " Enter the text again, or ask the sender for its file."
        )
    wrong = [
        messages.shortened(f"{key}={', '.join(parts)}", 60)
        for key, parts in given.items()
        if (key in other or fields[key].refuses(parts) if key in fields else page() and key.startswith(f"{page()}_"))
        or (key == notes.KEY and not notes.read(parts))
    ]
    if wrong:
        sentences.append(f"The page cannot use this part of the link, or not all of it: {messages.first_of(wrong)}.")
    return sentences


def page() -> str:
    """Return the name of the page that was entered: a panel can also be a part of a lesson, on the page "lessons"."""
    return str(st.session_state.get(_PAGE, ""))


def note() -> str:
    """Return the note of the link that was opened; "" without one, and once the page shows something else."""
    return str(st.session_state.get(_NOTE, ""))


def drop_note() -> None:
    """Forget the note of the link that was opened: the callback of a button. `write` drops it for another state."""
    st.session_state[_NOTE] = ""


def identity() -> tuple[str, dict[str, list[str]]]:
    """Return what a note is about: the page and its parameters without checksums, which can follow later, and without
    what is only unfolded."""
    parameters = _parameters_of_all().get(page(), {})
    return page(), {key: parts for key, parts in parameters.items() if key != OPEN.key and not _is_weights(key)}


def reopen(parameters: Mapping[str, list[str]]) -> None:
    """Open this page with these URL parameters, as a link with them would: the callback of a button."""
    st.query_params.from_dict(parameters)
    st.session_state[_PAGE] = None


def put(values: Mapping[str, Any]) -> None:
    """Put values into fields by key, for examples, uploads and resets: use as `on_click=put, args=(values,)`."""
    # All or nothing: Streamlit may end a run or a callback at each access to the session, for the next rerun. Values
    # that were not put are put by the next call.
    session = st.session_state
    session[_PUTTING] = session.get(_PUTTING, {}) | values
    limited = session.get(_LIMITED, {})
    for key, value in session[_PUTTING].items():
        session[key] = value
        limited.pop(key, None)
    session[_PUTTING] = {}


def limit(key: str, value: Any, why: str) -> None:
    """Replace the value of a field before its widget is drawn, and keep the reason until it has another value."""
    st.session_state[key] = value
    st.session_state.setdefault(_LIMITED, {})[key] = value, why


def _within_limits() -> dict[str, Any]:
    """Give every field a value within its limits, before a run draws the widgets, which accept any value, and return
    the values by key: each is looked up once, because looking into the session takes Streamlit long."""
    session = st.session_state
    reasons = session.get(_LIMITED, {})  # a value that has changed since has no reason any more, also if it comes back
    session[_LIMITED] = {key: reason for key, reason in reasons.items() if session.get(key) == reason[0]}
    held: dict[str, Any] = {}
    for key, field in session[_FIELDS].items():
        value = session.get(key, _MISSING)
        if value is _MISSING:
            session[key] = value = field.default
        elif (allowed := field.allowed(value)) != value:
            limit(key, allowed, field.limit(value))
            value = allowed
        held[key] = value
    return held


def limited(key: str) -> str:
    """Return why the value that a visitor gave a field was replaced; "" if it was not, or has changed since."""
    value, why = st.session_state.get(_LIMITED, {}).get(key, (None, ""))
    return why if why and st.session_state.get(key) == value else ""


def write(held: Mapping[str, Any] | None = None) -> None:
    """Write the current field values (`held`, if they are known) to the URL and to this page's menu link."""
    session = st.session_state
    parameters = _fitting(_wanted(held))
    session[_ASKED] = {**_parameters_of_all(), session[_PAGE]: parameters}
    if session.get(_NOTE_OF) not in (None, now := identity()):
        put({_NOTE: "", _OPENED: {}})
    session[_NOTE_OF] = now
    # The note is part of the URL and of nothing else, so that no link, step or room passes it on.
    shown = parameters | notes.written(note())
    # Not compared with the current URL: after Back it is ahead of the fields, after fast clicks behind them.
    if shown != session[_WRITTEN]:
        st.query_params.from_dict(shown)
        session[_WRITTEN] = shown


def follow() -> None:
    """Write the URL again if drawing changed a field (`Field.correct`); called at the end of a run. If that replaced a
    value of the address that was opened, the page runs again, to say so."""
    session = st.session_state
    if session.pop(CORRECTED, False):
        session[_NOTE_OF] = None  # no change by the visitor
        write()
        said, session[_REPLACED] = session[_REPLACED], replaced()
        if session[_REPLACED].keys() - said.keys():
            st.rerun()


def fragment(function: Function) -> Function:
    """Return `st.fragment` of a function with fields in the URL: if it runs alone, it writes them as a page does."""

    @wraps(function)  # Streamlit takes the fragment's name from it
    def drawn(*arguments: Any, **named: Any) -> Any:
        inside = _inside.set(name)
        try:
            return function(*arguments, **named) if not alone() else drawn_alone(*arguments, **named)
        finally:
            _inside.reset(inside)

    @turns.turn()
    def drawn_alone(*arguments: Any, **named: Any) -> Any:
        put({})
        write(_within_limits())
        runs = st.session_state.setdefault(_RUNS, {})
        runs[name] = runs.get(name, 0) + 1
        token = _fragment.set((name, runs[name]))
        try:
            result = function(*arguments, **named)
        finally:
            _fragment.reset(token)
        follow()
        return result

    name = f"{function.__module__}.{function.__qualname__}"
    return st.fragment(drawn)  # type: ignore[return-value]


def fragment_run() -> tuple[str, int]:
    """Return which run of which fragment draws now, counted since the page was drawn as a whole; ("", 0) outside."""
    return _fragment.get()


def drawn_by() -> tuple[str, int]:
    """Return the fragment that draws now, alone or with its page, and how often it has run alone; ("", 0) outside."""
    name = _inside.get()
    return name, st.session_state.get(_RUNS, {}).get(name, 0)


def is_latest(run: tuple[str, int]) -> bool:
    """Return whether this fragment has not run again since."""
    name, number = run
    return not name or number == st.session_state.get(_RUNS, {}).get(name, number)


def alone() -> bool:
    """Return whether a fragment runs without the rest of the page."""
    context = get_script_run_ctx()
    return bool(context and context.fragment_ids_this_run)


def of_the_page() -> AbstractContextManager[None]:
    """Elements created inside trigger a full rerun, even when created by a fragment."""
    return ThreadState.scoped(fragment_id=None, delta_path=None)


def tabs(field: Choice, among: Sequence[str] = ()) -> dict[str, Any]:
    """Draw the tabs of a field and return them by name, of which only the `.open` one is to be filled; `among` limits
    them, and the last is open if neither the field's value nor its default is one."""
    # Streamlit forgets which tab or expander is open while it is not drawn, and a run can be interrupted before it has
    # sent what it has set. So the field sets it in each run.
    key = f"tabs-{field.key}"

    def chosen() -> None:
        st.session_state[field.key] = st.session_state[key]

    names = tuple(among or field.options)
    st.session_state[key] = next((name for name in (field.value, field.default) if name in names), names[-1])
    return dict(zip(names, st.tabs(names, key=key, on_change=chosen), strict=True))


def expander(name: str, label: str, icon: str | None = None) -> Any:
    """Draw an expander and return it; fill it only while it is open (`.open`)."""
    session, key = st.session_state, f"fold-{name}"
    # Set every time: for Streamlit an expander with another label is a new one, and closed.
    session[key] = name in OPEN.value
    return st.expander(label, key=key, icon=icon, type="compact", on_change=lambda: set_open(name, session[key]))


def set_open(name: str, opened: bool) -> None:
    """Open or close the expander with this name in a callback."""
    others = tuple(other for other in OPEN.value if other != name)
    put({OPEN.key: (*others, name) if opened else others})


def weights(prefix: str = "") -> Text:
    """Return a field for the first characters of a model's checksum, so that a link tells which weights it shows."""
    return Text(f"{prefix}{_WEIGHTS}", most=8)


def settle_weights(field: Text, checksum: str | None) -> bool:
    """Write a model's checksum ("" without a model, None as long as it is not known) into its field; returns whether a
    link has opened this page with another one."""
    session = st.session_state
    settled, different = (tuple(key for key in session[name] if key != field.key) for name in (_SETTLED, _DIFFERENT))
    from_link, own = field.key not in session[_SETTLED], (checksum or "")[: field.most]
    if checksum is None and from_link:  # waits; one of another model is cleared below
        return False
    if field.value != own:
        if from_link and own and field.value:
            different = (*different, field.key)
        field.correct(own)
    elif field.key in session[_DIFFERENT]:
        different = (*different, field.key)
    put({_SETTLED: (*settled, field.key), _DIFFERENT: different})
    return field.key in different


def links(pages: Iterable[str], common: Iterable[Field] = ()) -> dict[str, dict[str, list[str]]]:
    """Return the URL parameters of the menu's links: pages as they were left, with the current common fields, without
    checksums, because the model may be another one now."""
    shared = {field.key: field for field in common}
    now, left = _parameters(shared), _parameters_of_all()
    own = {page: {key: parts for key, parts in left.get(page, {}).items() if key not in shared} for page in pages}
    return {page: {key: parts for key, parts in own[page].items() if not _is_weights(key)} | now for page in pages}


def parameters(fields: Iterable[Field]) -> dict[str, list[str]]:
    """Return the URL parameters of these fields, as they are now."""
    return _parameters({field.key: field for field in fields})


def left(page: str) -> dict[str, list[str]] | None:
    """Return the URL parameters of a page as it was left in this session; None if it was not opened."""
    return _parameters_of_all().get(page)


def query() -> str:
    """Return the query string of this page's URL."""
    return urlencode(_parameters_of_all().get(st.session_state[_PAGE], {}), doseq=True)


def too_long() -> tuple[str, ...]:
    """Return the keys of the fields whose values are too long for the URL."""
    return tuple(key for key in _wanted() if key not in _parameters_of_all().get(st.session_state[_PAGE], {}))


def shortened(parameters: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return the parameters without the longest ones, so that they fit into a URL; those of an open lesson go last,
    because without them the address shows something else."""
    rest = dict(parameters)
    while len(urlencode(rest, doseq=True)) > MOST:
        others = rest.keys() - _LAST or rest.keys()
        del rest[max(sorted(others), key=lambda key: len(urlencode({key: rest[key]}, doseq=True)))]
    return rest


def _fitting(wanted: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return the parameters that fit into a URL, with a name for the values of the others, which the visit keeps."""
    parameters = shortened(wanted)
    if len(parameters) == len(wanted):
        return parameters
    parameters = shortened({**wanted, left_out.KEY: ["x" * left_out.LETTERS]})
    held = {key: st.session_state[key] for key in wanted if key not in parameters}
    return parameters | {left_out.KEY: [left_out.keep(held)]}


def _wanted(held: Mapping[str, Any] | None = None) -> dict[str, list[str]]:
    wanted = _parameters(st.session_state[_FIELDS], held)
    return {} if all(map(_is_weights, wanted)) else wanted  # a page as it is at the start has a short address


def _is_weights(key: str) -> bool:
    return key.endswith(_WEIGHTS)


def _parameters(fields: Mapping[str, Field], held: Mapping[str, Any] | None = None) -> dict[str, list[str]]:
    """Return the URL parameters of fields: those with values other than the default."""
    held = held or {key: field.value for key, field in fields.items()}
    return {key: field.write(held[key]) for key, field in fields.items() if not field.is_default(held[key])}


def _read(parameters: Mapping[str, list[str]]) -> dict[str, Any]:
    """Return the value of every field from URL parameters; missing or impossible ones get the default."""
    fields = st.session_state[_FIELDS]
    long = left_out.find(parameters[left_out.KEY][0]) or {} if left_out.KEY in parameters else {}
    read = {key: field.read(parameters[key]) if key in parameters else field.default for key, field in fields.items()}
    return read | {key: value for key, value in long.items() if key in fields and key not in parameters}


def _parameters_of_all() -> dict[str, dict[str, list[str]]]:
    return st.session_state.get(_ASKED, {})
