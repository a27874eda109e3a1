"""Lists of pairs in four formats, also broken and hostile ones."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as some

from embtools.evidence import pair_files
from embtools.evidence.pair_files import PairList, built_in, read, read_csv, read_pairs, write_csv

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
        "stereoset",
        (
            (
                "The nurse is kind.",
                "The nurse is bold.",
                "gender",
                "The nurse is seven.",
                "nurse",
                "The nurse is BLANK.",
            ),
        ),
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
        (b"good\nHe is.\n", "no column named bad. Its only column is 'good'"),
        (b"good,bad\n", "no pairs"),
        (b"good,bad\n  ,x\n", "No pair can be used.*good is missing or empty: line 2"),
        (b"good,bad\nx,x\n", "both sentences are the same: line 2"),
        (b'good,bad\n"x,y\nb,b\n"', "bad is missing or empty: line 2 .'x,y b,b'"),
        (b"\xff\xfe\x00", "not a text"),
        (b"[1, 2]", "no columns named good and bad"),
        (b"{}", "The JSON has no rows"),
        (b'{"data": {"intrasentence": 3}}', "no StereoSet file"),
        (b'{"data": {"intrasentence": [3]}}', "stereotype is missing or empty: example 1"),
        (b'{"data": {"intrasentence": [{"sentences": [{"gold_label": "stereotype"}]}]}}', "stereotype is missing or empty"),
        (b'{"sentence_good": "a"}\n', "no column named bad. Its only column is 'sentence_good'"),
        (b'{"sentence_good": null, "sentence_bad": "x"}\n', "good is missing or empty: item 1"),
        (b"[" * 100_000, "begins like JSON but cannot be read: line 1"),
        (b"good,bad\n" + b",x\n" * 30_000, "and 19,995 more"),
        (b"good,bad\n" + b"\n" * 20_001, "no pairs"),
        (b'{"data": {"intrasentence": [' + b'{"sentences": []},' * 20_000 + b'{"sentences": []}]}}', "and 19,995 more"),
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
    found = read(text)
    assert found.value.rows == (("He is.", "He are.", pair_files.NO_GROUP),)
    assert found.notes[1] == "Left out, because both sentences are the same: line 4 ('x')."
    assert found.notes[0].startswith("Left out, because bad is missing or empty: line 3 ('He is.'), line 5 ('w0'), ")
    assert found.notes[0].endswith("line 8 ('w3') and 2 more.")


@pytest.mark.parametrize(
    ("data", "count", "note"),
    [
        (b"good,bad\n" + b"".join(b"a%d,b%d\n" % (n, n) for n in range(30_000)), 2_500, "first 2,500 of 20,000 pairs"),
        (b"good,bad\n" + b"a,b\n" * 20_001, 1, "the pair occurs before"),
        (b'{"sentence_good": "a", "sentence_bad": "b"}\n' * 20_001, 1, "the pair occurs before"),
        (b"good,bad,phenomenon\n" + b"".join(b"a%d,b,p%d\n" % (n, n) for n in range(101)), 101, "101 different names"),
        (b"good,bad\n" + b"".join(b"%d " % n + b"x" * 900 + b",y\n" for n in range(600)), 547, "first 547 of 600"),
        (b'{"sentence_good": "a", "sentence_bad": "b"}\nnonsense\n', 1, "no JSON: line 2"),
        (b'good,bad\n"' + b"x" * 200_000 + b'",y\na,b', 2, ""),
    ],
)
def test_what_is_too_much_is_left_out_and_named(data: bytes, count: int, note: str) -> None:
    found = read(data)
    assert len(found.value.rows) == count and note in " ".join(found.notes) and len(found.value.groups) == 1


def test_the_limits_themselves_are_allowed() -> None:
    lines = "".join(f"a{n},b{n}\n" for n in range(2_500))
    assert len(read_csv("good,bad\n" + lines * 8).rows) == 2_500
    line = json.dumps({"sentence_good": "a\u2028b", "sentence_bad": "c\x85d"}, ensure_ascii=False)
    assert read_pairs(f"{line}\r\n{line}".encode()).rows == (("a b", "c d", pair_files.NO_GROUP),)
