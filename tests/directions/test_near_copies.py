"""Sentences that are nearly the same as another one of their group."""

import re

from hypothesis import given
from hypothesis import strategies as st

from embtools.directions.near_copies import SHARE, near_copies

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
