"""Screens of the Decomposition page."""
