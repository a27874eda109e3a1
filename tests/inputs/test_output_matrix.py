"""What the rows of the embedding matrix score, computed pair by pair."""

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from embtools import wordlists
from embtools.inputs import output_matrix as module
from embtools.inputs.output_matrix import LISTS, matrix_scores, second_matrix


def test_a_words_own_row_is_multiplied_with_every_row(bundled):
    found = second_matrix("sun", bundled, k=5)
    own = bundled.matrix[bundled.ids["sun"]].astype(float)
    products = np.array([own @ row for row in bundled.matrix.astype(float)])
    assert found.rank == 1 + int((products > products[bundled.ids["sun"]]).sum()) and found.word == "sun"
    right = [i for i in np.argsort(-products) if bundled.whole_words[i]][:5]
    assert found.words["token"].tolist() == [bundled.vocabulary[i] for i in right]
    np.testing.assert_allclose(found.words["product"], products[right], rtol=1e-5)
    assert found.headline.startswith(
        "If all 30,522 tokens are ranked by the product of their rows with the row of “sun”"
    )
    assert "“sun” itself ranks 1st." in found.headline and "“sunlight”" in found.headline


def test_the_shares_are_those_of_single_comparisons(bundled):
    scores = matrix_scores(bundled)
    matrix = bundled.matrix.astype(np.float64)
    ids = np.flatnonzero(bundled.whole_words)
    drawn = np.random.default_rng(0).choice(ids, module.SAMPLE, replace=False)
    own = [int((matrix @ matrix[i]).argmax()) == i for i in drawn[:60]]
    assert scores.sampled == module.SAMPLE
    assert abs(np.mean(own) - scores.own_first) < 0.1  # of the first 60 of the same words
    assert scores.pairs[0] > 1_000 and scores.pairs[1] > 1_000


def test_lists_are_compared_with_words_of_other_lists(bundled):
    """Against every pair of two lists, not only those that are drawn."""
    groups = [
        [bundled.ids[word] for word in wordlists.load(name).iloc[:, 0].astype(str) if word in bundled.ids]
        for name in LISTS
    ]
    owner = np.concatenate([np.full(len(ids), number) for number, ids in enumerate(groups)])
    rows = bundled.matrix[np.concatenate(groups)]
    products = rows @ rows.T
    one, other = np.triu_indices(len(owner), 1)
    same = owner[one] == owner[other]
    values = products[one, other]
    share = mannwhitneyu(values[same], values[~same]).statistic / same.sum() / (~same).sum()
    assert matrix_scores(bundled).lists == pytest.approx(share, abs=0.06)


def test_neighbours_are_next_to_each_other_in_the_text(bundled):
    pairs = module._neighbours(bundled)
    words = [(bundled.vocabulary[a], bundled.vocabulary[b]) for a, b in pairs[:200]]
    text = "\n".join(module.built_in_corpus().sentences).lower()
    assert all(len(a) >= 4 and len(b) >= 4 and f"{a} {b}" in text for a, b in words if "'" not in a + b)


def test_the_sentence_states_the_shares(bundled):
    found = second_matrix("dog", bundled)
    scores = found.scores
    for share in (scores.own_first, scores.neighbours, scores.lists):
        assert f"{share:.0%}" in found.measured


def test_impossible_words_and_models_are_refused(bundled, tiny):
    with pytest.raises(ValueError, match="Did you mean"):
        second_matrix("sunn", bundled)
    with pytest.raises(ValueError, match="words were asked for"):
        second_matrix("sun", bundled, k=0)
    with pytest.raises(ValueError, match="too few words"):
        second_matrix("king", tiny)
