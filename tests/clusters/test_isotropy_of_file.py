"""The isotropy of the vectors of a file, against plain formulas."""

import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity

from embtools.charts import clusters as charts
from embtools.clusters.isotropy.of_file import (
    CENTRED,
    GIVEN,
    IN_MODEL,
    RANDOM,
    RANDOM_IN_MODEL,
    effort,
    measure_isotropy,
    participation,
)
from embtools.models.vectors_as_model import Vectors
from tests.named_vectors import made


@pytest.fixture(scope="module")
def table():
    return made()


def test_the_measures_by_plain_formulas(table, tiny):
    found = measure_isotropy(tiny, file=table)
    rows = found.table.set_index("space")
    assert list(rows.index) == [GIVEN, CENTRED, RANDOM]  # the tiny model has too few of the words
    upper = np.triu_indices(len(table), 1)
    vectors = table.matrix.astype(float)
    assert rows.loc[GIVEN, "mean_cosine"] == pytest.approx(cosine_similarity(vectors)[upper].mean())
    centred = vectors - vectors.mean(0)
    assert rows.loc[CENTRED, "mean_cosine"] == pytest.approx(cosine_similarity(centred)[upper].mean())
    variances = np.linalg.svd(centred, compute_uv=False) ** 2
    assert rows.loc[GIVEN, "participation"] == pytest.approx(variances.sum() ** 2 / (variances**2).sum())
    assert rows.loc[GIVEN, "top_share"] == pytest.approx(variances[0] / variances.sum())
    assert rows.loc[GIVEN, "isoscore"] == pytest.approx(rows.loc[CENTRED, "isoscore"])
    assert f"IsoScore is {rows.loc[GIVEN, 'isoscore']:.2f}" in found.headline


def test_no_measure_depends_on_the_unit(table, tiny):
    """Vectors of any length are measured, also very short and very long ones."""
    one = measure_isotropy(tiny, file=table).table.drop(columns="space")
    for factor in (1e-4, 1e4):
        other = measure_isotropy(tiny, file=Vectors(table.names, table.matrix * np.float32(factor)))
        np.testing.assert_allclose(other.table.drop(columns="space"), one, rtol=1e-4, atol=1e-6)


def test_random_vectors_are_the_most_even_and_depend_on_the_seed(table, tiny):
    found, other = (measure_isotropy(tiny, file=table, seed=seed).table.set_index("space") for seed in (0, 1))
    assert found.loc[RANDOM, "isoscore"] > found.loc[GIVEN, "isoscore"] and abs(found.loc[RANDOM, "mean_cosine"]) < 0.1
    assert found.loc[RANDOM, "isoscore"] != other.loc[RANDOM, "isoscore"]
    assert found.loc[GIVEN, "isoscore"] == other.loc[GIVEN, "isoscore"]


def test_the_same_words_in_the_model_are_measured_if_there_are_enough(bundled):
    words = tuple(
        "red blue green dog cat horse rome paris king queen man woman he she bank river one two three four".split()
    )
    rng = np.random.default_rng(0)
    found = measure_isotropy(bundled, file=Vectors(words, rng.normal(size=(20, 6)).astype(np.float32)))
    own = np.array([bundled.vector(word) for word in words], float)
    upper = np.triu_indices(20, 1)
    assert found.table.set_index("space").loc[IN_MODEL, "mean_cosine"] == pytest.approx(
        cosine_similarity(own)[upper].mean(), abs=1e-6
    )
    control = found.measures[RANDOM_IN_MODEL]  # equally many vectors in the model's dimensions are no more even
    assert control.count == found.measures[IN_MODEL].count and len(control.variances) == bundled.dimensions
    assert found.measures[IN_MODEL].isoscore < control.isoscore < found.measures[RANDOM].isoscore
    assert not {IN_MODEL, RANDOM_IN_MODEL} & set(measure_isotropy(Vectors(words, own)).measures)


def test_the_effort_grows_with_the_dimensions_and_progress_ends_at_one(table, tiny):
    wide = Vectors(("a", "b", "c"), np.random.default_rng(0).normal(size=(3, 2_048)).astype(np.float32))
    assert effort(tiny, file=table) < 1 < 8 < effort(tiny, file=wide) < 20
    done: list[float] = []
    measure_isotropy(tiny, file=table, progress=done.append)
    assert done == sorted(done) and done[-1] == 1


def test_vectors_that_are_all_the_same_are_refused(tiny):
    same = Vectors(("a", "b", "c"), np.ones((3, 4), np.float32))
    with pytest.raises(ValueError, match="All vectors are the same"):
        measure_isotropy(tiny, file=same)
    with pytest.raises(ValueError, match="All vectors are the same"):
        participation(np.zeros(3))
    assert participation(np.ones(7)) == 7


def test_the_histogram_counts_every_pair_once(table, tiny):
    found = measure_isotropy(tiny, file=table)
    counts = found.histogram.groupby("space")["count"].sum()
    assert counts.to_dict() == {name: len(values) for name, values in found.cosines.items()}
    chart = charts.file_cosines(found)
    assert [trace.name for trace in chart.figure.data] == list(found.measures) and chart.frame is found.histogram
    assert all(np.sum(trace.y) == pytest.approx(1, abs=1e-5) for trace in chart.figure.data)
    assert chart.figure.layout.xaxis.range == (found.histogram["bin_start"].min(), found.histogram["bin_end"].max())
