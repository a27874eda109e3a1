"""Groups of equally common words and their random pairs, compared with plain computations."""

import numpy as np
import pytest

from embtools.similarity.random_words import compare_with_random_words
from embtools.similarity.word_pairs import pair
from embtools.words.frequency import (
    GROUP,
    RANDOM_PAIRS,
    candidates,
    groups_of,
    random_pairs,
    than_random,
    words_of_group,
)


def test_a_share_is_that_of_all_pairs_that_are_about_as_common(bundled):
    ids = np.flatnonzero(candidates(bundled))
    found = pair("beige", "turquoise", bundled)
    (group,) = set(groups_of(("beige", "turquoise"), bundled))
    rows = bundled.matrix[ids[words_of_group(group, len(ids))]].astype(np.float64)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
    assert 0.9 * GROUP < len(rows) < 1.1 * GROUP and len(found.random) == RANDOM_PAIRS
    assert found.below == pytest.approx((cosines < found.cosine).mean(), abs=0.03)
    assert found.random.mean() == pytest.approx(cosines.mean(), abs=0.01) and (np.diff(found.random) >= 0).all()
    table = compare_with_random_words(("beige", "turquoise", "red"), bundled).pairs.set_index(["first", "second"])
    assert table.loc[("beige", "turquoise"), "above"] == found.below  # the heatmap and the pair agree


def test_groups_follow_the_order_of_the_vocabulary(bundled, tiny):
    words = [bundled.vocabulary[i] for i in np.flatnonzero(candidates(bundled))]
    groups = np.array(groups_of([words[0], words[2_500], words[-1]], bundled))
    assert groups[0] == 0 and groups[1] == 2 and groups[2] == round(len(words) / GROUP) - 1
    several = groups_of(("unable",), tiny, pieces="mean")
    assert several == (0,) == groups_of(("unable",), tiny, pieces="first")  # few words are one group
    assert -1 <= random_pairs(0, 0, tiny).mean() <= 1 and -1 <= random_pairs(0, 0, tiny, layer=1).mean() <= 1


def test_shares_are_not_rounded_to_all():
    assert than_random(0.9999) == "more similar than over 99.9% of random pairs of equally common words"
    assert than_random(1.0) == "more similar than all random pairs of equally common words"
    assert than_random(0.25, matched=False) == "less similar than 75% of random pairs"
