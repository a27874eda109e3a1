"""Figures of the Directions page."""
