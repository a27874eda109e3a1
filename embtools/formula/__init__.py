"""Formulas over words: parsing of the text, the expression tree, and its vector."""
