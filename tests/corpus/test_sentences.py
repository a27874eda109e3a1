"""Sentences by meaning, compared with a plain loop."""

import pytest
from scipy.spatial.distance import cosine

from embtools.corpus.sentences import similar_sentences
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.spaces.fitting import fit
from embtools.spaces.space import CENTRED, Space


def test_by_meaning_agrees_with_a_plain_loop(tiny, small):
    query = "The queen is in Paris."
    found = similar_sentences(small, tiny, sentence=query, recipe="layer 1", k=4)
    mean = tiny.hidden_states(query)[1].mean(0)
    expected = sorted(small.sentences, key=lambda s: cosine(tiny.hidden_states(s)[1].mean(0), mean))
    assert found.by_meaning["sentence"].tolist() == expected[:4] and found.count == 8
    values = [1 - cosine(tiny.hidden_states(s)[1].mean(0), mean) for s in expected[:4]]
    assert found.by_meaning["cosine"].tolist() == pytest.approx(values, abs=1e-5)
    for row in found.by_words.itertuples():
        assert expected.index(row.sentence) + 1 == row.rank


def test_in_a_space_the_means_of_processed_pieces_are_compared(tiny, small):
    query = "The queen is in Paris."
    found = similar_sentences(small, tiny, sentence=query, recipe="layer 1", k=4, space=Space(CENTRED))
    fitted = fit(encode_corpus(small, tiny, recipe="layer 1").vectors, Space(CENTRED))
    mean = fitted.apply(tiny.hidden_states(query)[1]).mean(0)
    values = {s: 1 - cosine(fitted.apply(tiny.hidden_states(s)[1]).mean(0), mean) for s in small.sentences}
    assert found.by_meaning["sentence"].tolist() == sorted(values, key=lambda s: -values[s])[:4]
    assert found.by_meaning["cosine"].tolist() == pytest.approx(sorted(values.values())[::-1][:4], abs=1e-5)


def test_shared_words_do_not_use_meaning(tiny):
    text = Corpus(("the king works", "red green blue", "a queen", "queen queen of France"))
    found = similar_sentences(text, tiny, sentence="Queen", recipe="layer 1")
    assert found.by_words["sentence"].tolist() == ["a queen", "queen queen of France"] or found.by_words[
        "sentence"
    ].tolist() == ["queen queen of France", "a queen"]
    meaning = found.by_meaning.set_index("sentence")["words"]
    assert meaning["the king works"] == meaning["red green blue"] == 3.5  # none shares a word: the middle of 3 and 4


def test_the_sentence_itself_is_left_out(tiny, small):
    found = similar_sentences(small, tiny, sentence=f"  {small.sentences[0]} ", recipe="layer 1")
    assert found.count == 7 and small.sentences[0] not in set(found.by_meaning["sentence"])


@pytest.mark.parametrize(
    "sentence, message", [(" ", "There is no sentence to search for. Write one."), ("king " * 300, "at most 1,000")]
)
def test_errors_for_sentences_that_cannot_be_searched(tiny, small, sentence, message):
    with pytest.raises(ValueError, match=message):
        similar_sentences(small, tiny, sentence=sentence, recipe="layer 1")
    with pytest.raises(ValueError, match="choose 1 to 50"):
        similar_sentences(small, tiny, sentence="king", recipe="layer 1", k=0)
    with pytest.raises(ValueError, match="no other sentence"):
        similar_sentences(Corpus(("the king",)), tiny, sentence="the king", recipe="layer 1")
