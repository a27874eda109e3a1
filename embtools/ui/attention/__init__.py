"""Panels of the Attention page."""
