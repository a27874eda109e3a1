"""Figures of the Tracing page."""
