"""Minimal pairs against a plain loop with transformers, one mask at a time; what is refused; and lists in four formats."""

import json
from collections import Counter
from dataclasses import replace
from difflib import SequenceMatcher

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as some

from embtools.charts import evidence as charts
from embtools.evidence import pair_files
from embtools.evidence.minimal_pairs import (
    METHODS,
    SHARED,
    TOKEN,
    WORD,
    minimal_pair,
    pair_effort,
    prepare,
    seconds,
    two_minimal_pairs,
)
from embtools.evidence.pair_files import PairList, built_in, read, read_pairs, write_csv
from tests.conftest import WORDS

GOOD, BAD = "The king of paris works.", "The queen of paris works."
LONG, SHORT = "The king is unable.", "The bank is red."


def plain(text, other, pipe, method):  # type: ignore[no-untyped-def]
    """The score of a sentence by masking one token at a time, without any code of the library."""
    tokenizer = pipe.tokenizer
    encoding = tokenizer(text)
    ids, words = encoding["input_ids"], encoding.word_ids()
    shared = range(1, len(ids) - 1)
    if method == "shared":
        blocks = SequenceMatcher(None, ids, tokenizer(other)["input_ids"], autojunk=False).get_matching_blocks()
        shared = [p for block in blocks for p in range(block.a, block.a + block.size) if 0 < p < len(ids) - 1]
    total = 0.0
    for position in shared:
        masked = list(ids)
        masked[position] = tokenizer.mask_token_id
        if method == "word":
            for later in range(position, len(ids)):
                if words[later] == words[position]:
                    masked[later] = tokenizer.mask_token_id
        with torch.no_grad():
            scores = pipe.model(torch.tensor([masked])).logits[0, position]
        total += float(torch.log_softmax(scores.double(), -1)[ids[position]])
    return total


@pytest.mark.parametrize(("name", "method"), [*(("tiny", each) for each in METHODS), ("tiny_distil", WORD)])
def test_scores_are_those_of_a_plain_loop(name, method, pipelines, request) -> None:  # type: ignore[no-untyped-def]
    model = request.getfixturevalue(name)
    for first, second in ((GOOD, BAD), (LONG, SHORT)):
        found = minimal_pair(first, second, model, method=method)
        expected = [plain(*both, pipelines[name], method) for both in ((first, second), (second, first))]
        assert found.scores == pytest.approx(expected, abs=1e-4)
        assert found.tokens["difference"].sum() == pytest.approx(expected[0] - expected[1], abs=1e-4)


def test_tokens_are_aligned_and_replaced_words_are_one_part(tiny) -> None:  # type: ignore[no-untyped-def]
    found = minimal_pair(LONG, SHORT, tiny)
    assert found.tokens["first"].tolist() == ["the", "king", "is", "un", "##able", "."]
    assert found.tokens["second"].tolist() == ["the", "bank", "is", "red", "", "."]
    assert found.tokens["part"].tolist() == [0, 1, 2, 3, 3, 4] and found.counts == (6, 5)
    values = found.tokens
    together = values["log_probability_first"][3:5].sum() - values["log_probability_second"][3]
    assert values["difference"][3] == pytest.approx(together) and np.isnan(values["difference"][4])
    (caution,) = found.cautions
    assert "6 and 5 tokens" in caution and f"{found.scores[0] / 6:.2f}".lstrip("-") in caution
    only = minimal_pair(LONG, SHORT, tiny, method="shared")
    assert np.isnan(only.tokens["difference"][[1, 3, 4]]).all() and not only.cautions


def test_the_deciding_part_has_the_largest_contribution(tiny) -> None:  # type: ignore[no-untyped-def]
    for first, second in ((GOOD, BAD), (BAD, GOOD), (LONG, SHORT)):
        found = minimal_pair(first, second, tiny)
        sign = 1 if found.difference > 0 else -1
        assert found.preferred == (first if sign > 0 else second)
        assert found.deciding["difference"] * sign == pytest.approx((found.tokens["difference"] * sign).max())
        rest = abs(found.difference) - abs(found.deciding["difference"])
        assert ("the other sentence would be preferred" in found.decision) == (rest < 0)
        if rest < 0:  # a contribution larger than the whole is no part of it
            assert f"{abs(found.deciding['difference']):.2f} nats, comes from" in found.decision
            assert f"reduce it to {abs(found.difference):.2f} nats in total" in found.decision
        assert (" of " in found.decision.partition(" nats")[0]) == (rest >= 0)
        assert f"by {abs(found.difference):.2f} nats" in found.headline and found.preferred in found.headline


@settings(max_examples=20)
@given(
    words=some.lists(some.sampled_from([w for w in WORDS if w.isalpha()]), min_size=2, max_size=6),
    place=some.integers(0, 5), new=some.sampled_from([w for w in WORDS if w.isalpha()]),
)  # fmt: skip
def test_exchanged_sentences_give_the_opposite_difference(tiny, words, place, new) -> None:  # type: ignore[no-untyped-def]
    other = [*words]
    other[place % len(words)] = new
    if other == words:
        return
    first, second = " ".join(words), " ".join(other)
    one, turned = minimal_pair(first, second, tiny), minimal_pair(second, first, tiny)
    assert one.difference == pytest.approx(-turned.difference, abs=1e-4)
    assert one.difference == pytest.approx(one.tokens["difference"].sum(), abs=1e-6)


def test_two_models_are_compared_in_a_sentence(tiny, tiny_distil) -> None:  # type: ignore[no-untyped-def]
    one, other = minimal_pair(GOOD, BAD, tiny), minimal_pair(GOOD, BAD, tiny_distil)
    text = two_minimal_pairs(one, other, ("A", "B"))
    assert f"{abs(one.difference):.2f} nats" in text and f"{abs(other.difference):.2f} nats" in text
    assert text.startswith("Both models prefer") == (one.difference * other.difference > 0)
    equal = replace(one, tokens=one.tokens.assign(log_probability_first=one.tokens["log_probability_second"]))
    assert equal.headline.startswith("BERT prefers neither sentence: both have a score of −")
    assert equal.decision.startswith("The other tokens balance the largest difference, ")
    assert two_minimal_pairs(equal, equal, ("A", "B")) == "A prefers neither sentence, B prefers neither sentence."
    none = replace(equal, tokens=equal.tokens.assign(difference=0.001))
    assert none.decision == "No token makes a difference."
    turned = minimal_pair(BAD, GOOD, tiny)
    assert two_minimal_pairs(one, turned, ("A", "B")).startswith("A prefers the ")


def test_the_effort_grows_and_a_part_that_one_sentence_lacks_is_no_quoted_word(tiny) -> None:  # type: ignore[no-untyped-def]
    long = "the red king works " * 8
    assert pair_effort(long, f"{long} red", tiny) > pair_effort(GOOD, BAD, tiny) > 0
    found = minimal_pair("rome is", "rome is the king", tiny)
    assert found.deciding_words == "no word instead of “the king”" and "“nothing”" not in found.decision


def test_strips_show_the_tokens_their_numbers_and_the_deciding_part(tiny) -> None:  # type: ignore[no-untyped-def]
    found = minimal_pair(LONG, SHORT, tiny)
    drawn = charts.token_strips(found)
    tokens, differences = drawn.figure.data
    np.testing.assert_allclose(-tokens.z[:, 0], found.tokens["log_probability_first"].astype(np.float32))
    assert tokens.text[1][0].startswith("king −") and tokens.text[4][1] == ""
    marked = [n for n, (text,) in enumerate(differences.text) if "◀" in text]
    assert marked == [found.deciding.name] and found.decision in drawn.alt
    values = found.tokens[["log_probability_first", "log_probability_second"]].abs().max().max()
    change = found.tokens["difference"].abs().max()
    assert strongest(drawn) == pytest.approx((0, values, -change, change))


def strongest(drawn):  # type: ignore[no-untyped-def]
    """The ends of the two scales of colours."""
    layout = drawn.figure.layout
    return *(layout.coloraxis1[end] for end in ("cmin", "cmax")), *(layout.coloraxis2[end] for end in ("cmin", "cmax"))


def masks(rows, model):  # type: ignore[no-untyped-def]
    return [[int(i) for i, each in enumerate(row.ids) if each == model.mask_id] for row in rows]


def test_each_method_masks_its_tokens(tiny) -> None:  # type: ignore[no-untyped-def]
    first, second = "the king is unable", "the queen is unable"
    assert masks(prepare(first, second, tiny).rows, tiny) == [[1], [2], [3], [4], [5]] * 2
    assert masks(prepare(first, second, tiny, method="word").rows, tiny) == [[1], [2], [3], [4, 5], [5]] * 2
    shared = prepare(first, second, tiny, method="shared")
    assert masks(shared.rows, tiny) == [[1], [3], [4], [5]] * 2 and shared.positions == ((1, 3, 4, 5),) * 2
    assert [span.shared for span in shared.spans] == [True, False, True]
    assert seconds(shared.rows, tiny) < seconds(prepare(first, second, tiny).rows, tiny)


@pytest.mark.parametrize(
    ("first", "second", "method", "words"),
    [
        ("The king.", "the king .", "token", "same tokens"),
        ("", "the king", "token", "empty"),
        ("the king [SEP] is", "the king", "token", "contains"),
        ("the ☃ is", "the king", "token", "does not know"),
        ("the king", "red blue", "shared", "share no token"),
        ("the king", "the queen", "tokens", "no method"),
        ("king " * 63, "king", "token", "at most 62"),  # this model reads 64 tokens with [CLS] and [SEP]
        ("k" * 1_001, "king", "token", "1,001 characters"),
    ],
)
def test_what_cannot_be_compared_is_refused(tiny, first, second, method, words) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=words):
        prepare(first, second, tiny, method=method)


def test_long_sentences_are_refused_before_they_are_read(bundled) -> None:  # type: ignore[no-untyped-def]
    prepare("king " * 64, "queen " * 64, bundled)
    with pytest.raises(ValueError, match="65 tokens, but at most 64"):
        prepare("king " * 65, "queen", bundled)
    assert METHODS == (TOKEN, WORD, SHARED)


WHO = {"sentence_good": "Who did he see?", "sentence_bad": "Who did he saw?", "linguistics_term": "tense", "UID": "x"}
IS = {"sentence_good": "He is.", "sentence_bad": "He are.", "UID": "agreement_1"}
BLIMP = "\n".join(map(json.dumps, (WHO, IS)))
CROWS = (
    ",sent_more,sent_less,stereo_antistereo,bias_type,annotations\n"
    '0,"She cooks, well.","He cooks, well.",stereo,gender,"[[\'gender\']]"\n'
    "1,Old men forget.,Young men forget.,antistereo,age,x\n"
)
LABELS = {"bold": "anti-stereotype", "kind": "stereotype", "seven": "unrelated"}
NURSE = {"id": "1", "target": "nurse", "bias_type": "gender", "context": "The nurse is BLANK."}
NURSE["sentences"] = [
    {"sentence": f"The nurse is {word}.", "gold_label": LABELS[word], "labels": []} for word in LABELS
]
STEREOSET = json.dumps({"version": "1.0", "data": {"intersentence": [{"ignored": True}], "intrasentence": [NURSE]}})


def test_each_format_is_recognised() -> None:
    rows = ("Who did he see?", "Who did he saw?", "tense"), ("He is.", "He are.", "agreement_1")
    for text, count in ((BLIMP, 2), (BLIMP.split("\n")[0], 1)):
        assert read_pairs(text.encode()) == PairList("acceptable", rows[:count])
    assert read_pairs(CROWS.encode()) == PairList(
        "stereotype",
        (("She cooks, well.", "He cooks, well.", "gender"), ("Old men forget.", "Young men forget.", "age")),
    )
    kind, bold, seven, blank = (f"The nurse is {word}." for word in ("kind", "bold", "seven", "BLANK"))
    expected = PairList("stereoset", ((kind, bold, "gender", seven, "nurse", blank),))
    assert read_pairs(b"\xef\xbb\xbf" + STEREOSET.encode()) == expected
    plain = read_pairs(b"Good;Bad;x\nHe is.;He are.;1\n\n")
    assert plain == PairList("acceptable", (("He is.", "He are.", pair_files.NO_GROUP),))


@given(
    some.lists(
        some.tuples(*[some.text(some.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12)] * 3),
        min_size=1, max_size=5,
    ).filter(lambda rows: all(row[0] != row[1] for row in rows))
)  # fmt: skip
def test_what_is_written_is_read_again(rows) -> None:  # type: ignore[no-untyped-def]
    pairs = PairList("acceptable", tuple(dict.fromkeys(rows)))
    assert read_pairs(write_csv(pairs)) == pairs


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "There are no pairs. Write good,bad,phenomenon in the first line"),
        (b"good\nHe is.\n", "no column named bad. Its only column is 'good'"),
        (b"good,bad\n  ,x\n", "No pair can be used.*good is missing or empty: line 2"),
        (b"good,bad\nx,x\n", "both sentences are the same: line 2"),
        (b'good,bad\n"x,y\nb,b\n"', "bad is missing or empty: line 2 .'x,y b,b'"),
        (b"good,bad\nHe is, well.,He are, well.\n", "No pair can be used.*the table has 2 columns: line 2 .4 cells"),
        (b"[1, 2]", "no columns named good and bad"),
        (b"{}", "The JSON has no rows"),
        (b'{"data": {"intrasentence": 3}}', "not a StereoSet file"),
        (b'{"data": {"intrasentence": [3]}}', "stereotype is missing or empty: example 1"),
        (b'{"sentence_good": "a"}\n', "no column named bad. Its only column is 'sentence_good'"),
        (b'{"sentence_good": null, "sentence_bad": "x"}\n', "good is missing or empty: item 1"),
        (b"good,bad\n" + b",x\n" * 30_000, "and 19,995 more"),
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
    assert Counter(row[2] for row in pairs.rows) == dict.fromkeys(pairs.groups, 16)


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
        (b"good,bad,phenomenon\n" + b"".join(b"a%d,b,p%d\n" % (n, n) for n in range(101)), 101, "101 different names"),
        (b"good,bad\n" + b"".join(b"%d " % n + b"x" * 900 + b",y\n" for n in range(600)), 547, "first 547 of 600"),
        (b'{"sentence_good": "a", "sentence_bad": "b"}\nnonsense\n', 1, "not JSON: line 2"),
        (b'good,bad\n"' + b"x" * 200_000 + b'",y\na,b', 2, ""),
    ],
)
def test_what_is_too_much_is_left_out_and_named(data: bytes, count: int, note: str) -> None:
    found = read(data)
    assert len(found.value.rows) == count and note in " ".join(found.notes) and len(found.value.groups) == 1


def test_the_limits_themselves_are_allowed() -> None:
    lines = "".join(f"a{n},b{n}\n" for n in range(2_500))
    assert len(read_pairs("good,bad\n" + lines * 8).rows) == 2_500
    line = json.dumps({"sentence_good": "a\u2028b", "sentence_bad": "c\x85d"}, ensure_ascii=False)
    assert read_pairs(f"{line}\r\n{line}".encode()).rows == (("a b", "c d", pair_files.NO_GROUP),)
