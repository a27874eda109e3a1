"""Data frames in, plotly figures out; one module per idea. Colours and fonts follow Streamlit's theme."""
