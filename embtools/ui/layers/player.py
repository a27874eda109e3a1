"""Makes the slider of an animated chart accessible by keyboard, respects reduced motion, and stores its layer."""

from pathlib import Path

import streamlit as st

from embtools.ui import state
from embtools.ui.fields import Number

_SCRIPT = (Path(__file__).parent / "player.js").read_text(encoding="utf-8")
_STILL = "player-still"


def still(chart: str, layer: Number) -> bool:
    """Whether the visitor prefers reduced motion; also keeps `layer` in step with the slider of the chart."""
    _watch(chart, layer)
    return bool(st.session_state.get(_STILL))


@state.fragment
def _watch(chart: str, layer: Number) -> None:
    # A fragment, so that moving the slider only updates the address and redraws nothing.
    key = f"player-{chart}"

    def moved() -> None:
        value = st.session_state[key].layer
        if value is not None:
            state.put({layer.key: layer.read([str(value)])})

    known = bool(st.session_state.get(_STILL))
    component = st.components.v2.component("player", html="<span></span>", js=_SCRIPT)
    data = {"chart": chart, "still": known}
    reported = component(key=key, data=data, on_layer_change=moved, on_still_change=lambda: None)
    if reported.still is not None and reported.still != known:
        st.session_state[_STILL] = reported.still
        st.rerun()
