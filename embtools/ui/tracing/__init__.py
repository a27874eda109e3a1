"""Panels of the Tracing page."""
