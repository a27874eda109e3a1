"""Everything that draws: the only part, with app.py and pages/, that imports streamlit."""

from embtools.ui import host

# Here, because numpy reads these settings when it is first imported, as torch and scikit-learn do.
host.prepare()
