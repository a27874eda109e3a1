"""The app, as `streamlit run app.py` starts it, and its start page, Home."""

import streamlit as st

from embtools.ui import cards, faults, home, immutable, metrics, page, proxies, unsent, visitors, warm, word_search
from embtools.ui.rooms import routes
from embtools.ui.shown import Model

if __name__ == "__main__":
    model = page.begin("", home.FIELDS)
    container = home.question(model)
    word_search.field()
    words = st.container()
    cards.show()
    home.model_in_use(model)
    home.privacy()
    home.answer(container, model)
    with words:
        word_search.answer(Model(model))
else:  # Streamlit imports this file to find `app`, and runs it as __main__ for each visitor.
    metrics.begin()
    unsent.keep()
    app = st.App(
        __file__,
        lifespan=warm.before_visitors,
        routes=routes.routes(),
        middleware=[*proxies.middleware(), *visitors.middleware(__file__), *immutable.middleware()],
        on_script_error=faults.say,
    )
