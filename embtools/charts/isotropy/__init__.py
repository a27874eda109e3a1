"""Figures of the Isotropy page."""
