"""The user interface: the only package, besides app.py and pages/, that imports streamlit."""
