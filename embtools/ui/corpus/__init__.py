"""Panels of the Corpus page."""
