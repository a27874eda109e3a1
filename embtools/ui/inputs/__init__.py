"""Panels of the Inputs page."""
