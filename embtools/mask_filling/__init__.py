"""Filling masks with the original embeddings or with edited ones."""
