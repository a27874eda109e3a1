"""The rows of words."""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from embtools.occurrences.folder.index import Index


@given(st.dictionaries(st.text("abcé", min_size=1, max_size=3), st.integers(1, 4), min_size=1, max_size=9))
def test_every_row_has_its_word(counts):
    words = sorted(counts)
    rows = [word for word in words for _ in range(counts[word])]
    index = Index(pa.table({"word": words, "count": [counts[word] for word in words], "bucket": [0] * len(words)}))
    assert index.word_of(np.arange(len(rows))).tolist() == rows
    for word in words:
        begin, end = index.span(word)
        assert rows[begin:end] == [word] * counts[word] and rows.count(word) == end - begin
    assert index.span("d") == index.span("") == (0, 0)
    assert index.words().to_dict("list") == {"word": words, "count": [counts[word] for word in words]}
