"""Features that distinguish examples from a text, their controls and their chart."""

import re

import numpy as np
import pytest

from embtools.charts import decomposition as charts
from embtools.decomposition.examples import example_vectors
from embtools.decomposition.feature_examples import MAX_DRAWS, ONE_WORD, RANDOM, effort, features_of_examples
from embtools.decomposition.feature_table import effort as table_effort
from embtools.decomposition.feature_table import read_features
from embtools.decomposition.learned import read
from embtools.occurrences.corpus import Corpus, built_in_corpus
from tests.decomposition.conftest import SENTENCES

NAME = "layer 1, small"
CORPUS = Corpus(SENTENCES)
LINES = "king | he works as a king", "queen | she is a queen", "man | he is a man"


@pytest.fixture
def result(tiny, small):
    return features_of_examples(LINES, tiny, corpus=CORPUS, dictionary=NAME, draws=20)


def _by_feature(codes, feature):
    """The activations (m,) of a feature (from 1), counted one by one."""
    return np.array(
        [
            sum(value for one, value in zip(*row, strict=True) if one == feature - 1)
            for row in zip(codes.features, codes.activations, strict=True)
        ]
    )


def test_the_measure_is_the_difference_of_two_shares(tiny, small, result):
    table = read_features(CORPUS, tiny, dictionary=NAME)
    codes = read(small).codes(example_vectors(LINES, tiny, layer=1)[0])
    differences = {}
    for feature in range(1, 25):
        own, others = _by_feature(codes, feature), _by_feature(table.codes, feature)
        differences[feature] = (own > 0).mean() - (others > 0).mean()
        for row in result.features[result.features["feature"] == feature].itertuples():
            assert row.examples == (own > 0).sum() and row.share_examples == pytest.approx((own > 0).mean())
            assert row.share == pytest.approx((others > 0).mean())
            assert row.difference == pytest.approx(differences[feature])
            assert row.activation == pytest.approx(own[own > 0].mean(), abs=1e-5)
            words = table.occurrences.table["word"].to_numpy()[np.argsort(-others, kind="stable")[: (others > 0).sum()]]
            assert row.words == ", ".join(list(dict.fromkeys(words))[:3])
    best = sorted((value for value in differences.values() if value > 0), reverse=True)[:12]
    np.testing.assert_allclose(result.features["difference"], best)
    first = int(result.features["feature"].iloc[0])
    np.testing.assert_allclose(result.read["activation"], _by_feature(codes, first), atol=1e-5)
    assert result.count == len(table.codes.features) and result.best == best[0]


def test_controls_are_the_best_features_of_random_occurrences(tiny, small):
    """For two examples, all pairs of occurrences can be tried."""
    result = features_of_examples(LINES[:2], tiny, corpus=CORPUS, dictionary=NAME, draws=100)
    table = read_features(CORPUS, tiny, dictionary=NAME)
    active = np.array([_by_feature(table.codes, feature) > 0 for feature in range(1, 25)]).T
    words = table.occurrences.table["word"].to_numpy()
    m = len(words)
    possible = {
        (a, b): (active[a].astype(int) + active[b]) / 2 - active.mean(0) for a in range(m) for b in range(a + 1, m)
    }
    values = {pair: found.max() for pair, found in possible.items()}
    for kind, allowed in (
        (RANDOM, list(values.values())),
        (ONE_WORD, [value for (a, b), value in values.items() if words[a] == words[b]]),
    ):
        drawn = result.controls[result.controls["kind"] == kind]
        assert list(drawn["draw"]) == list(range(1, 101))
        assert set(np.round(drawn["difference"], 6)) <= set(np.round(allowed, 6))
        for row in drawn.itertuples():
            assert any(found[row.feature - 1] == pytest.approx(row.difference) for found in possible.values())
    random = result.controls.loc[result.controls["kind"] == RANDOM, "difference"]
    error = 4 * np.std(list(values.values())) / np.sqrt(100)
    assert abs(random.mean() - np.mean(list(values.values()))) < error, "all pairs are equally likely"


def test_the_summary_counts_the_draws_that_reach_the_best_feature(result):
    assert list(result.summary["kind"]) == [RANDOM, ONE_WORD]
    for row in result.summary.itertuples():
        values = result.controls.loc[result.controls["kind"] == row.kind, "difference"]
        assert (row.draws, row.highest) == (20, values.max()) and row.mean == pytest.approx(values.mean())
        assert row.reached == sum(value >= result.best for value in values)


def test_draws_depend_on_the_seed_only(tiny, small, result):
    again = features_of_examples(LINES, tiny, corpus=CORPUS, dictionary=NAME, draws=20)
    other = features_of_examples(LINES, tiny, corpus=CORPUS, dictionary=NAME, draws=20, seed=1)
    assert again.controls.equals(result.controls) and not other.controls.equals(result.controls)
    assert other.features.equals(result.features)


def test_a_text_without_repeated_words_has_one_control(tiny, small):
    result = features_of_examples(LINES, tiny, corpus=Corpus(("rome is red",)), dictionary=NAME, draws=5)
    assert list(result.summary["kind"]) == [RANDOM] and result.comparison == ""
    assert len(charts.examples(result).figure.layout.shapes) == 1


def test_the_limits_are_checked(tiny, small):
    for draws in (0, MAX_DRAWS + 1):
        with pytest.raises(ValueError, match="draws"):
            features_of_examples(LINES, tiny, corpus=CORPUS, dictionary=NAME, draws=draws)
    with pytest.raises(ValueError, match="At least 2 examples"):
        features_of_examples(LINES[:1], tiny, corpus=CORPUS, dictionary=NAME)
    with pytest.raises(ValueError, match="There is no dictionary"):
        features_of_examples(LINES, tiny, corpus=CORPUS, dictionary="layer 9")


def test_examples_are_checked_before_the_text_is_read(tiny, small):
    assert effort(LINES, tiny, corpus=CORPUS, dictionary=NAME) == table_effort(CORPUS, tiny, dictionary=NAME)
    with pytest.raises(ValueError, match="Example 1: 'kin' is not a word"):
        effort(("kin | he works as a king", LINES[1]), tiny, corpus=CORPUS, dictionary=NAME)


def test_features_that_are_as_frequent_in_the_text_are_not_found(tiny, small):
    """The text has the same single word, in the same state, as both examples."""
    with pytest.raises(ValueError, match="Write other examples"):
        features_of_examples(("rome | rome", "rome | Rome"), tiny, corpus=Corpus(("rome",)), dictionary=NAME)


def test_relatives_have_a_feature_and_it_is_more_than_chance(bundled):
    text = built_in_corpus().part(range(0, 1_000, 8))
    lines = (
        "mother | Her mother works in a school.",
        "brother | My brother lives in a small town.",
        "uncle | His uncle bought an old house.",
        "wife | He wrote a letter to his wife.",
    )
    result = features_of_examples(lines, bundled, corpus=text, dictionary="layer 3")
    assert result.best > 0.9
    assert result.summary["reached"].iloc[0] == 0 and not result.repeats
    assert "is active at all 4 examples" in result.headline and "In 99 draws of 4 random words" in result.headline
    assert "each word has features of its own" in result.comparison
    repeated = features_of_examples((*lines, "wife | My wife sings."), bundled, corpus=text, dictionary="layer 3")
    assert repeated.comparison.startswith("Your examples repeat a word.")
    chance = features_of_examples(
        ("she | She sang.", "of | The king of France."), bundled, corpus=text, dictionary="layer 3"
    )
    assert re.search(r"at least as much \(p = 0\.\d+\), so this could be chance\.$", chance.headline)
    assert result.headline.endswith("at most (p ≤ 0.01, the smallest possible with 99 draws).")


def test_the_chart_shows_the_features_and_the_controls(result):
    chart = charts.examples(result)
    bars, counts = chart.figure.data
    np.testing.assert_allclose(bars.x, result.features["difference"], rtol=1e-6)
    assert [row[0] for row in bars.customdata] == list(result.features["feature"]) and chart.frame is result.features
    assert [shape.x0 for shape in chart.figure.layout.shapes] == list(result.summary["highest"])
    assert counts.text[0] == f"{result.features['examples'].iloc[0]} of 3"
    assert f"feature {result.features['feature'].iloc[0]}" in chart.alt and "Best feature of random words" in chart.alt
