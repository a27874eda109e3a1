"""Formulas over a model's embeddings: their value by hand."""

import numpy as np
import pytest

from embtools import evaluate

FORMULAS = (
    "king - man + woman",
    "(he + she) / 2",
    "0.7*red + 0.3*blue",
    "reject(king, she - he)",
    "project(queen, she - he) + unit(rome)",
    "mean(red, green, blue)",
    "##ing",
)


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_is_evaluated_in_the_models_rows(tiny, text):
    rows = {word: tiny.matrix[i].astype(np.float64) for word, i in tiny.ids.items()}
    r = rows
    by_hand = {
        "king - man + woman": lambda: r["king"] - r["man"] + r["woman"],
        "(he + she) / 2": lambda: (r["he"] + r["she"]) / 2,
        "0.7*red + 0.3*blue": lambda: 0.7 * r["red"] + 0.3 * r["blue"],
        "reject(king, she - he)": lambda: r["king"] - along(r["king"], r["she"] - r["he"]),
        "project(queen, she - he) + unit(rome)": lambda: (
            along(r["queen"], r["she"] - r["he"]) + r["rome"] / np.linalg.norm(r["rome"])
        ),
        "mean(red, green, blue)": lambda: (r["red"] + r["green"] + r["blue"]) / 3,
        "##ing": lambda: r["##ing"],
    }
    result = evaluate(text, tiny)
    assert result.dtype == np.float32 and result.shape == (16,)
    np.testing.assert_allclose(result, by_hand[text](), atol=1e-6)


def along(vector, direction):
    return vector @ direction / (direction @ direction) * direction


def test_the_value_is_a_copy(tiny):
    result = evaluate("rome - rome + king", tiny)
    result[:] = 0
    np.testing.assert_array_equal(evaluate("king", tiny), tiny.vector("king"))
