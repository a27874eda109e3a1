"""More about an edit, a tab each: only the open one is computed."""

import streamlit as st

from embtools.ui import state
from embtools.ui.arithmetic.asking import Asked
from embtools.ui.fields import Choice
from embtools.ui.share import Code

MORE = Choice("arithmetic_more", "Strength curve", ("Strength curve", "Through the layers", "Settings"))
FIELDS = (MORE,)


def show(model: str, asked: Asked, code: Code) -> None:
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                st.text(name)
