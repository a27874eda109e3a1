"""Sentences as rows, and words as the means of their pieces."""

import numpy as np
import pytest

from embtools.occurrences.rows import read, spelling, word_vectors


def test_a_sentence_is_one_row_with_its_words(tiny):
    ((row, left_out),) = read("Works unable , the xylophone!", tiny, label=("works", "labour"))
    assert row.text == "Works unable , the xylophone!" and row.label == ("works", "labour") and left_out == 3
    assert [row.text[start:end] for _, _, start, end in row.places] == ["Works", "unable", "the"]
    assert row.numbers == (0, 1, 3)
    assert [spelling(row.ids[p : p + n], tiny) for p, n, _, _ in row.places] == ["works", "unable", "the"]
    assert row.places[1][:2] == (2, 2)  # un ##able


def test_a_long_sentence_is_split_into_rows_with_consecutive_word_numbers(tiny):
    rows = [row for row, _ in read("king queen " * 50, tiny)]
    assert len(rows) == 2 and [n for row in rows for n in row.numbers] == list(range(100))
    assert all(len(row.ids) <= tiny.max_tokens for row in rows)
    assert rows[1].text[rows[1].places[0][2] : rows[1].places[0][3]] in ("king", "queen")


def test_words_are_the_means_of_their_tokens():
    tokens = np.random.default_rng(0).normal(size=(9, 4))
    found = word_vectors(tokens, np.array([1, 2, 6]), np.array([1, 4, 2]))
    assert found == pytest.approx(np.stack([tokens[1], tokens[2:6].mean(0), tokens[6:8].mean(0)]))
