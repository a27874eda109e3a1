"""The app: the server that `streamlit run app.py` starts, and Home."""

import streamlit as st

from embtools.ui import cards, home, page, warm

if __name__ == "__main__":
    model = page.begin("", home.FIELDS)
    place = home.question(model)
    cards.show()
    home.model_in_use(model)
    home.privacy()
    home.answer(place, model)
else:  # Streamlit finds the app of this name, imports this file for it, and runs the file, as all scripts, as __main__.
    app = st.App(__file__, lifespan=warm.before_visitors)
