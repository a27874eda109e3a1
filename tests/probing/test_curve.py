import numpy as np
import pytest

from embtools.probing.accuracy import measure
from embtools.probing.curve import SHARES, learning_curve, part
from embtools.statistics.probe import DIVISIONS, FOLDINGS, fit, split


@pytest.mark.parametrize("folding", FOLDINGS)
def test_with_all_items_the_curve_ends_at_the_accuracy(items, features, folding):
    whole = measure(items, features, features.combinations, folding=folding).table.iloc[1]
    curve = learning_curve(items, features.vectors[1], folding=folding)
    assert curve["share"].tolist() == list(SHARES)
    for name in ("accuracy", "accuracy_low", "accuracy_high", "control", "control_low", "control_high"):
        assert curve[name].iloc[-1] == pytest.approx(whole[name])
    assert curve["items"].is_monotonic_increasing and curve["items"].iloc[-1] == pytest.approx(48)
    assert curve["accuracy"].iloc[-1] > curve["accuracy"].iloc[0]


def test_a_point_is_the_accuracy_of_probes_on_fewer_items(items, features):
    labels, types = [i.label for i in items], [i.type for i in items]
    x, names = features.vectors[1].astype(np.float64), np.array(labels)
    right = [
        fit(x[learn], names[learn].tolist()).predict(x[rest]) == names[rest]
        for seed in range(DIVISIONS)
        for learn, rest in part(split(labels, types, seed=seed), types, 0.4)
    ]
    curve = learning_curve(items, features.vectors[1]).set_index("share")
    assert curve.loc[0.4, "accuracy"] == pytest.approx(np.concatenate(right).mean())


def test_parts_are_nested_and_keep_words_whole(items):
    labels, types = [i.label for i in items], [i.type for i in items]
    splits, names = split(labels, types), np.array(types)
    before = [set()] * 5
    for share in SHARES:
        for number, ((learn, rest), (all_of, same)) in enumerate(zip(part(splits, types, share), splits, strict=True)):
            assert set(learn) <= set(all_of) and (rest == same).all() and before[number] <= set(learn)
            assert set(learn) == {n for n in all_of if names[n] in set(names[learn])}
            before[number] = set(learn)
    assert all(len(set(names[learn])) == 2 for learn, _ in part(splits, types, 0.001))
