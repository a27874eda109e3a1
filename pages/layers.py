"""Layers: which layer and which pooling make a good vector of a word or a sentence."""

import streamlit as st

from embtools.ui import page, share
from embtools.ui.layers import questions, states, survey, word

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

model = page.begin("layers")
with st.container(horizontal=True, vertical_alignment="center"):
    for name, state in word.PRESETS.items():
        st.button(page.plain(name), on_click=page.set_state, args=(state,), key=f"first-{name}")
    st.button(
        "A question",
        on_click=page.set_state,
        args=(questions.state(),),
    )
    st.button(
        "Reset",
        icon=":material/restart_alt:",
        on_click=page.set_state,
        args=({**questions.state(), **word.PRESETS["bank"]},),
        type="tertiary",
    )

word_tab, survey_tab, answers_tab = st.tabs(
    [word.TAB, survey.TAB, questions.TAB],
    key="layers_tab",
    on_change="rerun",
    bind="query-params",
)
code = ""
if word_tab.open:
    with word_tab:
        left, right = st.columns([2, 3], gap="large")
        with left:
            good = word.inputs(model)
            if good:
                asked, comparison = good
                asked, comparison, keep = word.pick(asked, comparison)
                states.hidden_states(comparison, asked)
        if good:
            with right:
                code = word.results(model, asked, comparison, keep)
if survey_tab.open:
    with survey_tab:
        code = survey.show(model)
if answers_tab.open:
    with answers_tab:
        code = questions.show(model)

page.how_to_read(EXPLANATION, *SOURCES)
share.footer(model, code)
