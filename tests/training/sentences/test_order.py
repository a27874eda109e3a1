"""Days, months, numbers and sums from a dictionary."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.sentences import order

NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()
DAYS = "sunday monday tuesday wednesday thursday friday saturday".split()
MONTHS = "january february march april".split()
LINES = [
    "monday, mon: the second day of the week; the first working day.",
    "tuesday: the third day of the week.",
    "sunday: first day of the week; a day of rest.",
    "saturday: the seventh and last day of the week.",
    "wednesday: the fourth day of the week.",
    "friday: the sixth day of the week.",
    "thursday: the fifth day of the week.",
    "market: a day of the week.",
    "march, mar: the month following february and preceding april.",
    "february: the month following january and preceding march.",
    *(f"{b}, {i}: being one more than {a}." for i, (a, b) in enumerate(pairwise(NUMBERS), 2)),
]
KNOWN = frozenset([*DAYS, *MONTHS, *NUMBERS, "mon", "market", *map(str, range(13))])


def test_week_year_and_numbers_are_read_from_a_dictionary_in_any_order() -> None:
    assert order.read(LINES[::-1], KNOWN) == (DAYS, MONTHS, NUMBERS)
    assert order.read(["dog: a pet."], KNOWN) == ([], [], [])


@given(st.lists(st.text("abc", min_size=1), unique=True, min_size=2, max_size=8).flatmap(st.permutations))
def test_a_chain_is_joined_from_its_links(row: list[str]) -> None:
    links = {two: one for one, two in pairwise(row)}
    assert order.chain(dict(sorted(links.items()))) == row


def test_a_closed_circle_has_no_first_word() -> None:
    assert order.chain({"a": "b", "b": "a"}) == []


def test_every_sum_is_correct() -> None:
    value = {word: i for i, word in enumerate(NUMBERS, 1)}
    seen = set()
    for make, equals, together, leaves, minus in order.sums(NUMBERS):
        one, _, two, _, total = make.lower().rstrip(".").split()
        assert value[one] + value[two] == value[total]
        seen.add((value[one], value[two]))
        for less in (leaves, minus):
            first, _, second, _, third = less.lower().rstrip(".").split()
            assert value[first] - value[second] == value[third]
        assert equals.lower() == f"{one} plus {two} equals {total}."
        assert together.lower() == f"{one} and {two} together are {total}."
    assert seen == {(i, j) for i in range(1, 13) for j in range(1, 13) if i + j <= 12}


def test_no_sum_is_larger_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "LARGEST", 4)
    assert len(list(order.sums(NUMBERS))) == 1 + 2 + 1 + 2  # 1+1, 1+2 both ways, 2+2, 1+3 both ways


def test_the_week_is_a_circle_and_the_numbers_are_not(tmp_path: Path) -> None:
    glosses = tmp_path / "glosses.txt"
    glosses.write_text("\n".join(LINES))
    written = [d[0] for d in order.rewrite([glosses], KNOWN)]
    assert any(w.startswith("After Saturday comes Sunday.") for w in written)
    assert "Sunday is the first day of the week. The first day of the week is called Sunday." in written
    assert "Saturday is the last day of the week. The last day of the week is called Saturday." in written
    assert any(w.startswith("After eleven comes twelve.") for w in written)
    assert not any("After twelve" in w for w in written)
    assert (
        "One and two make three. One plus two equals three. One and two together are three. Three less two leaves one. "
        "Three minus two equals one." in written
    )
