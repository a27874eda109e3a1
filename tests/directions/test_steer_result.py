"""Sentences about a direction that is added: its numbers, and its verdicts next to random directions."""

from dataclasses import replace

import numpy as np
import pytest

from embtools.charts import directions as charts
from embtools.directions.fluency import BREAK
from embtools.directions.steering import steer
from embtools.statistics.decimals import signed
from tests.directions.lists import BAD, GOOD

pytestmark = pytest.mark.usefixtures("short_fixed_text")
TEXTS = ("The king is [MASK] unable.", "Your idea is [MASK].")
ASKED = {
    "first": BAD,
    "second": GOOD,
    "first_answers": ("bad", "wrong"),
    "second_answers": ("good", "great"),
    "layer": 4,
}
MORE, CHANCE = "So the direction does more than one that means nothing.", "So this could be chance."
FEW = "are too few for a clear result."


@pytest.fixture(scope="module")
def found(bundled):
    return steer(TEXTS, bundled, **ASKED, draws=19)


@pytest.mark.slow
def test_sentences_about_the_result_hold_its_numbers(found, bundled):
    factor = np.exp(found.at(1.0)["change"])
    assert f"by {factor:,.0f} (single sentences: " in found.headline or f"by {factor:.1f} (single" in found.headline
    assert "odds of “good, great” over “bad, wrong”" in found.headline
    assert found.comparison.startswith("19 directions between shuffled groups of the same length multiply the odds by ")
    few = steer(TEXTS[:1], bundled, **ASKED, draws=3)
    assert f"3 shuffles {FEW}" in few.headline and "95% interval" not in few.headline
    assert MORE not in few.headline and CHANCE not in few.headline


def test_a_direction_that_no_shuffle_reaches_does_more_than_one_that_means_nothing(found):
    weak = replace(found, random=(0.1,) * 19)
    assert weak.p == 0.05 and weak.headline.endswith(f"(p ≤ 0.05, the smallest possible with 19 shuffles). {MORE}")


@pytest.mark.slow
def test_a_direction_of_mixed_groups_could_be_chance(bundled):
    half = len(BAD) // 2  # one of several ways to mix them; others have an effect by chance
    groups = {"first": [*BAD[:half], *GOOD[half:]], "second": [*BAD[half:], *GOOD[:half]]}
    found = steer(TEXTS, bundled, **(ASKED | groups), draws=19)
    assert found.strengths["change"].abs().max() < 3
    assert found.p > 0.05 and CHANCE in found.headline and MORE not in found.headline


def test_the_verdict_follows_the_random_directions(found):
    own = found.at(1.0)["change"]
    below, above = (own - 0.01,) * 18, (own + 0.01,)
    assert MORE in replace(found, random=(*below, own - 0.01)).headline
    for other in (above, (-own - 0.01,), (own,)):  # in both directions, and as large
        result = replace(found, random=(*below, *other))
        assert result.p == 0.1 and CHANCE in result.headline and MORE not in result.headline
    few = replace(found, random=below)
    assert FEW in few.headline and CHANCE not in few.headline and MORE not in few.headline


def test_the_chart_of_fluency_shows_both_curves_with_their_intervals(found):
    chart, curve = charts.fluency(found), found.fluency.curve
    *_, random, own = chart.figure.data
    np.testing.assert_allclose(own.y, curve["fluency"], rtol=1e-5)
    np.testing.assert_allclose(random.y, curve["random_fluency"], rtol=1e-5)
    assert own.x.tolist() == random.x.tolist() == charts.odds(found).figure.data[-1].x.tolist()  # the same strengths
    assert -BREAK in [shape.y0 for shape in chart.figure.layout.shapes] and chart.frame is curve
    assert f"{signed(curve['fluency'].iloc[-1])} nats per token at strength 3" in chart.alt
