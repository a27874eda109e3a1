"""Verdicts follow from conditions; published numbers are in the texts that the cards show."""

import re
from itertools import product

import numpy as np
import pytest

from embtools.paper import measured
from embtools.paper.claims import claims
from embtools.paper.measured import CANNOT, FAILS, HOLDS, PART, Condition, Measured


@pytest.mark.parametrize(
    ("held", "verdict"),
    [
        ((True, True), HOLDS),
        ((True, False), PART),
        ((False, False), FAILS),
        ((), CANNOT),
        ((None,), CANNOT),
        ((True, None), CANNOT),
        ((False, None), CANNOT),
        ((True, False, None), PART),
    ],
)
def test_a_verdict_follows_from_its_conditions(held, verdict) -> None:  # type: ignore[no-untyped-def]
    assert Measured("", tuple(Condition("", h, "") for h in held)).verdict == verdict


def test_an_undecided_condition_matters_only_if_it_could_change_the_verdict() -> None:
    """By brute force: fill in every undecided condition both ways and compare the verdicts."""
    for held in product((True, False, None), repeat=3):
        choices = [(h,) if h is not None else (True, False) for h in held]
        possible = {measured.verdict([Condition("", h, "") for h in filled]) for filled in product(*choices)}
        expected = possible.pop() if len(possible) == 1 else CANNOT
        assert measured.verdict([Condition("", h, "") for h in held]) == expected, held


def test_booleans_of_numpy_become_plain_ones() -> None:
    assert Condition("", np.bool_(True), "").holds is True and Condition("", None, "").holds is None


@pytest.mark.parametrize("claim", ["A2", "A3", "A6", "B3", "B4", "B5", "C3", "E1"])
def test_every_published_number_is_on_its_card(claim: str) -> None:
    (row,) = [each for each in claims() if each.id == claim]
    shown = [float(n.replace(",", "").replace("−", "-")) for n in re.findall(r"−?\d[\d,]*\.?\d*", row.published)]
    percents = "%" in row.published
    for value in measured.published(claim).values():
        assert any(number == pytest.approx(100 * value if percents else value, abs=6e-4) for number in shown), value
    for _, word in measured.published(claim):
        assert claim not in ("A2", "A3", "A6", "C3") or word in row.published


def test_every_card_names_the_model_of_the_published_figures() -> None:
    """B7's figures are those of Devlin's cased model, those of the third article of a model with 128 numbers."""
    models = {claim.id: claim.model for claim in claims()}
    assert all(models.values())
    assert "cased" in models["B7"] and "uncased" not in models["B7"]
    assert all(models[f"A{n}"] == "bert-base-uncased" for n in range(1, 7))
    assert all(models[f"C{n}"] == "google/bert_uncased_L-12_H-128_A-2" for n in range(1, 5))
    assert "not BERT" in models["D6"]
