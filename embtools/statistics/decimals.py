"""Numbers as text: halves are rounded up, the minus is a real minus sign, and there is no negative zero."""

import math
from decimal import ROUND_HALF_UP, Context, Decimal

from embtools.limits import within

MOST_DIGITS = 10
"""Largest number of decimal places."""
_NOISE = 12  # decimal places of a binary number that mean something: 0.285 * 100 is 28.499999999999996


def half_up(value: float, digits: int = 0) -> Decimal:
    """Round a finite number as people do: halves away from zero, and without the noise of binary numbers.

    >>> [str(half_up(value)) for value in (98.5, 72.5, 0.285 * 100, -2.5)], str(half_up(0.125, 2))
    (['99', '73', '29', '-3'], '0.13')
    """
    within(digits, MOST_DIGITS, "decimal places", least=-MOST_DIGITS)
    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be rounded. Use a finite number.")
    exact = Decimal(repr(round(float(value), _NOISE)))
    return exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP, Context(prec=400))


def decimal(value: float, digits: int = 2, *, signed: bool = False) -> str:
    """Format a number with a fixed number of decimal places.

    >>> decimal(-0.127), decimal(0.5, 1, signed=True), decimal(-0.001), decimal(-1234.5, 0)
    ('−0.13', '+0.5', '0.00', '−1,235')
    """
    within(digits, MOST_DIGITS, "digits", least=0)
    number = half_up(value, digits) if math.isfinite(value) else value
    text = f"{number:{'+' if signed else ''},.{digits}f}"
    if not any(sign in "123456789" for sign in text) and any(sign.isdigit() for sign in text):
        text = text.lstrip("+-")
    return text.replace("-", "−")


def signed(value: float) -> str:
    """Format a number with two decimal places and its sign; one that rounds to zero has none.

    >>> signed(-0.25), signed(3.0), signed(-0.001)
    ('−0.25', '+3.00', '0.00')
    """
    return decimal(value, signed=True)
