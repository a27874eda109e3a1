"""Screens of the Layers page."""
