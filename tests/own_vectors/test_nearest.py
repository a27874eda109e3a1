"""Nearest words against scikit-learn, and the chart."""

import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity

from embtools.charts import own_vectors as charts
from embtools.own_vectors.nearest import mean_cosine, nearest_words
from embtools.own_vectors.word_vectors import WordVectors, example_vectors, in_model


def test_the_nearest_words_are_those_of_scikit_learn(table, tiny):
    found = nearest_words("Rome", tiny, table=table, k=4)
    cosines = cosine_similarity(table.vectors.astype(float))
    row = table.words.index("rome")
    order = [i for i in np.argsort(-cosines[row]) if i != row][:4]
    assert found.word == "rome" and found.table["word"].tolist() == [table.words[i] for i in order]
    np.testing.assert_allclose(found.table["cosine"], cosines[row, order], atol=1e-9)
    upper = np.triu_indices(len(table), 1)
    assert found.mean == pytest.approx(cosines[upper].mean()) == mean_cosine(table.vectors)
    assert found.headline.startswith(f"The word nearest to “rome” is “{table.words[order[0]]}” (cosine ")


def test_the_model_is_compared_among_the_words_that_both_have(table, tiny):
    found = nearest_words("rome", tiny, table=table, k=4)
    known = [word for word in table.words if word in tiny.vocabulary]
    own = np.array([tiny.vector(word) for word in known])
    cosines = cosine_similarity(own)[known.index("rome")]
    expected = [known[i] for i in np.argsort(-cosines) if known[i] != "rome"][:4]
    assert found.in_model["word"].tolist() == expected and found.in_common == len(known) - 1
    here = [word for word in nearest_words("rome", tiny, table=table, k=14).table["word"] if word in known][:4]
    assert found.shared == len(set(here) & set(expected)) and found.expected == pytest.approx(16 / (len(known) - 1))
    assert found.comparison.startswith(f"Among the {len(known) - 1} other words that the model also has")


def test_few_common_words_are_not_compared(table, tiny):
    found = nearest_words("rome", tiny, table=table, k=50)
    known = len(in_model(table.words, tiny)[0]) - 1
    assert len(found.in_model) == known == found.in_common
    assert found.comparison == (
        f"The model knows only {known} of the other words as single tokens, too few for a comparison."
    )


def test_the_example_is_not_compared_with_itself(bundled):
    found = nearest_words("dog", bundled)
    assert found.in_model is None and found.comparison == "" and len(found.table) == 10
    assert set(found.table["word"]) < set(example_vectors(bundled).words) - {"dog"}
    with pytest.raises(ValueError, match="nothing to compare"):
        charts.nearest_in_model(found)


def test_unknown_words_and_numbers_out_of_range(table, tiny):
    with pytest.raises(ValueError, match="'zzz' is not among the 15 words"):
        nearest_words("zzz", tiny, table=table)
    with pytest.raises(ValueError, match="choose 1 to 50"):
        nearest_words("rome", tiny, table=table, k=51)


def test_the_bars_and_their_common_axis(table, tiny):
    found = nearest_words("rome", tiny, table=table, k=4)
    own, model = charts.nearest(found), charts.nearest_in_model(found)
    assert own.figure.layout.yaxis.ticktext == tuple(found.table["word"]) and model.frame is found.in_model
    highest = max(found.table["cosine"].max(), found.in_model["cosine"].max())
    assert own.figure.layout.xaxis.range[1] == model.figure.layout.xaxis.range[1] == pytest.approx(1.03 * highest)
    assert own.alt.startswith("Nearest words of rome: ")


def test_equally_near_words_have_no_winner(tiny) -> None:
    vectors = np.array([[1, 0], [0.5, 0.5], [0.5, 0.5], [0, 1]], np.float32)
    found = nearest_words("rome", tiny, table=WordVectors(("rome", "red", "blue", "king"), vectors, (), "four()"))
    assert found.headline == "“red” and “blue” are equally near to “rome” (cosine 0.71)."
