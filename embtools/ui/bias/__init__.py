"""Panels of the Bias page."""
