"""Figures of claims: their verdicts, and published numbers next to those of this model."""
