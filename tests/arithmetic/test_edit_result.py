"""The answers of an edit at one mask are those of its experiment."""

import pandas as pd
import pytest

from embtools import fill_mask
from embtools.arithmetic import controls, verdict
from embtools.arithmetic.edit import edited_answers
from embtools.mask_filling.edits import Change

ROME, EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"
TWO = "[MASK] says rome is the capital of [MASK]."


@pytest.mark.parametrize("mask", [1, 2, 9])
def test_the_answers_are_those_of_the_experiment_at_a_mask(bundled, mask):
    found = edited_answers(TWO, (EDIT,), bundled, mask=mask, k=4, draws=2, temperature=0.7)
    change, own = Change.of([EDIT]), min(mask, 2)
    alone = controls.experiment(TWO, bundled, change=change, k=4, draws=2, temperature=0.7)
    assert (found.mask, found.masks, found.edited) == (own, 2, True) and found.words == ("rome", "italy", "france")
    assert (found.headline, found.reason) == (verdict.finding(alone, mask=own), verdict.reason(alone, mask=own))
    assert found.verdict == tuple(filter(None, verdict.verdict(alone, mask=own)))
    rows = alone.answers[alone.answers["mask"] == own]
    pd.testing.assert_frame_equal(found.answers, rows)
    top = rows.sort_values("rank_after").iloc[0]
    assert (found.word, found.probability) == (top["token"], top["probability_after"])
    pd.testing.assert_frame_equal(found.bars, controls.leading(rows, 4, 1).reset_index(drop=True))
    assert set(rows.nsmallest(3, "rank_after")["token"]) | set(rows.nsmallest(2, "rank_before")["token"]) == set(
        found.leading
    )
    assert found.compared["control"].tolist() == alone.summary.loc[alone.summary["mask"] == own, "control"].tolist()
    assert found.compared["description"].tolist() == [controls.DESCRIPTIONS[name] for name in found.compared["control"]]
    assert len(found.runs) == (alone.controls["mask"] == own).sum() and "mask" not in found.runs


def test_one_mask_needs_no_column_and_no_edit_has_no_controls(bundled):
    found = edited_answers(ROME, (), bundled)
    assert "mask" not in found.answers and not found.edited and found.reason == "" and found.words == ()
    assert found.compared.empty and found.runs.empty
    assert found.bars["token"].tolist() == fill_mask(ROME, bundled, k=5)["token"].tolist()


def test_a_full_stop_is_offered_where_the_sentence_ends_at_its_mask(bundled):
    assert edited_answers("The sky is [MASK]", (), bundled).with_full_stop == "The sky is [MASK]."
    assert edited_answers("The sky is [MASK].", (), bundled).with_full_stop == ""
    assert edited_answers("Rome is the capital of [MASK] and", (), bundled).with_full_stop == ""
