"""Panels of the Decomposition page."""
