"""Similarity: how alike the words of a list are to BERT, and whether that follows what they mean or how they look."""

import streamlit as st

from embtools.ui import page, share
from embtools.ui.similarity import colours, inputs, matrix, odd_one_out, spaces

EXPLANATION = """
A cell is the **cosine** of two vectors: 1 is the same direction, 0 nothing in common. It has no absolute meaning, for
unrelated words share a direction too; so the pair is compared with **random pairs**, and its **rank** among all words
tells more than the number.

The **tree** joins the most alike first, but always finds clusters, also where there are none: the cophenetic
correlation says how much of the table survives in it. Distances are given to scipy in condensed form. The script behind
the original figure handed Ward's method the square table, whose rows were then read as points; Ward here uses
Euclidean distances between unit vectors.

**Does it follow sight?** CIEDE2000 says how different two colours look (0 the same, 100 black and white), for one
standard shade of each name: *green* is CSS's green, #008000. The pairs share words and are no independent cases, so the
test shuffles words, not pairs (Mantel). Two dozen colours are few: a link may be there and too small to be seen.
"""
SOURCES = (
    "“BERT Embedding Math”, figure 4",
    "Sharma, Wu & Dalal 2005 (CIEDE2000)",
    "Mantel 1967",
    "Bar-Joseph, Gifford & Jaakkola 2001 (order of leaves)",
    "Gordon & Van Durme 2013 and Daumé 2016 (reporting bias, black sheep)",
)

model = page.begin("similarity")
inputs.presets(model)
asked = inputs.show(model)
code = ""
if asked:
    panels = (matrix.show, colours.show, spaces.two_spaces, odd_one_out.odd_one)
    tabs = st.tabs(inputs.TABS, key="similarity_tab", on_change="rerun", bind="query-params")
    for tab, panel in zip(tabs, panels, strict=True):
        if tab.open:
            with tab:
                code = panel(model, asked)
page.how_to_read(EXPLANATION, *SOURCES)
share.footer(model, code)
