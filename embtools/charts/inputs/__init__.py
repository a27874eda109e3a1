"""Figures of the Inputs page: vectors as strips, positions, the vocabulary."""
