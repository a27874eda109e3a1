"""Figures of the Probing page."""
