"""p-values from controls, compared with a simulation, and their format."""

import numpy as np
import pytest

from embtools.statistics.reporting import control_p, p_value


@pytest.mark.parametrize("controls", [9, 19, 30])
def test_without_an_effect_small_p_values_are_as_rare_as_they_claim(controls):
    draws = np.random.default_rng(0).normal(size=(40_000, controls + 1))
    reached = (draws[:, 1:] >= draws[:, :1]).sum(axis=1)
    found = np.array([control_p(int(count), controls) for count in reached])
    for level in (0.05, 0.1, 0.3):
        assert (found <= level).mean() <= level + 4 * np.sqrt(level * (1 - level) / len(draws))


@pytest.mark.parametrize("reached, controls", [(-1, 5), (6, 5)])
def test_impossible_counts_are_refused(reached, controls):
    with pytest.raises(ValueError, match=f"{reached} of 5 controls"):
        control_p(reached, controls)


def test_a_p_value_is_never_formatted_as_zero():
    assert [p_value(p) for p in (1.0, 0.05, 0.001, 0.00099, 0.0)] == [
        "p = 1.000", "p = 0.050", "p = 0.001", "p < 0.001", "p < 0.001",
    ]  # fmt: skip
