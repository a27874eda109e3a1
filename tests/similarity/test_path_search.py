"""A path of near rows, compared with networkx."""

import itertools

import numpy as np
import pytest

from embtools.similarity.path_search import rows_between

N = 40


@pytest.fixture(scope="module")
def vectors():
    random = np.random.default_rng(0).normal(size=(N, 5))
    return (random / np.linalg.norm(random, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize("k", [2, 3, 6])
@pytest.mark.parametrize("left_out", [(), (3, 17, 18, 30)])
def test_the_searches_meet_where_networkx_says(vectors, k, left_out):
    """They meet after the fewest rounds, in a graph of k nearest rows built by networkx."""
    import networkx

    allowed = ~np.isin(np.arange(N), left_out)
    cosines = vectors @ vectors.T
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(N))
    for row in range(N):
        near = [other for other in np.argsort(-cosines[row], kind="stable").tolist() if other != row and allowed[other]]
        graph.add_edges_from((row, other) for other in near[:k])
    met = 0
    for first, second in itertools.combinations(np.flatnonzero(allowed)[:12].tolist(), 2):
        chain = rows_between(first, second, vectors=vectors, allowed=allowed, k=k)
        a, b = (networkx.single_source_shortest_path_length(graph, end) for end in (first, second))
        common = a.keys() & b.keys()
        if not common:
            assert chain == []
            continue
        met += 1
        assert chain[0] == first and chain[-1] == second and len(set(chain)) == len(chain)
        assert not set(chain) & set(left_out)
        rounds = min(max(a[row], b[row]) for row in common)
        reached = [row for row in common if max(a[row], b[row]) == rounds]
        assert len(chain) - 1 == min(a[row] + b[row] for row in reached)
        assert set(chain) & {row for row in reached if a[row] + b[row] == len(chain) - 1}
        assert all(graph.has_edge(*pair) or graph.has_edge(*reversed(pair)) for pair in itertools.pairwise(chain))
    assert met > 30


def test_of_paths_of_equal_length_the_one_with_the_largest_smallest_cosine_is_taken():
    angles = np.deg2rad([0, 90, 45])
    plane = np.stack([np.cos(angles), np.sin(angles), np.zeros(3)], axis=1)
    tilted = np.array([0.5, 0.5, -np.sqrt(0.5)])  # farther from both ends than the row between them
    vectors = np.vstack([plane, tilted])
    assert rows_between(0, 1, vectors=vectors, allowed=np.ones(4, bool), k=2) == [0, 2, 1]


def test_a_search_ends_without_new_rows():
    """Two groups of three rows that are each other's nearest."""
    vectors = np.array([[1, 0, 0], [0.9, 0.1, 0], [0.9, 0, 0.1], [-1, 0, 0], [-0.9, 0.1, 0], [-0.9, 0, 0.1]])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert rows_between(0, 3, vectors=vectors, allowed=np.ones(6, bool), k=2) == []
    assert rows_between(0, 3, vectors=vectors, allowed=np.ones(6, bool), k=3) != []
