"""Sentences of a folder by meaning, compared with means computed directly and scikit-learn's tf-idf."""

import re

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from embtools.occurrences.folder.sentences import compare_sentences, seconds, sentence_means, shared_words
from embtools.occurrences.folder.stored_rows import cache
from embtools.spaces.space import ZSCORED, Space

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
    assert np.array_equal(sentence_means(folder, progress=reported.append).vectors, found.vectors) and not reported


def test_the_stored_means_are_raw(folder, means):
    found = sentence_means(folder.in_space(Space(ZSCORED)))
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


def test_a_sentence_with_the_same_words_is_left_out(folder, means):
    rows = folder.files.rows(0, len(folder))
    own = np.flatnonzero(rows.table["sentence"] == 7)
    assert seconds(folder) > 0
    found = compare_sentences(folder, rows.table["word"].to_numpy()[own], rows.vectors[own])
    assert seconds(folder) == 0 and 7 not in found.numbers and len(found.numbers) >= len(means) - 5
    cosines = means @ means[7] / np.linalg.norm(means, axis=1) / np.linalg.norm(means[7])
    assert found.meaning == pytest.approx(cosines[found.numbers], abs=1e-4)
