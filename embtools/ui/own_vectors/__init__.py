"""Panels of the Your vectors page."""
