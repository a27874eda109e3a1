"""Percentages for comparison differ if and only if the numbers do."""

import pytest
from hypothesis import given, strategies

from embtools.statistics.percentages import compared, ends, percent, percents, rate_text, rounded

PROBABILITY = strategies.floats(0, 1)
NEAR = strategies.floats(-0.03, 0.03)


def test_halves_are_rounded_up_whatever_the_binary_number_is() -> None:
    halves = [(2 * k + 1) / 200 for k in range(100)]  # 0.5% to 99.5%; 100 * 0.285 is less than 28.5 in binary
    assert [rounded(half) for half in halves] == [f"{k + 1}%" for k in range(100)]
    assert [rounded(1 - half) for half in halves] == [f"{100 - k}%" for k in range(100)]
    assert rounded(197 / 200) == percent(197 / 200) == "99%" and percent(29 / 40) == "73%"


def test_the_ends_of_an_interval_have_at_most_one_decimal_place() -> None:
    assert ends(0.9212, 0.9997) == ("92%", "100%") and ends(0.95, 0.99998) == ("95%", "100%")
    assert ends(0.0, 0.65) == ("0%", "65%") and ends(0.0004, 0.0124) == ("0.0%", "1.2%")
    assert ends(0.997, 1.0) == ("99.7%", "100.0%") and ends(1.0, 1.0) == ("100%", "100%")


def test_only_all_cases_are_100_percent_and_none_are_a_dash() -> None:
    assert [rate_text(rate) for rate in (1.0, 0.9999, 0.995, 0.994, 0.0)] == [
        "100%",
        "over 99.9%",
        "99.5%",
        "99%",
        "0%",
    ]
    assert rate_text(float("nan")) == "–"


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ((0.1649, 0.1652), ("16.49%", "16.52%")),  # not 16% and 17%
        ((0.16, 0.17), ("16%", "17%")),
        ((0.28, 0.29), ("28%", "29%")),  # their difference is a little less than 0.01 in binary
        ((0.2014, 0.2025), ("20.1%", "20.3%")),
        ((0.165, 0.165), ("17%", "17%")),  # halves up; equal, so equal texts
        ((0.015, 0.025), ("1.5%", "2.5%")),
        ((0.791, 0.045), ("79%", "4.5%")),
        ((0.096, 0.102), ("9.6%", "10.2%")),
        ((0.00001, 0.00003), ("0.001%", "0.003%")),
        ((0.0, 0.5), ("0.0%", "50%")),
        ((1.0, 0.999999), ("100.0000%", "99.9999%")),
        ((0.3, 0.30000001), ("30%", "30%")),  # the rounding of the model's own numbers
        ((0.5, 0.3, 0.301), ("50%", "30.0%", "30.1%")),
    ],
)
def test_by_hand(values: tuple[float, ...], texts: tuple[str, ...]) -> None:
    assert percents(*values) == texts


def test_a_single_value_has_few_digits_and_does_not_look_like_zero() -> None:
    assert [percent(p) for p in (0.791, 0.1, 0.0999, 0.0004, 0.00000001)] == ["79%", "10%", "10.0%", "0.04%", "0.0%"]
    assert percent(0.791, digits=1) == "79.1%" and percent(0.004, digits=0) == "0.4%"


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


def test_a_value_equal_to_the_first_has_the_same_text() -> None:
    assert compared(0.2014, [0.2014, 0.2015, 0.5], digits=0) == ("20.14%", ("20.14%", "20.15%", "50%"))
