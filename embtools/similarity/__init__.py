"""Similarities of words: matrices and trees, pairs, colours, and the odd one out."""
