"""Drawn answers follow the probabilities that they are drawn from."""

import numpy as np
import pytest

from embtools import fill_mask
from embtools.mask_filling import sampling
from embtools.mask_filling.edits import Change

ROME = "rome is the capital of [MASK]."
EDIT = Change.of(["rome = rome - italy + france"])


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_shares_follow_the_probabilities(tiny, temperature):
    found = sampling.tally(sampling.random_answers(ROME, tiny, change=EDIT, draws=1_000, temperature=temperature))
    answers = fill_mask(ROME, tiny, k=39, edits=[str(EDIT.edits[0])], temperature=temperature).set_index("token")
    answers["probability"] /= answers["probability"].sum()  # [UNK] is never drawn
    assert found["count"].sum() == 1_000
    for line in found.itertuples():
        assert line.probability == pytest.approx(answers.loc[line.token, "probability"], abs=1e-6)
        error = np.sqrt(line.probability * (1 - line.probability) / 1_000)
        assert abs(line.share - line.probability) < 5 * error + 0.0015  # one draw of a rare word


def test_one_seed_draws_the_same_and_another_does_not(tiny):
    first, again, other = (sampling.random_answers(ROME, tiny, draws=50, seed=s)["token"].tolist() for s in (0, 0, 1))
    assert first == again != other


def test_a_low_temperature_draws_the_first_answer(bundled):
    text = "Rome is the capital of [MASK]."
    first = fill_mask(text, bundled, k=1)["token"].iloc[0]
    assert sampling.tally(sampling.random_answers(text, bundled, draws=200, temperature=0.1))["token"].iloc[0] == first


def test_what_is_left_out_is_never_drawn(tiny):
    found = sampling.random_answers(ROME, tiny, draws=1_000, temperature=5.0, leave_out=["france"])
    assert "france" not in set(found["token"])


@pytest.mark.parametrize("draws", [0, 1_001])
def test_draws_out_of_range_are_refused(tiny, draws):
    with pytest.raises(ValueError, match="choose 1 to 1,000"):
        sampling.random_answers(ROME, tiny, draws=draws)


def test_draws_name_the_first_answer_and_count_all(tiny):
    found = sampling.draw_answers(ROME, tiny, change=EDIT, draws=30, temperature=3.0, leave_out=["france"], seed=4)
    draws = sampling.random_answers(ROME, tiny, change=EDIT, draws=30, temperature=3.0, leave_out=["france"], seed=4)
    assert found.frame.equals(draws) and found.first == draws["token"][0]
    assert found.counts.equals(sampling.tally(draws)) and found.counts["count"].sum() == 30
