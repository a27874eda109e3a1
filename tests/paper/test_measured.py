"""Verdicts follow from conditions; published numbers stand in the texts that the cards show."""

import re

import numpy as np
import pytest

from embtools.paper import measured
from embtools.paper.claims import claims
from embtools.paper.measured import CANNOT, LATER, NOT, PART, STANDS, Check, Measured


@pytest.mark.parametrize(
    ("held", "verdict"), [((True, True), STANDS), ((True, False), PART), ((False, False), NOT), ((), CANNOT)]
)
def test_a_verdict_follows_from_its_conditions(held, verdict) -> None:  # type: ignore[no-untyped-def]
    assert Measured("", tuple(Check("", h) for h in held)).verdict == verdict


def test_what_has_no_place_yet_says_so_and_numpys_truth_is_plain() -> None:
    assert Measured("", later=True).verdict == LATER
    assert Check("", np.bool_(True)).holds is True


@pytest.mark.parametrize("claim", ["A2", "A3", "A6", "B3", "B4", "B5", "C3", "E1"])
def test_every_published_number_stands_on_its_card(claim: str) -> None:
    (row,) = [each for each in claims() if each.id == claim]
    shown = [float(n.replace(",", "").replace("−", "-")) for n in re.findall(r"−?\d[\d,]*\.?\d*", row.published)]
    percents = "%" in row.published
    for value in measured.published(claim).values():
        assert any(number == pytest.approx(100 * value if percents else value, abs=6e-4) for number in shown), value
    for _, word in measured.published(claim):
        assert claim not in ("A2", "A3", "A6", "C3") or word in row.published
