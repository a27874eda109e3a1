"""The built-in groups of words: those of the lists of Bias and Probing, and all of them can be used."""

import pytest

from embtools import wordlists
from embtools.directions.groups import group_states
from embtools.directions.lists import list_of, lists


@pytest.mark.parametrize("name", lists())
def test_both_groups_can_be_read_and_are_found_by_their_words(bundled, name: str) -> None:  # type: ignore[no-untyped-def]
    first, second = lists()[name]
    assert len(set(first)) == len(first) and len(set(second)) == len(second) and not set(first) & set(second)
    assert list_of(first, second) == list_of(tuple(word.title() for word in first), second) == name
    assert list_of(second, first) is None
    states = group_states(first, second, bundled)
    assert states.second.sum() == len(second) and len(states.items) == len(first) + len(second)


def test_words_with_both_labels_are_in_no_group() -> None:
    """In the built-in sentences of Probing, some words are labelled once as a noun and once as a verb."""
    rows = wordlists.load("probing").query("task == 'part of speech'")
    nouns, verbs = (set(rows.query("label == @label")["word"].str.lower()) for label in ("noun", "verb"))
    assert lists()["nouns and verbs"] == tuple(
        tuple(
            word
            for word in rows.query("label == @label")["word"].str.lower().drop_duplicates()
            if word not in nouns & verbs
        )
        for label in ("noun", "verb")
    )


def test_the_ten_pairs_stay_pairs() -> None:
    first, second = lists()["ten pairs of male and female words"]
    assert list(zip(first, second, strict=True)) == list(
        wordlists.load("gender_pairs")[["male", "female"]].itertuples(index=False, name=None)
    )
