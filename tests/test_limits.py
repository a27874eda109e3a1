"""Checks of numbers of items."""

import pytest

from embtools.limits import enough, same_count, within


@pytest.mark.parametrize("count", [-1, 0, 1_001])
def test_the_error_names_the_limit(count):
    within(1, 1_000, "draws"), within(1_000, 1_000, "draws")
    with pytest.raises(ValueError, match=f"^{count} draws were asked for; choose 1 to 1,000\\.$"):
        within(count, 1_000, "draws")


@pytest.mark.parametrize(
    "things, least, message",
    [
        ([], 1, "There are no sentences. Give at least one."),
        ([], 3, "There are no sentences. Give at least 3."),
        (["a"], 2, "At least 2 sentences are needed, but there is only one. Add more."),
        (["a", "b"], 3, "At least 3 sentences are needed, but there are only 2. Add more."),
    ],
)
def test_the_error_counts_too_few_items(things, least, message):
    with pytest.raises(ValueError) as raised:
        enough(things, "sentences", least=least)
    assert str(raised.value) == message


@pytest.mark.parametrize("things, least", [(["a"], 1), (["a", "b"], 1), (range(3), 3), ({"a": 1}, 1)])
def test_enough_is_enough(things, least):
    enough(things, "sentences", least=least)


def test_unequal_numbers_of_items_raise_an_error():
    same_count(labels="ab", words=("red", "green"))
    with pytest.raises(ValueError, match=r"^There are 2 labels and 1 words\. Give the same number of both\.$"):
        same_count(labels="ab", words=("red",))
    with pytest.raises(ValueError, match=r"^There are 2 a and 2 b and 0 c\. Give the same number of each\.$"):
        same_count(a="ab", b="ab", c="")
