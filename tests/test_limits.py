"""Limits on a number of things."""

import pytest

from embtools.limits import within


@pytest.mark.parametrize("count", [1, 1_000])
def test_both_ends_are_within(count):
    within(count, 1_000, "draws")


@pytest.mark.parametrize("count", [-1, 0, 1_001])
def test_what_is_beyond_is_told_with_the_limit(count):
    with pytest.raises(ValueError, match=f"^{count} draws were asked for; choose 1 to 1,000\\.$"):
        within(count, 1_000, "draws")
