"""Figures of the Evidence page."""
