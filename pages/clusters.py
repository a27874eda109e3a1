"""Clusters: words on a map, with the numbers that say how far to trust it."""

import streamlit as st

from embtools.ui import clusters_examples, clusters_inputs, clusters_numbers, clusters_results, frame, share

model = frame.open("clusters")
with st.container(horizontal=True, vertical_alignment="center"):
    for name, state in clusters_examples.EXAMPLES.items():
        st.button(name, on_click=frame.set_state, args=(state,), key=f"clusters-example-{name}")
    st.button(
        "Reset",
        icon=":material/restart_alt:",
        on_click=frame.set_state,
        args=(clusters_examples.RESET,),
        type="tertiary",
    )

# On a phone the first column comes first: the map, then its settings.
result, settings = st.columns([2, 1], gap="medium")
with settings:
    asked = clusters_inputs.inputs(model)
with result:
    more = clusters_results.result(model, asked)
numbers = clusters_numbers.numbers(model, asked)

frame.how_to_read(clusters_numbers.EXPLANATION, *clusters_numbers.SOURCES)
share.footer(model, lambda: clusters_results.code(asked, more, numbers))
