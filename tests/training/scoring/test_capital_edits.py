"""The edit of the paper and its controls, against edits typed by hand."""

import pytest

import embtools
from training.scoring import capital_edits


@pytest.mark.slow
def test_the_edit_suite_agrees_with_an_edit_typed_by_hand(bundled) -> None:
    frame = capital_edits.edit_answers(bundled, others=1)
    assert set(frame["kind"]) == {
        "edit",
        "other country only added",
        "wrong country subtracted",
        "random difference",
    }
    assert not frame["country"].isin(["netherlands", "philippines"]).any()
    assert (frame["country"] != frame["other"]).all()
    for item in frame[frame["kind"] == "edit"].head(5).itertuples():
        formula = f"{item.capital} = {item.capital} - {item.country} + {item.other}"
        sentence = f"{item.capital} is the capital of [MASK]."
        assert embtools.fill_mask(sentence, bundled, k=1, edits=[formula])["token"].iloc[0] == item.answer
    turned = frame.groupby("kind")["turned"].mean()
    assert turned["edit"] > turned["other country only added"] > turned["random difference"]
    assert turned["random difference"] < 0.05
