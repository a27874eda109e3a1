"""Which vectors a space is fitted to, and the words they belong to."""

import numpy as np
import pytest

from embtools.clusters.isotropy import population as populations
from embtools.clusters.isotropy.population import measured_on, population
from embtools.spaces.measures import measure
from embtools.spaces.space import BY_CLUSTER, CENTRED, KINDS, Space
from embtools.vectors import cosine
from tests.clusters.conftest import overview_of


def test_the_vocabulary_without_special_tokens(static, bundled):
    assert len(static.words) == int(bundled.rankable.sum()) and "[CLS]" not in static.words
    row = static.number("rome")
    np.testing.assert_array_equal(static.vectors[row], bundled.vector("rome"))
    assert static.answers[row] and not static.answers[static.numbers["##s"]]
    assert static.number(" Rome ") == row  # as the model reads it


@pytest.mark.slow
def test_the_words_of_the_text_have_the_mean_of_their_occurrences(inside):
    number = inside.number("bank")
    rows = inside.read.of("bank")
    np.testing.assert_array_equal(np.flatnonzero(inside.owner == number), rows)
    fitted = inside.fit(Space())
    np.testing.assert_allclose(inside.of([number], fitted)[0], inside.vectors[rows].mean(0), rtol=1e-5, atol=1e-6)


@pytest.mark.slow("space0")
@pytest.mark.parametrize("space", [Space(), Space(CENTRED), Space(BY_CLUSTER, clusters=4)])
def test_a_few_words_are_processed_like_all_of_them(inside, space):
    fitted = inside.fit(space)
    whole = inside.means(fitted.apply(inside.vectors), inside.owner)
    chosen = [inside.number(word) for word in ("queen", "bank", "cold")]
    np.testing.assert_allclose(inside.of(chosen, fitted), whole[chosen], atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_cosines_are_those_of_the_processed_vectors(static, kind):
    number = static.number("queen")
    rows = static.fit(Space(kind)).apply(static.vectors).astype(float)
    lengths = np.linalg.norm(rows, axis=1)
    expected = rows @ rows[number] / np.where(lengths == 0, 1, lengths) / lengths[number]
    np.testing.assert_allclose(static.cosines(number, Space(kind)), expected, atol=2e-6)


def test_words_and_layers_that_do_not_exist_raise_an_error(static, inside, bundled):
    with pytest.raises(ValueError, match="not a single token"):
        static.number("xylophonist")
    with pytest.raises(ValueError, match="'xylophonist' does not occur in the built-in sentences"):
        inside.number("xylophonist")
    with pytest.raises(ValueError, match="'.MASK.' is a special token, and no word of the vocabulary. Choose a word."):
        static.number("[MASK]")
    with pytest.raises(ValueError, match="The word is missing"):
        inside.number(" ")
    with pytest.raises(ValueError, match="not in the vocabulary"):
        static.number("🦄")
    assert inside.known_words(["bank", "xylophonist"]) == ["bank"]
    with pytest.raises(ValueError, match="There is no layer combination"):
        population("layer 99", bundled)


def test_of_a_folder_the_moments_are_of_all_rows_and_the_rows_are_some(folder, bundled, tiny, monkeypatch):
    monkeypatch.setattr(populations, "MOST_DRAWN", 300)
    found = population(folder, bundled)
    rows = folder.files.rows(0, len(folder)).vectors.astype(float)
    assert len(found.vectors) == len(found.owner) == 300 < found.known.count == len(rows)
    np.testing.assert_allclose(found.known.mean, rows.mean(0), atol=1e-9)
    np.testing.assert_allclose(found.known.covariance, np.cov(rows.T, bias=True), atol=1e-9)
    cosines = cosine(rows, rows)[~np.eye(len(rows), dtype=bool)]
    raw, centred = (overview_of(found, space).measures for space in (Space(), Space(CENTRED)))
    assert raw.mean_cosine == pytest.approx(cosines.mean(), abs=1e-6)
    assert raw.variances == pytest.approx(np.linalg.eigvalsh(np.cov(rows.T, bias=True))[::-1], abs=1e-6)
    assert abs(centred.mean_cosine) < 0.02  # of the sample, whose mean is not quite that of all
    assert "are exact, because they use the moments of all" in measured_on(folder)
    assert measured_on(folder).endswith("is measured on a random sample of 300.")
    number = found.number("The")
    own = found.owner == number
    np.testing.assert_allclose(
        found.of([number], found.fit(Space()))[0], found.vectors[own].mean(0), rtol=1e-5, atol=1e-6
    )
    with pytest.raises(ValueError, match="does not occur in the sample of this folder"):
        found.number("xylophone")
    with pytest.raises(ValueError, match="encoded with the model 'bundled'"):
        population(folder, tiny)


def test_a_small_folder_is_measured_whole(folder, bundled):
    found = population(folder, bundled)
    assert len(found.vectors) == len(folder) and measured_on(folder).startswith("Everything is measured on all")
    assert overview_of(found, Space()).measures.mean_cosine == pytest.approx(
        measure(found.vectors).mean_cosine, abs=1e-6
    )
