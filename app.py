"""The app, as `streamlit run app.py` starts it, and its start page, Home."""

import streamlit as st

from embtools.ui import host

host.prepare()  # before all else, because numpy, torch and scikit-learn read these settings when they are imported

from embtools.ui import faults, immutable, metrics, page, proxies, unsent, visitors, warm
from embtools.ui.home import screen
from embtools.ui.rooms import routes

if __name__ == "__main__":
    screen.show(page.begin("", screen.FIELDS))
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
