"""Panels of the Isotropy page."""
