"""The claims about tokens and shapes, compared with transformers itself."""

import numpy as np
import pytest

from embtools.paper import word_embeddings as claims
from embtools.progress import silent

BANK = "After stealing money from the bank vault, the bank robber was seen fishing on the Mississippi river bank."


def test_the_listings_are_those_of_the_vocabulary(bundled, tiny) -> None:  # type: ignore[no-untyped-def]
    assert [c.holds for c in claims.pieces(bundled, progress=silent).conditions] == [True] * 3
    assert [c.holds for c in claims.pieces(tiny, progress=silent).conditions] == [False] * 3


def test_a_single_sentence_has_segment_0_and_a_pair_both(bundled, tiny_distil) -> None:  # type: ignore[no-untyped-def]
    found = claims.segment_ids(bundled, progress=silent)
    assert found.answer == "For one sentence, all 22 tokens have segment id 0. For two, 9 tokens have 0 and 8 have 1."
    assert found.verdict == "holds in part"
    with pytest.raises(ValueError, match="no segment"):
        claims.segment_ids(tiny_distil, progress=silent)


def test_shapes_follow_the_model(bundled) -> None:  # type: ignore[no-untyped-def]
    states, vectors, sentence = (
        measure(bundled, progress=silent)
        for measure in (claims.hidden_states, claims.token_vectors, claims.sentence_vector)
    )
    whole = bundled.hidden_states(BANK)
    assert states.answer.startswith("7 × 1 × 22 × 384 = 59,136") and whole.size == 59_136
    assert vectors.answer == "The concatenation has 1,536 numbers, the sum 384."
    assert f"{whole[-2].mean(axis=0)[0]:.3f}" in sentence.answer
    assert all(c.holds for found in (states, vectors, sentence) for c in found.conditions)
    assert np.isclose(whole[-2].mean(axis=0)[0], float(sentence.answer.split("first is ")[1].rstrip(".")), atol=1e-3)
