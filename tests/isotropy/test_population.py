"""Which vectors a space is fitted to, and the words they belong to."""

import numpy as np
import pytest

from embtools.isotropy.population import population
from embtools.spaces.space import BY_CLUSTER, CENTRED, Space


def test_the_vocabulary_without_special_tokens(static, bundled):
    assert len(static.words) == int(bundled.rankable.sum()) and "[CLS]" not in static.words
    row = static.number("rome")
    np.testing.assert_array_equal(static.vectors[row], bundled.vector("rome"))
    assert static.answers[row] and not static.answers[static.numbers["##s"]]
    assert static.number(" Rome ") == row  # as the model reads it


def test_the_words_of_the_text_have_the_mean_of_their_occurrences(inside):
    number = inside.number("bank")
    rows = inside.read.of("bank")
    np.testing.assert_array_equal(np.flatnonzero(inside.owner == number), rows)
    fitted = inside.fit(Space())
    np.testing.assert_allclose(inside.of([number], fitted)[0], inside.vectors[rows].mean(0), rtol=1e-5)


@pytest.mark.parametrize("space", [Space(), Space(CENTRED), Space(BY_CLUSTER, clusters=4)])
def test_a_few_words_are_processed_like_all_of_them(inside, space):
    fitted = inside.fit(space)
    whole = inside.means(fitted.apply(inside.vectors), inside.owner)
    chosen = [inside.number(word) for word in ("queen", "bank", "cold")]
    np.testing.assert_allclose(inside.of(chosen, fitted), whole[chosen], atol=1e-5)


def test_words_that_are_not_there_are_told(static, inside):
    with pytest.raises(ValueError, match="not one word piece"):
        static.number("xylophonist")
    with pytest.raises(ValueError, match="'xylophonist' does not stand in the built-in sentences"):
        inside.number("xylophonist")
    with pytest.raises(ValueError, match="There is no word"):
        inside.number(" ")
    with pytest.raises(ValueError, match="not in the vocabulary"):
        static.number("🦄")
    assert inside.known_words(["bank", "xylophonist"]) == ["bank"]


def test_an_unknown_recipe_is_told(bundled):
    with pytest.raises(ValueError, match="There is no recipe"):
        population("layer 99", bundled)
