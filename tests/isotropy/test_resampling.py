"""Scores of resampled words against the same scores of lists in which the drawn words are really repeated."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.isotropy.resampling import interval, resamples, separations, shares
from embtools.isotropy.tasks import Triplet, draw_triplets, separation, solved
from embtools.vectors import cosine


def auc_by_hand(vectors: np.ndarray, labels: np.ndarray, drawn: np.ndarray) -> float:
    """All pairs of drawn words, each as often as it was drawn, compared one by one; ties count half."""
    words = np.repeat(np.arange(len(labels)), drawn)
    cosines = cosine(vectors, vectors)
    pairs = [(i, j) for n, i in enumerate(words) for j in words[n + 1 :] if i != j]
    same = np.array([cosines[min(p), max(p)] for p in pairs if labels[p[0]] == labels[p[1]]])
    apart = np.array([cosines[min(p), max(p)] for p in pairs if labels[p[0]] != labels[p[1]]])
    if not len(same) or not len(apart):
        return float("nan")
    return float(((same[:, None] > apart).mean() + (same[:, None] >= apart).mean()) / 2)


@given(st.integers(0, 1_000), st.lists(st.integers(1, 6), min_size=2, max_size=4), st.booleans())
def test_each_resample_is_the_auc_of_the_repeated_words(seed: int, sizes: list[int], ties: bool) -> None:
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(len(sizes)), sizes)
    vectors = rng.integers(-1, 2, (len(labels), 2)) + 0.5 if ties else rng.normal(size=(len(labels), 3))
    draws = resamples(sizes, rounds=4, seed=seed)
    found = separations(vectors, labels, draws)
    np.testing.assert_allclose(found, [auc_by_hand(vectors, labels, one) for one in draws], rtol=1e-6)


def test_every_word_once_is_the_score_itself() -> None:
    rng = np.random.default_rng(0)
    sizes = (20, 15, 30)
    labels = np.repeat(np.arange(3), sizes)
    vectors = rng.normal(size=(65, 8)) + 2 * rng.normal(size=(3, 8))[labels]
    once = np.ones((1, 65), int)
    assert separations(vectors, labels, once)[0] == pytest.approx(separation(vectors, labels)[0], abs=1e-9)
    triplets = draw_triplets(sizes)
    right = solved(cosine(vectors, vectors), triplets)
    words = np.array([(t.first, t.second, t.odd) for t in triplets])
    assert shares(right, words, once)[0] == pytest.approx(right.mean())


def test_the_same_number_of_words_is_drawn_from_each_list_and_the_same_ones_again() -> None:
    draws = resamples((5, 3), rounds=200, seed=4)
    assert (draws[:, :5].sum(1) == 5).all() and (draws[:, 5:].sum(1) == 3).all()
    np.testing.assert_array_equal(draws, resamples((5, 3), rounds=200, seed=4))
    assert draws.mean(0) == pytest.approx(np.ones(8), abs=0.25)


def test_a_triplet_counts_as_often_as_its_words_were_drawn() -> None:
    triplets = [Triplet(0, 1, 2), Triplet(1, 2, 0), Triplet(0, 2, 3)]
    words = np.array([(t.first, t.second, t.odd) for t in triplets])
    draws = np.array([[2, 1, 1, 0], [1, 1, 1, 3], [0, 0, 4, 0]])
    found = shares(np.array([True, False, True]), words, draws)
    assert found[:2] == pytest.approx([2 / 4, (1 + 3) / (1 + 1 + 3)]) and np.isnan(found[2])


def test_the_interval_holds_the_middle_95_per_cent() -> None:
    assert interval(np.arange(1_001) / 1_000) == pytest.approx((0.025, 0.975))
    assert interval(np.array([0.5, np.nan])) == (0.5, 0.5)
    assert np.isnan(interval(np.array([np.nan]))).all()


def test_it_is_as_wide_as_the_scores_of_new_words_are_scattered() -> None:
    """New samples of words from the population scatter about as much as the resamples of one sample."""
    rng = np.random.default_rng(1)
    centres = rng.normal(size=(3, 6))
    labels = np.repeat(np.arange(3), 25)

    def sample() -> np.ndarray:
        return centres[labels] + 2 * rng.normal(size=(75, 6))

    scattered = np.std([separation(sample(), labels)[0] for _ in range(200)])
    inside = np.mean([separations(sample(), labels, resamples((25,) * 3, seed=n)).std() for n in range(5)])
    assert inside == pytest.approx(scattered, rel=0.35)
