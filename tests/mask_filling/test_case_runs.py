"""One case of an edit with placeholders: the same tokens and vectors as the edit that a visitor types."""

import numpy as np
import pytest

from embtools.mask_filling.case_runs import case_patch, case_tokens
from embtools.mask_filling.cases import filled_edit, plan, read_edit
from embtools.mask_filling.edits import Change, resolve

PAIRS = (("rome", "italy"), ("paris", "france"))


@pytest.mark.parametrize(("edit", "strength"), [("{a} = {a} - {b} + {c}", 1.0), ("{a} = mean({b}, {c}) + king", 0.5)])
def test_the_patch_is_that_of_the_typed_edit(tiny, edit: str, strength: float) -> None:  # type: ignore[no-untyped-def]
    formula, change = read_edit(edit), Change((), "tied", strength)
    for pair in plan(PAIRS, tiny).pairs:
        ((c, c_id),) = pair.others
        patch, _ = case_patch(pair, tiny, formula=formula, c_id=c_id, change=change)
        typed = resolve(Change.of([filled_edit(formula, pair.a, pair.b, c)], scope="tied", strength=strength), tiny)
        assert patch.vectors.keys() == typed.vectors.keys() == {tiny.ids[pair.a]} and patch.tied == typed.tied
        np.testing.assert_allclose(patch.vectors[pair.a_id], typed.vectors[pair.a_id], atol=1e-6)


def test_the_tokens_are_those_of_the_sentence(tiny) -> None:  # type: ignore[no-untyped-def]
    pair = plan(PAIRS, tiny).pairs[0]
    ids, mask = case_tokens(pair, tiny, template="the {a} is in [MASK] .")
    assert list(ids) == list(tiny.tokenize("the rome is in [MASK] .")["id"]) and ids[mask[0]] == tiny.mask_id
    with pytest.raises(ValueError, match="not a word of its own"):
        case_tokens(pair, tiny, template="x{a}x [MASK]")
