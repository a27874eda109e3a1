"""Random pairs of a file's words are matched for frequency only if its lines are ranks."""

import numpy as np
import pytest

from embtools.own_vectors.frequency import why_unmatched
from embtools.own_vectors.nearest import nearest_words
from embtools.own_vectors.similarity import similar_words
from embtools.own_vectors.word_vectors import WordVectors
from embtools.words.frequency import candidates


def test_a_file_is_matched_for_frequency_only_if_it_lists_common_words_first(bundled):
    """Its rare words are similar to each other, as a model's are, so most pairs of rare words are more similar."""
    words = [bundled.vocabulary[i] for i in np.flatnonzero(candidates(bundled))]
    vectors = bundled.matrix[[bundled.ids[word] for word in words]]
    matched = WordVectors(tuple(words), vectors)
    backwards = WordVectors(tuple(words[::-1]), vectors[::-1])
    short = WordVectors(tuple(words[:1_999]), vectors[:1_999])
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
