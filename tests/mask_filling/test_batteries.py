"""Lists of pairs, built-in relations, and the plan and the runs of a battery."""

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from embtools import wordlists
from embtools.mask_filling import cases
from embtools.mask_filling import pairs as lists
from embtools.mask_filling.answers import fill_mask
from embtools.mask_filling.cases import case_patch, case_tokens, filled, filled_edit, plan, read_edit, read_sentences
from embtools.mask_filling.edits import Change, resolve
from embtools.mask_filling.relations import TITLES, pairs_of, relation
from embtools.mask_filling.training_overlap import similar_wordings, trained_relations
from embtools.messages import is_formula

# The plan of a battery: placeholders, sentences, exclusions by reason, and draws

PAIRS = (("rome", "italy"), ("paris", "france"), ("king", "man"), ("queen", "woman"))


@pytest.mark.parametrize(
    ("read", "given", "words"),
    [
        (cases.read_edit, "rome = {a} - {b} + {c}", "must change {a}"),
        (cases.read_edit, "{a} = {a} - {b}", "does not contain {c}"),
        (cases.read_edit, "{a} = {a} + {c} + {d}", "{d}|not"),
        (cases.read_edit, '{a} = {c} + "{x}"', "no placeholder"),
        (cases.read_edit, "{a} + {c}", "needs {a}, '=' and an expression, such as {a} = {a} - {b}"),
        (cases.read_sentences, (), "There are no sentences"),
        (cases.read_sentences, ("Rome is in [MASK].",), "has no {a}"),
        (cases.read_sentences, ("{a} is in Italy.",), "exactly one"),
        (cases.read_sentences, ("{a} [MASK] [MASK].",), "exactly one"),
        (cases.read_sentences, ("{a} is in {b} [MASK].",), "contains {b}"),
        (cases.read_sentences, ("{a} [MASK]", "{a} ___"), "given twice"),
        (cases.read_sentences, tuple(f"{{a}} is {n} [MASK]." for n in range(6)), "at most 5"),
        (cases.read_sentences, "{a} is in [MASK].", "list of sentences"),
        (lists.read, b"", "There are no pairs"),
        (lists.read, b"a\nrome\n", "no column named b. Its only column is 'a'"),
        (lists.read, b"a,b\n", "There are no pairs"),
        (lists.read, b"a,b\n{a},italy\n", "a word contains a comma or a bracket: line 2"),
        (lists.read, b"a,b\nparis,\n", "There is no pair.*there are not two words: line 2 .'paris,'"),
        (lists.read, b"a,b\n" + b"x" * 140_000 + b",italy\n", "There are no pairs"),
        (lists.read, b"\xff\xfea,b", "not a text"),
        (lists.read, b"a,b\n" + b"rome,italy\n" * 100_000, "at most 160,000 are read"),
    ],
)
def test_bad_edits_sentences_and_files_are_refused(read: Any, given: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read(given)


def test_other_words_of_an_edit_are_single_tokens(tiny) -> None:  # type: ignore[no-untyped-def]
    formula = cases.known_edit("{a} = {c} + king", tiny)
    assert formula == cases.read_edit("{a} = {c} + king")
    with pytest.raises(ValueError, match="qqqq"):
        cases.known_edit("{a} = {c} + qqqq", tiny)


def test_the_edit_of_a_case_can_be_typed() -> None:
    formula = cases.read_edit("{a} = ({a} - {b} + 2 * {c}) / 2")
    assert cases.filled_edit(formula, "rome", "italy", "france") == "rome = (rome - italy + 2 * france) / 2"
    assert cases.filled_edit(cases.read_edit("{a} = {c}"), "St. Louis", "b", "o'clock") == '"St. Louis" = o\'clock'


def test_a_plan_takes_every_other_word_and_counts_what_it_leaves_out(tiny) -> None:  # type: ignore[no-untyped-def]
    pairs = (*PAIRS, ("rome", "london"), ("rome", "Rome"), ("rome", "italy"), ("Rome", "Italy"), ("king", "of"))
    plan = cases.plan(pd.DataFrame(pairs, columns=["a", "b"]), tiny)
    assert plan.excluded == (
        ("rome", "london", cases.SEVERAL), ("rome", "Rome", cases.SAME), ("rome", "italy", cases.TWICE),
        ("Rome", "Italy", cases.TWICE),
    )  # fmt: skip
    others = {(pair.a, pair.b): [c for c, _ in pair.others] for pair in plan.pairs}
    assert others["rome", "italy"] == ["france", "man", "woman", "of"]
    assert others["king", "man"] == others["king", "of"] == ["italy", "france", "woman"]  # both answers are right
    assert plan.cases == sum(map(len, others.values()))


def test_two_spellings_of_a_token_are_one_word(tiny) -> None:  # type: ignore[no-untyped-def]
    plan = cases.plan((("Rome", "italy"), ("rome", "france"), ("paris", "Italy"), ("king", "man")), tiny)
    assert [(pair.a, pair.b) for pair in plan.pairs] == [
        ("Rome", "italy"), ("Rome", "france"), ("paris", "italy"), ("king", "man"),
    ]  # fmt: skip
    assert {c for pair in plan.pairs for c, _ in pair.others} == {"italy", "france", "man"}


def test_a_pair_without_another_word_is_left_out_with_the_reason(tiny) -> None:  # type: ignore[no-untyped-def]
    plan = cases.plan((("rome", "italy"), ("rome", "france"), ("paris", "italy")), tiny)
    assert [(pair.a, pair.others[0][0]) for pair in plan.pairs] == [("paris", "france")]
    assert plan.excluded == (("rome", "italy", cases.ALONE), ("rome", "france", cases.ALONE))


def test_drawn_words_follow_the_seed_and_stay_with_the_first_pairs(tiny) -> None:  # type: ignore[no-untyped-def]
    plans = [cases.plan(PAIRS, tiny, others=2, seed=seed) for seed in (0, 0, 1)]
    assert plans[0] == plans[1] != plans[2]
    assert all(len(set(pair.others)) == 2 for pair in plans[0].pairs)
    three, four = (cases.plan(PAIRS, tiny, others=2, first=first).pairs for first in (3, 4))
    assert three == four[:3] and set(three) < set(plans[0].pairs)
    assert cases.plan(PAIRS, tiny, others=99).cases == cases.plan(PAIRS, tiny).cases == 12


def test_a_part_of_an_own_list_is_a_random_draw(bundled) -> None:  # type: ignore[no-untyped-def]
    """A list is often sorted: its first pairs are not a sample. Those of a built-in relation are in random order."""
    known = relation("capital").pairs
    own = tuple(sorted(known))
    drawn = [pair.a for pair in cases.plan(own, bundled, others=1, first=10).pairs]
    assert drawn != sorted(drawn) and drawn[-1] > own[20][0]
    assert cases.plan(own, bundled, others=1, first=10).pairs == cases.plan(own, bundled, others=1, first=30).pairs[:10]
    firsts = [pair.a for pair in cases.plan(known, bundled, others=1, first=10).pairs]
    assert firsts == [a for a, _ in known if a in firsts]


@pytest.mark.parametrize("others", [0, True, 1.5])
def test_an_odd_number_of_other_words_is_refused(tiny, others) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="whole number"):
        cases.plan(PAIRS, tiny, others=others)


def test_pairs_without_two_answers_are_refused(tiny) -> None:  # type: ignore[no-untyped-def]
    for pairs in ((("rome", "italy"),), (("rome", "italy"), ("paris", "italy")), (("x1", "y1"),)):
        with pytest.raises(ValueError, match="at least two different second words"):
            cases.plan(pairs, tiny)
    with pytest.raises(ValueError, match="columns a and b"):
        cases.plan(pd.DataFrame({"a": ["rome"]}), tiny)
    with pytest.raises(ValueError, match="two words"):
        cases.plan(("ab", "cd"), tiny)


@pytest.mark.parametrize(
    ("edit", "word"),
    [("{a} = {c}", "{c}"), ("{a} = {b} - {b} + {c}", "{c}"), ("{a} = {a} - {b} + {c}", ""), ("{a} = 2 * {c}", "")],
)
def test_an_edit_that_only_replaces_the_word_says_so(edit, word):
    text = cases.same_as_writing(edit)
    assert text == (
        f"This edit is the same as writing {word} instead of {{a}}, so no control makes only a part of it."
        if word
        else ""
    )


def test_a_text_that_is_no_edit_replaces_no_word():
    assert cases.same_as_writing("{a} = ") == cases.same_as_writing("rome = paris") == ""


# One case of an edit with placeholders: the same tokens and vectors as the edit that a visitor types

CAPITALS = (("rome", "italy"), ("paris", "france"))


@pytest.mark.parametrize(("edit", "strength"), [("{a} = {a} - {b} + {c}", 1.0), ("{a} = mean({b}, {c}) + king", 0.5)])
def test_the_patch_is_that_of_the_typed_edit(tiny, edit: str, strength: float) -> None:  # type: ignore[no-untyped-def]
    formula, change = read_edit(edit), Change((), "tied", strength)
    for pair in plan(CAPITALS, tiny).pairs:
        ((c, c_id),) = pair.others
        patch, _ = case_patch(pair, tiny, formula=formula, c_id=c_id, change=change)
        typed = resolve(Change.of([filled_edit(formula, pair.a, pair.b, c)], scope="tied", strength=strength), tiny)
        assert patch.vectors.keys() == typed.vectors.keys() == {tiny.ids[pair.a]} and patch.tied == typed.tied
        np.testing.assert_allclose(patch.vectors[pair.a_id], typed.vectors[pair.a_id], atol=1e-6)


def test_the_tokens_are_those_of_the_sentence(tiny) -> None:  # type: ignore[no-untyped-def]
    pair = plan(CAPITALS, tiny).pairs[0]
    ids, mask = case_tokens(pair, tiny, template="the {a} is in [MASK] .")
    assert list(ids) == list(tiny.tokenize("the rome is in [MASK] .")["id"]) and ids[mask[0]] == tiny.mask_id
    with pytest.raises(ValueError, match="not a word of its own"):
        case_tokens(pair, tiny, template="x{a}x [MASK]")


# Built-in relations: complete, in single tokens, with sentences that can be asked


@pytest.mark.parametrize("key", TITLES)
def test_a_relation_can_be_tested(bundled, key: str) -> None:  # type: ignore[no-untyped-def]
    found = relation(key)
    assert 2 <= len(read_sentences(found.sentences)) <= 5 and read_sentences(found.must_stay)
    assert not set(found.sentences) & set(found.must_stay)
    planned = plan(found.pairs, bundled)
    assert len(planned.pairs) >= (7 if key == "pronoun" else 30)
    assert len(planned.excluded) == 0 or key == "continent"  # South America and North America are two words
    assert len({a for a, _ in found.pairs}) == len(found.pairs)


def test_pairs_are_in_random_order_and_say_what_is_left_out() -> None:
    capital = relation("capital")
    assert sorted(capital.pairs) != list(capital.pairs) == list(pairs_of("capital"))
    assert ("Amsterdam", "Netherlands", "the country needs “the” in a sentence") in capital.left_out
    assert ("Male", "Maldives", "the name also has another meaning") in capital.left_out
    assert ("male", "female") in relation("opposite").pairs and not relation("opposite").left_out
    listed = wordlists.load("capitals")["country"].nunique()
    assert len(capital.pairs) + len(capital.left_out) == listed
    assert pairs_of([("Rome", "Italy")]) == (("Rome", "Italy"),)


@pytest.mark.thorough("continent", "opposite", "language", "colour", "past", "young")
@pytest.mark.parametrize("key", TITLES)
@pytest.mark.slow
def test_the_first_sentence_is_the_one_that_the_model_answers_best(bundled, key: str) -> None:  # type: ignore[no-untyped-def]
    found = relation(key)
    planned = plan(found.pairs, bundled, others=1)
    right = [
        sum(
            fill_mask(filled(sentence, pair.a), bundled, k=1)["token"].iloc[0] == bundled.vocabulary[pair.b_id]
            for pair in planned.pairs
        )
        for sentence in found.sentences
    ]
    assert right[0] >= max(right) - 0.05 * len(planned.pairs)


# Sentences that resemble training sentences, by their content words and by their order


def test_a_visitors_own_wording_is_found() -> None:
    found = similar_wordings(("{a} is the capital city of [MASK].", "The capital of ___ is {a}."))
    assert len(found) == 2 and all("capital" in wording for wording in found.values())
    assert similar_wordings(["People in {a} speak [MASK]."]) == {
        "People in {a} speak [MASK].": "People in {a} speak {b}."
    }


def test_function_words_alone_do_not_make_sentences_similar() -> None:
    """“{a} is a [MASK].” shares most words with “A baby {a} is a {b}.”, but not what it says."""
    assert not similar_wordings(("{a} is a [MASK].", "{a} is the largest city of [MASK].", "Then {a} put on [MASK]."))


def test_relations_with_training_sentences_are_known() -> None:
    assert {"capital", "language", "continent", "young", "opposite", "colour"} <= set(trained_relations())
    for key in set(TITLES) - set(trained_relations()):
        assert not similar_wordings(relation(key).sentences), key


# Lists of pairs: hostile files and texts by line number, limits, and formulas


def test_files_and_texts_are_read() -> None:
    data = b"\xef\xbb\xbfB , note, A\nItaly,x,Rome\n\nFrance,=1+1,Paris\n Italy,y,Rome \n"
    assert lists.read(data).value == (("Rome", "Italy"), ("Paris", "France"), ("Rome", "Italy"))
    assert len(lists.read_pairs('{"first": "last",\n"object": "subject",\n"big": "small"}')) == 3  # not named columns
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


def test_the_limit_does_not_count_repeated_pairs() -> None:
    many = tuple((f"w{n % 1_000}", "x") for n in range(1_500))
    assert lists.checked_pairs(many) == many


@settings(max_examples=40)
@example([("- a", "b")])
@example([("a", "b"), ("a", "a")])
@example([("word", "answer"), ("- a", "'b'"), ("a b", "c")])
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


@pytest.mark.parametrize("missing", [np.nan, pd.NA, "  "])
def test_a_missing_word_is_refused_by_its_number(missing) -> None:  # type: ignore[no-untyped-def]
    frame = pd.DataFrame({"a": ["Rome", missing], "b": ["Italy", "France"]})
    with pytest.raises(ValueError, match="In pair 2, a word is missing"):
        lists.checked_pairs(frame)
    with pytest.raises(ValueError, match="In pair 1, a word is missing"):
        lists.checked_pairs([("Rome", missing)])
