"""The nearest words of any named vectors against scikit-learn, and words in a space next to its controls."""

import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity

from embtools.charts import similarity as charts
from embtools.models.unknown_words import UnknownWord
from embtools.models.vectors_as_model import Vectors
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus, word_means
from embtools.similarity.in_spaces import group_means, odd_by_space
from embtools.similarity.nearest import mean_cosine, nearest_words, shared_neighbours
from embtools.similarity.odd_words import odd_one_out
from embtools.spaces.controls import AFTER, BEFORE, with_controls
from embtools.spaces.of_model import in_space
from embtools.spaces.space import CENTRED, TOP, WHITENED, Space
from embtools.words.frequency import candidates
from tests.drawn import HOSTILE, shows_no_markup
from tests.named_vectors import made

TOP_FIVE = Space(TOP, 5)


def test_the_nearest_words_of_a_file_are_those_of_scikit_learn():
    table = made()
    found = nearest_words("Rome", table, k=4)
    cosines = cosine_similarity(table.matrix.astype(float))
    row = table.names.index("rome")
    order = [i for i in np.argsort(-cosines[row]) if i != row]
    assert found.word == "rome" and found.table["raw"].tolist() == [table.names[i] for i in order[:4]]
    np.testing.assert_allclose(found.table["raw_cosine"], cosines[row, order[:4]], atol=1e-6)
    assert found.ranked == tuple(table.names[i] for i in order)
    upper = np.triu_indices(len(table), 1)
    assert found.means[BEFORE] == pytest.approx(cosines[upper].mean(), abs=1e-6) == mean_cosine(table.matrix)
    assert found.headline.startswith(f"The word nearest to “rome” is “{table.names[order[0]]}” (cosine ")
    assert "fewer than 2,000 words" in found.note and "equally common" not in found.headline


def test_the_nearest_words_of_a_model_in_a_space_and_its_controls(bundled):
    found = nearest_words("rome", bundled, space=TOP_FIVE, k=6)
    for name, space in with_controls(TOP_FIVE).items():
        seen = in_space(bundled, space=space)
        near = cosine_similarity(seen.vector("rome")[None], seen.matrix)[0]
        near[~candidates(bundled)] = -2
        near[bundled.token_id("rome")] = -2
        best = np.argsort(-near)[:6]
        column = name.replace(" ", "_")
        words = found.table.get(name, found.table.get(column))
        assert list(words) == [bundled.vocabulary[i] for i in best]
        np.testing.assert_allclose(found.table[f"{column}_cosine"], near[best], atol=1e-5)
        if name in (BEFORE, AFTER):
            assert found.means[name] == pytest.approx(mean_cosine(seen.matrix[candidates(bundled)]))
    new = [word for word in found.table[AFTER] if word not in set(found.table[BEFORE])]
    assert found.headline.startswith("Of the 6 words nearest to rome, ") and all(word in found.headline for word in new)
    chart = charts.nearest(found, AFTER)
    assert [shape == "/" for shape in chart.figure.data[0].marker.pattern.shape] == [
        word in new for word in found.table[AFTER]
    ]
    assert [text.endswith("•") for text in chart.y.labels] == [word in new for word in found.table[AFTER]]
    assert chart.alt.startswith("Nearest words of rome, processed: ") and chart.frame is found.table


def test_two_sources_are_compared_among_the_words_that_both_have(tiny):
    table = made()
    one, other = nearest_words("rome", table, k=4), nearest_words("rome", tiny, k=4)
    known = [word for word in one.ranked if word in set(other.ranked)]
    theirs = [word for word in other.ranked if word in set(known)][:4]
    shared = len(set(known[:4]) & set(theirs))
    assert shared_neighbours(one, other, ("A", "B")) == (
        f"Among the {len(known)} other words that both have, {shared} of the 4 nearest in A are also among the 4"
        f" nearest in B (expected by chance: {16 / len(known):.1f})."
    )
    few = nearest_words("rome", table, k=14)
    assert "share only" in shared_neighbours(few, nearest_words("rome", tiny, k=14), ("A", "B"))


def test_equally_near_words_have_no_winner() -> None:
    vectors = np.array([[1, 0], [0.5, 0.5], [0.5, 0.5], [0, 1]], np.float32)
    found = nearest_words("rome", Vectors(("rome", "red", "blue", "king"), vectors))
    assert found.headline == "“red” and “blue” are equally near to “rome” (cosine 0.71)."
    with pytest.raises(ValueError, match="'red' is a zero vector in this space. Choose another word or space."):
        nearest_words("red", Vectors(("rome", "red", "king"), np.array([[1, 1], [2, 2], [3, 3]])), space=Space(CENTRED))
    nasty = Vectors((HOSTILE, "red", "blue", "king"), vectors)
    assert shows_no_markup(charts.nearest(nearest_words("red", nasty)).figure)


def test_unknown_words_and_numbers_out_of_range(tiny):
    with pytest.raises(UnknownWord, match="'zzz' is not among the 15 words"):
        nearest_words("zzz", made())
    with pytest.raises(ValueError, match="choose 1 to 50"):
        nearest_words("rome", tiny, k=51)


def test_groups_are_compared_in_every_space(bundled):
    text = "colours: red, white, black\nseasons: winter, summer, spring\nnothing: xylophonist"
    found, space = group_means(text, bundled, space=TOP_FIVE), in_space(bundled, space=TOP_FIVE)
    assert found.left_out == ("xylophonist",) and list(found.table["space"]) == list(with_controls(TOP_FIVE))
    rows = np.array([space.vector(word) for word in ("red", "white", "black", "winter", "summer", "spring")])
    cosines, label = cosine_similarity(rows), np.repeat([0, 1], 3)
    i, j = np.triu_indices(6, 1)
    same = label[i] == label[j]
    row = found.table.set_index("space").loc[AFTER]
    assert row["within"] == pytest.approx(cosines[i, j][same].mean(), abs=1e-6)
    assert row["between"] == pytest.approx(cosines[i, j][~same].mean(), abs=1e-6)
    assert "after processing" in found.headline
    with pytest.raises(ValueError, match="Only 2 of these words"):
        group_means("a: red, white", bundled)
    with pytest.raises(ValueError, match="Remove 1."):
        group_means("a: " + ", ".join(f"w{i}" for i in range(151)), bundled)


def test_the_odd_one_out_has_the_least_mean_cosine_in_every_space(bundled):
    words = ("red", "blue", "green", "horse")
    found = odd_by_space(words, bundled, space=Space(WHITENED))
    assert (found.table.set_index("word").idxmin() == "horse").all() and list(found.table["word"]) == list(words)
    plain = odd_one_out(words, bundled).table.set_index("word")["cosine"]
    np.testing.assert_allclose(found.table["raw"], plain.reindex(words))
    assert found.headline.startswith("The odd one out is horse, both with raw vectors (mean cosine ")
    with pytest.raises(ValueError, match="at least 3"):
        odd_by_space(("red", "blue"), bundled)


@pytest.mark.slow
def test_words_in_texts_are_the_means_of_their_occurrences(bundled):
    read = encode_corpus(built_in_corpus(), bundled, combination="layer 4")
    found = word_means(bundled, combination="layer 4")
    for word in ("bank", "the", "rome"):
        np.testing.assert_allclose(found.vector(word), read.vectors[read.of(word)].mean(0), atol=1e-5)
    counts = [len(read.of(word)) for word in found.names[:50]]
    assert counts == sorted(counts, reverse=True) and all(word[0].isalpha() for word in found.names)
