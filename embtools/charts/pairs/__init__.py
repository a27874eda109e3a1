"""Figures of the Pairs page."""
