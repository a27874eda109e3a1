"""The user interface: the only package, besides app.py and pages/, that imports streamlit."""

from embtools.ui import host

# Called here because numpy, torch and scikit-learn read these settings when they are first imported.
host.prepare()
