"""Words that may have been meant: one slip of the hand, by an independent count of slips."""

import pytest
from hypothesis import given, strategies

from embtools.models import spelling
from embtools.models.loading import load_model
from embtools.models.spelling import UnknownWord, one_slip, similar
from tests.conftest import make_tiny

WORD = strategies.text("abc", max_size=5)


def distance(a: str, b: str) -> int:
    """Slips between two words (Damerau 1964, each letter moved at most once), by the textbook's table."""
    table = [[i + j if not i * j else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = a[i - 1] != b[j - 1]
            table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + cost)
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


@given(WORD, WORD)
def test_one_slip_is_a_distance_of_one(a: str, b: str) -> None:
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
def test_words_one_slip_away(word: str, found: list[str]) -> None:
    vocabulary = ["the", "seen", "london", "London", "italy", "queen", "nikola", "frankish", "is", "x" * 30]
    assert similar(word, [other for other in vocabulary if word != "lodnon" or other != "London"]) == found


def test_no_more_than_asked_for_and_in_their_order() -> None:
    assert similar("bat", ["cat", "bad", "bar", "rat", "but"], 4) == ["bad", "bar", "but", "cat"]


def test_an_unknown_word_is_a_value_error() -> None:
    error = UnknownWord("'itly' is …", "itly", ["italy"])
    assert isinstance(error, ValueError) and str(error) == "'itly' is …" and error.near == ("italy",)


# Capitals


def test_an_uncased_model_leaves_a_text_as_it_is(tiny):
    assert not tiny.cased and spelling.capitalised("rome = rome - italy", tiny) == "rome = rome - italy"


SPELT = {
    "a formula": ("rome = rome - italy + france", "", "Rome = Rome - Italy + France"),
    "words that need none": ("king - man + woman", "", "king - man + woman"),
    "a list of names takes all that can": ("italy, paris, france, the", "", "Italy, Paris, France, the"),
    "small words around one name": ("the king of rome in paris", "", "the king of Rome in paris"),
    "the sentence's spelling goes first": ("paris = paris - king", "Paris is the capital.", "Paris = Paris - king"),
    "groups by name": ("italy: rome\nfrance: paris", "", "Italy: Rome\nFrance: Paris"),
    "edits behind a bar": (
        "the king of rome | rome = rome - italy\nrome", "", "the king of rome | Rome = Rome - Italy\nrome",
    ),
    "unknown words and signs": ("bonn, [MASK], {word}, rome2, ##rome", "", "bonn, [MASK], {word}, rome2, ##rome"),
}  # fmt: skip


@pytest.mark.parametrize("text, beside, spelt", SPELT.values(), ids=SPELT)
def test_a_cased_model_gets_its_capitals(tiny_cased, text, beside, spelt):
    assert tiny_cased.cased and spelling.capitalised(text, tiny_cased, beside) == spelt


def test_a_word_may_have_capitals_inside(tmp_path):
    model = load_model(str(make_tiny(tmp_path, words=["YouTube", "Google", "is", "."], cased=True)))
    assert spelling.capitalised("youtube - google", model) == "YouTube - Google"
    assert spelling.capitalised_words(("youtube", "is"), model) == ("YouTube", "is")
    assert spelling.capitalised_words((), model) == ()
