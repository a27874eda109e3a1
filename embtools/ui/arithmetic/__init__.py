"""Screens of the Arithmetic page."""
