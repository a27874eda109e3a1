"""Edits read from text and computed as vectors, by hand."""

import numpy as np
import pytest

from embtools.mask_filling import edits as mask_filling_edits
from embtools.mask_filling.edits import Change

EDITS = ("rome = rome - italy + france",)


def value_of(edit, rows, ids):
    """The right side of the edits used here, in float64 and by hand."""
    word = lambda w: rows[ids[w]].astype(np.float64)  # noqa: E731
    return {
        "rome = rome - italy + france": lambda: word("rome") - word("italy") + word("france"),
        "he = (he + she) / 2": lambda: (word("he") + word("she")) / 2,
        "king = queen": lambda: word("queen"),
        "rome = italy": lambda: word("italy"),
        "italy = rome": lambda: word("rome"),
    }[edit]()


def test_strength_and_length_by_hand(tiny):
    original, value = tiny.vector("rome"), value_of(EDITS[0], tiny.matrix, tiny.ids)
    target = tiny.ids["rome"]
    for strength in (0.0, 0.5, 1.0, 2.0):
        expected = (1 - strength) * original + strength * value
        plain = mask_filling_edits.resolve(Change(EDITS, strength=strength), tiny).vectors[target]
        np.testing.assert_allclose(plain, expected, atol=1e-6)
        kept = mask_filling_edits.resolve(Change(EDITS, strength=strength, keep_length=True), tiny).vectors[target]
        assert np.linalg.norm(kept) == pytest.approx(np.linalg.norm(original), rel=1e-6)
        np.testing.assert_allclose(kept / np.linalg.norm(kept), expected / np.linalg.norm(expected), atol=1e-6)


def test_right_sides_use_the_original_vectors(tiny):
    vectors = mask_filling_edits.resolve(Change(("rome = italy", "italy = rome")), tiny).vectors
    np.testing.assert_allclose(vectors[tiny.ids["rome"]], tiny.vector("italy"), atol=1e-6)
    np.testing.assert_allclose(vectors[tiny.ids["italy"]], tiny.vector("rome"), atol=1e-6)
