"""Features in a text: where each is active, those of a word and of examples, their controls and their charts."""

import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from embtools import memory
from embtools.charts import features as charts
from embtools.features.examples import (
    LEAST,
    MAX_CHARACTERS,
    MAX_DRAWS,
    MOST,
    ONE_WORD,
    RANDOM,
    effort,
    example_vectors,
    features_of_examples,
    read_examples,
)
from embtools.features.learned import open_dictionary, read
from embtools.features.uses import (
    QUANTILES,
    feature_occurrences,
    features_of_word,
    promoted_words,
    read_features,
    strongest_words,
    within_dictionary,
)
from embtools.features.uses import effort as table_effort
from embtools.models.output_head import scores_along
from embtools.occurrences.corpus import Corpus, built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from tests.features.conftest import SENTENCES

NAME = "layer 1, small"


def test_a_feature_is_where_its_score_is_among_the_highest(tiny, small):
    table = read_features(Corpus(SENTENCES), tiny, dictionary=NAME)
    found, vectors = open_dictionary(NAME, tiny), table.occurrences.vectors
    scores = (vectors - found.centre) @ found.directions.T + found.offsets
    ranks = (-scores).argsort(axis=1).argsort(axis=1)
    for feature in range(len(found)):
        rows, values = table.of(feature)
        assert set(rows) == set(np.flatnonzero((ranks[:, feature] < found.k) & (scores[:, feature] > 0)))
        np.testing.assert_allclose(values, -np.sort(-scores[rows, feature]), atol=1e-5)


def test_the_time_is_stated_until_the_text_is_read(tiny, small):
    memory.forget()
    corpus = Corpus(SENTENCES)
    assert table_effort(corpus, tiny, dictionary=NAME) > 0
    read_features(corpus, tiny, dictionary=NAME)
    assert table_effort(corpus, tiny, dictionary=NAME) == 0


TEXT = Corpus(SENTENCES)


def test_the_features_of_a_word_are_counted(tiny, small):
    table = read_features(TEXT, tiny, dictionary=NAME)
    found = features_of_word("king", tiny, corpus=TEXT, dictionary=NAME)
    rows = np.flatnonzero(table.occurrences.table["word"] == "king")
    for row in found.to_dict("records"):
        active, values = table.of(row["feature"] - 1)
        own = np.isin(active, rows)
        assert row["share"] == pytest.approx(own.sum() / len(rows)) and row["share"] > 0
        assert row["activation"] == pytest.approx(values[own].mean(), abs=1e-5)
        words = table.occurrences.table["word"].to_numpy()[active]
        assert row["words"] == ", ".join(list(dict.fromkeys(words))[:3])
    assert found["share"].is_monotonic_decreasing


def test_a_word_that_is_not_in_the_text_is_refused(tiny, small):
    for word in ("queens", "king, queen", "<b>"):
        with pytest.raises(ValueError, match="does not contain .* Write one word that occurs in it, for example"):
            features_of_word(word, tiny, corpus=TEXT, dictionary=NAME)
    with pytest.raises(ValueError, match="There is no word to search for"):
        features_of_word(" ", tiny, corpus=TEXT, dictionary=NAME)


def test_promoted_words_have_the_highest_scores(tiny):
    direction = np.random.default_rng(0).normal(size=(1, tiny.dimensions)).astype(np.float32)
    (found,) = promoted_words(direction, tiny, n=5)
    whole = np.flatnonzero(tiny.whole_words)
    scores = scores_along(direction, tiny)[0, whole]
    order = np.argsort(-scores)[:5]
    assert list(found["word"]) == [tiny.vocabulary[whole[i]] for i in order]
    np.testing.assert_allclose(found["along"], (scores[order] - scores.mean()) / scores.std(), rtol=1e-4)


def test_numbers_have_limits(tiny, small):
    within_dictionary(24, 24)
    for number in (0, 25):
        with pytest.raises(ValueError, match="Choose 1 to 24"):
            within_dictionary(number, 24)
    table = read_features(TEXT, tiny, dictionary=NAME)
    with pytest.raises(ValueError, match="words"):
        strongest_words(table, np.array([0]), n=0)


BANKS = Corpus(SENTENCES, tuple(("bank", "river") if "river" in each else ("", "") for each in SENTENCES))


@pytest.fixture
def feature(tiny, small):
    table = read_features(BANKS, tiny, dictionary=NAME)
    return 1 + max(range(24), key=lambda number: len(table.of(number)[0]))


def test_lists_are_those_of_the_table(tiny, small, feature):
    result = feature_occurrences(BANKS, tiny, dictionary=NAME, feature=feature)
    table = read_features(BANKS, tiny, dictionary=NAME)
    rows, values = table.of(feature - 1)
    own = table.occurrences.table
    assert (result.active, result.count) == (len(rows), len(own))
    assert result.best["text"].is_unique and result.best["activation"].is_monotonic_decreasing
    assert result.best["activation"].iloc[0] == values[0] and len(result.best) == own.loc[rows, "sentence"].nunique()
    for row in (*result.best.to_dict("records"), *result.spread.to_dict("records")):
        assert row["text"][row["start"] : row["end"]].lower() == row["word"]
    np.testing.assert_allclose(result.spread["share"], QUANTILES)
    assert result.spread["activation"].iloc[0] == values[0] and result.spread["activation"].iloc[-1] == values[-1]
    for row in result.words.to_dict("records"):
        assert row["count"] == (own["word"] == row["word"]).sum()
        assert row["active"] == (own.loc[rows, "word"] == row["word"]).sum() > 0
        assert row["share"] == row["active"] / row["count"]
    assert result.words["active"].sum() == len(rows)
    assert set(result.senses["sense"]) <= {"river"}
    assert f"{len(rows)} of {len(own)} words" in result.headline
    several = replace(result, words=pd.DataFrame({"word": list("abcde")}))
    assert several.headline.endswith("5 different words, above all “a”, “b”, “c” and “d”.")
    assert replace(several, words=several.words.head(1)).headline.endswith("%). These are occurrences of “a”.")


def test_a_feature_that_is_never_active_has_empty_lists(tiny, small):
    table = read_features(Corpus(SENTENCES[:1]), tiny, dictionary=NAME)
    dead = next(number for number in range(24) if not len(table.of(number)[0]))
    result = feature_occurrences(Corpus(SENTENCES[:1]), tiny, dictionary=NAME, feature=dead + 1)
    assert result.active == 0 and result.best.empty and result.spread.empty and result.words.empty
    assert "is not active at any of the 7 words" in result.headline
    assert "at no word" in charts.feature_words(result).alt


def test_the_charts_show_words(tiny, small, feature):
    result = feature_occurrences(BANKS, tiny, dictionary=NAME, feature=feature)
    chart = charts.feature_words(result)
    np.testing.assert_allclose(chart.figure.data[0].x, result.words["share"].head(12), rtol=1e-6)
    assert result.words["word"].iloc[0] in chart.alt
    promoted = charts.promoted(result)
    np.testing.assert_allclose(promoted.figure.data[0].x, result.promoted["along"], rtol=1e-6)
    assert result.promoted["word"].iloc[0] in promoted.alt


LINES = "king | he works as a king", "Queen | A queen of france is a queen", "red|the red river"


def test_examples_are_words_with_sentences():
    assert read_examples(LINES) == (
        ("king", "he works as a king"),
        ("Queen", "A queen of france is a queen"),
        ("red", "the red river"),
    )
    assert read_examples(("a | b | c", "d | a"))[0] == ("a", "b | c")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((), "no examples"),
        (LINES[:1], f"At least {LEAST} examples"),
        ((*LINES, "he works as a king"), "Example 4 cannot be read: 'he works as a king'"),
        (("| he works", *LINES), "Example 1 cannot be read"),
        ((*LINES, "king |  "), "Example 4 cannot be read"),
        ([f"king | king {n}" for n in range(MOST + 1)], f"{MOST + 1} examples, but at most {MOST}"),
        (("king | " + "x" * MAX_CHARACTERS, "queen | a queen"), "characters, but at most"),
    ],
)
def test_what_is_not_a_list_of_examples_is_refused(lines, message):
    with pytest.raises(ValueError, match=message):
        read_examples(lines)


def test_an_example_that_occurs_before_is_left_out() -> None:
    assert read_examples((*LINES, "KING | he works as a king")) == read_examples(LINES)


def test_vectors_are_those_of_the_occurrences_of_a_text(tiny):
    vectors, read = example_vectors(LINES, tiny, layer=1)
    found = encode_corpus(Corpus(tuple(line.split("|")[1].strip() for line in LINES)), tiny, combination="layer 1")
    rows = [int(found.of(word)[0]) for word in ("king", "queen", "red")]
    np.testing.assert_allclose(vectors, found.vectors[rows], atol=1e-5)
    assert list(read["example"]) == [1, 2, 3]
    assert [row.text[row.start : row.end] for row in read.itertuples()] == ["king", "queen", "red"]
    assert read["start"].iloc[1] == 2, "the first of two occurrences"


def test_a_word_must_be_in_its_sentence(tiny):
    with pytest.raises(ValueError, match=r"Example 2: 'kings' is not a word of its sentence.*Did you mean 'king'"):
        example_vectors((LINES[0], "kings | the king is red"), tiny, layer=1)
    with pytest.raises(ValueError, match=r"Example 2: 'the bank' is not a word .* as in the sentence\.$"):
        example_vectors((LINES[0], "the bank | she is the queen of rome"), tiny, layer=1)
    with pytest.raises(ValueError, match="Example 2: "):
        example_vectors((LINES[0], "king | ..."), tiny, layer=1)


THREE = "king | he works as a king", "queen | she is a queen", "man | he is a man"


@pytest.fixture
def result(tiny, small):
    return features_of_examples(THREE, tiny, corpus=TEXT, dictionary=NAME, draws=20)


def _by_feature(codes, feature):
    """The activations (m,) of a feature (from 1), counted one by one."""
    rows = zip(codes.features, codes.activations, strict=True)
    return np.array([sum(value for one, value in zip(*row, strict=True) if one == feature - 1) for row in rows])


def test_the_measure_is_the_difference_of_two_shares(tiny, small, result):
    table = read_features(TEXT, tiny, dictionary=NAME)
    codes = read(small).codes(example_vectors(THREE, tiny, layer=1)[0])
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
    result = features_of_examples(THREE[:2], tiny, corpus=TEXT, dictionary=NAME, draws=100)
    table = read_features(TEXT, tiny, dictionary=NAME)
    active = np.array([_by_feature(table.codes, feature) > 0 for feature in range(1, 25)]).T
    words = table.occurrences.table["word"].to_numpy()
    m = len(words)
    mean = active.mean(0)
    possible = {(a, b): (active[a].astype(int) + active[b]) / 2 - mean for a, b in combinations(range(m), 2)}
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


def test_a_text_without_repeated_words_has_one_control(tiny, small):
    result = features_of_examples(THREE, tiny, corpus=Corpus(("rome is red",)), dictionary=NAME, draws=5)
    assert list(result.summary["kind"]) == [RANDOM] and result.comparison == ""
    assert len(charts.examples(result).figure.layout.shapes) == 1


def test_what_cannot_be_asked_about_examples_is_refused(tiny, small):
    for draws in (0, MAX_DRAWS + 1):
        with pytest.raises(ValueError, match="draws"):
            features_of_examples(THREE, tiny, corpus=TEXT, dictionary=NAME, draws=draws)
    assert effort(THREE, tiny, corpus=TEXT, dictionary=NAME) == table_effort(TEXT, tiny, dictionary=NAME)
    with pytest.raises(ValueError, match="Example 1: 'kin' is not a word"):
        effort(("kin | he works as a king", THREE[1]), tiny, corpus=TEXT, dictionary=NAME)
    # The text has the same single word, in the same state, as both examples.
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
    others = "she | She sang.", "of | The king of France."
    chance = features_of_examples(others, bundled, corpus=text, dictionary="layer 3")
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
