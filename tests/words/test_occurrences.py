"""Finding a word in sentences."""

import pytest

from embtools.words import occurrences


@pytest.mark.parametrize(
    "line, expected",
    [
        ("a | b", (("a",), "b")),
        ("a, b ,c|d, e", (("a", "b", "c"), "d, e")),
        ("no bar, here", ((), "no bar, here")),
        (" | d | e", ((), "d | e")),
    ],
)
def test_split_line(line, expected):
    assert occurrences.split_line(line) == expected


def test_positions_need_the_whole_word():
    tokens = ["[CLS]", "work", "##ing", "work", "re", "##work", "work"]
    assert occurrences.positions(tokens, ["work"]) == [(3,), (6,)]
    assert occurrences.positions(tokens, ["work", "##ing"]) == [(1, 2)]


@pytest.mark.parametrize(
    "sentence, word, count, expected",
    [
        ("The Bank, bankers and a bank", " bank ", 2, ["The ", "Bank", ", bankers and a ", "bank", ""]),
        ("A café.", "cafe", 1, ["", "", "A café."]),  # found by the model although it is spelled differently
        ("a.b", "a.b", 1, ["", "a.b", ""]),
        ("axb", "a.b", 0, ["axb"]),
    ],
)
def test_marked(sentence, word, count, expected):
    assert occurrences.marked(sentence, word, count) == expected
    assert "".join(expected) == sentence


def test_contexts_are_the_neighbouring_words(tiny):
    frame = tiny.tokenize("the unable king, a bank")
    table = occurrences.occurrence_table([frame], [[(2, 3), (7,)]], [()])
    assert table["context"].tolist() == ["the unable king", "a bank"]


def test_one_occurrence_of_a_word_is_found_in_a_sentence(tiny):
    def found(word, model, occurrence, sentence):
        tokens = model.tokenize(sentence)["token"].tolist()
        return occurrences.occurrence_of(word, model, occurrence=occurrence, sentence=sentence, tokens=tokens)

    assert found("red", tiny, 2, "red and red") == (3,)
    for number, message in ((3, "'red' occurs only 2 times in “red and red”"), (0, "occurs only 2 times")):
        with pytest.raises(ValueError, match=message):
            found("red", tiny, number, "red and red")
    with pytest.raises(ValueError, match="'blue' does not occur in"):
        found("blue", tiny, 1, "red and red")
