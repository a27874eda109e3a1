"""Numbers as text and p-values: rounded as people do, and different only if the numbers are."""

import ast
import math
import re
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies
from hypothesis import strategies as st

import embtools
import training
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import compared, ends, percent, percents, rate_text, rounded
from embtools.statistics.reporting import control_p, p_value

CAN_BE_NEGATIVE = re.compile(r"cosine|rho\b|silhouette|cophenetic|selectivity|\bchange\b|\beffect\b|\bdot\b")


@given(st.floats(-1e6, 1e6), st.integers(0, 6), st.booleans())
def test_the_text_is_read_back_as_the_rounded_number(value: float, digits: int, signed: bool) -> None:
    text = decimal(value, digits, signed=signed)
    written = Decimal(repr(round(value, 12))) * 10**digits  # as a person reads it; halves are rounded away from 0
    rounded = float(math.copysign(math.floor(abs(written) + Decimal("0.5")), value) / 10**digits)
    assert "-" not in text and float(text.replace("−", "-").replace(",", "")) == rounded
    assert text[0] == ("−" if rounded < 0 else "+" if rounded > 0 and signed else text[0])
    assert rounded or text == f"{0:.{digits}f}"


@pytest.mark.parametrize(
    ("write", "given", "message"),
    [
        (decimal, (1.0, -1), "digits"),
        (decimal, (1.0, 11), "digits"),
        (control_p, (-1, 5), "-1 of 5 controls"),
        (control_p, (6, 5), "6 of 5 controls"),
    ],
)
def test_impossible_digits_and_counts_are_refused(write: Any, given: tuple[float, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        write(*given)


@pytest.mark.slow
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


@cache
def _formatted() -> list[tuple[str, str, str]]:
    """Every value that an f-string of the product formats: where, the value, its format."""
    return [
        (f"{path.name} {ast.unparse(node.value)}", ast.unparse(node.value), ast.unparse(node.format_spec))
        for folder in (Path(embtools.__file__).parent, Path(training.__file__).parent)
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FormattedValue) and node.format_spec
    ]


PROBABILITY = strategies.floats(0, 1)
NEAR = strategies.floats(-0.03, 0.03)


def test_halves_are_rounded_up_whatever_the_binary_number_is() -> None:
    halves = [(2 * k + 1) / 200 for k in range(100)]  # 0.5% to 99.5%; 100 * 0.285 is less than 28.5 in binary
    assert [rounded(half) for half in halves] == [f"{k + 1}%" for k in range(100)]
    assert [rounded(1 - half) for half in halves] == [f"{100 - k}%" for k in range(100)]
    assert rounded(197 / 200) == percent(197 / 200) == "99%" and percent(29 / 40) == "73%"


def test_rates_ends_of_intervals_and_single_values_have_the_digits_that_they_need() -> None:
    assert ends(0.9212, 0.9997) == ("92%", "100%") and ends(0.95, 0.99998) == ("95%", "100%")
    assert ends(0.0, 0.65) == ("0%", "65%") and ends(0.0004, 0.0124) == ("0.0%", "1.2%")
    assert ends(0.997, 1.0) == ("99.7%", "100.0%") and ends(1.0, 1.0) == ("100%", "100%")
    texts = [rate_text(rate) for rate in (1.0, 0.9999, 0.995, 0.994, 0.0)]
    assert texts == ["100%", "over 99.9%", "99.5%", "99%", "0%"]
    assert rate_text(math.nan) == "–" and decimal(-math.inf) == "−inf" and decimal(math.nan) == "nan"
    assert [percent(p) for p in (0.791, 0.1, 0.0999, 0.0004, 0.00000001)] == ["79%", "10%", "10.0%", "0.04%", "0.0%"]
    assert percent(0.791, digits=1) == "79.1%" and percent(0.004, digits=0) == "0.4%"


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ((0.1649, 0.1652), ("16.49%", "16.52%")),  # not 16% and 17%
        ((0.28, 0.29), ("28%", "29%")),  # their difference is a little less than 0.01 in binary
        ((0.2014, 0.2025), ("20.1%", "20.3%")),
        ((0.165, 0.165), ("17%", "17%")),  # halves up; equal, so equal texts
        ((0.015, 0.025), ("1.5%", "2.5%")),
        ((0.00001, 0.00003), ("0.001%", "0.003%")),
        ((1.0, 0.999999), ("100.0000%", "99.9999%")),
        ((0.3, 0.30000001), ("30%", "30%")),  # the rounding of the model's own numbers
        ((0.5, 0.3, 0.301), ("50%", "30.0%", "30.1%")),
    ],
)
def test_by_hand(values: tuple[float, ...], texts: tuple[str, ...]) -> None:
    assert percents(*values) == texts


@given(first=PROBABILITY, difference=NEAR, digits=strategies.none() | strategies.integers(0, 2))
def test_two_texts_differ_if_and_only_if_the_values_do(first: float, difference: float, digits: int | None) -> None:
    second = min(1.0, max(0.0, first + difference))
    a, b = percents(first, second, digits=digits)
    same = round(first, 6) == round(second, 6)
    assert (a == b) == same
    if not same:  # no text is further from its value than the values are from each other, nor are they in wrong order
        shown = [float(text.rstrip("%")) / 100 for text in (a, b)]
        assert (shown[0] < shown[1]) == (first < second)
        for text, value in zip(shown, (first, second), strict=True):
            assert abs(text - value) <= abs(round(first, 6) - round(second, 6)) / 2 + 1e-6


@given(first=PROBABILITY, differences=strategies.lists(NEAR, max_size=5))
def test_each_of_several_texts_differs_from_the_first(first: float, differences: list[float]) -> None:
    others = [min(1.0, max(0.0, first + difference)) for difference in differences]
    text, texts = compared(first, others, digits=0)
    for other, value in zip(texts, others, strict=True):
        assert (text == other) == (round(value, 6) == round(first, 6))


@pytest.mark.parametrize("controls", [9, 30])
def test_without_an_effect_small_p_values_are_as_rare_as_they_claim(controls):
    draws = np.random.default_rng(0).normal(size=(40_000, controls + 1))
    reached = (draws[:, 1:] >= draws[:, :1]).sum(axis=1)
    found = np.array([control_p(int(count), controls) for count in reached])
    for level in (0.05, 0.1, 0.3):
        assert (found <= level).mean() <= level + 4 * np.sqrt(level * (1 - level) / len(draws))


def test_a_p_value_is_never_formatted_as_zero():
    assert [p_value(p) for p in (1.0, 0.05, 0.0496, 0.0494, 0.001, 0.00099, 0.0)] == [
        "p = 1.000", "p = 0.050", "p < 0.05", "p = 0.049", "p = 0.001", "p < 0.001", "p < 0.001",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="nan cannot be rounded"):
        p_value(float("nan"))
