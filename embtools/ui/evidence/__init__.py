"""Panels of the Evidence page."""
