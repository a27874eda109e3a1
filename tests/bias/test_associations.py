"""Association tests, directions and set measures, against WEFE, scikit-learn, brute force and the published formulas."""

import math

import numpy as np
import pytest
from scipy.spatial.distance import cosine as scipy_distance
from scipy.stats import entropy
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression

from embtools.bias import association, directions, published_tests, verdict
from embtools.bias.directions import other_measures
from embtools.models.vectors_as_model import Vectors
from embtools.statistics import association as statistics_association
from embtools.words import word_sets

X, Y, A, B = ("king", "man", "he"), ("queen", "woman", "she"), ("red", "green"), ("rome", "paris")


def test_weat_uses_the_static_embeddings(tiny):
    vectors = [np.stack([tiny.vector(w) for w in words])[:, None] for words in (X, Y, A, B)]
    expected = statistics_association.association(vectors, X, Y)
    found = association.weat(X, Y, A, B, tiny)
    assert (found.effect, found.p, found.low) == (expected.effect, expected.p, expected.low)
    assert found.left_out == ()


def test_words_of_several_tokens_are_left_out_or_averaged(tiny):
    left = association.weat((*X, "unable"), Y, A, B, tiny)
    assert left.left_out == ("unable",)
    assert left.effect == association.weat(X, Y, A, B, tiny).effect
    mean = association.weat((*X, "unable"), Y, A, B, tiny, pieces="mean")
    assert mean.left_out == () and "unable" in set(mean.scores["word"])


@pytest.mark.parametrize(("pooling", "layer"), [("cls", 1), ("mean", -1), ("word", 1)])
def test_seat_pools_hidden_states(pooling, layer, tiny):
    templates = ("is {word} red?", "a {word}")

    def vector(word, template):
        states = tiny.hidden_states(template.replace("{word}", word))[layer]
        at = [2]  # after [CLS] and one word, in both
        return {"cls": states[0], "mean": states[1:-1].mean(0), "word": states[at].mean(0)}[pooling]

    vectors = [np.array([[vector(w, t) for t in templates] for w in words]) for words in (X, Y, A, B)]
    expected = statistics_association.association(vectors, X, Y)
    found = association.seat(X, Y, A, B, tiny, templates=templates, pooling=pooling, layer=layer)
    assert found.effect == pytest.approx(expected.effect, abs=1e-4)
    assert found.p == expected.p


@pytest.mark.parametrize(
    ("x", "y", "a", "b", "message"),
    [
        (("king",), Y, A, B, "Set X needs at least two different words; it has 1"),
        (X, (*Y, "king"), A, B, "in both X and Y"),
        (X, Y, A, A, "in both A and B"),
        (tuple(map(str, range(61))), Y, A, B, "Set X has 61 words, but at most 60"),
        (("unable", "bankable", "king"), Y, A, B, "Only 1 of the 3 words of set X can be used"),
        (("king", "King"), Y, A, B, "'king' and 'King' are the same word for this model"),
        (X, Y, A, (*B, "Red"), "'red' and 'Red' are the same word for this model"),
    ],
)
def test_bad_sets_say_what_to_do(x, y, a, b, message, tiny):
    with pytest.raises(ValueError, match=message):
        association.weat(x, y, a, b, tiny)


@pytest.mark.parametrize("position", [0, 3])
def test_a_word_that_the_model_cannot_read_is_named(position, tiny):
    sets = [X, Y, A, B]
    sets[position] = (*sets[position], "red ᚠ")
    for test, options in (
        (association.weat, {"pieces": "mean"}),
        (association.weat, {}),
        (association.seat, {"pooling": "word"}),
        (other_measures, {}),
    ):
        with pytest.raises(ValueError, match="'red ᚠ' cannot be read"):
            test(*sets, tiny, **options)


def test_the_same_spelling_counts_once_and_attributes_may_be_targets(tiny):
    assert association.weat((*X, "king"), Y, A, B, tiny).effect == association.weat(X, Y, A, B, tiny).effect
    assert association.weat(X, Y, ("king", "red"), ("queen", "rome"), tiny).partitions == math.comb(6, 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"templates": ("These are {word}s.",), "pooling": "mean"}, "touches a letter or digit"),
        ({"templates": ()}, "0 templates"),
        ({"templates": ("This is it.",)}, "needs one {word}"),
        ({"permutations": 5}, "choose 99"),
        ({"layer": True}, "no layer True"),
    ],
)
def test_bad_seat_options(options, message, tiny):
    with pytest.raises(ValueError, match=message):
        association.seat(X, Y, A, B, tiny, **options)


def test_seat_limits_the_total_number_of_tokens(tiny, monkeypatch):
    words, templates = {*X, *Y, *A, *B}, ("is {word} red?", "a {word}")
    total = sum(len(tiny.tokenize(t.replace("{word}", w))) for w in words for t in templates)
    monkeypatch.setattr(association, "MAX_PIECES", total)
    association.seat(X, Y, A, B, tiny, templates=templates)
    monkeypatch.setattr(association, "MAX_PIECES", total - 1)
    with pytest.raises(ValueError, match=f"{total} tokens in total; at most {total - 1}"):
        association.seat(X, Y, A, B, tiny, templates=templates)


def test_the_effort_grows_with_what_is_read(tiny):
    templates, words = ("This is {word}.",), ("king", "queen")
    once = association.effort(templates, words, words, model=tiny)
    assert 0 < once < association.effort(templates, words, ("he", "unable"), model=tiny)


def test_battery_is_each_test_alone_and_those_without_enough_words_have_no_numbers(bundled, tiny):
    tests = published_tests.battery(bundled)
    found = tests.frame
    assert len(found) == 10 and tests.clear == verdict.battery(found)
    for number in (6, 9):
        alone = association.weat(*word_sets.word_sets(number), bundled)
        row = found.iloc[number - 1]
        assert (row["effect"], row["p_value"], row["left_out"]) == (alone.effect, alone.p, len(alone.left_out))
    assert (found["p_adjusted"] >= found["p_value"]).all()
    assert (found["left_out"] <= found["words"]).all()
    found = published_tests.battery(tiny).frame
    assert found["effect"].isna().all() and (found["left_out"] == found["words"]).all()


FIRST, SECOND = ("he", "man", "king"), ("she", "woman", "queen")


def rows_of(words, model):
    return np.stack([model.vector(w) for w in words]).astype(float)


def test_difference_is_between_the_means(tiny):
    axis = directions.direction(FIRST, SECOND, tiny)
    expected = rows_of(SECOND, tiny).mean(0) - rows_of(FIRST, tiny).mean(0)
    np.testing.assert_allclose(axis, expected / np.linalg.norm(expected), atol=1e-6)


def test_pca_is_scikit_learns_on_centred_pairs(tiny):
    a, b = rows_of(FIRST, tiny), rows_of(SECOND, tiny)
    middle = (a + b) / 2
    pca = PCA().fit(np.concatenate([a - middle, b - middle]))
    axis = directions.direction(FIRST, SECOND, tiny, how="pca")
    assert abs(pca.components_[0] @ axis) == pytest.approx(1, abs=1e-5)
    assert ((b - a) @ axis).mean() > 0
    shares = directions.explained(FIRST, SECOND, tiny)
    np.testing.assert_allclose(shares["share"], pca.explained_variance_ratio_[:3], atol=1e-6)
    assert shares["random"].sum() == pytest.approx(1)


def test_projections_are_cosine_and_inner_product(tiny):
    axis = directions.direction(("he",), ("she",), tiny)
    found = directions.projections(("king", "bank"), tiny, axis=axis)
    for row, vector in zip(found.itertuples(), rows_of(("king", "bank"), tiny), strict=True):
        assert row.dot_product == pytest.approx(vector @ axis, abs=1e-6)
        assert row.cosine == pytest.approx(vector @ axis / np.linalg.norm(vector), abs=1e-6)
    gap = directions.projections(("she", "he"), tiny, axis=axis)["dot_product"]
    assert gap[0] - gap[1] == pytest.approx(np.linalg.norm(tiny.vector("she") - tiny.vector("he")), abs=1e-5)


def test_indirect_bias_is_bolukbasis_formula(tiny):
    axis = directions.direction(("he",), ("she",), tiny)
    found = directions.indirect_bias(("king", "bank"), tiny, reference="rome", axis=axis)
    for row, w in zip(found.itertuples(), rows_of(("king", "bank"), tiny), strict=True):
        w, v = w / np.linalg.norm(w), rows_of(("rome",), tiny)[0] / np.linalg.norm(tiny.vector("rome"))
        w_rest, v_rest = w - (w @ axis) * axis, v - (v @ axis) * axis
        beta = (w @ v - w_rest @ v_rest / (np.linalg.norm(w_rest) * np.linalg.norm(v_rest))) / (w @ v)
        assert row.beta == pytest.approx(beta, abs=1e-4)


def test_set_measures_are_wefes():
    rng = np.random.default_rng(7)
    sets = [rng.standard_normal((n, 8)).astype(np.float32) for n in (5, 6, 4, 4)]
    found = directions.set_measures(*sets)
    # RND and ECT with normalize=True on the first attribute set, MAC on both: WEFE 1.0.1 on these rows_of.
    assert found["RND"] == pytest.approx(-0.06389738619327545, abs=1e-6)
    assert found["ECT"] == pytest.approx(0.4)
    assert found["MAC"] == pytest.approx(0.9166662924609166, abs=1e-6)
    x, y, a, b = (s / np.linalg.norm(s, axis=1, keepdims=True) for s in sets)
    axis = (y.mean(0) - x.mean(0)) / np.linalg.norm(y.mean(0) - x.mean(0))
    towards_x = sets[0].mean(0) - sets[1].mean(0)
    assert found["RIPA"] == pytest.approx(np.mean(sets[2] @ towards_x) / np.linalg.norm(towards_x), abs=1e-6)
    assert found["direct bias"] == pytest.approx(np.mean([abs(v @ axis) for v in (*a, *b)]), abs=1e-6)
    attributes, sides = np.concatenate([a, b]), [0] * len(a) + [1] * len(b)
    classifier = LogisticRegression(solver="liblinear").fit(attributes, sides)
    chances = np.array([classifier.predict_proba(v[None])[0, 1] for v in (*x, *y)])
    equal = np.full(len(chances), 1 / len(chances))
    assert found["RNSB"] == pytest.approx(entropy(chances / chances.sum(), equal), abs=1e-6)
    assert found["RNSB"] > 1e-4


@pytest.mark.parametrize(
    ("first", "second", "how", "message"),
    [
        (("unable",), ("she",), "difference", "not a single token"),
        (("he",), ("he",), "pca", "no direction"),
        (("he",), ("she",), "x", "no method 'x' to find a direction. Choose one of difference, pca"),
        (("he",) * 61, ("she",), "difference", "61 words, but at most 60"),
        (("he", "king"), ("he", "king"), "explained", "no direction"),
        (("he",) * 15, ("she",) * 15, "explained", "words to draw pairs from. Use at most 1"),
    ],
)
def test_bad_groups_and_pairs_say_what_to_do(first, second, how, message, tiny):
    named = {} if how == "explained" else {"how": how}
    with pytest.raises(ValueError, match=message):
        (directions.direction if named else directions.explained)(first, second, tiny, **named)


@pytest.mark.parametrize(("words", "message"), [((), "0 words"), (("king",) * 1_001, "use 1 to 1,000")])
def test_words_to_measure_are_limited(words, message, tiny):
    axis = directions.direction(("he",), ("she",), tiny)
    with pytest.raises(ValueError, match=message):
        directions.projections(words, tiny, axis=axis)
    with pytest.raises(ValueError, match=message):
        directions.indirect_bias(words, tiny, reference="rome", axis=axis)


def test_ripa_of_one_pair_equals_the_article_and_wefe_and_is_zero_without_a_difference():
    rng = np.random.default_rng(0)
    words, x, y = (rng.normal(size=(n, 8)) for n in (5, 1, 1))
    b = (x[0] - y[0]) / np.linalg.norm(x[0] - y[0])
    found = directions.ripa(words, x, y)
    np.testing.assert_allclose(found, [w @ b for w in words])  # WEFE 1.0 gives their mean
    assert directions.ripa(x, x, y)[0] > directions.ripa(y, x, y)[0]
    same = np.ones((2, 4))
    assert directions.ripa(same, same, same).tolist() == [0, 0]


def test_the_table_says_which_sign_means_what(bundled):
    sets = (("he", "man"), ("she", "woman"), ("king", "father"), ("queen", "mother"))
    table = directions.other_measures(*sets, bundled).set_index("measure")
    assert table.loc["RIPA", "value"] > 0 and "Above 0: closer to X." in table.loc["RIPA", "meaning"]
    assert table.loc["RND", "value"] < 0 and "Below 0: closer to X." in table.loc["RND", "meaning"]


# WEAT on the vectors of a file equals the formula in plain loops, and on a model's own rows that of the model

COLOURS, PEOPLE, PLACES, WOMEN = ("red", "green", "blue"), ("king", "queen", "man"), ("rome", "paris"), ("woman", "she")
IN_FILE = COLOURS, PEOPLE, PLACES, WOMEN


def test_the_effect_size_of_a_file_by_plain_loops(table):
    found = association.weat(*IN_FILE, table)
    vector = dict(zip(table.names, table.matrix.astype(float), strict=True))
    scores = np.array(
        [
            np.mean([1 - scipy_distance(vector[w], vector[a]) for a in PLACES])
            - np.mean([1 - scipy_distance(vector[w], vector[b]) for b in WOMEN])
            for w in (*COLOURS, *PEOPLE)
        ]
    )
    assert found.effect == pytest.approx((scores[:3].mean() - scores[3:].mean()) / scores.std())
    assert found.exact and found.partitions == 20 and found.left_out == ()
    assert association.weat((*COLOURS, "zzz"), PEOPLE, PLACES, (*WOMEN, "yyy"), table).left_out == ("zzz", "yyy")


@pytest.mark.parametrize("number", [6, 8])
def test_the_rows_of_a_model_give_the_test_of_the_model(number, bundled):
    sets = word_sets.word_sets(number)
    known = sorted({word for words in sets for word in words if len(bundled.pieces(word)) == 1})
    found = association.weat(*sets, Vectors(known, np.array([bundled.vector(word) for word in known])))
    other = association.weat(*sets, bundled)
    numbers = [(each.effect, each.p, each.low, each.high) for each in (found, other)]
    assert numbers[0] == pytest.approx(numbers[1])
    assert set(found.left_out) == set(other.left_out) and found.names == other.names


@pytest.mark.parametrize(
    ("sets", "message"),
    [
        (
            (("zzz", "yyy"), *IN_FILE[1:]),
            "Only 0 of the 2 words of set X can be used, because the vectors do not have the",
        ),
        ((COLOURS, (*PEOPLE, "red"), PLACES, WOMEN), "'red' is in both X and Y"),
        ((COLOURS, (*PEOPLE, "Red"), PLACES, WOMEN), "'red' and 'Red' are the same word for this model"),
    ],
)
def test_sets_of_a_file_that_cannot_be_tested(sets, message, table):
    with pytest.raises(ValueError, match=message):
        association.weat(*sets, table)
