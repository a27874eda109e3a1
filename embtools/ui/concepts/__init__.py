"""Panels of the Concepts page."""
