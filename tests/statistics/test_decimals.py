"""Numbers as text: a minus sign, no negative zero, and halves rounded up."""

import ast
import math
import re
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import embtools
import training
from embtools.statistics.decimals import decimal

CAN_BE_NEGATIVE = re.compile(r"cosine|rho\b|silhouette|cophenetic|selectivity|\bchange\b|\beffect\b|\bdot\b")


@given(st.floats(-1e6, 1e6), st.integers(0, 6), st.booleans())
def test_the_text_is_read_back_as_the_rounded_number(value: float, digits: int, signed: bool) -> None:
    text = decimal(value, digits, signed=signed)
    written = Decimal(repr(round(value, 12))) * 10**digits  # as a person reads it; halves are rounded away from 0
    rounded = float(math.copysign(math.floor(abs(written) + Decimal("0.5")), value) / 10**digits)
    assert "-" not in text and float(text.replace("−", "-").replace(",", "")) == rounded
    assert text[0] == ("−" if rounded < 0 else "+" if rounded > 0 and signed else text[0])
    assert rounded or text == f"{0:.{digits}f}"


def test_what_is_not_finite_is_named() -> None:
    assert decimal(-math.inf) == "−inf" and decimal(math.nan) == "nan"


@pytest.mark.parametrize("digits", [-1, 11])
def test_impossible_digits_are_refused(digits: int) -> None:
    with pytest.raises(ValueError, match="digits"):
        decimal(1.0, digits)


def test_numbers_that_can_be_negative_are_written_with_a_minus_sign() -> None:
    """In texts, a cosine or a correlation is formatted by `decimal` and not by an f-string."""
    wrong = [
        where
        for where, value, spec in _formatted()
        if spec.endswith("f'") and CAN_BE_NEGATIVE.search(value) and not value.startswith("abs(")
    ]
    assert not wrong


def test_shares_are_written_by_the_function_that_rounds_halves_up() -> None:
    """Python's own % rounds 72.5% to 72%. Only progress and style sheets may use it."""
    exact = {"done", "before", "now"}
    wrong = [where for where, value, spec in _formatted() if spec.endswith("%'") and value not in exact]
    assert wrong == ["percentages.py share"]  # what is not finite


def _formatted() -> list[tuple[str, str, str]]:
    """Every value that an f-string of the product formats: where, the value, its format."""
    return [
        (f"{path.name} {ast.unparse(node.value)}", ast.unparse(node.value), ast.unparse(node.format_spec))
        for folder in (Path(embtools.__file__).parent, Path(training.__file__).parent)
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FormattedValue) and node.format_spec
    ]
