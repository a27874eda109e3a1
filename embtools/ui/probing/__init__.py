"""Screens of the Probing page."""
