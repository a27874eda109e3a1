"""Lists of words: groups typed, uploaded and built in, as people paste them, and those of the published tests."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from embtools.mask_filling.pairs import read_pairs
from embtools.ui import fields
from embtools.words import groups as words_groups
from embtools.words import pasted, word_sets
from embtools.words.groups import read_groups
from embtools.words.vectors import split


def test_presets_are_groups_of_different_words():
    for name in words_groups.PRESETS:
        groups = words_groups.preset(name)
        assert len(groups) >= 2
        assert words_groups.read_groups(words_groups.write_groups(groups)) == groups, name
    with pytest.raises(ValueError, match="animals"):
        words_groups.preset("planets")


def test_typed_lines():
    text = "france: St: Malo, paris, lyon\n\nitaly: rome ,\nfrance: nice\nred, green"
    assert words_groups.read_groups(text) == (
        ("france", ("St: Malo", "paris", "lyon", "nice")), ("italy", ("rome",)), ("words", ("red", "green")),
    )  # fmt: skip


def test_a_word_that_occurs_before_is_left_out_and_named() -> None:
    text = "a: red, blue, red\nb: green, red\nc: red"
    assert words_groups.read_groups(text) == (("a", ("red", "blue")), ("b", ("green",)))
    assert words_groups.left_out(text) == (
        "Left out, because it is in 'a' already: 'red' in 'a', 'red' in 'b' and 'red' in 'c'.",
    )
    assert not words_groups.left_out("a: red\nb: blue") and not words_groups.left_out("a:")


@pytest.mark.parametrize(
    ("read", "given", "message"),
    [
        (words_groups.read_groups, "", "There are no words"),
        (words_groups.read_groups, "france:", "The group 'france' is empty"),
        (words_groups.read_groups, ": paris", "has no name before"),
        (words_groups.read_groups, "x" * 61, "61 characters"),
        (words_groups.read_groups, "a" * 60_001, "60,001 characters"),
        (words_groups.read_groups, ",".join(f"w{i}" for i in range(2_001)), "2,001 words"),
        (words_groups.read_table, b"[[], []]", "There is no table"),
        (words_groups.read_table, b"word,group\n", "There are no words"),
        (lambda text: words_groups.read_table(text, {"word": 5, "group": 2}), "word,group\ncat,pet", "no such column"),
        (words_groups.read_table, b"word,group\nparis\n", "the group is missing: line 2 .'paris'"),
        (words_groups.read_table, b"word,group\n,france\n", "the word is missing: line 2"),
        (words_groups.read_table, b'word,group\n"a,b",france\n', "a comma, a colon or a line break: line 2"),
        (words_groups.read_words, 'a, "b', "not closed"),
    ],
)
def test_typed_lines_and_files_that_cannot_be_read(read: Any, given: Any, message: str):
    with pytest.raises(ValueError, match=message):
        read(given)


def test_csv_in_any_order_of_columns_with_a_byte_order_mark():
    data = "\ufeffGroup, Word ,n\nfrance,paris,1\nitaly,rome,2\n".encode()
    assert words_groups.read_table(data).value == (("france", ("paris",)), ("italy", ("rome",)))
    for text in ('{"a": ["x", "y"], "b": ["z"]}', '{"a": ["x", "y"], "b": ["z", "w"]}'):
        assert words_groups.read_table(text).value == tuple((name, tuple(words)) for name, words in eval(text).items())


def test_no_more_groups_than_different_marks():
    lines = [f"g{i}: w{i}" for i in range(words_groups.MAX_GROUPS + 1)]
    assert len(words_groups.read_groups("\n".join(lines[1:]))) == words_groups.MAX_GROUPS
    with pytest.raises(ValueError, match="57 groups; at most 56"):
        words_groups.read_groups("\n".join(lines))


# Every character at which str.splitlines ends a line.
LINE_ENDS = "\n\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029"


@pytest.mark.parametrize("cells", ['"pa{}ris",france', 'paris,"fra{}nce"'])
def test_a_line_break_inside_a_cell_becomes_a_space(cells):
    for end in LINE_ENDS:
        data = ("word,group\n" + cells.format(end)).encode()
        expected = cells.replace('"', "").format(" ").split(",")
        assert words_groups.read_table(data).value == ((expected[1], (expected[0],)),)


@given(st.text(max_size=20), st.text(max_size=20))
def test_what_an_upload_gives_survives_its_text_field(word, group):
    quoted = ",".join('"' + text.replace('"', '""') + '"' for text in (word, group))
    try:
        groups = words_groups.read_table(f"word,group\n{quoted}\n".encode()).value
    except ValueError:
        return
    assert words_groups.read_groups(words_groups.write_groups(groups)) == groups


def test_a_group_of_words_that_often_name_columns_is_no_table():
    text = "a: cat, word, group, class\nb: dog"
    assert not words_groups.is_pasted_table(text) and words_groups.is_pasted_table("word, group\ncat, pet\n")
    assert words_groups.read_groups(text) == (("a", ("cat", "word", "group", "class")), ("b", ("dog",)))


WORDS = ("apple", "pear", "new york", "don't", "o'clock")
LISTS = {
    "commas": ", ".join(WORDS) + ",",
    "lines": "\r\n".join(WORDS),
    "semicolons": "; ".join(WORDS),
    "Arabic signs": "، ".join(WORDS[:3]) + "؛ " + "، ".join(WORDS[3:]),
    "JSON": json.dumps(WORDS),
    "named JSON": '"X": ' + json.dumps(WORDS) + ",",
    "JSON object": json.dumps({"X": WORDS[:2], "Y": {"name": "z", "words": WORDS[2:]}}, indent=2),
    "Python object": repr({"X": WORDS[:2], "Y": WORDS[2], "Z": list(WORDS[3:]), "n": 2}),
    "Python list": repr(list(WORDS)),
    "Python tuple": "words = " + repr(WORDS),
    "escaped": "['apple', 'pear', 'new york', 'don\\'t', 'o\\'clock']",
    "array": f"array({list(WORDS)!r}, dtype='<U8')",
    "numbered": "\n".join(f"{n}. {word}" for n, word in enumerate(WORDS, 1)),
    "numbered in brackets": "\n".join(f"{n}) “{word}”" for n, word in enumerate(WORDS, 1)),
    "numbered in a line": " ".join(f"{n}. {word}" for n, word in enumerate(WORDS, 1)),
    "bullets": "\n".join(f"{mark} {word}" for mark, word in zip("-*•-*", WORDS, strict=True)),
    "curly": ", ".join(f"“{word}”" for word in WORDS),
    "guillemets": ", ".join(f"«{word}»" for word in WORDS),
    "brackets": "[" + ", ".join(WORDS) + "]",
}


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS)
def test_a_pasted_list_is_its_words(text: str) -> None:
    assert fields.words(text) == split(text) == WORDS
    assert read_groups(text) == (('"X"' if text[0] == '"' else "words", WORDS),) or text[0] == "{"


def test_signs_that_are_words_stay() -> None:
    assert fields.words("[MASK], (, :), ##ing, 'tis, C++, jam (fruit), rock 'n' roll, -, [SEP]") == (
        "[MASK]", "(", ":)", "##ing", "'tis", "C++", "jam (fruit)", "rock 'n' roll", "-", "[SEP]",
    )  # fmt: skip
    assert fields.words("• Fruit (5): apple, pear,\nnew yo-\nrk, don't, and o'clock.") == WORDS
    assert fields.words('"new\ryork", rome\rparis') == ("new york", "rome", "paris")
    assert fields.words("Mr., Mrs.") == ("Mr.", "Mrs.") and fields.words("U.S., U.K.") == ("U.S.", "U.K.")
    assert fields.words("1984, 2. Bundesliga") == ("1984", "2. Bundesliga") and fields.words("A: b, c") == ("A: b", "c")
    assert fields.words("'a, b'") == ("'a", "b'") and fields.words("if\nMr.\nor else") == ("if", "Mr.", "or else")
    assert fields.words(r'"\ud83d\ude00", "\ud800x"') == ("😀", "\N{REPLACEMENT CHARACTER}x")  # half a sign is none


ASCII = st.text(st.characters(max_codepoint=126, exclude_categories=["Cc"])).map(str.strip).filter(bool)


@example(["a:[x"])
@example(["a: x", "or x", "x."])
@example(["b,a=(x", "c"])
@given(st.lists(ASCII | st.text("ab& \"'`\\[](){}<>,;:.-*1=“”«»", max_size=8).map(lambda text: f"{text}x".strip())))
def test_written_words_are_read_again(words: list[str]) -> None:
    assert pasted.words(pasted.write(words), strict=True) == tuple(words)


def test_groups_are_read_from_a_dictionary_and_from_lists() -> None:
    expected = (("fruit", ("apple", "pear")), ("arms", ("gun", "axe")))
    for text in (
        '{"fruit": {"a": ["apple"], "b": ["pear"]}, "arms": ["gun", "axe"]}',
        "fruit: ['apple', 'pear']\narms: [“gun”, “axe”]",
        "fruit = ['apple', 'pear']\narms = ['gun', 'axe']",
        "1. fruit: apple, pear\n2. arms: gun; axe",
        "fruit：apple，pear\narms：gun、axe",
        "fruit:\n- apple\n- pear\n\narms:\ngun\naxe",
    ):
        assert read_groups(text) == expected
    assert read_groups("1: apple\n2: gun") == (("1", ("apple",)), ("2", ("gun",)))


def test_pairs_are_read_from_lists() -> None:
    expected = (("Rome", "Italy"), ("Paris", "France"))
    for text in (
        '[["Rome", "Italy"], ["Paris", "France"]]',
        '[["a", "b"], ["Rome", "Italy"], ["Paris", "France"]]',
        "[('Rome', 'Italy'),\n ('Paris', 'France')]",
        "{'Rome': 'Italy', 'Paris': 'France'}",
        "1. Rome, Italy\n2. Paris, France",
        '- "Rome", "Italy"\n- "Paris", "France"',
    ):
        assert read_pairs(text) == expected == read_pairs(text.encode() if text[0] in "[{" else text)
    assert fields.pairs("[('he', 'she'), ('man', 'woman')]") == fields.pairs("1. he=she\n2. man=woman")


# Words in X, Y, A and B: Caliskan et al. 2017, table 1.
SIZES = dict(enumerate([(25, 25)] * 2 + [(32, 25), (16, 25), (16, 8)] + [(8, 8)] * 3 + [(6, 7), (8, 8)], 1))


def test_sets_have_their_published_sizes():
    for number, (targets, attributes) in SIZES.items():
        assert [len(s) for s in word_sets.word_sets(number)] == [targets, targets, attributes, attributes]
        assert number in word_sets.SHORT and number in word_sets.GLOVE
    assert word_sets.set_names(1) == ("flowers", "insects", "pleasant", "unpleasant")


def test_a_test_is_known_by_its_words_in_any_spelling_and_other_sets_by_their_first_words():
    for number in SIZES:
        sets = word_sets.word_sets(number)
        capitals = [[word.capitalize() for word in words] for words in sets]
        assert word_sets.number_of(*sets) == word_sets.number_of(*capitals) == number
        assert word_sets.names_of(*capitals) == word_sets.set_names(number)
    x, y, a, b = word_sets.word_sets(6)
    assert word_sets.number_of(x[1:], y, a, b) is None
    assert word_sets.names_of(x[1:], y, a, b)[0] == f"“{x[1]}”, “{x[2]}” and others"
    with pytest.raises(ValueError, match="choose 1 to 10"):
        word_sets.word_sets(11)
