"""Sentences of a folder by meaning, compared with means computed directly and scikit-learn's tf-idf."""

import re

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from embtools.corpus import stored_sentences
from embtools.corpus.stored_sentences import sentence_means, sentences_in_folder, shared_words
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.occurrences.folder import reading
from embtools.occurrences.folder.keeping import cache
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.fitting import fit
from embtools.spaces.space import AS_IS, WHITENED, ZSCORED, Space

SENTENCE = "The bank lent money to the man who fished."


@pytest.fixture
def means(folder):
    """The mean of every sentence's words, one by one."""
    found = folder.files.rows(0, len(folder))
    owner = found.table["sentence"].to_numpy()
    return np.stack([found.vectors[owner == n].astype(float).mean(0) for n in range(folder.about["sentences"])])


def test_the_means_are_those_of_the_words_and_are_stored(folder, means):
    found = sentence_means(folder)
    assert found.vectors == pytest.approx(means, abs=1e-3) and found.norms == pytest.approx(
        np.linalg.norm(means, axis=1), rel=1e-4
    )
    assert len(list(cache().iterdir())) == 2
    reported = []
    assert np.array_equal(sentence_means(folder, reported.append).vectors, found.vectors) and not reported


@pytest.mark.parametrize("space", [AS_IS, Space(ZSCORED), Space(WHITENED, shrinkage=0.1)], ids=lambda s: s.kind)
def test_the_nearest_are_the_nearest_of_all(folder, means, bundled, space):
    reported = []
    found = sentences_in_folder(folder.seen(space), bundled, sentence=f"  {SENTENCE} ", k=6, progress=reported.append)
    query_vector = encode_corpus(Corpus((SENTENCE,)), bundled, recipe=folder.recipe).vectors.mean(0)
    # The mean of processed words is the processed mean.
    fitted = fit(folder.files.rows(0, len(folder)).vectors.astype(float), space)
    means, query_vector = fitted.apply(means), fitted.apply(query_vector.astype(float))
    exact = means @ query_vector / np.linalg.norm(means, axis=1) / np.linalg.norm(query_vector)
    best = np.argsort(-exact, kind="stable")[:6]
    assert found.by_meaning["sentence"].tolist() == folder.sentences(best.tolist())
    assert found.by_meaning["cosine"].to_numpy() == pytest.approx(exact[best], abs=1e-4)
    assert found.by_meaning["rank"].tolist() == [1, 2, 3, 4, 5, 6]
    assert found.count == folder.about["sentences"] and reported == sorted(reported)
    ranks = dict(zip(found.by_meaning["sentence"], found.by_meaning["words"], strict=True))
    for row in found.by_words.to_dict("records"):
        assert ranks.get(row["sentence"], row["words"]) == row["words"]


def test_the_stored_means_are_raw(folder, means):
    found = sentence_means(folder.seen(Space(ZSCORED)))
    assert found.vectors == pytest.approx(means, abs=1e-3)


def test_shared_words_agree_with_scikit_learn(folder):
    texts = folder.sentences(range(folder.about["sentences"]))
    rows = folder.files.rows(0, len(folder)).table
    known = set(rows["word"])
    # Both sides use the words as the folder spells them.
    written = [" ".join(rows[rows["sentence"] == n]["word"]) for n in range(len(texts))]
    fitted = TfidfVectorizer(token_pattern=r"\S+", lowercase=False).fit(written)
    words = [word for word in re.findall(r"\w+", SENTENCE.lower()) if word in known]
    expected = (fitted.transform(written) @ fitted.transform([" ".join(words)]).T).toarray()[:, 0]
    found = shared_words(folder, rows["occ"].to_numpy(), np.array(words, object))
    assert found == pytest.approx(expected)
    more = shared_words(folder, rows["occ"].to_numpy(), np.array([*words, "xylophone"], object))
    assert (more[found > 0] < found[found > 0]).all() and (found > 0).any()


def test_the_sentence_itself_is_left_out(folder, bundled):
    (own,) = folder.sentences([3])
    found = sentences_in_folder(folder, bundled, sentence=own, k=5)
    assert own not in set(found.by_meaning["sentence"]) | set(found.by_words["sentence"])
    assert found.count == folder.about["sentences"] - 1
    assert sentences_in_folder(folder, bundled, sentence="Xylophonists.", k=5).by_words.empty


def test_errors_for_sentences_that_cannot_be_searched(folder, bundled, tiny, monkeypatch):
    for sentence, k, message in [
        (" ", 5, "There is no sentence to search for"),
        ("x" * 1_001, 5, "at most 1,000"),
        (SENTENCE, 0, "choose 1 to"),
    ]:
        with pytest.raises(ValueError, match=message):
            sentences_in_folder(folder, bundled, sentence=sentence, k=k)
    with pytest.raises(ValueError, match="encoded with the model 'bundled'"):
        sentences_in_folder(folder, tiny, sentence=SENTENCE)
    monkeypatch.setattr(reading, "MOST_KEPT", 10)
    with pytest.raises(ValueError, match="too large to compare its sentences: .* At most 10 occurrences"):
        sentences_in_folder(folder, bundled, sentence=SENTENCE)


def test_from_an_object_store_with_few_requests(store, folder, bundled):
    uri, requests = store
    there = CorpusFolder.open(uri)
    assert stored_sentences.seconds(there) > 0
    first = sentences_in_folder(there, bundled, sentence=SENTENCE, k=4)
    requests()
    again = sentences_in_folder(there, bundled, sentence="A river and its bank.", k=4)
    read = requests()
    assert stored_sentences.seconds(there) == 0 and len(first.by_meaning) == len(again.by_meaning) == 4
    assert len(read) <= 8, read  # all vectors are stored here: at most one request per sentence shown
