"""Plotly figures from data frames, with one package per idea. Colours and fonts follow Streamlit's theme."""
