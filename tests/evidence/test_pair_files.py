"""Lists of pairs in four formats, also broken and hostile ones."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as some

from embtools.evidence import pair_files
from embtools.evidence.pair_files import PairList, built_in, read_csv, read_pairs, write_csv

BLIMP = "\n".join(
    json.dumps(each)
    for each in (
        {
            "sentence_good": "Who did he see?",
            "sentence_bad": "Who did he saw?",
            "linguistics_term": "tense",
            "UID": "x",
        },
        {"sentence_good": "He is.", "sentence_bad": "He are.", "UID": "agreement_1"},
    )
)
CROWS = (
    ",sent_more,sent_less,stereo_antistereo,bias_type,annotations\n"
    '0,"She cooks, well.","He cooks, well.",stereo,gender,"[[\'gender\']]"\n'
    "1,Old men forget.,Young men forget.,antistereo,age,x\n"
)
STEREOSET = json.dumps(
    {
        "version": "1.0",
        "data": {
            "intersentence": [{"ignored": True}],
            "intrasentence": [
                {
                    "id": "1", "target": "nurse", "bias_type": "gender", "context": "The nurse is BLANK.",
                    "sentences": [
                        {"sentence": "The nurse is bold.", "gold_label": "anti-stereotype", "labels": []},
                        {"sentence": "The nurse is kind.", "gold_label": "stereotype", "labels": []},
                        {"sentence": "The nurse is seven.", "gold_label": "unrelated", "labels": []},
                    ],
                }
            ],
        },
    }
)  # fmt: skip


def test_each_format_is_recognised() -> None:
    assert read_pairs(BLIMP.encode()) == PairList(
        "acceptable", (("Who did he see?", "Who did he saw?", "tense"), ("He is.", "He are.", "agreement_1"))
    )
    assert read_pairs(CROWS.encode()) == PairList(
        "stereotype",
        (("She cooks, well.", "He cooks, well.", "gender"), ("Old men forget.", "Young men forget.", "age")),
    )
    assert read_pairs(b"\xef\xbb\xbf" + STEREOSET.encode()) == PairList(
        "stereoset", (("The nurse is kind.", "The nurse is bold.", "gender", "The nurse is seven.", "nurse"),)
    )
    plain = read_pairs(b"Good;Bad;x\nHe is.;He are.;1\n\n")
    assert plain == PairList("acceptable", (("He is.", "He are.", pair_files.NO_GROUP),))


def test_one_line_of_blimp_is_a_list_of_one() -> None:
    assert len(read_pairs(BLIMP.split("\n")[0].encode()).rows) == 1


@given(
    some.lists(
        some.tuples(*[some.text(some.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12)] * 3),
        min_size=1, max_size=5,
    ).filter(lambda rows: all(row[0] != row[1] for row in rows))
)  # fmt: skip
def test_what_is_written_is_read_again(rows) -> None:  # type: ignore[no-untyped-def]
    pairs = PairList("acceptable", tuple(dict.fromkeys(rows)))
    assert read_csv(write_csv(pairs)) == pairs


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "There are no pairs. Write good,bad,phenomenon in the first line"),
        (b"good\nHe is.\n", "does not name the columns"),
        (b"good,bad\n", "no pairs"),
        (b"good,bad\nHe is.,He are.\nHe is.\n", "In line 3, bad is missing"),
        (b"good,bad\n  ,x\n", "In line 2, good is missing"),
        (b"good,bad\nx,x\n", "both sentences are the same"),
        (b'good,bad\n"x,y\n', "quotation mark"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b'good,bad\n"' + b"x" * 200_000 + b'",y\n', "too long"),
        (b"[1, 2]", "Line 1 is no JSON object"),
        (b"{}", "no StereoSet file"),
        (b'{"data": {"intrasentence": [3]}}', "Example 1"),
        (b'{"data": {"intrasentence": [{"sentences": [{"gold_label": "stereotype"}]}]}}', "In example 1, stereotype"),
        (b'{"sentence_good": "a"}\n', "In line 1, bad is missing"),
        (b'{"sentence_good": 3, "sentence_bad": "x"}\n', "In line 1, good is missing"),
        (b'{"sentence_good": "a", "sentence_bad": "b"}\nnonsense\n', "Line 2 is no JSON object"),
        (b"[" * 100_000, "Line 1 is no JSON object"),
        (b"good,bad\n" + b"".join(b"a%d,b%d\n" % (n, n) for n in range(100_000)), "more than 2,500 pairs; no more are read"),
        (b"good,bad\n" + b"a,b\n" * 20_001, "more than 20,000 rows, with empty rows and repeated pairs"),
        (b"good,bad\n" + b"\n" * 20_001, "more than 20,000 rows"),
        (b'{"sentence_good": "a", "sentence_bad": "b"}\n' * 20_001, "more than 20,000 rows"),
        (b'{"data": {"intrasentence": [' + b'{"sentences": []},' * 20_000 + b'{"sentences": []}]}}', "more than 20,000 rows"),
        (b"good,bad,phenomenon\n" + b"".join(b"a%d,b,p%d\n" % (n, n) for n in range(101)), "101 groups"),
        (b"good,bad\n" + b"".join(b"%d " % n + b"x" * 900 + b",y\n" for n in range(600)), "characters; at most 500,000"),
        (b"x" * 8_000_001, "8,000,001 bytes"),
    ],
)  # fmt: skip
def test_broken_and_hostile_files_are_refused_in_words(data, words) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=words) as caught:
        read_pairs(data)
    assert len(str(caught.value)) < 400


def test_formulas_and_markup_are_texts() -> None:
    pairs = read_pairs(b"good,bad,phenomenon\n=HYPERLINK(1),<img src=x>,**bold**\n")
    assert pairs.rows == (("=HYPERLINK(1)", "<img src=x>", "**bold**"),)
    long = read_pairs(b"good,bad,phenomenon\na,b," + b"p" * 500 + b"\n")
    assert len(long.groups[0]) == 60


def test_the_built_in_pairs_are_named_in_code() -> None:
    pairs = built_in()
    assert pairs.code == "built_in()" and pairs == built_in() and hash(pairs) == hash(built_in())
    assert {group: sum(row[2] == group for row in pairs.rows) for group in pairs.groups} == dict.fromkeys(
        pairs.groups, 16
    )


def test_several_bad_pairs_are_listed_up_to_five() -> None:
    text = "good,bad\nHe is.,He are.\nHe is.\nx,x\n" + "".join(f"w{n},\n" for n in range(6))
    words = "8 pairs cannot be used: in line 3, bad is missing or empty, in line 4, both sentences are the same: 'x', "
    with pytest.raises(ValueError, match=words) as problem:
        read_csv(text)
    assert "in line 7, bad is missing or empty and 3 more. Correct them" in str(problem.value)


def test_a_large_file_is_not_read_to_its_end() -> None:
    """What follows the last row that counts is never looked at: here, a quotation mark that is not closed."""
    many = "good,bad\n" + "".join(f"a{n},b{n}\n" for n in range(2_501)) + '"'
    bad = "good,bad\n" + ",x\n" * 20_001 + '"'
    for text, words in ((many, "more than 2,500 pairs"), (bad, "more than 20,000 rows")):
        with pytest.raises(ValueError, match=words):
            read_csv(text)


def test_the_limits_themselves_are_allowed() -> None:
    lines = "".join(f"a{n},b{n}\n" for n in range(2_500))
    assert len(read_csv("good,bad\n" + lines * 8).rows) == 2_500
    line = json.dumps({"sentence_good": "a\u2028b", "sentence_bad": "c\x85d"}, ensure_ascii=False)
    assert read_pairs(f"{line}\r\n{line}".encode()).rows == (("a b", "c d", pair_files.NO_GROUP),)
