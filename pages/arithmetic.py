"""Arithmetic: change a word's embedding with a formula, ask BERT again, compare the answers."""

import streamlit as st

from embtools.ui import page, share
from embtools.ui.arithmetic import analogy, inputs, results
from embtools.ui.arithmetic import examples as arithmetic_examples

EXPLANATION = """
An edit replaces the **input vector** of a word by the value of your formula and lets the model fill the mask again. The
scope *tied* also replaces the word's own output score, because BERT uses one matrix for both: that is what overwriting
the row did in the original experiments. Under the answers a line tells what the other scope gives.

A turned answer alone proves little. Look at the **controls**: if *added only* turns the answer as well, the new word
may simply have been copied; if *random difference* turns it, any change would. The claim that directions carry meaning
needs the edit to stand clearly above them. One sentence is an anecdote: try several.

A sum of three vectors is longer than one and then outweighs position and segment in the sum that BERT reads;
*keep the length* takes that away. A probability is the model's habit, not a fact about the world.
"""
SOURCES = (
    "“BERT Embedding Math” (after Bengio 2009; Pennington et al. 2014)",
    "Devlin et al. 2018",
    "Meng et al. 2022 for the controls",
    "Levy & Goldberg 2014 (3CosMul)",
    "Linzen 2016 (baselines of analogies)",
)

model = page.begin("arithmetic")
examples = {name: state for group in arithmetic_examples.EXAMPLES.values() for name, state in group.items()}
with st.container(horizontal=True, vertical_alignment="center"):
    for name in arithmetic_examples.FIRST:
        st.button(page.plain(name), on_click=page.set_state, args=(examples[name],), key=f"first-{name}")
    with st.popover("More examples", icon=":material/lightbulb:"):
        for group, states in arithmetic_examples.EXAMPLES.items():
            st.caption(group)
            for name, state in states.items():
                st.button(page.plain(name), on_click=page.set_state, args=(state,), key=f"more-{name}", type="tertiary")
    st.button(
        "Reset",
        icon=":material/restart_alt:",
        on_click=page.set_state,
        args=({**examples["king - man + woman"], **examples["Rome in France"]},),
        type="tertiary",
    )

edit_tab, formula_tab = st.tabs(
    [arithmetic_examples.EDIT_TAB, arithmetic_examples.FORMULA_TAB],
    key="arithmetic_tab",
    on_change="rerun",
    bind="query-params",
)
code = ""
if edit_tab.open:
    with edit_tab:
        left, right = st.columns([2, 3], gap="large")
        with left:
            asked = inputs.inputs(model)
        with right:
            code = results.results(model, asked) if asked else ""
if formula_tab.open:
    with formula_tab:
        code = analogy.show(model)

page.how_to_read(EXPLANATION, *SOURCES)
share.footer(model, code)
