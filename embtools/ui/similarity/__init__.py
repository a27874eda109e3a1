"""Panels of the Similarity page."""
