"""Formulas over words: text → tree → vector."""
