"""How groups differ and how they are spread over dimensions, compared with scikit-learn, on real groups and on noise."""

import numpy as np
import pytest
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.metrics import pairwise_distances
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import NearestCentroid, NearestNeighbors
from sklearn.pipeline import make_pipeline

from embtools.charts import clusters as charts
from embtools.clusters import group_tests
from embtools.statistics.neighbour_test import neighbour_test

RNG = np.random.default_rng(1)
LABELS = np.repeat(np.arange(4), 8)
NOISE = RNG.normal(size=(32, 20))
# Four groups that differ along the first two of twenty dimensions only.
GROUPED = NOISE.copy()
GROUPED[:, :2] += 6 * np.array([[0, 0], [0, 1], [1, 0], [1, 1]])[LABELS]


def test_real_groups_are_significant_and_noise_is_not():
    distances = pairwise_distances(GROUPED)
    there = group_tests.numbers(distances, distances, GROUPED, LABELS).set_index("measure")
    assert (there["p_value"] < 0.01).all() and (there["value"] > there["shuffled_high"]).all()
    distances = pairwise_distances(NOISE)
    absent = group_tests.numbers(distances, distances, NOISE, LABELS).set_index("measure")
    assert (absent["p_value"] > 0.02).all()


def test_together_is_the_row_of_the_table():
    distances = pairwise_distances(GROUPED)
    table = group_tests.numbers(distances, distances, GROUPED, LABELS).set_index("measure")
    row = table.loc["nearest neighbour in own group"]
    found = neighbour_test(distances, LABELS)
    assert (found.share, found.shuffled, found.p) == pytest.approx((row["value"], row["shuffled"], row["p_value"]))
    index = NearestNeighbors(n_neighbors=1).fit(GROUPED).kneighbors(return_distance=False)[:, 0]
    assert found.share == pytest.approx((LABELS[index] == LABELS).mean())


def test_the_dimensions_that_separate_the_groups_are_found():
    found = group_tests.group_dimensions(GROUPED, LABELS, ("a", "b", "c", "d"))
    f, _ = f_classif(GROUPED, LABELS)
    table = found.dimensions.set_index("dimension").sort_index()
    assert table["f"].to_numpy() == pytest.approx(f)
    assert table["p_adjusted"].to_numpy()[:2] == pytest.approx(1 / (1 + group_tests.SHUFFLES))
    assert set(found.dimensions["dimension"].head(2)) == {0, 1}
    assert found.clear == 2 and found.total == 20
    assert found.half["dimensions"][0] <= 2
    assert table.loc[0, "highest_group"] in "cd" and table.loc[0, "lowest_group"] in "ab"
    assert table["share"].sum() == pytest.approx(1)


def test_a_dimension_that_varies_between_the_groups_alone_separates_them_best_in_any_unit():
    for unit in (1, 1e-8, np.geomspace(1e-3, 1e7, 21)):
        found = group_tests.group_dimensions(unit * np.column_stack([LABELS, NOISE]), LABELS, ("a", "b", "c", "d"))
        assert found.dimensions["dimension"][0] == 0 and found.dimensions["f"][0] > 1e6 and found.clear == 1
        assert found.accuracy["accuracy"].iloc[0] == 1


@pytest.mark.slow
def test_accuracy_is_that_of_a_scikit_learn_pipeline():
    rng = np.random.default_rng(2)
    x = NOISE.copy()
    x[:, :2] += 1.5 * np.array([[0, 0], [0, 1], [1, 0], [1, 1]])[LABELS]  # groups that overlap
    found = group_tests.group_dimensions(x, LABELS, ("a", "b", "c", "d")).accuracy
    for row in found[found["basis"] == "dimensions"].iloc[::3].itertuples():
        pipe = make_pipeline(SelectKBest(f_classif, k=int(row.dimensions)), NearestCentroid())
        folds = (StratifiedKFold(4, shuffle=True, random_state=int(seed)) for seed in rng.integers(0, 9_999, 20))
        expected = [cross_val_score(pipe, x, LABELS, cv=cv).mean() for cv in folds]
        assert min(expected) - 0.05 <= row.accuracy <= max(expected) + 0.05


@pytest.mark.slow
def test_no_dimension_is_clear_in_noise():
    found = group_tests.group_dimensions(NOISE, LABELS, ("a", "b", "c", "d"))
    assert found.clear == 0
    # Of twenty dimensions of noise the best looks like a discovery by itself; among twenty it is none.
    largest = [f_classif(NOISE, RNG.permutation(LABELS))[0].max() for _ in range(400)]
    best = found.dimensions.iloc[0]
    assert best["p_adjusted"] == pytest.approx(np.mean(np.array(largest) >= best["f"]), abs=0.1)
    assert best["p_adjusted"] > 3 * f_classif(NOISE, LABELS)[1].min()
    assert (found.dimensions["p_adjusted"] > 0.05).all() and found.dimensions["p_adjusted"].is_monotonic_increasing
    assert (found.accuracy["accuracy"] <= found.accuracy["shuffled_high"] + 0.15).all()


def test_a_group_of_one_word_cannot_be_compared():
    with pytest.raises(ValueError, match="only one word"):
        group_tests.group_dimensions(NOISE[:4], np.array([0, 0, 0, 1]), ("a", "b"))


def test_the_curves_are_drawn_with_bands_of_shuffled_groups():
    found = group_tests.group_dimensions(GROUPED, LABELS, ("a", "b", "c", "d"))
    figure = charts.shares(found).figure
    bands, lines = figure.data[::2], figure.data[1::2]
    for band, line, (basis, rows) in zip(bands, lines, found.curve.groupby("basis", sort=False), strict=True):
        assert line.name == basis and band.name.endswith("shuffled groups")
        np.testing.assert_allclose(line.y, rows["share"], atol=1e-6)
        np.testing.assert_allclose(band.y, [*rows["shuffled_high"], *rows["shuffled_low"][::-1]], atol=1e-6)
    true, low, high = found.half["dimensions"]
    assert f"lie in {true} dimensions (shuffled groups: {low} to {high})" in charts.shares(found).alt
    best = found.accuracy.groupby("basis", sort=False)["accuracy"].last()
    assert all(f"{value:.0%} with" in charts.accuracies(found).alt for value in best)


def test_concentration_is_a_finding_only_below_every_shuffle():
    half = {"dimensions": (4, 5, 9), "principal components": (1, 1, 1)}
    found = group_tests.GroupDimensions(None, None, None, half, 0, 16)  # type: ignore[arg-type]
    assert found.sentences == (
        "4 dimensions hold half of the differences between the groups. With shuffled groups, it takes 5 to 9, so this is fewer than expected by chance.",
        "1 principal component holds half of the differences between the groups. With shuffled groups, it takes 1,"
        " so this is not fewer than expected by chance.",
    )
