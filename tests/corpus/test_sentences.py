"""Sentences by meaning, compared with a plain loop; those of a folder with means computed directly."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cosine

from embtools.corpus.sentences import Matches, refusal, similar_sentences
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.occurrences.folder import reading
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.sentences import seconds
from embtools.spaces.fitting import fit
from embtools.spaces.space import AS_IS, CENTRED, WHITENED, Space


def test_by_meaning_agrees_with_a_plain_loop(tiny, small):
    query = "The queen is in Paris."
    found = similar_sentences(small, tiny, sentence=query, combination="layer 1", k=4)
    mean = tiny.hidden_states(query)[1].mean(0)
    expected = sorted(small.sentences, key=lambda s: cosine(tiny.hidden_states(s)[1].mean(0), mean))
    assert found.by_meaning["sentence"].tolist() == expected[:4] and found.count == 8
    values = [1 - cosine(tiny.hidden_states(s)[1].mean(0), mean) for s in expected[:4]]
    assert found.by_meaning["cosine"].tolist() == pytest.approx(values, abs=1e-5)
    assert found.by_words["words"].is_monotonic_increasing
    for row in found.by_words.itertuples():
        assert expected.index(row.sentence) + 1 == row.rank


def test_in_a_space_the_means_of_processed_tokens_are_compared(tiny, small):
    query = "The queen is in Paris."
    found = similar_sentences(small, tiny, sentence=query, combination="layer 1", k=4, space=Space(CENTRED))
    fitted = fit(encode_corpus(small, tiny, combination="layer 1").vectors, Space(CENTRED))
    mean = fitted.apply(tiny.hidden_states(query)[1]).mean(0)
    values = {s: 1 - cosine(fitted.apply(tiny.hidden_states(s)[1]).mean(0), mean) for s in small.sentences}
    assert found.by_meaning["sentence"].tolist() == sorted(values, key=lambda s: -values[s])[:4]
    assert found.by_meaning["cosine"].tolist() == pytest.approx(sorted(values.values())[::-1][:4], abs=1e-5)


def test_shared_words_do_not_use_meaning(tiny):
    text = Corpus(("the king works", "red green blue", "a queen", "queen queen of France"))
    found = similar_sentences(text, tiny, sentence="Queen", combination="layer 1")
    assert sorted(found.by_words["sentence"]) == ["a queen", "queen queen of France"]
    meaning = found.by_meaning.set_index("sentence")["words"]
    assert meaning["the king works"] == meaning["red green blue"] == 3.5  # none shares a word: the middle of 3 and 4


def test_the_sentence_itself_is_left_out(tiny, small):
    found = similar_sentences(small, tiny, sentence=f"  {small.sentences[0]} ", combination="layer 1")
    assert found.count == 7 and small.sentences[0] not in set(found.by_meaning["sentence"])


@pytest.mark.parametrize(
    "sentence, message", [(" ", "There is no sentence to search for. Write one."), ("king " * 300, "at most 1,000")]
)
def test_errors_for_sentences_that_cannot_be_searched(tiny, small, sentence, message):
    with pytest.raises(ValueError, match=message):
        similar_sentences(small, tiny, sentence=sentence, combination="layer 1")
    with pytest.raises(ValueError, match="choose 1 to 50"):
        similar_sentences(small, tiny, sentence="king", combination="layer 1", k=0)
    with pytest.raises(ValueError, match="no other sentence"):
        similar_sentences(Corpus(("the king",)), tiny, sentence="the king", combination="layer 1")


def listed(*sentences):
    return pd.DataFrame({"sentence": sentences})


def test_the_headline():
    near, sharing = listed("a", "b", "c"), listed("c", "d", "a")
    assert Matches(near, sharing, 1_004).headline == (
        "Of the three sentences nearest in meaning, two are also among the three that share the most words (expected by"
        " chance: 0.0). The search compared 1,004 sentences."
    )
    assert "the three that share the most words (expected by chance: 2.2)" in Matches(near, sharing, 4).headline


def test_the_headline_counts_what_is_in_both_lists_if_all_sentences_share_equally_many_words(tiny):
    text = Corpus(tuple(f"the {word}" for word in "king queen bank river rome paris france italy".split()))
    found = similar_sentences(text, tiny, sentence="The man.", combination="layer 1", k=4)
    assert set(found.by_meaning["words"]) == {4.5}  # none is among the four by its rank
    both = set(found.by_meaning["sentence"]) & set(found.by_words["sentence"])
    number = ("none are", "one is", "two are", "three are", "four are")[len(both)]
    assert both and f"nearest in meaning, {number} also among the four" in found.headline


def test_the_expected_number_by_chance_is_that_of_random_lists():
    rng = np.random.default_rng(0)
    drawn = [len(set(rng.permutation(12)[:5]) & set(range(5))) for _ in range(20_000)]
    frame = listed(*"abcde")
    assert f"(expected by chance: {np.mean(drawn):.1f})" in Matches(frame, frame, 12).headline


@pytest.mark.parametrize(
    ("sharing", "count", "expected"),
    [
        (0, 1_004, "No sentence shares a word with the query, so the two lists cannot be compared. The search compared 1,004"
         " sentences."),
        (1, 1_004, "Only one sentence shares a word with the query. It is among the four nearest in meaning (expected by"
         " chance: 0.0). The search compared 1,004 sentences."),
        (3, 10, "Only three sentences share a word with the query. Of these, two are among the four nearest in meaning"
         " (expected by chance: 1.2). The search compared 10 sentences."),
        (2, 4, "Only two sentences share a word with the query. The list by meaning contains every sentence that was"
         " compared (4), so only the order can be compared."),
        (0, 4, "No sentence shares a word with the query, so the two lists cannot be compared. The search compared 4"
         " sentences."),
    ],
)  # fmt: skip
def test_the_headline_counts_the_sentences_that_share_a_word(sharing, count, expected):
    assert Matches(listed(*"abef"), listed(*"abc"[:sharing]), count).headline == expected


def test_the_headline_about_a_short_text_claims_nothing_if_all_sentences_are_listed(tiny):
    text = Corpus(("the king works", "red green blue", "a queen", "queen queen of France"))
    assert similar_sentences(text, tiny, sentence="A red queen works.", combination="layer 1").headline == (
        "The text has only four other sentences, so both lists contain all of them. Only their order can be compared."
    )
    one = similar_sentences(Corpus(("the queen", "a queen")), tiny, sentence="a queen", combination="layer 1")
    alone = 1 - cosine(*(tiny.hidden_states(each)[1].mean(0) for each in ("the queen", "a queen")))
    assert one.headline == f"The text has only one other sentence (cosine {alone:.2f}), so there is nothing to compare."
    for query, complaint in (
        ("☃!", "no word in the sentence"),
        ("king " * 90, "more tokens than this model reads at once"),
    ):
        with pytest.raises(ValueError, match=complaint):
            similar_sentences(text, tiny, sentence=query, combination="layer 1")


# A folder

SENTENCE = "The bank lent money to the man who fished."


@pytest.mark.parametrize("space", [AS_IS, Space(WHITENED, shrinkage=0.1)], ids=lambda s: s.kind)
def test_the_nearest_are_the_nearest_of_all(folder, means, bundled, space):
    found = similar_sentences(folder.in_space(space), bundled, sentence=f"  {SENTENCE} ", k=6)
    query_vector = encode_corpus(Corpus((SENTENCE,)), bundled, combination=folder.combination).vectors.mean(0)
    # The mean of processed words is the processed mean.
    fitted = fit(folder.files.rows(0, len(folder)).vectors.astype(float), space)
    means, query_vector = fitted.apply(means), fitted.apply(query_vector.astype(float))
    exact = means @ query_vector / np.linalg.norm(means, axis=1) / np.linalg.norm(query_vector)
    best = np.argsort(-exact, kind="stable")[:6]
    assert found.by_meaning["sentence"].tolist() == folder.sentences(best.tolist())
    assert found.by_meaning["cosine"].to_numpy() == pytest.approx(exact[best], abs=1e-4)
    assert found.by_meaning["rank"].tolist() == [1, 2, 3, 4, 5, 6]
    assert found.count == folder.about["sentences"]
    ranks = dict(zip(found.by_meaning["sentence"], found.by_meaning["words"], strict=True))
    for row in found.by_words.to_dict("records"):
        assert ranks.get(row["sentence"], row["words"]) == row["words"]


def test_the_sentence_itself_is_left_out_in_a_folder(folder, bundled):
    (own,) = folder.sentences([3])
    found = similar_sentences(folder, bundled, sentence=own, k=5)
    assert own not in set(found.by_meaning["sentence"]) | set(found.by_words["sentence"])
    assert found.count == folder.about["sentences"] - 1
    assert similar_sentences(folder, bundled, sentence="Xylophonists.", k=5).by_words.empty


def test_a_folder_that_is_too_large_or_of_another_model_is_refused(folder, small, bundled, tiny, monkeypatch):
    with pytest.raises(ValueError, match="encoded with the model 'bundled'"):
        similar_sentences(folder, tiny, sentence=SENTENCE)
    assert refusal(small) == refusal(folder) == ""
    monkeypatch.setattr(reading, "MOST_STORED", 10)
    assert refusal(folder).startswith("This folder is too large to compare its sentences: it has ")
    with pytest.raises(ValueError, match="too large to compare its sentences: .* At most 10 occurrences"):
        similar_sentences(folder, bundled, sentence=SENTENCE)


def test_sentences_of_a_store_need_few_requests(store, folder, bundled):
    uri, requests = store
    there = CorpusFolder.open(uri)
    assert seconds(there) > 0
    first = similar_sentences(there, bundled, sentence=SENTENCE, k=4)
    requests()
    again = similar_sentences(there, bundled, sentence="A river and its bank.", k=4)
    read = requests()
    assert seconds(there) == 0 and len(first.by_meaning) == len(again.by_meaning) == 4
    assert len(read) <= 8, read  # all vectors are stored here: at most one request per sentence shown
