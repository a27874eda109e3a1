"""Occurrences in a processed space."""

import numpy as np
import pytest

from embtools import memory
from embtools.occurrences.corpus import Corpus, built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.occurrences.in_space import fitted_space, occurrence_moments, processed
from embtools.spaces.fitting import fit
from embtools.spaces.space import BY_CLUSTER, CENTRED, TOP, WHITENED, Space
from embtools.statistics import partitions

TEXT = Corpus(("The bank was closed.", "A boat lay at the bank.", "It rained all day.", "He read the paper."))


def test_vectors_are_processed_and_all_else_stays(bundled):
    raw, found = (
        encode_corpus(TEXT, bundled, combination="layer 2"),
        processed(TEXT, bundled, combination="layer 2", space=Space(CENTRED)),
    )
    np.testing.assert_allclose(found.vectors, raw.vectors - raw.vectors.mean(0), atol=1e-5)
    np.testing.assert_allclose(found.lengths, np.linalg.norm(found.vectors, axis=1), rtol=1e-6)
    np.testing.assert_allclose(found.means, raw.means - raw.vectors.mean(0), atol=1e-5)
    assert found.table is raw.table and not found.vectors.flags.writeable and not found.means.flags.writeable
    assert processed(TEXT, bundled, combination="layer 2", space=Space()) is raw


def test_a_part_uses_the_space_of_the_whole_corpus(bundled):
    whole = processed(TEXT, bundled, combination="layer 2", space=Space(TOP, 2))
    part = processed(TEXT.having("bank"), bundled, combination="layer 2", space=Space(TOP, 2), fitted_to=TEXT)
    np.testing.assert_allclose(part.vectors[part.of("bank")], whole.vectors[whole.of("bank")], atol=1e-4)


def test_a_text_of_one_word_has_no_space(bundled):
    with pytest.raises(ValueError, match="There is one vector"):
        processed(Corpus(("Bank.",)), bundled, combination="layer 2", space=Space(CENTRED))


@pytest.mark.slow
def test_moments_are_computed_once(bundled):
    assert occurrence_moments(built_in_corpus(), bundled, combination="layer 4") is occurrence_moments(
        built_in_corpus(), bundled, combination="layer 4"
    )


def test_clusters_are_computed_once_for_a_space_and_its_control(bundled, monkeypatch):
    sought = []
    k_means = partitions.k_means
    monkeypatch.setattr(
        partitions, "k_means", lambda vectors, k, **named: sought.append(k) or k_means(vectors, k, **named)
    )
    text = Corpus((*TEXT.sentences, "Nobody has read this before."))
    for shuffled in (None, 1, None, 2):
        space = Space(BY_CLUSTER, 1, clusters=2, shuffled=shuffled)
        found = fitted_space(text, bundled, combination="layer 2", space=space)
        vectors = encode_corpus(text, bundled, combination="layer 2").vectors
        np.testing.assert_allclose(found.apply(vectors), fit(vectors, space).apply(vectors), atol=1e-6)
    assert sought.count(2) == 1 + 4  # and once for each of the four that were refitted here


@pytest.mark.slow
def test_the_cache_counts_the_bytes_of_moments_and_spaces(bundled):
    from embtools.occurrences import in_space

    known = occurrence_moments(built_in_corpus(), bundled, combination="layer 4")
    fitted = in_space._fitted(built_in_corpus(), "layer 4", bundled, Space(WHITENED))
    d = bundled.dimensions
    assert known.nbytes == 2 * known.axes[1].nbytes == 2 * d * d * 8
    assert fitted.nbytes == fitted.parts[0].directions.nbytes + 2 * d * 8
    assert memory.used() >= known.nbytes + fitted.nbytes
    assert memory.DEFAULT_BYTES >= 2 * 3_072**2 * 8
