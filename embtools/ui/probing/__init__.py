"""Panels of the Probing page."""
