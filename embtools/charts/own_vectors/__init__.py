"""Figures of the Your vectors page."""
