"""The result of a direction: its methods, next to each other in every layer."""

from dataclasses import replace

import numpy as np
import pytest

from embtools.charts import directions as charts
from embtools.directions.direction import column, compared, possible
from embtools.directions.find import find_direction
from embtools.spaces.two_groups import DIFFERENCE, LOGISTIC, METHODS, PAIRS
from tests.directions.lists import BAD, GOOD


@pytest.fixture(scope="module")
def found(bundled):
    return find_direction(BAD, GOOD, bundled, layer=2, draws=2)


def test_every_method_has_the_accuracy_that_it_has_alone(found, bundled):
    for method in METHODS:
        alone = find_direction(BAD, GOOD, bundled, layer=2, draws=1, method=method)
        np.testing.assert_allclose(found.layers[column(method)], alone.layers["accuracy"])
        np.testing.assert_allclose(alone.layers[column(DIFFERENCE)], found.layers["accuracy"])
    assert found.others == (LOGISTIC, PAIRS)
    row = found.row
    assert f"{row['logistic_regression']:.0%} (logistic regression) and" in found.mistakes
    assert f"{row['first_component_of_pairs']:.0%} (first component of pairs)" in found.mistakes


def test_too_few_shuffles_decide_nothing(found):
    """With two shuffles, p is at least 1/3."""
    assert found.headline.endswith("2 shuffles are too few for a clear result.")
    many = replace(found, shuffled=(0.5,) * 19)
    smallest = "at most 50% are, and "
    assert smallest in many.headline and "(p ≤ 0.05, the smallest possible with 19 shuffles)" in many.headline
    assert many.headline.endswith("So the direction also holds for words that it was not made from.")
    no = replace(found, shuffled=(1.0,) * 19)
    assert no.headline.endswith("Shuffled groups often reach as much, so nothing shows that it holds for other words.")


def test_pairs_are_left_out_if_they_are_not_complete(bundled):
    result = find_direction(BAD, [*GOOD, "fast"], bundled, layer=2, draws=1)
    assert column(PAIRS) not in result.layers and result.others == (LOGISTIC,)
    assert "component of pairs" not in result.mistakes
    second = np.arange(20) >= 10
    assert possible(PAIRS, second) and possible(DIFFERENCE, second[:19]) and not possible(PAIRS, second[:19])


def test_the_chosen_method_is_a_thick_line_next_to_the_others(found):
    traces = {trace.name: trace for trace in charts.layers(found).figure.data}
    own = traces["means (chosen)"]
    for name, short in ((LOGISTIC, "regression"), (PAIRS, "pairs")):
        np.testing.assert_allclose(traces[short].y, found.layers[column(name)], atol=1e-6)
        assert traces[short].line.width < own.line.width
        assert f"By {name}: " in charts.layers(found).alt
    other = replace(found, method=LOGISTIC)
    assert {"regression (chosen)", "means", "pairs"} < {trace.name for trace in charts.layers(other).figure.data}


def test_a_direction_is_compared_with_that_of_another_method():
    assert [compared(method) for method in METHODS] == [LOGISTIC, DIFFERENCE, DIFFERENCE]
