"""A part of a battery: the same cases whatever is computed with it, and refused seeds."""

import numpy as np
import pandas as pd
import pytest

from embtools.evidence import batteries
from embtools.evidence.batteries import block_cases
from embtools.mask_filling.cases import plan
from embtools.mask_filling.controls import SUBTRACTED
from embtools.mask_filling.forward import logits_of

NAMED = {
    "edit": "{a} = {a} - {b} + {c}", "asked": ("the {a} is in [MASK] .", "{a} [MASK]"), "stay": ("{a} is [MASK] .",),
    "scope": "input", "strength": 1.0, "controls": True, "seed": 0,
}  # fmt: skip
PAIRS = (("rome", "italy"), ("paris", "france"), ("king", "man"))


def test_pairs_alone_have_the_same_cases_as_together(tiny) -> None:  # type: ignore[no-untyped-def]
    pairs = plan(PAIRS, tiny).pairs
    together = block_cases(pairs, tiny, **NAMED)
    alone = pd.concat([block_cases((pair,), tiny, **NAMED) for pair in pairs], ignore_index=True)
    assert len(together) == 6 * 3 * 6 - 6  # the sentence with one word has no other word that could be edited
    np.testing.assert_allclose(together.pop("log_odds_after"), alone.pop("log_odds_after"), atol=1e-5)
    np.testing.assert_allclose(together.pop("log_odds_before"), alone.pop("log_odds_before"), atol=1e-5)
    pd.testing.assert_frame_equal(together, alone)


def test_controls_are_drawn_by_the_seed(tiny) -> None:  # type: ignore[no-untyped-def]
    pairs = plan(PAIRS, tiny).pairs
    details = [list(block_cases(pairs, tiny, **NAMED | {"seed": seed})["detail"]) for seed in (0, 0, 1)]
    assert details[0] == details[1] != details[2]
    with pytest.raises(ValueError, match="seed"):
        block_cases(pairs, tiny, **NAMED | {"seed": -1})


def test_equal_rows_are_computed_once(tiny, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """Without anything added, the edited vector is the same for every new word c."""
    counted = []

    def count(runs, *rest, **named):  # type: ignore[no-untyped-def]
        counted.append(len(runs))
        return logits_of(runs, *rest, **named)

    monkeypatch.setattr(batteries, "logits_of", count)
    pair = plan(PAIRS, tiny).pairs[:1]
    cases = block_cases(pair, tiny, **NAMED | {"stay": (), "asked": NAMED["asked"][:1]})
    same = cases[cases["condition"] == SUBTRACTED]
    assert len(same) == 2
    assert same["answer"].nunique() == 1
    assert sum(counted) == 1 + len(cases) - 1
