"""Panels of the Clusters page."""
