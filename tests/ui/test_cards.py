"""Cards in rows: as few rows as there can be, and no card alone where two fit."""

import re

import pytest
from hypothesis import given, strategies

from embtools.ui import cards


@given(n=strategies.integers(1, 40), most=strategies.integers(1, 12))
def test_rows_are_as_few_and_as_equal_as_possible(n: int, most: int) -> None:
    rows = cards.rows(n, most)
    assert sum(rows) == n and max(rows) <= most and len(rows) == -(-n // most)
    assert max(rows) - min(rows) <= 1 and rows == sorted(rows)
    if n > 3 and most > 2:
        assert min(rows) > 1


@pytest.mark.parametrize("n", [1, 13, 16])
def test_every_width_has_a_rule_for_every_card(n: int) -> None:
    rules = re.findall(r"@container cards \(min-width: ([\d.]+)rem\) \{ (.+?\}) \}", cards._styled(n))
    assert len(rules) == n and [float(width) for width, _ in rules] == sorted(float(width) for width, _ in rules)
    for most, (width, rule) in enumerate(rules, 1):
        assert float(width) == pytest.approx(most * cards.NARROWEST + (most - 1) * cards.GAP)
        ranges = re.findall(r"nth-child\(n \+ (\d+)\):nth-child\(-n \+ (\d+)\) \{ --row: (\d+); \}", rule)
        covered = [int(row) for first, last, row in ranges for _ in range(int(first), int(last) + 1)]
        assert covered == [row for row in cards.rows(n, most) for _ in range(row)]
