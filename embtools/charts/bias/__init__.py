"""Figures of the Bias page: groups, scores, association tests and mitigation methods."""
