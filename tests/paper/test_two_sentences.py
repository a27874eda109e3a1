"""The claim about rock, compared with the sum made by hand."""

import pytest

from embtools.models.anatomy import position_embeddings
from embtools.paper import two_sentences as claims
from embtools.paper.measured import number
from embtools.progress import silent


def test_rock_differs_by_its_position_alone(bundled) -> None:  # type: ignore[no-untyped-def]
    found = claims.rock(bundled, progress=silent)
    assert found.verdict == "holds"
    states = [bundled.hidden_states(text)[0] for text in ("I found a rock.", "I only listen to rock.")]
    for value in (states[0][4, 0], states[1][5, 0], states[0][1, 0]):
        assert number(float(value)) in found.answer
    assert (position_embeddings(bundled)[4] != position_embeddings(bundled)[5]).any()


def test_a_model_without_the_word_is_refused(tiny) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="rock"):
        claims.rock(tiny, progress=silent)
