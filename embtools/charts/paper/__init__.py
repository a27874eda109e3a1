"""Figures of the Paper page."""
