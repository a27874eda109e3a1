"""Which dimensions carry the groups, against scikit-learn, with groups that are there or are not."""

import numpy as np
import pytest
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline

from embtools.clusters import dimensions

RNG = np.random.default_rng(1)
LABELS = np.repeat(np.arange(4), 8)
NOISE = RNG.normal(size=(32, 20))
# Four groups that differ along the first two of twenty dimensions only.
GROUPED = NOISE.copy()
GROUPED[:, :2] += 6 * np.array([[0, 0], [0, 1], [1, 0], [1, 1]])[LABELS]


def test_the_carrying_dimensions_are_found():
    found = dimensions.group_dimensions(GROUPED, LABELS, ("a", "b", "c", "d"))
    f, _ = f_classif(GROUPED, LABELS)
    table = found.dimensions.set_index("dimension").sort_index()
    assert table["f"].to_numpy() == pytest.approx(f)
    assert table["p"].to_numpy()[:2] == pytest.approx(1 / (1 + dimensions.SHUFFLES))
    assert set(found.dimensions["dimension"].head(2)) == {0, 1}
    assert found.clear == 2 and found.total == 20
    assert found.half["dimensions"][0] <= 2
    assert table.loc[0, "highest"] in "cd" and table.loc[0, "lowest"] in "ab"
    assert table["share"].sum() == pytest.approx(1)


def test_accuracy_is_that_of_a_scikit_learn_pipeline():
    folds = dimensions._folds(LABELS, np.random.default_rng(0))
    counts = np.array([1, 2, 5, 20])
    hits = [0.0] * 4
    for fold in range(4):
        train, test = folds != fold, folds == fold
        for i, m in enumerate(counts):
            pipe = make_pipeline(SelectKBest(f_classif, k=int(m)), NearestCentroid()).fit(GROUPED[train], LABELS[train])
            hits[i] += (pipe.predict(GROUPED[test]) == LABELS[test]).sum() / len(LABELS)
    assert dimensions._accuracy(GROUPED, LABELS, folds, counts).tolist() == pytest.approx(hits)


def test_no_dimension_is_clear_in_noise():
    found = dimensions.group_dimensions(NOISE, LABELS, ("a", "b", "c", "d"))
    assert found.clear == 0
    # Of twenty dimensions of noise the best looks like a discovery by itself; among twenty it is none.
    largest = [f_classif(NOISE, RNG.permutation(LABELS))[0].max() for _ in range(400)]
    best = found.dimensions.iloc[0]
    assert best["p"] == pytest.approx(np.mean(np.array(largest) >= best["f"]), abs=0.1)
    assert best["p"] > 3 * f_classif(NOISE, LABELS)[1].min()
    assert (found.dimensions["p"] > 0.05).all() and found.dimensions["p"].is_monotonic_increasing
    assert (found.accuracy["accuracy"] <= found.accuracy["high"] + 0.15).all()


@pytest.mark.parametrize(
    ("labels", "said"), [([0] * 4, "one group only"), ([0, 1, 2, 3], "one word only"), ([0, 0, 0, 1], "one word only")]
)
def test_groups_that_cannot_be_compared(labels: list[int], said: str):
    with pytest.raises(ValueError, match=said):
        dimensions.group_dimensions(NOISE[:4], np.array(labels), ("a", "b", "c", "d")[: max(labels) + 1])


def test_progress_is_told_and_can_stop():
    told: list[float] = []
    found = dimensions.group_dimensions(GROUPED, LABELS, ("a", "b", "c", "d"), progress=told.append)
    assert told == sorted(told) and told[0] == 0 and 0.9 < told[-1] < 1
    assert found.dimensions.equals(dimensions.group_dimensions(GROUPED, LABELS, ("a", "b", "c", "d")).dimensions)

    def stop(done: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        dimensions.group_dimensions(GROUPED, LABELS, ("a", "b", "c", "d"), progress=stop)
