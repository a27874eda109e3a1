"""Numbers as text, with a minus sign instead of a hyphen and without a negative zero."""

from embtools.limits import within

MOST_DIGITS = 10
"""Largest number of decimal places."""


def decimal(value: float, digits: int = 2, *, signed: bool = False) -> str:
    """Format a number with a fixed number of decimal places.

    Parameters
    ----------
    value : float
    digits : int, default 2
        Decimal places.
    signed : bool, default False
        Whether a positive number gets a plus sign.

    Raises
    ------
    ValueError
        For digits below 0 or above MOST_DIGITS.

    >>> decimal(-0.127), decimal(0.5, 1, signed=True), decimal(-0.001), decimal(-1234.5, 0)
    ('−0.13', '+0.5', '0.00', '−1,234')
    """
    within(digits, MOST_DIGITS, "digits", least=0)
    text = f"{value:{'+' if signed else ''},.{digits}f}"
    if not any(sign in "123456789" for sign in text) and any(sign.isdigit() for sign in text):
        text = text.lstrip("+-")
    return text.replace("-", "−")


def signed(value: float) -> str:
    """Format a number with two decimal places and its sign; one that rounds to zero has none.

    >>> signed(-0.25), signed(3.0), signed(-0.001)
    ('−0.25', '+3.00', '0.00')
    """
    return decimal(value, signed=True)
