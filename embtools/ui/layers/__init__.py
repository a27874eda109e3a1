"""Panels of the Layers page."""
