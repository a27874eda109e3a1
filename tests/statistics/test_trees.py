"""The order of a tree's leaves, against every possible order and against scipy's."""

import itertools
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist, squareform

from embtools.statistics.trees import optimal_leaf_ordering

METHODS = ("average", "complete", "single", "ward")


def length(merges, distances):
    order = hierarchy.leaves_list(merges)
    return float(distances[order[:-1], order[1:]].sum())


def every_length(merges, distances):
    """The length of each of the 2^(n - 1) orders that the tree allows."""
    n = len(merges) + 1
    for turns in itertools.product((False, True), repeat=n - 1):
        orders = {i: [i] for i in range(n)}
        for node, (turn, (first, second)) in enumerate(zip(turns, merges[:, :2].astype(int), strict=True), n):
            halves = orders[first], orders[second]
            orders[node] = halves[turn] + halves[not turn]
        order = np.array(orders[2 * n - 2])
        yield float(distances[order[:-1], order[1:]].sum())


def tree(n, seed, method="average", dimensions=3):
    distances = squareform(pdist(np.random.default_rng(seed).normal(size=(n, dimensions))))
    return hierarchy.linkage(squareform(distances), method), distances


@settings(max_examples=60, deadline=None)
@given(n=st.integers(2, 9), seed=st.integers(0, 2**32 - 1), method=st.sampled_from(METHODS), d=st.integers(1, 6))
def test_no_other_flips_of_the_branches_are_shorter(n, seed, method, d):
    merges, distances = tree(n, seed, method, d)
    found = optimal_leaf_ordering(merges, distances)
    assert length(found, distances) == pytest.approx(min(every_length(merges, distances)), abs=1e-12)


@settings(max_examples=25, deadline=None)
@given(n=st.integers(2, 7), seed=st.integers(0, 2**32 - 1))
def test_any_distances_are_allowed_even_if_many_are_equal(n, seed):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.integers(0, 3, (n, n)).astype(float), 1)  # no triangle inequality, many ties
    merges = hierarchy.linkage(squareform(upper + upper.T), "average")
    found = optimal_leaf_ordering(merges, upper + upper.T)
    assert length(found, upper + upper.T) == min(every_length(merges, upper + upper.T))


@pytest.mark.parametrize("method", METHODS)
def test_it_is_the_same_tree_and_never_longer_than_that_of_scipy(method):
    shorter = 0
    for seed in range(30):
        merges, distances = tree(40, seed, method)
        found = optimal_leaf_ordering(merges, distances)
        np.testing.assert_array_equal(np.sort(found[:, :2]), np.sort(merges[:, :2]))
        np.testing.assert_array_equal(found[:, 2:], merges[:, 2:])
        ours, theirs = (
            length(found, distances),
            length(hierarchy.optimal_leaf_ordering(merges, squareform(distances)), distances),
        )
        assert ours <= theirs + 1e-9
        assert ours <= length(merges, distances) + 1e-9
        shorter += ours < theirs - 1e-9
    assert shorter  # scipy issue 11227: when this fails, scipy's own function may do


def test_the_given_tree_is_not_modified():
    merges, distances = tree(12, 0)
    before = merges.copy()
    optimal_leaf_ordering(merges, distances)
    np.testing.assert_array_equal(merges, before)


@pytest.mark.parametrize("method", METHODS)
def test_a_long_list_is_ordered_quickly(method):
    merges, distances = tree(150, 0, method, 20)
    start = time.process_time()
    optimal_leaf_ordering(merges, distances)
    assert time.process_time() - start < 0.3


def test_a_tree_needs_a_merge_and_the_distances_of_its_leaves():
    distances = squareform(pdist(np.arange(8.0).reshape(4, 2)))
    merges = hierarchy.linkage(squareform(distances), "average")
    for wrong, message in (
        ((merges[:0], distances), "There are no merges"),
        ((merges, distances[:3, :3]), "The tree has 4 leaves"),
        ((merges, np.full_like(distances, np.nan)), "infinite or not a number"),
    ):
        with pytest.raises(ValueError, match=message):
            optimal_leaf_ordering(*wrong)
