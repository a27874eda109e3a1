"""Figures of the Layers page: layers and recipes. Frames in, plotly out."""
