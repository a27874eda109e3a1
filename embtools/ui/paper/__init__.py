"""Screens of the Paper page."""
