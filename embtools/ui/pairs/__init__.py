"""Panels of the Pairs page."""
