"""Vectors of two groups for the tests."""

import numpy as np


def cloud(n=30, d=4, apart=1.0):  # type: ignore[no-untyped-def]
    """Random vectors (n, d) of two groups, and which are of the second."""
    second = np.arange(n) % 3 > 0
    return np.random.default_rng(0).standard_normal((n, d)) + apart * second[:, None], second
