"""Panels of the Features page."""
