from itertools import pairwise

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.preprocessing import StandardScaler

from embtools.probing.online_code import _bits, frequency_bits, online_bits, portions, shuffled
from embtools.statistics.probe import FOLDINGS, MET, NEVER


def test_portions_are_the_fractions_of_the_article_in_whole_units():
    """By hand: 100,000 items as in the article, and the 120 words of a task of this app with four labels."""
    assert portions(100_000, 2) == (100, 200, 400, 800, 1_600, 3_200, 6_250, 12_500, 25_000, 50_000, 100_000)
    assert portions(120, 4) == (4, 8, 15, 30, 60, 120)  # 3.2, 6.25, 12.5, 25, 50 and 100%
    assert portions(134, 2) == (2, 4, 8, 17, 34, 67, 134)  # 16.75 and 33.5 are rounded up
    assert portions(3, 5) == (3,) and portions(1, 1) == (1,)


@pytest.mark.parametrize("folding", FOLDINGS)
def test_an_order_has_every_item_once_and_words_never_seen_are_not_divided(items, folding):
    types = [item.type for item in items]
    order, ends = shuffled(types, folding=folding, labels=3, seed=4)
    assert sorted(order) == list(range(60)) and ends[-1] == 60
    parts = [{types[i] for i in part} for part in np.split(order, ends[:-1])]
    shared = any(one & other for n, one in enumerate(parts) for other in parts[:n])
    assert shared == (folding == MET)
    assert ends == (tuple(2 * end for end in portions(30, 3)) if folding == NEVER else portions(60, 3))
    assert order.tolist() == shuffled(types, folding=folding, labels=3, seed=4)[0].tolist()
    assert order.tolist() != shuffled(types, folding=folding, labels=3, seed=5)[0].tolist()
    with pytest.raises(ValueError, match="no folding 'x'"):
        shuffled(types, folding="x")


def test_bits_are_the_cross_entropy_of_scikit_learn(items, features):
    """An independent implementation: logistic regression and `log_loss` of scikit-learn, portion by portion."""
    labels = np.array([item.label for item in items])
    order, ends = shuffled([item.type for item in items], labels=3, seed=1)
    for vectors in features.vectors:
        x, y = vectors[order].astype(np.float64), labels[order]
        assert len(set(y[: ends[0]])) == 3  # the probe knows every label, so no probability is set aside
        expected = [ends[0] * np.log2(3)]
        x = StandardScaler().fit_transform(x)
        for start, end in pairwise(ends):
            probe = LogisticRegression(C=0.1, max_iter=1_000).fit(x[:start], y[:start])
            probabilities = probe.predict_proba(x[start:end])
            nats = log_loss(y[start:end], probabilities, labels=["a", "b", "c"], normalize=False)
            expected.append(nats / np.log(2))
        found = online_bits(vectors[order], y.tolist(), ends, choices=3, strength=0.1)
        assert found == pytest.approx(expected, rel=1e-5)


def test_labels_that_were_not_sent_yet_by_hand():
    """After “a a” one of two labels is new: it has 1/3, and a has 2/3. After “a a b” the probe knows both."""
    vectors = np.array([[0.0], [0.0], [0.0], [0.0]])  # no feature: the probe gives the shares of the labels
    bits = online_bits(vectors, ["a", "a", "b", "a"], (2, 3, 4), choices=2)
    assert bits == pytest.approx([2, np.log2(3), -np.log2(2 / 3)], abs=1e-3)
    # Of four labels that can be expected, three are new after “a”: each has 1/4, and a has 1/4 as well.
    assert online_bits(vectors[:2], ["a", "c"], (1, 2), choices=4).tolist() == pytest.approx([2, 2])
    assert online_bits(vectors[:2], ["a", "a"], (1, 2), choices=4).tolist() == pytest.approx([2, 2])


@pytest.mark.parametrize("seed", range(3))
def test_the_probabilities_of_all_labels_sum_to_one(features, seed):
    """Kraft: whatever is sent next, the code lengths of the possible labels belong to one distribution."""
    known = ["a", "b", "a", "b", "a"]
    for choices in (2, 3, 5):
        names = "abcde"[:choices]
        vectors = features.vectors[1][seed : seed + 6]
        lengths = [online_bits(vectors, [*known, name], (5, 6), choices=choices)[1] for name in names]
        assert sum(2.0**-bits for bits in lengths) == pytest.approx(1)


def test_first_portions_that_hardly_differ_do_not_spoil_the_code():
    """On the scale of the first two items alone, the third is millions of deviations away and would take 1,000 bits."""
    vectors = np.array([[0.0], [1e-6], [1.0], [0.0]])
    bits = online_bits(vectors, ["a", "b", "a", "b"], (2, 4), choices=2)
    assert bits[1] < 4


def test_frequencies_by_hand():
    bits = frequency_bits(["a", "a", "b", "a"], (1, 2, 4), choices=2)
    # after “a”: a has 2/3; after “a a”: b has 1/4 and a 3/4
    assert bits == pytest.approx([1, -np.log2(2 / 3), -np.log2(1 / 4) - np.log2(3 / 4)])


def test_separable_labels_take_few_bits_and_noise_takes_all_of_them():
    rng = np.random.default_rng(0)
    labels = rng.choice(["a", "b"], 400).tolist()
    ends = portions(400, 2)
    seen = np.array([[1.0 if label == "a" else -1.0] for label in labels])
    separable = online_bits(seen, labels, ends, choices=2, strength=100.0)
    assert 400 / separable.sum() > 20 and separable[-1] < 1  # the last 200 labels take less than a bit together
    noise = online_bits(rng.normal(size=(400, 20)), labels, ends, choices=2, strength=100.0).sum()
    assert 400 / noise < 1


def test_a_probability_of_zero_takes_finitely_many_bits():
    assert _bits(np.array(["a"]), np.array(["a", "b"]), np.array([[0.0, 1.0]]), 5, 2) == 1_022


def test_what_cannot_be_sent_is_explained():
    with pytest.raises(ValueError, match="must rise to the number of labels, 2"):
        online_bits(np.zeros((2, 1)), ["a", "b"], (1, 1), choices=2)
    with pytest.raises(ValueError, match="must rise"):
        frequency_bits(["a", "b"], (1,), choices=2)
    with pytest.raises(ValueError, match="2 different labels, but only 1 choices"):
        frequency_bits(["a", "b"], (2,), choices=1)
