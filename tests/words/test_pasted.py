"""Lists as people paste them: JSON, Python, numbers, bullets, quotation marks and brackets."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from embtools.mask_filling.pairs import read_pairs
from embtools.ui import fields
from embtools.words import pasted
from embtools.words.groups import read_groups
from embtools.words.vectors import split

WORDS = ("apple", "pear", "new york", "don't", "o'clock")
LISTS = {
    "commas": ", ".join(WORDS) + ",",
    "lines": "\r\n".join(WORDS),
    "semicolons": "; ".join(WORDS),
    "JSON": json.dumps(WORDS),
    "long JSON": json.dumps(WORDS, indent=1),
    "named JSON": '"X": ' + json.dumps(WORDS) + ",",
    "JSON object": json.dumps({"X": WORDS[:2], "Y": WORDS[2:]}, indent=2),
    "Python list": repr(list(WORDS)),
    "Python tuple": "words = " + repr(WORDS),
    "escaped": "['apple', 'pear', 'new york', 'don\\'t', 'o\\'clock']",
    "array": f"array({list(WORDS)!r}, dtype='<U8')",
    "numbered": "\n".join(f"{n}. {word}" for n, word in enumerate(WORDS, 1)),
    "numbered in brackets": "\n".join(f"{n}) “{word}”" for n, word in enumerate(WORDS, 1)),
    "numbered in a line": " ".join(f"{n}. {word}" for n, word in enumerate(WORDS, 1)),
    "bullets": "\n".join(f"{mark} {word}" for mark, word in zip("-*•-*", WORDS, strict=True)),
    "bullets and quotes": "\n".join(f'- "{word}"' for word in WORDS),
    "curly": ", ".join(f"“{word}”" for word in WORDS),
    "single": ", ".join(f"'{word}'" for word in WORDS),
    "guillemets": ", ".join(f"«{word}»" for word in WORDS),
    "brackets": "[" + ", ".join(WORDS) + "]",
}


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS)
def test_a_pasted_list_is_its_words(text: str) -> None:
    assert fields.words(text) == split(text) == WORDS
    assert read_groups(text) == (("words", WORDS),) or text.startswith(("{", '"X"', "words ="))


def test_signs_that_are_words_stay() -> None:
    assert fields.words("[MASK], (, :), ##ing, 'tis, C++, jam (fruit), rock 'n' roll, -") == (
        "[MASK]", "(", ":)", "##ing", "'tis", "C++", "jam (fruit)", "rock 'n' roll", "-",
    )  # fmt: skip
    assert fields.words("1984, 2. Bundesliga") == ("1984", "2. Bundesliga")


@example(["a:[x"])
@example(["b,a=(x", "c"])
@given(some.lists(some.text("ab \"'`\\[](){}<>,;:.-*1=“”«»", max_size=8).map(lambda text: f"{text}x".strip())))
def test_written_words_are_read_again(words: list[str]) -> None:
    assert pasted.words(pasted.write(words), strict=True) == tuple(words)


def test_groups_are_read_from_a_dictionary_and_from_lists() -> None:
    expected = (("fruit", ("apple", "pear")), ("arms", ("gun", "axe")))
    for text in (
        '{"fruit": ["apple", "pear"], "arms": ["gun", "axe"]}',
        "fruit: ['apple', 'pear']\narms: [“gun”, “axe”]",
        "fruit = ['apple', 'pear']\narms = ['gun', 'axe']",
        "1. fruit: apple, pear\n2. arms: gun; axe",
    ):
        assert read_groups(text) == expected


def test_pairs_are_read_from_lists() -> None:
    expected = (("Rome", "Italy"), ("Paris", "France"))
    for text in (
        '[["Rome", "Italy"], ["Paris", "France"]]',
        "[('Rome', 'Italy'),\n ('Paris', 'France')]",
        "{'Rome': 'Italy', 'Paris': 'France'}",
        "1. Rome, Italy\n2. Paris, France",
        '- "Rome", "Italy"\n- "Paris", "France"',
    ):
        assert read_pairs(text) == expected
    assert fields.pairs("[('he', 'she'), ('man', 'woman')]") == fields.pairs("1. he=she\n2. man=woman")
