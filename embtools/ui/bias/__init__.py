"""Screens of the Bias page."""
