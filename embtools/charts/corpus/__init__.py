"""Figures of the Corpus page."""
