"""Screens of the Clusters page."""
