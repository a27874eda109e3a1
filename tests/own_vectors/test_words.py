"""Words of a file compared: nearest, similar, and associations, against scikit-learn and scipy."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import cosine as scipy_distance
from scipy.stats import spearmanr
from sklearn.metrics.pairwise import cosine_similarity

from embtools.bias.association import weat
from embtools.charts import associations as association_charts
from embtools.charts import own_vectors as matrix_charts
from embtools.charts import own_vectors as nearest_charts
from embtools.contents import size
from embtools.models.unknown_words import UnknownWord
from embtools.models.vectors_as_model import Vectors
from embtools.own_vectors.association import associate
from embtools.own_vectors.frequency import why_unmatched
from embtools.own_vectors.nearest import mean_cosine, nearest_words
from embtools.own_vectors.similarity import similar_words
from embtools.own_vectors.word_vectors import example_vectors, in_model, table_or_example
from embtools.words.frequency import candidates
from embtools.words.word_sets import word_sets
from tests.own_vectors.conftest import made

# Words are found by their spelling, and the example has the model's own vectors


def test_words_are_found_whatever_their_capitals(table):
    assert table.token_id("rome") == table.token_id(" Rome ") == table.names.index("rome")
    both = replace(table, words=("Red", "red", *table.names[2:]))
    assert both.row("Red") == 0 and both.row("red") == 1 and both.row("RED") == 0
    assert table.known(("Rome", "rome", "zzz", "", "blue")) == (("rome", "blue"), ("zzz",))
    with pytest.raises(UnknownWord, match="'roem' is not among the 15 words. Did you mean rome?") as raised:
        table.token_id("roem")
    assert raised.value.near == ("rome",)
    with pytest.raises(UnknownWord, match="'xyzzy' is not among the 15 words. They include red."):
        table.token_id("xyzzy")
    with pytest.raises(ValueError, match="^Write a word, for example red.$"):
        table.token_id(" ")
    assert (table.of(("rome", "blue")) == table.matrix[[5, 2]]).all()


def test_equal_content_is_equal_and_any_difference_counts():
    one = made()
    assert one == made() and hash(one) == hash(made()) and repr(one) == repr(made())
    for other in (made(1), replace(one, labels=()), replace(one, words=one.words[::-1]), replace(one, code="x")):
        assert other != one
    assert one.nbytes > one.matrix.nbytes and size(one) == one.nbytes


def test_the_example_has_the_static_embeddings_of_single_tokens(bundled):
    found = example_vectors(bundled)
    assert 250 < len(found) < 400 and found.code == "example_vectors(model)"
    for word in ("dog", "red", "germany", "salary"):
        np.testing.assert_array_equal(found.of((word,))[0], bundled.vector(word))
    assert dict(zip(found.names, found.labels[0][1], strict=True))["dog"] == "animals"
    assert all(len(bundled.pieces(word)) == 1 for word in found.names)
    assert table_or_example(None, bundled) is found and table_or_example(made(), bundled) == made()


def test_a_cased_model_gets_its_own_spelling(tiny_cased):
    words = ("Rome", "rome", "king", "zzz")
    rows, vectors = in_model(words, tiny_cased)
    assert all(words[row] in tiny_cased.vocabulary for row in rows) and len(vectors) == len(rows) >= 1


def test_words_of_a_model(tiny):
    rows, vectors = in_model(("zzz", "Rome", "[MASK]", "##ing", "king"), tiny)
    assert rows.tolist() == [1, 4]
    np.testing.assert_array_equal(vectors, [tiny.vector("rome"), tiny.vector("king")])


# Nearest words against scikit-learn, and the chart


def test_the_nearest_words_are_those_of_scikit_learn(table, tiny):
    found = nearest_words("Rome", tiny, table=table, k=4)
    cosines = cosine_similarity(table.matrix.astype(float))
    row = table.names.index("rome")
    order = [i for i in np.argsort(-cosines[row]) if i != row][:4]
    assert found.word == "rome" and found.table["word"].tolist() == [table.names[i] for i in order]
    np.testing.assert_allclose(found.table["cosine"], cosines[row, order], atol=1e-9)
    upper = np.triu_indices(len(table), 1)
    assert found.mean == pytest.approx(cosines[upper].mean()) == mean_cosine(table.matrix)
    assert found.headline.startswith(f"The word nearest to “rome” is “{table.names[order[0]]}” (cosine ")


def test_the_model_is_compared_among_the_words_that_both_have(table, tiny):
    found = nearest_words("rome", tiny, table=table, k=4)
    known = [word for word in table.names if word in tiny.vocabulary]
    own = np.array([tiny.vector(word) for word in known])
    cosines = cosine_similarity(own)[known.index("rome")]
    expected = [known[i] for i in np.argsort(-cosines) if known[i] != "rome"][:4]
    assert found.in_model["word"].tolist() == expected and found.in_common == len(known) - 1
    here = [word for word in nearest_words("rome", tiny, table=table, k=14).table["word"] if word in known][:4]
    assert found.shared == len(set(here) & set(expected)) and found.expected == pytest.approx(16 / (len(known) - 1))
    assert found.comparison.startswith(f"Among the {len(known) - 1} other words that the model also has")


def test_few_common_words_are_not_compared(table, tiny):
    found = nearest_words("rome", tiny, table=table, k=50)
    known = len(in_model(table.names, tiny)[0]) - 1
    assert len(found.in_model) == known == found.in_common
    assert found.comparison == (
        f"The model knows only {known} of the other words as single tokens, too few for a comparison."
    )


def test_the_example_is_not_compared_with_itself(bundled):
    found = nearest_words("dog", bundled)
    assert found.in_model is None and found.comparison == "" and len(found.table) == 10
    assert set(found.table["word"]) < set(example_vectors(bundled).words) - {"dog"}
    with pytest.raises(ValueError, match="nothing to compare"):
        nearest_charts.nearest_in_model(found)


def test_unknown_words_and_numbers_out_of_range(table, tiny):
    with pytest.raises(ValueError, match="'zzz' is not among the 15 words"):
        nearest_words("zzz", tiny, table=table)
    with pytest.raises(ValueError, match="choose 1 to 50"):
        nearest_words("rome", tiny, table=table, k=51)


def test_the_bars_and_their_common_axis(table, tiny):
    found = nearest_words("rome", tiny, table=table, k=4)
    own, model = nearest_charts.nearest(found), nearest_charts.nearest_in_model(found)
    assert own.figure.layout.yaxis.ticktext == tuple(found.table["word"]) and model.frame is found.in_model
    highest = max(found.table["cosine"].max(), found.in_model["cosine"].max())
    assert own.figure.layout.xaxis.range[1] == model.figure.layout.xaxis.range[1] == pytest.approx(1.03 * highest)
    assert own.alt.startswith("Nearest words of rome: ")


def test_equally_near_words_have_no_winner(tiny) -> None:
    vectors = np.array([[1, 0], [0.5, 0.5], [0.5, 0.5], [0, 1]], np.float32)
    found = nearest_words("rome", tiny, table=Vectors(("rome", "red", "blue", "king"), vectors, (), "four()"))
    assert found.headline == "“red” and “blue” are equally near to “rome” (cosine 0.71)."


# Cosines against scikit-learn, the agreement with a model against scipy, and the heatmaps

WORDS = ("red", "green", "rome", "king", "queen", "zzz")


def test_cosines_pairs_and_words_that_are_missing(table, tiny):
    found = similar_words(WORDS, tiny, table=table)
    assert found.names == WORDS[:5] and found.left_out == ("zzz",)
    np.testing.assert_allclose(found.cosines, cosine_similarity(table.of(WORDS[:5]).astype(float)), atol=1e-9)
    assert len(found.pairs) == 10 and found.pairs["cosine"].is_monotonic_decreasing
    first = found.pairs.iloc[0]
    i, j = found.names.index(first["first"]), found.names.index(first["second"])
    assert first["cosine"] == found.cosines[i, j] and f"“{first['first']}” and “{first['second']}”" in found.headline


def test_the_agreement_with_the_model_is_that_of_scipy(table, tiny):
    found = similar_words(WORDS[:5], tiny, table=table)
    own = cosine_similarity(np.array([tiny.vector(word) for word in WORDS[:5]], float))
    np.testing.assert_allclose(found.in_model, own, atol=1e-6)
    upper = np.triu_indices(5, 1)
    assert found.agreement.rho == pytest.approx(spearmanr(found.cosines[upper], own[upper]).statistic)
    assert "Both rank the pairs of the 5 words" in found.comparison


def test_words_that_are_no_token_of_the_model_have_no_value_there(table, tiny):
    from dataclasses import replace

    odd = replace(table, words=("unheardof", *table.names[1:]))
    found = similar_words(("unheardof", "green", "rome", "king"), tiny, table=odd)
    assert np.isnan(found.in_model[0]).all() and np.isfinite(found.in_model[1:, 1:]).all()
    assert found.agreement is None and "fewer than four" in found.comparison
    chart = matrix_charts.heatmap_in_model(found)
    assert "3 of the 4 words" in chart.alt


def test_lists_that_cannot_be_compared(table, tiny):
    none, one, many = (
        (("zzz",), "have none of these words"),
        (("red",), "have only one of these"),
        (("red",) * 61, "at most 60"),
    )
    for words, message in (none, one, many):
        with pytest.raises(ValueError, match=message):
            similar_words(words, tiny, table=table)


def test_the_heatmap_shows_the_cosines(table, bundled):
    found = similar_words(("red", "blue", "dog"), bundled)
    assert found.in_model is None and found.comparison == "" and "model_cosine" not in found.pairs
    shown = matrix_charts.heatmap(found).figure.data[0].z
    assert np.isnan(np.diag(shown)).all()
    np.testing.assert_allclose(shown[0, 1:], found.cosines[0, 1:], atol=1e-6)
    assert matrix_charts.heatmap(found).figure.layout.coloraxis.cmax == found.pairs["cosine"].abs().max()
    with pytest.raises(ValueError, match="nothing to compare"):
        matrix_charts.heatmap_in_model(found)
    many = similar_words(table.names, bundled, table=table)
    own, model = matrix_charts.heatmap(many), matrix_charts.heatmap_in_model(many)
    reach = many.pairs[["cosine", "model_cosine"]].abs().max().max()
    assert own.figure.layout.coloraxis.cmax == model.figure.layout.coloraxis.cmax == reach
    assert own.figure.data[0].texttemplate is None


def test_equally_similar_pairs_have_no_winner(tiny) -> None:
    vectors = np.array([[1, 0], [1, 0], [1, 0], [0, 1]], np.float32)
    table = Vectors(("rome", "red", "blue", "king"), vectors, (), "four()")
    found = similar_words(("rome", "red", "blue"), tiny, table=table)
    assert found.headline == "3 pairs are equally similar (cosine 1.00), so none is the most similar one."


# WEAT on a table equals the formula in plain loops, and on the example that of the Bias page

X, Y, A, B = ("red", "green", "blue"), ("king", "queen", "man"), ("rome", "paris"), ("woman", "she")


def test_the_effect_size_by_plain_loops(table, tiny):
    found = associate(X, Y, A, B, tiny, table=table)
    vector = dict(zip(table.names, table.matrix.astype(float), strict=True))
    scores = np.array(
        [
            np.mean([1 - scipy_distance(vector[w], vector[a]) for a in A])
            - np.mean([1 - scipy_distance(vector[w], vector[b]) for b in B])
            for w in (*X, *Y)
        ]
    )
    assert found.effect == pytest.approx((scores[:3].mean() - scores[3:].mean()) / scores.std())
    assert found.exact and found.partitions == 20 and found.left_out == ()


@pytest.mark.parametrize("number", [6, 7, 8])
def test_on_the_example_it_is_the_test_of_the_bias_page(number, bundled):
    """Whose words are the same: those that are single tokens."""
    sets = word_sets(number)
    found, other = associate(*sets, bundled), weat(*sets, bundled)
    assert (found.effect, found.p, found.low, found.high) == pytest.approx(
        (other.effect, other.p, other.low, other.high)
    )
    assert set(found.left_out) == set(other.left_out) and found.names == other.names
    assert set(found.scores["word"]) < set(example_vectors(bundled).words)


def test_missing_words_are_named(table, tiny):
    assert associate((*X, "zzz"), Y, A, (*B, "yyy"), tiny, table=table).left_out == ("zzz", "yyy")


@pytest.mark.parametrize(
    ("sets", "message"),
    [
        ((("zzz", "yyy"), Y, A, B), "Set X needs at least two words that are among the vectors, but these have none"),
        (
            (X, ("king", "zzz"), A, B),
            "Set Y needs at least two words that are among the vectors, but these have only king",
        ),
        ((X, (*Y, "red"), A, B), "'red' is in both X and Y"),
        ((X, Y, A, ("rome", "she")), "'rome' is in both A and B"),
        ((("red",) * 61, Y, A, B), "at most 60"),
    ],
)
def test_sets_that_cannot_be_tested(sets, message, table, tiny):
    with pytest.raises(ValueError, match=message):
        associate(*sets, tiny, table=table)


def test_the_words_and_their_means(table, tiny):
    found = associate(X, Y, A, B, tiny, table=table)
    chart = association_charts.words(found)
    points = [trace for trace in chart.figure.data if trace.mode == "markers+text"]
    assert [set(trace.text) for trace in points] == [set(X), set(Y)]
    means = found.scores.groupby("set")["association"].mean()
    lines = [trace.x[0] for trace in chart.figure.data if trace.mode == "lines"]
    np.testing.assert_allclose(lines, [means["X"], means["Y"]], rtol=1e-5)
    assert found.scores["word"].iloc[0] in chart.alt


# Random pairs of a file's words are matched for frequency only if its lines are ranks


def test_a_file_is_matched_for_frequency_only_if_it_lists_common_words_first(bundled):
    """Its rare words are similar to each other, as a model's are, so most pairs of rare words are more similar."""
    words = [bundled.vocabulary[i] for i in np.flatnonzero(candidates(bundled))]
    vectors = bundled.matrix[[bundled.ids[word] for word in words]]
    matched = Vectors(tuple(words), vectors)
    backwards = Vectors(tuple(words[::-1]), vectors[::-1])
    short = Vectors(tuple(words[:1_999]), vectors[:1_999])
    assert [bool(why_unmatched(table, bundled)) for table in (None, matched, backwards, short)] == [0, 0, 1, 1]
    assert "begin with common words" in why_unmatched(backwards, bundled)
    assert "fewer than 2,000" in why_unmatched(short, bundled)
    chosen = ("beige", "turquoise", "black", "white")
    found, plain, example = (similar_words(chosen, bundled, table=table) for table in (matched, backwards, None))
    assert found.headline.startswith("“black” and “white” are most similar") and not found.note
    assert plain.note and "equally common" not in plain.headline

    def share(result):
        return result.pairs.set_index(["first", "second"]).loc[("beige", "turquoise"), "above"]

    assert share(plain) > 0.95 > 0.9 > share(found) == pytest.approx(share(example), abs=0.03)
    near = nearest_words("beige", bundled, table=matched)
    assert "random pairs of equally common words" in near.headline and not near.note
