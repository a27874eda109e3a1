"""Figures of the Attention page."""
