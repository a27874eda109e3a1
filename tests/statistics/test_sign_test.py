"""The sign test against scipy's binomial test and by hand."""

import pytest
from hypothesis import given, strategies
from scipy.stats import binomtest

from embtools.statistics.sign_test import sign_test


@pytest.mark.parametrize(
    ("rose", "fell", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (5, 0, 2 / 32),
        (0, 6, 2 / 64),
        (3, 1, 2 * (1 + 4) / 16),
        (1, 1, 1.0),  # both tails together would be more than one
    ],
)
def test_by_hand(rose: int, fell: int, p: float) -> None:
    assert sign_test(rose, fell) == p


@given(rose=strategies.integers(0, 200), fell=strategies.integers(0, 200))
def test_as_scipy_has_it(rose: int, fell: int) -> None:
    expected = binomtest(rose, rose + fell).pvalue if rose + fell else 1.0
    assert sign_test(rose, fell) == pytest.approx(expected, rel=1e-9)


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(ValueError, match="-1 is no count"):
        sign_test(3, -1)
