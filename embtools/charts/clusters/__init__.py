"""Figures of the Clusters page: maps and what can be trusted in them. Frames in, plotly out."""
