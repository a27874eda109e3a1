"""Directions between two groups of words: found in hidden states, erased from them and added to them."""
