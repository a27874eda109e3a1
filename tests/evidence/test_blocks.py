"""A part of a battery: the same cases whatever is computed with it, and refused seeds."""

import numpy as np
import pandas as pd
import pytest

from embtools.evidence.blocks import block_cases
from embtools.evidence.cases import plan

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
