"""Clusters: words on a map, with the numbers that say how far to trust it."""

import streamlit as st

from embtools.ui import page, share
from embtools.ui.clusters import examples, inputs, maps
from embtools.ui.clusters import numbers as clusters_numbers

model = page.begin("clusters")
with st.container(horizontal=True, vertical_alignment="center"):
    for name, state in examples.EXAMPLES.items():
        st.button(name, on_click=page.set_state, args=(state,), key=f"clusters-example-{name}")
    st.button(
        "Reset",
        icon=":material/restart_alt:",
        on_click=page.set_state,
        args=(examples.RESET,),
        type="tertiary",
    )

# On a phone the first column comes first: the map, then its settings.
result, settings = st.columns([2, 1], gap="medium")
with settings:
    asked = inputs.inputs(model)
with result:
    more = maps.result(model, asked)
numbers = clusters_numbers.numbers(model, asked)

page.how_to_read(clusters_numbers.EXPLANATION, *clusters_numbers.SOURCES)
share.footer(model, lambda: maps.code(asked, more, numbers))
