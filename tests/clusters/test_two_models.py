"""The neighbours that two models share."""

import numpy as np
import pytest
from sklearn.metrics import pairwise_distances

from embtools.clusters import points, two_models
from embtools.clusters.maps import word_map
from embtools.clusters.points import Words
from embtools.clusters.view import View
from embtools.statistics import agreement

GROUPS = (("places", ("rome", "italy", "france", "paris")), ("people", ("king", "queen", "man", "woman")))
CASED = (("places", ("Rome", "Italy", "France", "Paris")), ("people", ("woman", "king", "queen", "man")))


def test_a_model_keeps_all_of_its_own_neighbours(tiny):
    read = points.read(Words(GROUPS), tiny)
    found = two_models.shared_neighbours(read, read, View())
    assert (found.share, found.words, found.k) == (1.0, 8, 3)


def test_the_maps_of_two_models_are_compared_in_a_sentence(tiny, tiny_cased, bundled):
    first, second = (
        word_map(Words(groups), model, view=View("PCA")) for groups, model in ((GROUPS, tiny), (CASED, tiny_cased))
    )
    kept = two_models.shared_neighbours(first.source, second.source, View("PCA"))
    assert two_models.two_maps(first, second, ("A", "B")) == two_models.sentence(kept, ("A", "B"))
    whole = word_map(Words(None), bundled, view=View("PCA"))
    assert "lists of 3 to 2,000 words" in two_models.two_maps(first, whole, ("A", "B"))
    other = word_map(Words((("a", ("red", "green", "blue")),)), tiny, view=View("PCA"))
    assert "lists of 3 to 2,000 words" in two_models.two_maps(other, second, ("A", "B"))  # no common word


def test_words_are_matched_ignoring_case_and_order(tiny, tiny_cased):
    first, second = points.read(Words(GROUPS), tiny), points.read(Words(CASED), tiny_cased)
    rows = [second.frame["word"].str.lower().tolist().index(word) for word in first.frame["word"]]
    tables = [pairwise_distances(v, metric="cosine") for v in (first.vectors, second.vectors[rows])]
    assert two_models.shared_neighbours(first, second, View()) == agreement.shared_neighbours(*tables)


def test_words_of_only_one_model_are_left_out_and_no_common_word_is_an_error(tiny, tiny_cased):
    first = points.read(Words((*GROUPS, ("colours", ("red", "green", "blue")))), tiny)
    second = points.read(Words(CASED), tiny_cased)
    assert two_models.shared_neighbours(first, second, View(metric="euclidean")).words == 8
    other = points.read(Words((("more", ("Madrid", "Spain", "bank")),)), tiny_cased)
    with pytest.raises(ValueError, match="no word in common"):
        two_models.shared_neighbours(first, other, View())


def test_the_share_is_measured_in_the_space_of_the_view(tiny):
    first, second = (points.read(Words(GROUPS), tiny) for _ in range(2))
    moved = points.Points(second.words, second.frame, second.vectors + 100 * np.ones(16, np.float32), ())
    assert two_models.shared_neighbours(first, moved, View(centre=True)).share == 1.0
    assert two_models.shared_neighbours(first, moved, View()).share < 1.0
