"""Static embeddings of a model in a processed space."""

import numpy as np
import pytest

from embtools import memory
from embtools.neighbours import neighbours
from embtools.spaces import of_model
from embtools.spaces.fitting import fit
from embtools.spaces.of_model import in_space
from embtools.spaces.space import BY_CLUSTER, CENTRED, TOP, Space
from embtools.statistics import partitions


@pytest.fixture(autouse=True)
def forgotten():
    memory.forget()


def test_every_word_is_in_the_space_and_the_model_itself_does_not_change(tiny):
    before = tiny.matrix.copy()
    view = in_space(tiny, space=Space(CENTRED))
    mean = tiny.matrix[tiny.rankable].astype(np.float64).mean(0)
    np.testing.assert_allclose(view.matrix, tiny.matrix - mean, atol=1e-6)
    np.testing.assert_array_equal(tiny.matrix, before)
    np.testing.assert_allclose(view.inverse_norms, 1 / np.linalg.norm(view.matrix, axis=1), rtol=1e-5)
    word = tiny.vocabulary[int(np.flatnonzero(tiny.whole_words)[0])]
    assert neighbours(view.vector(word), view, k=3)[0]["token"].iat[0] == word
    assert not view.matrix.flags.writeable


def test_raw_is_the_model_itself_and_a_space_is_made_once(tiny):
    assert in_space(tiny, space=Space()) is tiny
    assert in_space(tiny, space=Space(CENTRED)) is in_space(tiny, space=Space(CENTRED))
    assert in_space(tiny, space=Space(TOP, 1)) is not in_space(tiny, space=Space(TOP, 2))


def test_clusters_are_computed_once_for_a_space_and_its_control(tiny, monkeypatch):
    sought = []
    k_means = partitions.k_means
    monkeypatch.setattr(
        partitions, "k_means", lambda vectors, k, **named: sought.append(k) or k_means(vectors, k, **named)
    )
    plain, control = Space(BY_CLUSTER, 1, clusters=3), Space(BY_CLUSTER, 1, clusters=3, shuffled=2)
    for _ in range(2):
        own, random = of_model.fitted(tiny, space=plain), of_model.fitted(tiny, space=control)
    assert sought == [3]
    rows = tiny.matrix[tiny.rankable]
    np.testing.assert_array_equal(own.apply(rows), fit(rows, plain).apply(rows))
    np.testing.assert_array_equal(random.apply(rows), fit(rows, control).apply(rows))
    assert random.space == control and np.abs(random.apply(rows) - own.apply(rows)).max() > 1e-3
    of_model.fitted(tiny, space=Space(BY_CLUSTER, 1, clusters=4))
    assert sought[-1] == 4


def test_it_has_a_checksum_of_its_own_and_does_not_run(tiny):
    sums = {in_space(tiny, space=space).checksum for space in (Space(), Space(TOP, 1), Space(TOP, 1, shuffled=1))}
    sums |= {in_space(tiny, space=Space(TOP, 1, shuffled=2)).checksum}
    assert len(sums) == 4
    with pytest.raises(ValueError, match="Load it again to run it"):
        in_space(tiny, space=Space(CENTRED)).hidden_states("a")


def test_what_is_remembered_keeps_no_part_of_a_model_that_is_dropped(tiny):
    view = in_space(tiny, space=Space(CENTRED))
    large = [value for value in vars(view).values() if isinstance(value, np.ndarray) and value.ndim == 2]
    assert len(large) == 1 and not np.shares_memory(large[0], tiny.matrix)


def test_more_components_than_the_model_has_are_refused(tiny):
    with pytest.raises(ValueError, match="Choose at most"):
        in_space(tiny, space=Space(TOP, 1000))
