"""Lists of pairs: hostile files and texts by line number, limits, and formulas."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.mask_filling import pairs as lists
from embtools.mask_filling.cases import TWICE, plan
from embtools.messages import is_formula


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "There are no pairs"),
        (b"a\nrome\n", "no column named b. Its only column is 'a'"),
        (b"a,b\n", "There are no pairs"),
        (b'a,b\nrome,"ita,ly"\n', "a word contains a comma or a bracket: line 2"),
        (b"a,b\n{a},italy\n", "a word contains a comma or a bracket: line 2"),
        (b"a,b\nparis,\n", "There is no pair.*there are not two words: line 2 .'paris,'"),
        (b"a,b\n" + b"x" * 140_000 + b",italy\n", "There are no pairs"),
        (b"\xff\xfea,b", "not a text"),
        (b"a,b\n" + b"rome,italy\n" * 100_000, "at most 160,000 are read"),
    ],
)
def test_bad_files_are_refused_with_the_line(data: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        lists.read(data)


def test_files_and_texts_are_read() -> None:
    data = b"\xef\xbb\xbfB , note, A\nItaly,x,Rome\n\nFrance,=1+1,Paris\n Italy,y,Rome \n"
    assert lists.read(data).value == (("Rome", "Italy"), ("Paris", "France"), ("Rome", "Italy"))
    assert lists.read(b"A;note;B\nRome;x;Italy\n").value == (("Rome", "Italy"),)
    assert lists.read_pairs("Rome, Italy\n\nParis\tFrance\n") == (("Rome", "Italy"), ("Paris", "France"))
    assert lists.read("Rome, Italy\n\nonly").notes == ("Left out, because there are not two words: line 3 ('only').",)
    with pytest.raises(ValueError, match="at most 40,000 are read"):
        lists.read_pairs("a, b\n" * 10_000)


def test_several_bad_lines_are_listed_up_to_five() -> None:
    found = lists.read("Rome, Italy\nParis\n, France\n\na, b, c\nOslo, Norway\nBerlin, Germany")
    words = "there are not two words: line 2 ('Paris'), line 3 (', France') and line 5 ('a, b, c')."
    assert found.notes == (f"Left out, because {words}",) and len(found.value) == 3
    data = b"a,b\nRome,Italy\n" + b"".join(b"w%d,\n" % n for n in range(8))
    assert re.search(r"two words: line 3 .*, line 7 \('w4,'\) and 3 more\.", lists.read(data).notes[0])
    frame = pd.DataFrame({"a": [None, "Rome", *[""] * 7], "b": "Italy"})
    with pytest.raises(ValueError, match=r"In the pairs 1, 3, 4, 5, 6 and 3 more, a word is missing\."):
        lists.checked_pairs(frame)


def test_repeated_pairs_are_counted_by_the_plan_and_not_by_the_limit(tiny) -> None:  # type: ignore[no-untyped-def]
    found = lists.read_pairs("rome, italy\nparis, france\nrome, italy\nRome, italy\nrome, italy")
    planned = plan(found, tiny)
    assert [(pair.a, pair.b) for pair in planned.pairs] == [("rome", "italy"), ("paris", "france")]
    assert [(a, reason) for a, _, reason in planned.excluded] == [("rome", TWICE), ("Rome", TWICE), ("rome", TWICE)]
    many = tuple((f"w{n % 1_000}", "x") for n in range(1_500))
    assert lists.checked_pairs(many) == many


@given(st.lists(st.tuples(*2 * (st.text("abcdefgh '-", min_size=1).map(str.strip).filter(bool),)), min_size=1))
def test_pairs_are_read_as_they_were_written(pairs: list[tuple[str, str]]) -> None:
    assert lists.read_pairs(lists.write_pairs(tuple(pairs))) == tuple(pairs)


def test_every_list_that_a_file_may_hold_fits_the_field() -> None:
    """What is read of a file can be read again as the text of the field."""
    found = lists.read(b"a,b\n" + b"".join(b"%018d,%018d\n" % (n, n) for n in range(1_000))).value
    assert lists.read_pairs(lists.write_pairs(found)) == found
    long = lists.read(b"a,b\n" + b"".join(b"%050d,%050d\n" % (n, n) for n in range(900)))
    assert lists.read_pairs(lists.write_pairs(long.value)) == long.value
    assert long.notes == ("Only the first 388 of 900 different pairs are used.",)
    many = lists.read(b"a,b\n" + "\n".join(f"w{n},x{n}" for n in range(1_001)).encode())
    assert len(many.value) == 1_000 and "1,000 of 1,001" in many.notes[0]


def test_formulas_are_words_like_others() -> None:
    found = lists.read(b'a,b\n=1+1,Italy\n"=HYPERLINK(""http://x"")",@SUM(A1)\n').value
    assert found == (("=1+1", "Italy"), ('=HYPERLINK("http://x")', "@SUM(A1)")) and is_formula(found[1][0])


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, "", "  "])
def test_a_missing_word_is_refused_by_its_number(missing) -> None:  # type: ignore[no-untyped-def]
    frame = pd.DataFrame({"a": ["Rome", missing], "b": ["Italy", "France"]})
    with pytest.raises(ValueError, match="In pair 2, a word is missing"):
        lists.checked_pairs(frame)
    with pytest.raises(ValueError, match="In pair 1, a word is missing"):
        lists.checked_pairs([("Rome", missing)])
