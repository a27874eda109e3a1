"""Where a dose curve starts, reaches half and does harm: worked out by hand, and against a known truth."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from embtools.charts import evidence as charts
from embtools.evidence.dose_result import Dose, Outcomes, reaches, two_doses
from embtools.evidence.dose_runs import INPUT

EDITED = "{a} = {a} - {b} + {c}"


def made(efficacy: np.ndarray, specificity: np.ndarray, random: np.ndarray | None = None) -> Dose:
    """A result with these shares of cases that change, (s,) for the strengths 0, 0.5, 1, over 20 × 20 crossed cases."""
    n = 400
    words = tuple((f"a{i}", f"c{j}") for i in range(20) for j in range(20))
    changed = np.zeros((n, 2, 1, 2, 3), bool)
    order = np.random.default_rng(0).permutation(n) / n
    for s in range(3):
        changed[:, 0, 0, 0, s] = order < efficacy[s]
        changed[:, 1, 0, 0, s] = order < 1 - specificity[s]
        changed[:, 0, 0, 1, s] = order < (0 if random is None else random[s])
    outcomes = Outcomes(words, changed, np.zeros((n, 2), bool), np.ones(n, bool), 1)
    empty = pd.DataFrame(columns=["a", "b", "reason"])
    return Dose(EDITED, ("x",), ("y",), (0.0, 0.5, 1.0), (INPUT,), outcomes, empty)


def test_the_lines_of_the_chart_do_not_cross_their_labels() -> None:
    drawn = charts.dose_curves(made(np.array([0, 0.2, 0.8]), np.array([1, 0.5, 0.2])), INPUT).figure
    half, harm = drawn.layout.annotations
    assert [line.legendgroup for line in drawn.data if line.fill] == ["efficacy"]  # several would cover each other
    assert half.x == pytest.approx(0.75) and harm.x == pytest.approx(0.1, abs=0.01)
    assert 1 <= half.y < harm.y and {half.yanchor, harm.yanchor} == {"bottom"}  # above the plot, where no line is
    assert all(line.y1 == 1 and line.yref == "y domain" for line in drawn.layout.shapes)
    assert (half.xanchor, harm.xanchor) == ("right", "left")  # towards the middle, so that nothing is cut off


def test_one_place_alone_has_the_same_numbers_and_says_how_many_cases() -> None:
    result = made(np.array([0, 0.2, 0.8]), np.array([1, 0.5, 0.2]))
    assert result.size == "400 cases with 20 different words a"
    two = replace(
        result,
        places=(INPUT, "layer 1"),
        outcomes=replace(
            result.outcomes, changed=np.concatenate([result.outcomes.changed, ~result.outcomes.changed], 2)
        ),
    )
    assert two.only(INPUT).curve.equals(result.curve)
    pd.testing.assert_frame_equal(
        two.only("layer 1").curve, two.curve[two.curve["place"] == "layer 1"].reset_index(drop=True)
    )
    with pytest.raises(ValueError, match="not added at 'layer 2'. Choose one of: input, layer 1"):
        two.only("layer 2")


def test_the_strengths_below_the_places_have_room() -> None:
    result = made(np.array([0, 0.2, 0.8]), np.array([1, 0.5, 0.2]))
    assert charts.dose_places(result).figure.layout.xaxis.ticktext == ("0", "0.5", "1")
    many = tuple(-1 + 0.25 * n for n in range(13))
    grid = result.outcomes.changed[..., [0] * 13]
    wide = replace(result, strengths=many, outcomes=replace(result.outcomes, changed=grid))
    axis = charts.dose_places(wide).figure.layout.xaxis
    assert axis.ticktext == ("−1", "−0.5", "0", "0.5", "1", "1.5", "2") and axis.tickvals == tuple(range(0, 13, 2))


def test_points_are_where_the_curves_cross_their_levels() -> None:
    result = made(np.array([0, 0.4, 0.8]), np.array([1, 0.95, 0.75]))
    row = result.at(INPUT)
    assert row["half"] == pytest.approx(0.625) and row["harm"] == pytest.approx(0.625, abs=0.01)
    assert row["half_low"] < 0.625 < row["half_high"] and row["starts"] == 0.5
    assert (row["best"], row["best_rate"]) == (1.0, 0.8)
    text = result.headline
    assert text.startswith("Added at the input, the edit changes half of the answers at strength 0.62 (95% interval")
    assert "; at strength 0.62 (95% interval" in text
    assert text.endswith("), a tenth of the answers that should stay the same have changed.")
    assert (row["starts"], row["ends"]) == (0.5, 1.0)
    assert result.start(INPUT) == (
        "From strength 0.5 to 1, the edit is better than a random difference of the same length (p < 0.05, tested at each"
        " strength). It works best at strength 1 (80%)."
    )
    equal = made(np.array([0, 0.8, 0.8]), np.ones(3))
    assert equal.start(INPUT).endswith("It works best at strengths 0.5 and 1 (80%).")
    assert ". The highest is 80%, at the input." in charts.dose_places(equal).alt


def test_a_large_strength_at_which_the_edit_fails_is_in_no_range_in_which_it_is_better() -> None:
    """At 1, the random difference changes as many answers; 0.5 works best, but not clearly better than 1."""
    result = made(np.array([0, 0.405, 0.4]), np.ones(3), random=np.array([0, 0, 0.4]))
    assert (result.at(INPUT)["starts"], result.at(INPUT)["ends"]) == (0.5, 0.5)
    assert result.start(INPUT).startswith("At strength 0.5, the edit is better than a random difference")
    assert result.start(INPUT).endswith("best at strength 0.5 (41%), but the results at 1 cannot be told from that.")
    gap = made(np.array([0.4, 0.4, 0.8]), np.ones(3), random=np.array([0, 0.4, 0]))
    assert gap.start(INPUT).startswith("At strengths 0 and 1, the edit is better")


def test_the_pairs_of_an_own_list_are_counted() -> None:
    result = replace(made(np.array([0, 0.2, 0.8]), np.ones(3)), pairs=(10, 59))
    assert result.size == "400 cases with 20 different words a, from 10 of 59 pairs, drawn at random"


def test_levels_that_are_not_reached_are_named() -> None:
    result = made(np.array([0, 0.1, 0.3]), np.ones(3), random=np.array([0, 0.1, 0.3]))
    row = result.at(INPUT)
    assert np.isinf(row["half"]) and np.isinf(row["harm"]) and np.isinf(row["starts"])
    assert "no strength from 0 to 2 changes half of the answers (at most 30%, at strength 1)" in result.headline
    assert "; fewer than a tenth of the answers that should stay the same change." in result.headline
    assert result.start(INPUT).startswith("At no strength from 0 to 2 is the edit clearly better")
    good = made(np.array([0, 0.4, 0.8]), np.ones(3))
    assert two_doses(good, result, INPUT, ("A", "B")) == (
        "Half of the answers change at strength 0.62 in A and at no strength from 0 to 2 in B."
    )


def test_an_edit_that_works_in_reverse_is_described_as_such() -> None:
    """The formula has its terms the wrong way round: at −0.5 and −1, it changes the answers."""
    result = replace(made(np.array([0.8, 0.3, 0]), np.ones(3)), strengths=(-1.0, -0.5, 0.0))
    assert "no strength from 0 to 2 changes half of the answers (at most 0.0%, at strength 0)" in result.headline
    assert result.start(INPUT).endswith(" Negative strengths, which reverse the edit, change up to 80% of the answers.")
    weak = replace(made(np.array([0.3, 0.1, 0]), np.ones(3)), strengths=(-1.0, -0.5, 0.0))
    assert "Negative" not in weak.start(INPUT) and "Negative" not in made(np.array([0, 0.4, 0.8]), np.ones(3)).start(
        INPUT
    )


@pytest.mark.slow
def test_the_interval_of_half_covers_the_truth() -> None:
    """Each case changes at its own threshold, a + c + noise around 1: half of all possible cases change at 1."""
    rng, covered, rounds = np.random.default_rng(5), 0, 100
    strengths = np.arange(0, 2.01, 0.25)
    words = tuple((f"a{i}", f"c{j}") for i in range(25) for j in range(25))
    for seed in range(rounds):
        thresholds = 1 + rng.normal(0, 0.25, (25, 1)) + rng.normal(0, 0.25, (1, 25)) + rng.normal(0, 0.2, (25, 25))
        changed = (strengths >= thresholds.reshape(-1, 1))[:, None, None, None, :].repeat(2, axis=3)
        outcomes = Outcomes(words, changed, np.zeros((625, 1), bool), np.ones(625, bool), 1)
        empty = pd.DataFrame(columns=["a", "b", "reason"])
        row = Dose(EDITED, ("x",), (), tuple(strengths), (INPUT,), outcomes, empty, seed).at(INPUT)
        covered += row["half_low"] <= 1 <= row["half_high"]
    assert covered >= 93


def test_a_curve_that_starts_above_its_level_reaches_it_at_once() -> None:
    strengths = np.array([0.0, 1.0])
    assert reaches(strengths, np.array([0.7, 0.9]), 0.5) == 0 and np.isinf(reaches(strengths, np.zeros(2), 0.5))


def test_the_deepest_layer_may_be_the_last_one_that_was_tried() -> None:
    result = made(np.array([0, 0.4, 0.8]), np.ones(3))
    changed = np.repeat(result.outcomes.changed, 3, axis=2)
    deep = replace(result, places=(INPUT, "layer 1", "layer 2"), outcomes=replace(result.outcomes, changed=changed))
    assert deep.deepest == (
        "Even if it is added after layer 2, the last layer at which this is possible, the edit changes at least half of the"
        " answers at some strength."
    )
    changed = changed.copy()
    changed[:, :, 2] = False
    shallow = replace(deep, outcomes=replace(deep.outcomes, changed=changed))
    assert shallow.deepest == (
        "The last layer after which the edit can be added and still change at least half of the answers is layer 1."
    )
