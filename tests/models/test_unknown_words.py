"""Suggestions for unknown words: one typing error, checked with an independent count of errors."""

import pytest
from hypothesis import given, strategies

from embtools.models.unknown_words import UnknownWord, one_slip, similar

WORD = strategies.text("abc", max_size=5)


def distance(a: str, b: str) -> int:
    """The number of typing errors between two words (Damerau 1964, each letter moved at most once), by a table."""
    table = [[i + j if not i * j else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = a[i - 1] != b[j - 1]
            table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + cost)
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


@given(WORD, WORD)
def test_one_typing_error_is_a_distance_of_one(a: str, b: str) -> None:
    assert one_slip(a, b) == (distance(a, b) == 1)


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("lodnon", ["london"]),
        ("itly", ["italy"]),
        ("qeen", ["queen", "seen"]),
        ("london", ["London"]),
        ("niklas", []),
        ("frankreich", []),
        ("it", []),
        ("x" * 31, []),
    ],
)
def test_words_one_typing_error_away(word: str, found: list[str]) -> None:
    vocabulary = ["the", "seen", "london", "London", "italy", "queen", "nikola", "frankish", "is", "x" * 30]
    assert similar(word, [other for other in vocabulary if word != "lodnon" or other != "London"]) == found


def test_no_more_than_asked_for_and_in_their_order() -> None:
    assert similar("bat", ["cat", "bad", "bar", "rat", "but"], k=4) == ["bad", "bar", "but", "cat"]


def test_an_unknown_word_is_a_value_error() -> None:
    error = UnknownWord("'itly' is …", "itly", ["italy"])
    assert isinstance(error, ValueError) and str(error) == "'itly' is …" and error.near == ("italy",)


@pytest.mark.parametrize(
    ("tokens", "near", "reads", "message"),
    [
        (("[UNK]",), (), "", "'kking' is not in the vocabulary. Use a word that is a single token."),
        ((), ("king",), "German", "'kking' is not in the vocabulary. Did you mean king?"),
        (("k", "##king"), (), "German", "'kking' is not a single token (k ##king). This model reads German. Use a word that is a single token."),
        (["k"] * 9, ("king",), "", f"'kking' is not a single token ({'k ' * 8}…). Did you mean king?"),
    ],
)  # fmt: skip
def test_the_error_names_the_tokens_and_what_can_be_done(tokens, near, reads, message) -> None:
    error = UnknownWord.of("kking", tokens, near, reads)
    assert (str(error), error.word, error.near) == (message, "kking", near)
