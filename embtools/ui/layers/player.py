"""The slider of a moving chart, for the keyboard, for those who want no motion, and for the address."""

from pathlib import Path

import streamlit as st

from embtools.ui import state
from embtools.ui.fields import Number

_SCRIPT = (Path(__file__).parent / "player.js").read_text(encoding="utf-8")
_STILL = "player-still"


def still(chart: str, layer: Number) -> bool:
    """Watch over the chart of that name, whose slider the field follows; whether the visitor wants no motion."""
    _watch(chart, layer)
    return bool(st.session_state.get(_STILL))


@state.fragment
def _watch(chart: str, layer: Number) -> None:
    # Alone, so that a moved slider writes the address and draws nothing anew: the chart stands where it should.
    key = f"player-{chart}"

    def moved() -> None:
        told = st.session_state[key].layer
        if told is not None:
            state.put({layer.key: layer.read([str(told)])})

    component = st.components.v2.component("player", html="<span></span>", js=_SCRIPT)
    told = component(key=key, data={"chart": chart}, on_layer_change=moved, on_still_change=lambda: None)
    if bool(told.still) != bool(st.session_state.get(_STILL)):
        st.session_state[_STILL] = bool(told.still)
        st.rerun()
