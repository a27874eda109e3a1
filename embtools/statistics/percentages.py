"""Shares formatted as percentages. Halves are rounded up, everywhere in the app.

`rounded` is for a single share, `ends` for an interval, and `percents` for probabilities that are compared: it has
enough digits to show every difference.
"""

import math
from collections.abc import Sequence
from itertools import combinations

from embtools.limits import within
from embtools.statistics.decimals import half_up

MOST_DIGITS = 4
"""Largest number of decimal places: one more would show the rounding of the model's own numbers."""


def rounded(share: float, digits: int = 0) -> str:
    """Format a share as a percentage with a fixed number of decimal places; halves are rounded up.

    >>> rounded(197 / 200), rounded(29 / 40), rounded(0.9997), rounded(0.0345, 1)
    ('99%', '73%', '100%', '3.5%')
    """
    within(digits, MOST_DIGITS, "decimal places", least=0)
    return f"{half_up(100 * share, digits)}%" if math.isfinite(share) else f"{share:.{digits}%}"


def rate_text(share: float) -> str:
    """Format a rate of cases: only all cases are 100%, and of none, the rate is a dash.

    >>> rate_text(0.985), rate_text(0.995), rate_text(2999 / 3000), rate_text(float("nan"))
    ('99%', '99.5%', 'over 99.9%', '–')
    """
    if math.isnan(share):
        return "–"
    text = percent(share) if share else "0%"
    if share >= 1 or text != "100%":
        return text
    return "over 99.9%" if rounded(share, 1) == "100.0%" else rounded(share, 1)


def ends(low: float, high: float) -> tuple[str, str]:
    """Format the two ends of an interval of a share: whole percentages, one decimal place below 10% or if both agree.

    >>> ends(0.923, 0.9997), ends(0.0, 0.0124), ends(0.998, 1.0)
    (('92%', '100%'), ('0%', '1.2%'), ('99.8%', '100.0%'))
    """
    texts = tuple(rounded(end, int(0 < end < 0.0995)) for end in (low, high))
    if texts[0] == texts[1] and low != high:
        texts = rounded(low, 1), rounded(high, 1)
    return texts[0], texts[1]


def interval_text(low: float, high: float) -> str:
    """Name the 95% interval of a share.

    >>> interval_text(0.923, 0.9997)
    '95% interval 92% to 100%'
    """
    return "95% interval {} to {}".format(*ends(low, high))


def percent(value: float, digits: int | None = None) -> str:
    """Format one probability as a percentage; see `percents`.

    >>> percent(0.791), percent(0.079), percent(0.0004)
    ('79%', '7.9%', '0.04%')
    """
    return percents(value, digits=digits)[0]


def percents(*values: float, digits: int | None = None) -> tuple[str, ...]:
    """Format probabilities that are compared with each other as percentages: two texts differ if and only if the values
    do to six decimal places, and the last digit is never larger than the difference of two values.

    >>> percents(0.1649, 0.1652)
    ('16.49%', '16.52%')
    >>> percents(0.51, 0.045)
    ('51%', '4.5%')
    """
    if not all(map(math.isfinite, values)):
        raise ValueError("A probability is infinite or not a number and cannot be written as a percentage.")
    if digits is not None:
        within(digits, MOST_DIGITS, "digits", least=0)
    shares = [round(float(value), MOST_DIGITS + 2) for value in values]
    places = [_digits(value, digits) for value in shares]
    for i, j in combinations(range(len(shares)), 2):
        needed = _to_tell_apart(shares[i], shares[j])
        places[i], places[j] = max(places[i], needed), max(places[j], needed)
    return tuple(rounded(value, n) for value, n in zip(shares, places, strict=True))


def compared(first: float, others: Sequence[float], *, digits: int | None = None) -> tuple[str, tuple[str, ...]]:
    """Format one probability, and others that are compared with it but not with each other.

    >>> compared(0.2014, [0.2025, 0.031, 0.034], digits=0)
    ('20.1%', ('20.3%', '3%', '3%'))
    """
    pairs = [percents(first, other, digits=digits) for other in others]
    text = max([percent(first, digits), *(own for own, _ in pairs)], key=len)
    return text, tuple(text if own == other else other for own, other in pairs)


def _digits(value: float, digits: int | None) -> int:
    """Decimal places of a single value: as many as requested, and enough that it does not look like zero."""
    least = (0 if value >= 0.1 else 1) if digits is None else digits
    shown = (n for n in range(least, MOST_DIGITS) if value == 0 or half_up(100 * value, n) != 0)
    return next(shown, MOST_DIGITS)


def _to_tell_apart(first: float, second: float) -> int:
    """Decimal places at which two values are formatted differently and the last digit is below their difference."""
    points = round(100 * abs(first - second), MOST_DIGITS)
    if points == 0:
        return 0
    least = max(0, math.ceil(-math.log10(points)))
    return next(n for n in range(least, MOST_DIGITS + 1) if rounded(first, n) != rounded(second, n))
