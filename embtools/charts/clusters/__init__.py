"""Plotly figures of the Clusters page: maps of words, and curves over dimensions."""
