"""Numbers as text: a minus sign, no negative zero, and otherwise what Python writes."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.statistics.decimals import decimal


@given(st.floats(-1e6, 1e6), st.integers(0, 6), st.booleans())
def test_the_text_is_read_back_as_the_rounded_number(value: float, digits: int, signed: bool) -> None:
    text = decimal(value, digits, signed=signed)
    assert "-" not in text and float(text.replace("−", "-").replace(",", "")) == round(
        float(f"{value:.{digits}f}"), digits
    )
    rounded = float(f"{value:.{digits}f}")
    assert text[0] == ("−" if rounded < 0 else "+" if rounded > 0 and signed else text[0])
    assert rounded or text == f"{0:.{digits}f}"


def test_what_is_not_finite_is_named() -> None:
    assert decimal(-math.inf) == "−inf" and decimal(math.nan) == "nan"


@pytest.mark.parametrize("digits", [-1, 11])
def test_impossible_digits_are_refused(digits: int) -> None:
    with pytest.raises(ValueError, match="digits"):
        decimal(1.0, digits)
