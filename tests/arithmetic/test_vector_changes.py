"""Edited vectors: their neighbours are those of the formula, and nothing is near to nothing."""

import numpy as np
import pandas as pd
import pytest

from embtools import nearest
from embtools.arithmetic.vector_changes import edited_vectors
from embtools.mask_filling.edits import NO_CHANGE, Change


def test_neighbours_and_lengths_before_and_after(tiny):
    change = Change.of(("rome = rome - italy + france", "king = 0.5 * king"))
    lengths, near = edited_vectors(change, tiny, k=5)
    assert list(lengths["word"]) == ["rome", "king"]
    for word, formula in (("rome", "rome - italy + france"), ("king", "king")):
        for run, expected in (("original", word), ("edited", formula)):
            found = near[(near["word"] == word) & (near["run"] == run)][["rank", "token", "cosine"]]
            pd.testing.assert_frame_equal(found.reset_index(drop=True), nearest(expected, tiny, k=5), atol=1e-6)
    king = lengths.set_index("word").loc["king"]
    assert king["original"] == pytest.approx(np.linalg.norm(tiny.vector("king")))
    assert king["edited"] == pytest.approx(king["original"] / 2)


@pytest.mark.parametrize("zero", ["rome - rome", "0.1*rome + 0.2*rome - 0.3*rome"])
def test_a_vector_of_zeros_has_a_length_and_no_neighbours(tiny, zero):
    lengths, near = edited_vectors(Change.of((f"rome = {zero}",)), tiny)
    assert lengths["edited"].iloc[0] == pytest.approx(0, abs=1e-6)
    assert set(near["run"]) == {"original"}


def test_nothing_edited_is_two_empty_frames(tiny):
    lengths, near = edited_vectors(NO_CHANGE, tiny)
    assert lengths.empty and near.empty
