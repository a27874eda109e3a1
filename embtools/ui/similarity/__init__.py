"""Screens of the Similarity page."""
