"""Two groups of words: the built-in ones, their states, the scores on held-out words, and near copies."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools import wordlists
from embtools.concepts.groups import (
    SHARE,
    WHOLE,
    folds,
    group_states,
    held_out_scores,
    kind_of,
    list_of,
    lists,
    near_copies,
    scores,
    tokens_of,
)
from embtools.spaces.two_groups import DIFFERENCE, LOGISTIC, direction
from embtools.words import templates
from tests.concepts.lists import BAD, FIRST_SENTENCES, GOOD, SECOND_SENTENCES
from tests.spaces.two_groups import cloud


def test_every_word_is_read_in_the_sentence(bundled):
    read = group_states(BAD, GOOD, bundled, template="It is {word} here.")
    assert read.items == (*BAD, *GOOD) and read.second.tolist() == [False] * len(BAD) + [True] * len(GOOD)
    assert read.names == ("“bad, terrible …”", "“good, great …”")
    states = bundled.hidden_states("It is worthless here.")
    at = bundled.tokenize("It is worthless here.")["token"].tolist().index("worthless")
    np.testing.assert_allclose(read.states[:, BAD.index("worthless")], states[:, at], atol=1e-5)


def test_a_word_of_several_tokens_is_their_mean(bundled):
    groups = ("unbelievableness", *BAD), GOOD
    count = len(bundled.pieces("unbelievableness"))
    states = bundled.hidden_states("This is unbelievableness.")
    expected = states[:, 3 : 3 + count].mean(axis=1)
    assert count > 1
    np.testing.assert_allclose(group_states(*groups, bundled).states[:, 0], expected, atol=1e-5)


def test_the_means_of_the_groups_have_the_scores_minus_one_and_one():
    x, second = cloud()
    axis = direction(x, second)
    ends = x[~second].mean(0), x[second].mean(0)
    means = np.array([*ends, (ends[0] + ends[1]) / 2])
    np.testing.assert_allclose(scores(means, axis, of=x, second=second), [-1, 1, 0], atol=1e-9)
    across = np.linalg.svd(np.stack([axis, x[0] * 0]))[2][-1]  # orthogonal to the difference of the means
    assert not scores(means, across, of=x, second=second).any()


@pytest.mark.parametrize("method", [DIFFERENCE, LOGISTIC])
def test_no_word_has_a_part_in_the_direction_that_it_is_scored_on(method):
    x, second = cloud()
    splits = folds(second, seed=3)
    assert sorted(np.concatenate([rest for _, rest in splits])) == list(range(30))
    found = held_out_scores(x, second, splits, method=method)
    learn, rest = splits[2]
    changed = x.copy()
    changed[rest] += 100 * second[rest, None]
    again = held_out_scores(changed, second, splits, method=method)
    axis = direction(x[learn], second[learn], method=method)
    np.testing.assert_allclose(found[rest], scores(x[rest], axis, of=x[learn], second=second[learn]))
    np.testing.assert_allclose(again[rest], scores(changed[rest], axis, of=x[learn], second=second[learn]))


def test_a_sentence_is_the_mean_of_its_tokens(bundled):
    read = group_states(FIRST_SENTENCES, SECOND_SENTENCES, bundled, template=WHOLE)
    assert read.items == (*FIRST_SENTENCES, *SECOND_SENTENCES) and read.kind == "sentences"
    states = bundled.hidden_states(SECOND_SENTENCES[3])
    np.testing.assert_allclose(read.states[:, 13], states[:, 1:-1].mean(axis=1), atol=1e-5)  # no [CLS], no [SEP]
    assert read.names == ("“She walks to school with her …”", "“We watched a film about eleph …”")
    assert group_states(BAD, GOOD, bundled, template=WHOLE).kind == "words"


def test_items_are_sentences_only_without_a_template_and_longer_ones_have_more_tokens(bundled):
    assert kind_of(("rain", "It rains."), WHOLE) == "sentences"
    assert kind_of(("rain ", "snow"), WHOLE) == kind_of(("New York", "Rome"), "This is {word}.") == "words"
    assert tokens_of(("good", "bad"), bundled) == 16
    sentence = "The wind blows from the north."
    assert tokens_of((sentence,), bundled) == len(bundled.tokenize(sentence)) - 2 + 7


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (FIRST_SENTENCES[:9], SECOND_SENTENCES, "first group has 9 sentences; use 10 to 150"),
        (FIRST_SENTENCES, SECOND_SENTENCES * 16, "second group has 160 sentences; use 10 to 150"),
        (FIRST_SENTENCES, (*SECOND_SENTENCES, FIRST_SENTENCES[0]), "listed twice. Use each sentence in one group"),
        (FIRST_SENTENCES, (*SECOND_SENTENCES, FIRST_SENTENCES[0].upper()), "are the same sentence for this model"),
        (FIRST_SENTENCES, (*SECOND_SENTENCES, " "), "cannot be read"),
    ],
)
def test_wrong_sentences_are_refused(bundled, first, second, message):
    with pytest.raises(ValueError, match=message):
        group_states(first, second, bundled, template=WHOLE)


def test_the_tokens_of_all_sentences_are_limited(bundled, monkeypatch):
    total = sum(len(bundled.tokenize(text)) for text in FIRST_SENTENCES + SECOND_SENTENCES)
    monkeypatch.setattr(templates, "MAX_PIECES", total)
    group_states(FIRST_SENTENCES, SECOND_SENTENCES[::-1], bundled, template=WHOLE)
    monkeypatch.setattr(templates, "MAX_PIECES", total - 1)
    with pytest.raises(ValueError, match=f"{total} tokens in total; at most {total - 1}"):
        group_states(SECOND_SENTENCES, FIRST_SENTENCES, bundled, template=WHOLE)


@pytest.mark.parametrize(
    ("first", "second", "template", "message"),
    [
        (BAD, GOOD[:1], "This is {word}.", "second group has 1 word;"),
        (BAD, (*GOOD, "bad"), "This is {word}.", "listed twice"),
        (BAD, GOOD, "This is it.", "{word}"),
    ],
)
def test_wrong_groups_are_refused(bundled, first, second, template, message):
    with pytest.raises(ValueError, match=message):
        group_states(first, second, bundled, template=template)


@pytest.mark.parametrize("name", lists())
def test_both_groups_can_be_read_and_are_found_by_their_words(bundled, name: str) -> None:  # type: ignore[no-untyped-def]
    first, second = lists()[name]
    assert len(set(first)) == len(first) and len(set(second)) == len(second) and not set(first) & set(second)
    assert list_of(first, second) == list_of(tuple(word.title() for word in first), second) == name
    assert list_of(second, first) is None
    states = group_states(first, second, bundled)
    assert states.second.sum() == len(second) and len(states.items) == len(first) + len(second)


def test_words_with_both_labels_are_in_no_group() -> None:
    """In the built-in sentences of the probes, some words are labelled once as a noun and once as a verb."""
    rows = wordlists.load("probing").query("task == 'part of speech'")
    nouns, verbs = (set(rows.query("label == @label")["word"].str.lower()) for label in ("noun", "verb"))
    for own, label in zip(lists()["nouns and verbs"], ("noun", "verb"), strict=True):
        words = rows.loc[rows["label"] == label, "word"].str.lower().drop_duplicates()
        assert own == tuple(word for word in words if word not in nouns & verbs)


def test_the_ten_pairs_stay_pairs() -> None:
    first, second = lists()["ten pairs of male and female words"]
    assert list(zip(first, second, strict=True)) == list(
        wordlists.load("gender_pairs")[["male", "female"]].itertuples(index=False, name=None)
    )


TEXTS = st.lists(st.text("abc Ab.", min_size=1, max_size=14), min_size=1, max_size=8)


@given(TEXTS, st.randoms(use_true_random=False))
def test_the_count_is_that_of_a_loop_over_pairs(texts, random):
    groups = [random.choice("xy") for _ in texts]

    def words(text: str) -> set[str]:
        return {re.sub(r"^\.+|\.+$", "", part) for part in text.lower().split()}

    def alike(a: set[str], b: set[str]) -> bool:
        return len(a & b) >= SHARE * len(a | b)

    expected = sum(
        any(i != j and groups[i] == groups[j] and alike(words(texts[i]), words(texts[j])) for j in range(len(texts)))
        for i in range(len(texts))
    )
    assert near_copies(texts, groups) == expected


def test_seven_of_ten_words_in_common_are_enough():
    begin = "one two three four five six seven"
    assert near_copies([f"{begin} eight.", f"{begin} nine ten"], ["a", "a"]) == 2  # 7 of 10
    assert near_copies([f"{begin} eight.", f"{begin} nine ten eleven"], ["a", "a"]) == 0  # 7 of 11
