"""The claims of "Understanding BERT — Word Embeddings" beside transformers itself."""

import numpy as np
import pytest

from embtools.paper import word_embeddings as claims
from embtools.progress import silent

BANK = "After stealing money from the bank vault, the bank robber was seen fishing on the Mississippi river bank."


def test_the_listings_are_those_of_the_vocabulary(bundled, tiny) -> None:  # type: ignore[no-untyped-def]
    assert [c.holds for c in claims.pieces(bundled, silent).checks] == [True] * 3
    assert [c.holds for c in claims.pieces(tiny, silent).checks] == [False] * 3


def test_a_single_sentence_has_segment_0_and_a_pair_both(bundled, tiny_distil) -> None:  # type: ignore[no-untyped-def]
    found = claims.segment_ids(bundled, silent)
    assert found.answer == "One sentence: 0 for all 22 pieces. Two: 0 for 9 pieces, 1 for 8."
    assert found.verdict == "stands in part"
    with pytest.raises(ValueError, match="no segment"):
        claims.segment_ids(tiny_distil, silent)


def test_shapes_follow_the_model(bundled) -> None:  # type: ignore[no-untyped-def]
    states, vectors, sentence = (
        measure(bundled, silent) for measure in (claims.hidden_states, claims.token_vectors, claims.sentence_vector)
    )
    whole = bundled.hidden_states(BANK)
    assert states.answer.startswith("7 × 1 × 22 × 384 = 59,136") and whole.size == 59_136
    assert vectors.answer == "1,536 and 384 numbers."
    assert f"{whole[-2].mean(axis=0)[0]:.3f}" in sentence.answer
    assert all(c.holds for found in (states, vectors, sentence) for c in found.checks)


def test_bank_is_read_with_segment_1(bundled, pipelines) -> None:  # type: ignore[no-untyped-def]
    pipe = pipelines["bundled"]
    asked = pipe.tokenizer(BANK, return_tensors="pt")
    asked["token_type_ids"] = asked["token_type_ids"] * 0 + 1
    states = [state.detach() for state in pipe.model.bert(**asked, output_hidden_states=True).hidden_states]
    vault, robber, river = (sum(layer[0, at] for layer in states[-4:]).double().numpy() for at in (6, 10, 19))
    found = claims.bank(bundled, silent)
    for figure, other in zip(found.figures, (vault, river), strict=True):
        cosine = robber @ other / np.linalg.norm(robber) / np.linalg.norm(other)
        assert figure.here == pytest.approx(cosine, abs=1e-5)
    assert f"{vault[0]:.2f}, {vault[1]:.2f}".replace("-", "−") in found.answer and found.checks[0].holds


def test_the_first_five_numbers_count_for_the_published_model_alone(bundled, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    assert len(claims.bank(bundled, silent).checks) == 1
    monkeypatch.setattr(bundled, "name", claims.PUBLISHED_MODEL)
    second = claims.bank(bundled, silent).checks[1]
    assert "first five numbers" in second.says and not second.holds


def test_answers_are_ranked_beside_shared_words(bundled) -> None:  # type: ignore[no-untyped-def]
    found = claims.answers(bundled, silent)
    assert found.answer.startswith("The right answer is first for 18 of 20 (90.0%; ") and "65.0%" in found.answer
