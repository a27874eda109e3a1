"""Both scopes of an edit: each gives the result of fill-mask with that scope."""

import pandas as pd
import pytest

from embtools import fill_mask
from embtools.arithmetic.scopes import first_answers, sentence
from embtools.mask_filling.edits import Change

TEXT = "[MASK] is the capital of rome [MASK]."
EDIT = "rome = rome - italy + france"


@pytest.mark.parametrize("leave_out", [(), ("king", "red", "france")])
def test_each_scope_is_fill_mask_in_it(tiny, leave_out):
    change = Change.of((EDIT,), "tied", 1.5, keep_length=True)
    found = first_answers(TEXT, tiny, change=change, leave_out=leave_out, temperature=0.7)
    assert list(found["mask"]) == [1, 1, 2, 2] and list(found["scope"]) == ["input", "tied"] * 2
    for line in found.itertuples():
        answers = fill_mask(TEXT, tiny, k=1, edits=[EDIT], scope=line.scope, strength=1.5, keep_length=True, leave_out=leave_out, temperature=0.7)  # fmt: skip
        best = answers[answers["mask"] == line.mask].iloc[0]
        assert line.token == best["token"]
        assert line.probability == pytest.approx(best["probability"], abs=1e-6)


def test_the_sentence_names_the_other_scope(tiny):
    found = first_answers(TEXT, tiny, change=Change.of((EDIT,)))
    for mask, scope, other in ((1, "input", "tied"), (2, "tied", "input")):
        lines = found[found["mask"] == mask].set_index("scope")
        text = sentence(found, scope, mask=mask)
        token = lines.loc[other, "token"]
        same = lines.loc["input", "token"] == lines.loc["tied", "token"]
        start = (
            f"The top answer is {token} with both scopes: "
            if same
            else f"With the scope {other}, the top answer is {token} ("
        )
        assert text.startswith(start) and (f" with {other}." in text if same else f"; with {scope}, it is " in text)


def test_nearly_equal_probabilities_of_two_scopes_have_enough_digits():
    lines = {"mask": 1, "scope": ["input", "tied"], "token": ["a", "b"], "probability": [0.1234, 0.1236]}
    assert sentence(pd.DataFrame(lines), "input") == (
        "With the scope tied, the top answer is b (12.36%); with input, it is a (12.34%)."
    )


def test_a_word_that_only_one_scope_can_edit_is_refused(tiny):
    with pytest.raises(ValueError, match="'king' is not in the sentence"):
        first_answers(TEXT, tiny, change=Change.of(("king = queen",), "tied"))
