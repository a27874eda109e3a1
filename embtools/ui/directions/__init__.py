"""Panels of the Directions page."""
