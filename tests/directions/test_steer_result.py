"""What is said about a direction that is added: its numbers, and its verdicts next to random directions."""

from dataclasses import replace

import numpy as np
import pytest

from embtools.directions.steer import steer
from tests.directions.lists import BAD, GOOD

TEXTS = ("The king is [MASK] unable.", "Your idea is [MASK].")
ASKED = {
    "first": BAD,
    "second": GOOD,
    "first_answers": ("bad", "wrong"),
    "second_answers": ("good", "great"),
    "layer": 4,
}
MORE, CHANCE = "So the direction does more than a random one.", "So this could be chance."
FEW = "are too few for a clear result."


@pytest.fixture(scope="module")
def found(bundled):
    return steer(TEXTS, bundled, **ASKED, draws=19)


def test_sentences_about_the_result_hold_its_numbers(found, bundled):
    factor = np.exp(found.at(1.0)["change"])
    assert f"by {factor:,.0f} (95%" in found.headline or f"by {factor:.1f} (95%" in found.headline
    assert "odds of “good, great” over “bad, wrong”" in found.headline and "19 random directions" in found.comparison
    few = steer(TEXTS[:1], bundled, **ASKED, draws=3)
    assert f"3 {FEW}" in few.comparison and "95% interval" not in few.headline
    assert MORE not in few.comparison and CHANCE not in few.comparison


def test_a_direction_of_true_groups_does_more_than_random_ones(found):
    assert found.p == 0.05 and MORE in found.comparison
    assert CHANCE not in found.comparison and FEW not in found.comparison


def test_a_direction_of_mixed_groups_could_be_chance(bundled):
    mixed = [*BAD, *GOOD]
    groups = {"first": mixed[::2], "second": mixed[1::2]}
    found = steer(TEXTS, bundled, **(ASKED | groups), draws=19)
    assert found.strengths["change"].abs().max() < 3
    assert found.p > 0.05 and CHANCE in found.comparison and MORE not in found.comparison


def test_the_verdict_follows_the_random_directions(found):
    own = found.at(1.0)["change"]
    below, above = (own - 0.01,) * 18, (own + 0.01,)
    assert MORE in replace(found, random=(*below, own - 0.01)).comparison
    for other in (above, (-own - 0.01,), (own,)):  # in both directions, and as large
        result = replace(found, random=(*below, *other))
        assert result.p == 0.1 and CHANCE in result.comparison and MORE not in result.comparison
    few = replace(found, random=below)
    assert FEW in few.comparison and CHANCE not in few.comparison and MORE not in few.comparison
