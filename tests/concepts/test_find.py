"""A direction on held-out words, next to shuffled groups and to other methods."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import NearestCentroid

from embtools.charts import concepts as charts
from embtools.concepts.direction import (
    _by_chance,
    _of_means,
    column,
    effort,
    find_direction,
    possible,
    turned,
)
from embtools.concepts.groups import WHOLE, folds, group_states, shuffled
from embtools.spaces.two_groups import DIFFERENCE, LOGISTIC, METHODS, PAIRS, direction, same_means
from embtools.statistics.decimals import signed
from embtools.statistics.intervals import wilson
from tests.concepts.lists import BAD, FEMALE, FIRST_SENTENCES, GOOD, MALE, SECOND_SENTENCES

ASKED = {"layer": 2, "draws": 20}


@pytest.fixture(scope="module")
def found(bundled):
    return find_direction(BAD, GOOD, bundled, text="The hotel was dirty.", **ASKED)


def nearest_means(x, second):
    """How many rows scikit-learn's classifier by the nearest mean gets right in folds that it has not seen."""
    right = 0
    for learn, rest in StratifiedKFold(5, shuffle=True, random_state=0).split(x, second):
        right += (NearestCentroid().fit(x[learn], second[learn]).predict(x[rest]) == second[rest]).sum()
    return right


def test_accuracies_are_those_of_the_nearest_mean_on_held_out_words(found, bundled):
    read = group_states(BAD, GOOD, bundled)
    for layer, states in enumerate(read.states):
        right = nearest_means(states, read.second)
        row = found.layers.iloc[layer]
        assert (row["layer"], row["accuracy"]) == (layer, pytest.approx(right / 20))
        assert (row["low"], row["high"]) == pytest.approx(wilson(right, 20))
        means = states[read.second].mean(0) - states[~read.second].mean(0)
        assert row["distance"] == pytest.approx(np.linalg.norm(means), rel=1e-4)
        cosine = direction(states, read.second) @ direction(states, read.second, method=LOGISTIC)
        assert row["cosine"] == pytest.approx(cosine, abs=1e-4)


def test_words_and_tokens_are_scored_on_the_same_scale(found, bundled):
    assert found.words["word"].tolist() == [*BAD, *GOOD]
    assert (found.words["correct"] == ((found.words["score"] > 0) == (found.words["group"] == "second"))).all()
    assert found.words["correct"].mean() == pytest.approx(found.row["accuracy"])
    read = group_states(BAD, GOOD, bundled)
    states, axis = read.states[2], direction(read.states[2], read.second)
    low, high = ((states[each] @ axis).mean() for each in (~read.second, read.second))
    own = bundled.hidden_states("The hotel was dirty.")[2] @ axis
    np.testing.assert_allclose(found.tokens["score"], (2 * own - low - high) / (high - low), atol=1e-4)
    assert found.tokens["token"].tolist() == bundled.tokenize("The hotel was dirty.")["token"].tolist()


def test_headline_compares_with_shuffled_groups(found):
    assert f"{found.row['accuracy']:.0%} of the held-out words" in found.headline
    assert len(found.shuffled) == 20 and found.row["shuffled"] == pytest.approx(np.mean(found.shuffled))
    assert found.row["shuffled_95"] == pytest.approx(np.quantile(found.shuffled, 0.95))
    assert "also holds for words that it was not made from" in found.headline
    assert "The cosine between this direction and the one found by logistic regression is" in found.mistakes


def test_as_many_names_are_drawn_as_fit_on_a_phone(found):
    random = np.random.default_rng(0)
    wrong = np.arange(len(found.words)) % 4 != 0
    score = np.where(wrong == (found.words["group"] == "second"), -1, 1) * random.uniform(0.5, 1, len(wrong))
    crowded = replace(found, words=found.words.assign(score=score, correct=~wrong))
    figure = charts.words(crowded).figure
    low, high = figure.layout.xaxis.range
    marks = [
        (float(x - low) / (high - low) * 300, float(y) * 102, text)
        for trace in figure.data
        for x, y, text in zip(trace.x, trace.y, trace.text, strict=True)
    ]
    named = [mark for mark in marks if mark[2]]
    assert 3 < len(named) <= 12 < wrong.sum() and {text for *_, text in named} < set(found.words["word"][wrong])
    for left, up, text in named:
        for other_left, other_up, other in named:
            if other != text and abs(up - other_up) < 13:
                assert left + 6 * len(text) < other_left or other_left + 6 * len(other) < left
    one = replace(found, words=found.words.assign(correct=found.words.index != 3))
    assert [text for trace in charts.words(one).figure.data for text in trace.text if text] == [BAD[3]]
    every = replace(found, words=found.words.assign(correct=True))
    assert not any(text for trace in charts.words(every).figure.data for text in trace.text)


def test_a_direction_between_sentences_is_tested_in_the_same_way(bundled):
    found = find_direction(FIRST_SENTENCES, SECOND_SENTENCES, bundled, template=WHOLE, text="It rains.", **ASKED)
    vectors = np.array(
        [bundled.hidden_states(text)[2, 1:-1].mean(axis=0) for text in (*FIRST_SENTENCES, *SECOND_SENTENCES)], float
    )
    right = nearest_means(vectors, np.arange(20) >= 10)
    assert found.row["accuracy"] == pytest.approx(right / 20)
    assert charts.direction_layers(found).alt.startswith("Accuracy on held-out sentences in ")
    assert not any(text for trace in charts.words(found).figure.data for text in trace.text)
    assert f"{right / 20:.0%} of the held-out sentences are on their own group's side" in found.headline
    assert found.words["sentence"].tolist() == [*FIRST_SENTENCES, *SECOND_SENTENCES]
    wrong = found.words.loc[~found.words["correct"], "sentence"].tolist()
    named = found.mistakes.split(". The cosine")[0]
    assert sum(text in named for text in wrong) == min(3, len(wrong)) and wrong
    assert f" and {len(wrong) - 3} more" in named or len(wrong) <= 3
    axis = vectors[10:].mean(0) - vectors[:10].mean(0)
    along, own = vectors @ axis, bundled.hidden_states("It rains.")[2] @ axis
    low, high = along[:10].mean(), along[10:].mean()
    np.testing.assert_allclose(found.tokens["score"], (2 * own - low - high) / (high - low), atol=1e-4)


def test_groups_that_do_not_differ_are_no_direction(bundled):
    mixed = [*BAD, *GOOD]
    first, second = mixed[::2], mixed[1::2]
    result = find_direction(first, second, bundled, **ASKED)
    assert result.p > 0.05 and "so nothing shows that it holds" in result.headline
    assert result.tokens.empty and "These words are on the wrong side:" in result.mistakes


def test_more_shuffles_take_longer_and_turning_keeps_lengths_and_angles(bundled):
    assert effort(BAD, GOOD, bundled) > effort(BAD, GOOD, bundled, draws=20) > 0
    assert effort(BAD, GOOD, bundled, method=LOGISTIC) > effort(BAD, GOOD, bundled)
    x = np.random.default_rng(0).standard_normal((4, 9))
    np.testing.assert_allclose(turned(x) @ turned(x).T, x @ x.T, atol=1e-9)
    assert turned(x).shape == (4, 4)


def test_shuffled_groups_with_equal_means_are_shuffled_again():
    """Four points on a square: a line separates them, but every third shuffle has its mean in the middle."""
    square = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    learn, rest = np.arange(4), np.array([4])
    vectors, groups = np.r_[square, [[2, 2]]], np.array([True, False, False, True, True])
    assert same_means(vectors[learn], groups[learn])
    random = np.random.default_rng(0)
    assert np.isnan(_of_means(vectors, [groups], [((learn, rest),)])).all()
    points, second = np.repeat(vectors, 2, axis=0), np.repeat(groups, 2)
    parts = (np.arange(8), np.arange(8, 10)), (np.arange(2, 10), np.arange(2))
    assert 0 <= _by_chance(points, second, parts, random, DIFFERENCE) <= 1


def test_many_shuffles_at_once_give_what_one_by_one_gives(bundled):
    read, random = group_states(BAD, GOOD, bundled), np.random.default_rng(0)
    vectors = turned(read.states[2])
    every = [shuffled(read.second, random) for _ in range(5)]
    splits = [folds(each) for each in every]
    one_by_one = [_by_chance(vectors, *each, random, DIFFERENCE) for each in zip(every, splits, strict=True)]
    assert _of_means(vectors, every, splits) == one_by_one


def test_the_component_of_pairs_is_that_of_centred_pairs_and_holds_out_both_words(bundled):
    result = find_direction(MALE, FEMALE, bundled, method=PAIRS, layer=0, draws=40, text="He met her.")
    states, half = group_states(MALE, FEMALE, bundled).states[0].astype(float), len(MALE)
    pairs = states.reshape(2, half, -1)
    centred = (pairs - pairs.mean(0)).reshape(2 * half, -1)
    expected = PCA(1).fit(centred).components_[0]  # the centred pairs have mean zero
    found = direction(states, np.arange(2 * half) >= half, method=PAIRS)
    assert abs(expected @ found) == pytest.approx(1.0, abs=1e-6)
    assert found @ (pairs[1] - pairs[0]).mean(0) > 0  # it points to the second group
    assert result.row["cosine"] == pytest.approx(found @ direction(states, np.arange(2 * half) >= half), abs=1e-6)
    assert result.row["accuracy"] > 0.8 and result.p < 0.05 and 0.3 < result.row["shuffled"] < 0.7
    assert "The cosine between this direction and the one found by difference of means" in result.mistakes
    for learn, rest in folds(np.arange(2 * half) >= half, method=PAIRS):
        assert set(rest % half) & set(learn % half) == set() and len(learn) + len(rest) == 2 * half


def test_groups_are_shuffled_within_pairs():
    second = np.arange(40) >= 20
    random = np.random.default_rng(0)
    for _ in range(20):
        mixed = shuffled(second, random, method=PAIRS)
        assert (mixed[:20] != mixed[20:]).all()
    assert (mixed != second).any() and shuffled(second, random).sum() == 20


def test_sentences_with_a_near_copy_are_counted_next_to_the_mistakes(bundled):
    first = [f"We saw the {animal} run over the big old bridge." for animal in ("dog", "cat", "cow", "fox", "hen")]
    first += FIRST_SENTENCES[:5]
    found = find_direction(first, SECOND_SENTENCES, bundled, template=WHOLE, layer=1, draws=2)
    assert f"5 of {10 + len(SECOND_SENTENCES)} sentences are nearly the same as another" in found.mistakes
    apart = find_direction(FIRST_SENTENCES, SECOND_SENTENCES, bundled, template=WHOLE, layer=1, draws=2)
    assert "nearly the same" not in apart.mistakes


def test_the_sentence_is_coloured_token_by_token(bundled, found):
    text = "The queen is kind and the king was extraordinary."
    result = find_direction(BAD, GOOD, bundled, layer=2, draws=1, text=text)
    chart = charts.sentence(result)
    (heat,) = chart.figure.data
    z, shown = np.array(heat.z, float), [cell for line in heat.text for cell in line if cell]
    scores = result.tokens["score"].to_numpy()
    np.testing.assert_allclose(z[~np.isnan(z)], scores, rtol=1e-5)  # in reading order
    assert z.shape == (2, 7) and np.isnan(z).sum() == 14 - len(scores)
    assert len(shown) == len(scores) and shown[2] == f"queen<br>{signed(scores[2])}"
    assert any("…" in cell for cell in shown) and "extraordinary" in str(heat.hovertext)  # in full under the mouse
    assert f"queen {signed(scores[2])}" in chart.alt and chart.frame is result.tokens


@pytest.fixture(scope="module")
def two_shuffles(bundled):
    return find_direction(BAD, GOOD, bundled, layer=2, draws=2)


def test_every_method_has_the_accuracy_that_it_has_alone(two_shuffles, bundled):
    for method in METHODS:
        alone = find_direction(BAD, GOOD, bundled, layer=2, draws=1, method=method)
        np.testing.assert_allclose(two_shuffles.layers[column(method)], alone.layers["accuracy"])
        np.testing.assert_allclose(alone.layers[column(DIFFERENCE)], two_shuffles.layers["accuracy"])
    assert two_shuffles.others == (LOGISTIC, PAIRS)
    row = two_shuffles.row
    assert f"{row['logistic_regression']:.0%} (logistic regression) and" in two_shuffles.mistakes
    assert f"{row['first_component_of_pairs']:.0%} (first component of pairs)" in two_shuffles.mistakes


def test_too_few_shuffles_decide_nothing(two_shuffles):
    """With two shuffles, p is at least 1/3."""
    assert "2 shuffles are too few" in two_shuffles.headline
    many = replace(two_shuffles, shuffled=(0.5,) * 19)
    smallest = "at most 50% are, and "
    assert smallest in many.headline and "(p ≤ 0.05, the smallest possible with 19 shuffles)" in many.headline
    assert many.headline.endswith("So the direction also holds for words that it was not made from.")
    no = replace(two_shuffles, shuffled=(1.0,) * 19)
    assert no.headline.endswith("Shuffled groups often reach as much, so nothing shows that it holds for other words.")


def test_pairs_are_left_out_if_they_are_not_complete(bundled):
    result = find_direction(BAD, [*GOOD, "fast"], bundled, layer=2, draws=1)
    assert column(PAIRS) not in result.layers and result.others == (LOGISTIC,)
    assert "component of pairs" not in result.mistakes
    second = np.arange(20) >= 10
    assert possible(PAIRS, second) and possible(DIFFERENCE, second[:19]) and not possible(PAIRS, second[:19])


def test_the_chosen_method_is_a_thick_line_next_to_the_others(two_shuffles):
    traces = {trace.name: trace for trace in charts.direction_layers(two_shuffles).figure.data}
    own = traces["means (chosen)"]
    for name, short in ((LOGISTIC, "regression"), (PAIRS, "pairs")):
        np.testing.assert_allclose(traces[short].y, two_shuffles.layers[column(name)], atol=1e-6)
        assert traces[short].line.width < own.line.width
        assert f"By {name}: " in charts.direction_layers(two_shuffles).alt
    other = replace(two_shuffles, method=LOGISTIC)
    assert {"regression (chosen)", "means", "pairs"} < {
        trace.name for trace in charts.direction_layers(other).figure.data
    }
