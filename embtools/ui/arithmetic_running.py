"""Jobs of the Arithmetic page that may take seconds, with a stop that lasts; and the code of all panels as one."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import streamlit as st

from embtools.ui import running

T = TypeVar("T")


def stoppable(function: Callable[..., T], model: str, *arguments: Any, label: str, **named: Any) -> T | None:
    """`running.long_call`; once stopped it waits for a button, or for another question, instead of beginning anew."""
    key, job = f"stopped-{function.__qualname__}", (model, arguments, tuple(named.items()))
    if st.session_state.get(key) == job:
        st.text(f"Stopped: {label}.")
        st.button("Go on", icon=":material/play_arrow:", key=f"go-{key}", on_click=st.session_state.pop, args=(key,))
        return None
    return running.long_call(
        function, model, *arguments, label=label, stop=lambda: st.session_state.update({key: job}), **named
    )


def snippet(lines: Iterable[str]) -> str:
    """The lines of all panels as one piece of code: the imports first, each once."""
    imports, rest = set(), []
    for line in lines:
        if line.startswith(("import ", "from ")):
            imports.add(line)
        else:
            rest.append(line)
    return "\n".join([*sorted(imports), "", *rest])
