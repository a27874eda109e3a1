"""Figures of the Bias page: groups, scores and remedies. Frames in, plotly out."""
