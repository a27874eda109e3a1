"""Layers: which layer and which pooling make a good vector of a word or a sentence."""

import streamlit as st

from embtools.ui import (
    frame,
    layers_answers_panel,
    layers_states_panel,
    layers_survey_panel,
    layers_word_panel,
    share,
)

EXPLANATION = """
BERT gives every token one vector **per layer**; a *recipe* says which layers make the vector, a *pooling* which tokens.
**AUC** says how well that vector keeps two senses of a word apart: how often is a pair of one sense more alike than a
pair of different senses?

AUC can be compared between layers. Raw cosines cannot: in some layers *all* vectors point the same way. Layer 0 is the
embedding output, without context: there occurrences differ by their place alone. The sum of the last four layers points
where their mean points, so its cosines are the mean's.

Limits. With eight occurrences an AUC can be high by luck: the count of splits says how lucky one would have to be, and
the fifty words what holds in general. The best of many recipes looks a little too good, because it was chosen for its
score. If the *sentence* columns separate senses as well as the word's own do, the vector may hold the topic rather than
the sense; a few dimensions with large values can rule any cosine. What is best for senses need not be best elsewhere.
"""
SOURCES = (
    "“Understanding BERT — Word Embeddings”",
    "Devlin et al. 2019, table 7 (layers as features)",
    "Ethayarajh 2019 (self-similarity, anisotropy)",
    "Kornblith et al. 2019 (CKA), with the unbiased estimate of Song et al. 2012",
    "Reimers & Gurevych 2019 (pooling of sentences)",
)

model = frame.open("layers")
with st.container(horizontal=True, vertical_alignment="center"):
    for name, state in layers_word_panel.PRESETS.items():
        st.button(frame.plain(name), on_click=frame.set_state, args=(state,), key=f"first-{name}")
    st.button(
        "A question",
        on_click=frame.set_state,
        args=(layers_answers_panel.state(),),
    )
    st.button(
        "Reset",
        icon=":material/restart_alt:",
        on_click=frame.set_state,
        args=({**layers_answers_panel.state(), **layers_word_panel.PRESETS["bank"]},),
        type="tertiary",
    )

word_tab, survey_tab, answers_tab = st.tabs(
    [layers_word_panel.TAB, layers_survey_panel.TAB, layers_answers_panel.TAB],
    key="layers_tab",
    on_change="rerun",
    bind="query-params",
)
code = ""
if word_tab.open:
    with word_tab:
        left, right = st.columns([2, 3], gap="large")
        with left:
            good = layers_word_panel.inputs(model)
            if good:
                asked, comparison = good
                asked, comparison, keep = layers_word_panel.pick(asked, comparison)
                layers_states_panel.hidden_states(comparison, asked)
        if good:
            with right:
                code = layers_word_panel.results(model, asked, comparison, keep)
if survey_tab.open:
    with survey_tab:
        code = layers_survey_panel.show(model)
if answers_tab.open:
    with answers_tab:
        code = layers_answers_panel.show(model)

frame.how_to_read(EXPLANATION, *SOURCES)
share.footer(model, code)
