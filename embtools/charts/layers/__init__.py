"""Figures of the Layers page: layers and layer combinations. Frames in, plotly out."""
