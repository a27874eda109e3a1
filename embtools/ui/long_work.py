"""Work that takes long waits for a button, which names the time; a press becomes part of the address."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from embtools.ui import running, state
from embtools.ui.call import Call
from embtools.ui.running import Query
from embtools.ui.shown import Model

AT_ONCE = 4.0  # seconds; longer work waits for a button


def requested(name: str, what: str, seconds: float, question: Any = None, *, unasked: bool = True) -> bool:
    """Return whether work of about this many seconds may begin: at once if it is short and `unasked`, otherwise after a
    press on a button, which counts for this question only."""
    key, question = f"requested-{name}", repr(question)
    if (unasked and seconds <= AT_ONCE) or st.session_state.get(key) == question:
        return True
    # A link with a press begins short work only, so that no link can make a server work for minutes.
    linked = name in state.RUN.value and key not in st.session_state
    if linked and seconds <= AT_ONCE:
        st.session_state[key] = question
        return True
    if name in state.RUN.value and not linked:  # pressed for another question
        state.RUN.correct(tuple(other for other in state.RUN.value if other != name))
    tip, long = _duration(seconds), unasked or seconds > AT_ONCE
    st.button(
        what,
        icon=":material/play_arrow:",
        type="primary" if unasked else "tertiary",
        key=f"{key}-button",
        help=None if long else tip,
        on_click=_request,
        args=(name, key, question),
    )
    if long:
        st.caption(f"{tip} The link that you opened shows this result." if linked else tip)
    return False


def may_begin(name: str, what: str, query: Query, models: Sequence[Model], effort: Callable[[Call], Call]) -> bool:
    """Return whether a query may be asked now: at once if it is known or short, otherwise after a button, as for
    `requested`; `effort` gives the query for the seconds that one model takes. Of two models, the second waits if the
    answer of the first is known."""
    try:
        own = running.query_for(query, models[0])
        answered = running.known(own, models[0])
        if answered and all(running.settled(query, model) for model in models[1:]):
            return True
        seconds = float(running.run(effort(own), models[0]))
    except ValueError:  # shown by the query itself
        return True
    rest = of_all(seconds, models) - answered * seconds
    may = requested(name, f"{what} with {models[1].title}" if answered else what, rest, (tuple(models), own))
    st.session_state.setdefault(running.HELD, {})[name] = own if answered and not may else None
    return answered or may


def of_all(seconds: float, models: Sequence[Model]) -> float:
    """Return about how long all models take for work that takes the first one this many seconds; it grows with the
    number of parameters."""
    # A second model that was never opened is assumed to be as large as the first.
    sizes = [model.facts.parameters for model in models if model.was_opened or model == models[0]]
    return seconds * (sum(sizes) / sizes[0] + len(models) - len(sizes))


def _request(name: str, key: str, question: str) -> None:
    others = tuple(other for other in state.RUN.value if other != name)
    state.put({key: question, state.RUN.key: (*others, name)})


def _duration(seconds: float) -> str:
    """Return how long the work will take, for the text at its button."""
    if seconds < 1.5:
        return "About a second on this server."
    return f"About {seconds:.0f} seconds on this server." if seconds < 90 else f"About {seconds / 60:.0f} minutes."
