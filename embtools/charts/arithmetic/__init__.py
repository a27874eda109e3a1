"""Figures of the Arithmetic page: formulas and edits. Frames in, plotly out."""
