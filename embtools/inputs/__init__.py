"""Inputs and outputs of the encoder: embeddings, positions, the vocabulary, the masking rule."""
