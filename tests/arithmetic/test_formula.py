"""What the page shows of a formula: its headline, the expected word and the vectors are those of the analogy module."""

import numpy as np
import pandas as pd
import pytest

from embtools import evaluate, nearest
from embtools.arithmetic import nearest_tokens
from embtools.arithmetic.formula import NearestWords, expected_rank, formula_vectors, nearest_words


@pytest.mark.parametrize(
    ("formula", "kept", "left_out", "said"),
    [
        (
            "king - man + woman",
            "king",
            "queen",
            "The nearest word is king (cosine 0.50), one of the formula's own words. The nearest word not in the formula is"
            " queen (cosine 0.25).",
        ),
        (
            "2 * King",
            "king",
            "queen",
            "The nearest word is king (cosine 0.50), the formula's only word. The nearest word not in the formula is queen"
            " (cosine 0.25).",
        ),
        ("a - b", "c", "c", "The nearest word is c (cosine 0.50), which is not one of the formula's own words."),
    ],
)
def test_the_headline_states_whether_the_nearest_word_is_an_input(formula, kept, left_out, said):
    frames = (
        pd.DataFrame({"rank": [1], "token": [token], "cosine": [cosine]})
        for token, cosine in ((kept, 0.5), (left_out, 0.25))
    )
    assert NearestWords(formula, *frames).headline == said


def test_the_headline_of_the_bundled_model(bundled):
    kept, left_out = (nearest("king - man + woman", bundled, k=3, inputs=inputs) for inputs in (True, False))
    near = nearest_words("king - man + woman", bundled, k=3)
    pd.testing.assert_frame_equal(near.kept, kept)
    pd.testing.assert_frame_equal(near.left_out, left_out)
    text = near.headline
    assert text.startswith(f"The nearest word is {kept['token'].iloc[0]} (cosine {kept['cosine'].iloc[0]:.2f}), one of")
    assert f"{left_out['token'].iloc[0]} (cosine {left_out['cosine'].iloc[0]:.2f})" in text


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_the_words_and_their_weights(tiny, metric):
    near = nearest_words("king - man + woman", tiny, k=4, metric=metric, whole_words=True)
    assert near.words == ("king", "man", "woman") and near.weights == {"king": 1, "man": -1, "woman": 1}
    assert not set(near.left_out["token"]) & set(near.words) and len(near.kept) == len(near.left_out) == 4
    assert nearest_words("unit(king)", tiny).weights is None


def test_the_expected_word_has_its_ranks_and_a_sentence(tiny):
    found = expected_rank("king - man + woman", tiny, expected="queen", whole_words=False)
    ranks = nearest_tokens.analogy("king - man + woman", tiny, expected="queen", whole_words=False)
    pd.testing.assert_frame_equal(found.methods, ranks)
    assert found.comparison == nearest_tokens.expectation(ranks, "queen")
    with pytest.raises(ValueError, match="must have the form"):
        expected_rank("king", tiny, expected="queen")


def test_the_vectors_have_their_euclidean_lengths(tiny):
    found = formula_vectors("king - man", tiny)
    assert found.lengths["vector"].tolist() == list(found.vectors) == ["king - man", "king", "man"]
    expected = [np.sqrt((evaluate(text, tiny) ** 2).sum()) for text in found.vectors]
    np.testing.assert_allclose(found.lengths["length"], expected, rtol=1e-5)
    pd.testing.assert_frame_equal(found.numbers, nearest_tokens.components("king - man", tiny))
