"""Figures of the Arithmetic page, made from data frames with plotly: formulas, edits and their controls."""
