"""Home: what this is, what to try first, one card per page, the model in use."""

import streamlit as st

from embtools.ui import home, page

model = page.begin("")
place = home.welcome(model)
home.cards(model)
figures = st.container()
home.privacy()
home.first_result(place, model)
home.model_in_use(figures, model)
home.warm_examples(model)
