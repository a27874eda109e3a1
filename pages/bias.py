"""Bias: which prejudices a model has learnt, how they are measured, and what taking them out costs and leaves."""

import streamlit as st

from embtools.ui import page, share
from embtools.ui.bias import association, counterfactual, groups, mitigation, notes, occupations

PANELS = (
    groups,
    counterfactual,
    occupations,
    association,
    mitigation,
)
EXPLANATION = """
A language model learns which words go together in its texts, and with them their prejudices and omissions. Here you see
**what this model answers and how its vectors lie**, by several published measures, none of which measures harm.

Ask three things of every difference. Does it hold in **several sentences**? Does it stand above its **control**
(unrelated words, shuffled words, a random direction)? Is it a stereotype at all: one between *actor* and *actress* is
grammar, one between *nurse* and *doctor* is not. Averaging two words makes their answers alike **in that sentence**;
what the layers have learnt stays, and other words still carry the lean.

Limits. The lists are English, short and mostly from the United States; most sort people into two genders, templates are
not the sentences people write, and the measures do not always agree. A test that finds nothing does not show that a
model is fair (May et al. 2019), and a number without a statement of what harm it stands for says little (Blodgett et
al. 2020, 2021).
"""
SOURCES = (
    "“BERT Embedding Math”, figure 5",
    "Bolukbasi et al. 2016",
    "Caliskan et al. 2017",
    "May et al. 2019",
    "Kurita et al. 2019",
    "Ethayarajh et al. 2019",
    "Gonen & Goldberg 2019",
    "Blodgett et al. 2020, 2021",
)

model = page.begin("bias")
notes.content_note()
with st.container(horizontal=True, vertical_alignment="center"):
    for name in ("He and she", "First names", "Religions"):
        st.button(name, on_click=page.set_state, args=(groups.PRESETS[name],), key=f"first-{name}")
    with st.popover("More examples", icon=":material/lightbulb:"):
        for panel in PANELS:
            st.caption(panel.TAB)
            for name, state in panel.PRESETS.items():
                st.button(name, on_click=page.set_state, args=(state,), key=f"more-{name}", type="tertiary")
    everything = {key: value for panel in PANELS for key, value in next(iter(panel.PRESETS.values())).items()}
    st.button(
        "Reset",
        icon=":material/restart_alt:",
        on_click=page.set_state,
        args=(
            {
                **everything,
                "bias_layer": association.last_layer(model),
                "bias_tab": groups.TAB,
            },
        ),
        type="tertiary",
    )

code = ""
for tab, panel in zip(
    st.tabs([panel.TAB for panel in PANELS], key="bias_tab", on_change="rerun", bind="query-params"),
    PANELS,
    strict=True,
):
    if tab.open:
        with tab:
            code = panel.show(model)

page.how_to_read(EXPLANATION, *SOURCES)
share.footer(model, code)
