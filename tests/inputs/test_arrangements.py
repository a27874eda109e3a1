"""Answers with other positions and segments, compared with the network called directly."""

import numpy as np
import pytest
import torch

from embtools import fill_mask
from embtools.inputs import arrangements, input_terms
from embtools.inputs.arrangements import HEAP, MOVED, ONE_SEGMENT, OTHER_SEGMENT, REVERSED, WRITTEN

ROME = "Rome is the capital of [MASK]."


def direct(model, frame, positions, segments):
    """Probabilities at the first mask by the network's own call."""
    with torch.no_grad():
        output = model._network(
            input_ids=torch.tensor(frame["id"].to_numpy())[None],
            position_ids=torch.tensor(positions)[None],
            **({"token_type_ids": torch.tensor(segments)[None]} if model.has_segments else {}),
        )
    logits = output.prediction_logits if "prediction_logits" in output else output.logits
    mask = int(np.flatnonzero(frame["id"] == model.mask_id)[0])
    return logits[0, mask].double().softmax(-1).numpy()


def test_every_arrangement_agrees_with_the_network(bundled):
    frame = input_terms.pieces((ROME,), bundled)
    result = input_terms.terms(frame, bundled, piece="rome", position=5)
    table = arrangements.answers(frame, bundled, result=result).set_index("arrangement")
    t = len(frame)
    zeros, at = np.zeros(t, np.int64), np.arange(t)
    moved, backwards, heap = at.copy(), at.copy(), np.ones(t, np.int64)
    moved[1] = 5
    backwards[1:-1] = at[1:-1][::-1]
    heap[[0, -1]] = 0, t - 1
    ways = {
        WRITTEN: (at, zeros),
        MOVED: (moved, zeros),
        OTHER_SEGMENT: (at, zeros + 1),
        REVERSED: (backwards, zeros),
        HEAP: (heap, zeros),
    }
    assert list(table.index) == list(ways)
    written = direct(bundled, frame, at, zeros)
    best = int(written.argmax())
    for name, (positions, segments) in ways.items():
        right = direct(bundled, frame, positions, segments)
        row = table.loc[name]
        assert row["probability_as_written"] == pytest.approx(right[best], abs=1e-5)
        assert row["probability"] == pytest.approx(right.max(), abs=1e-5)
        assert [row[f"answer_{i}"] for i in range(1, 6)] == [bundled.vocabulary[i] for i in np.argsort(-right)[:5]]
        assert row["total_variation"] == pytest.approx(np.abs(right - written).sum() / 2, abs=1e-4)
    alone = fill_mask(ROME, bundled, k=1).iloc[0]
    assert (table.loc[WRITTEN, "answer_1"], table.loc[WRITTEN, "probability"]) == (
        alone["token"],
        pytest.approx(alone["probability"], abs=1e-5),
    )


def test_a_pair_and_two_texts(bundled):
    pair = input_terms.pieces((ROME, "Rome is old."), bundled, pair=True)
    result = input_terms.terms(pair, bundled, piece="rome")
    table = arrangements.answers(pair, bundled, result=result).set_index("arrangement")
    assert MOVED not in table.index and ONE_SEGMENT in table.index
    right = direct(bundled, pair, np.arange(len(pair)), np.zeros(len(pair), np.int64))
    assert table.loc[ONE_SEGMENT, "probability"] == pytest.approx(right.max(), abs=1e-5)
    # If two texts are read alone, the mask is in the text that has the last occurrence of the token.
    alone = input_terms.pieces(("Rome is old.", ROME), bundled)
    table = arrangements.answers(alone, bundled, result=input_terms.terms(alone, bundled, piece="rome"))
    assert table["probability"].iloc[0] == pytest.approx(fill_mask(ROME, bundled, k=1)["probability"].iloc[0], abs=1e-5)


def test_a_model_without_segments_and_a_text_without_a_mask(tiny_distil):
    frame = input_terms.pieces(("Rome is [MASK].",), tiny_distil)
    table = arrangements.answers(frame, tiny_distil, result=input_terms.terms(frame, tiny_distil, piece="rome"), k=2)
    assert table["arrangement"].tolist() == [WRITTEN, REVERSED, HEAP] and "answer_3" not in table
    frame = input_terms.pieces(("Rome is.",), tiny_distil)
    with pytest.raises(ValueError, match=r"Write ___ or \[MASK\]"):
        arrangements.answers(frame, tiny_distil, result=input_terms.terms(frame, tiny_distil, piece="rome"))
