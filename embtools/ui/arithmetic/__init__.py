"""Panels of the Arithmetic page: one sentence, formulas, many sentences."""
