"""Sparse positive mixes: decompose a vector into a few others, and patch the network with the mix."""
