"""How conditions are decided, compared with scipy and with the definitions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from embtools.paper import conditions


def test_an_exact_comparison_is_never_undecided() -> None:
    assert [conditions.exact("", holds, "x.").holds for holds in (True, False)] == [True, False]


@given(st.integers(0, 40))
def test_a_share_is_decided_by_the_two_sided_binomial_test(count: int) -> None:
    found = conditions.more_often("", count, 40, 0.5)
    p = binomtest(count, 40, 0.5).pvalue
    assert found.holds is (None if p > 0.05 else count > 20)
    assert f"{count} of 40" in found.evidence and "Exact binomial test" in found.evidence


def test_a_share_can_be_too_small_to_fail() -> None:
    assert conditions.more_often("", 0, 20, 1 / 20).holds is None
    assert conditions.more_often("", 18, 20, 1 / 20, by="guessing").holds is True


@pytest.mark.parametrize(("wins", "losses", "holds"), [(6, 1, None), (34, 3, True), (3, 34, False), (0, 0, None)])
def test_a_paired_comparison_is_decided_by_the_pairs_that_differ(wins, losses, holds) -> None:  # type: ignore[no-untyped-def]
    assert conditions.better("", wins, losses, 5, name="It", evidence="").holds is holds


def test_controls_decide_by_one_in_twenty() -> None:
    """51 of 604 are significantly more than 5%; with 0 of 18 there are too few controls to decide."""
    assert conditions.rare("", 51, 604, evidence="").holds is False
    assert conditions.rare("", 0, 19, evidence="").holds is True
    assert conditions.rare("", 0, 18, evidence="").holds is None
    assert conditions.rare("", 20, 604, evidence="").holds is True


def test_seeds_that_disagree_decide_nothing() -> None:
    assert conditions.same_for_all("", [True] * 20, evidence="").holds is True
    assert conditions.same_for_all("", [False] * 20, evidence="").holds is False
    mixed = conditions.same_for_all("", [True] * 19 + [None], evidence="")
    assert mixed.holds is None and "19 of 20" in mixed.evidence
    assert len(conditions.SEEDS) == 20


def test_an_interval_that_includes_the_limit_decides_nothing() -> None:
    assert conditions.below("", -0.1, 0.29, 0.3, evidence="").holds is True
    assert conditions.below("", 0.2, 0.4, 0.3, evidence="").holds is None
    assert conditions.below("", 0.31, 0.4, 0.3, evidence="").holds is False
