"""The nearest words by static embedding, compared with scipy's cosine."""

import pandas as pd
import pytest
from scipy.spatial.distance import cosine

from embtools.corpus.static_neighbours import static_neighbours

WORDS = pd.Series(["bank", "king", "river", "rome", "unable", "red"])  # "unable" has two tokens


def by_hand(model, vector, left_out):
    known = [word for word in WORDS if word in model.ids and word != left_out]
    return sorted(((1 - cosine(model.vector(word), vector), word) for word in known), reverse=True)


def test_words_of_the_list_are_ranked_by_cosine(tiny):
    expected = by_hand(tiny, tiny.vector("bank"), "bank")
    found = static_neighbours("bank", tiny, words=WORDS, k=3)
    assert list(found.columns) == ["rank", "word", "cosine"] and found["rank"].tolist() == [1, 2, 3]
    assert found["word"].tolist() == ["bank", *(word for _, word in expected[:2])]
    assert found["cosine"].tolist() == pytest.approx([1, *(value for value, _ in expected[:2])], abs=1e-6)
    without = static_neighbours("bank", tiny, words=WORDS, k=9, same_word=False)
    assert without["word"].tolist() == [word for _, word in expected]


def test_a_word_of_several_tokens_is_the_mean_of_them_and_is_not_listed_for_others(tiny):
    vector = tiny.matrix[[tiny.ids[token] for token in ("un", "##able")]].mean(0)
    expected = by_hand(tiny, vector, "unable")
    found = static_neighbours("unable", tiny, words=WORDS, k=4, same_word=False)
    assert found["word"].tolist() == [word for _, word in expected[:4]]
    assert found["cosine"].tolist() == pytest.approx([value for value, _ in expected[:4]], abs=1e-6)


def test_a_list_without_known_words_leaves_the_word_itself(tiny):
    assert static_neighbours("bank", tiny, words=pd.Series(["unable"]), k=3)["word"].tolist() == ["bank"]
