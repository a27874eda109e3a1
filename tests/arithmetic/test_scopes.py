"""Both scopes of an edit: each is fill-mask in that scope."""

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
    found = first_answers(TEXT, change, model=tiny, leave_out=leave_out, temperature=0.7)
    assert list(found["mask"]) == [1, 1, 2, 2] and list(found["scope"]) == ["input", "tied"] * 2
    for line in found.itertuples():
        answers = fill_mask(
            TEXT, tiny, 1, edits=[EDIT], scope=line.scope, strength=1.5, keep_length=True, leave_out=leave_out,
            temperature=0.7,
        )  # fmt: skip
        best = answers[answers["mask"] == line.mask].iloc[0]
        assert line.token == best["token"]
        assert line.probability == pytest.approx(best["probability"], abs=1e-6)


def test_the_sentence_names_the_other_scope(tiny):
    found = first_answers(TEXT, Change.of((EDIT,)), model=tiny)
    for mask, scope, other in ((1, "input", "tied"), (2, "tied", "input")):
        lines = found[found["mask"] == mask].set_index("scope")
        said = sentence(found, scope, mask)
        assert said.startswith(f"With scope {other} the top answer is {lines.loc[other, 'token']} ")
        assert ("as well" in said) == (lines.loc["input", "token"] == lines.loc["tied", "token"])


def test_nearly_equal_probabilities_of_two_scopes_are_told_apart():
    lines = {"mask": 1, "scope": ["input", "tied"], "token": ["a", "b"], "probability": [0.1234, 0.1236]}
    assert sentence(pd.DataFrame(lines), "input") == (
        "With scope tied the top answer is b (12.36%), with scope input it is a (12.34%)."
    )


def test_a_word_that_only_one_scope_reaches_is_refused(tiny):
    with pytest.raises(ValueError, match="'king' is not in the sentence"):
        first_answers(TEXT, Change.of(("king = queen",), "tied"), model=tiny)
