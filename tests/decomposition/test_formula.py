"""The decomposition of a formula, against its steps."""

import pandas as pd
import pytest

from embtools.decomposition import controls, targets, verdict
from embtools.decomposition.dictionary import of_vocabulary
from embtools.decomposition.formula import decompose_formula, formula_controls, formula_path
from embtools.decomposition.parts import decompose
from embtools.decomposition.sparsity import sparsity_path

TEXT = "king - man + woman"


@pytest.mark.parametrize("asked", [{}, {"share": 0.15}, {"alpha": 0.05, "same_word": True}])
def test_a_formula_is_decomposed_into_the_vocabulary(tiny, asked):
    target, atoms = targets.formula(TEXT, tiny), of_vocabulary(tiny)
    rules = {"same_word": asked.get("same_word", False)}
    parts = decompose(target, atoms, **asked)
    result = decompose_formula(TEXT, tiny, **asked)
    pd.testing.assert_frame_equal(result.parts.table, parts.table)
    assert result.headline == verdict.finding(TEXT, parts, controls.nearest(target, atoms, parts, **rules))
    frame = controls.compare(target, atoms, parts, **rules)
    pd.testing.assert_frame_equal(formula_controls(TEXT, tiny, **asked).frame, frame)
    pd.testing.assert_frame_equal(formula_path(TEXT, tiny, **rules), sparsity_path(target, atoms, **rules))


@pytest.mark.parametrize("text", ["", "king -", "king - king", "kign"])
def test_a_formula_that_cannot_be_decomposed_is_refused(tiny, text):
    for function in (decompose_formula, formula_controls, formula_path):
        with pytest.raises(ValueError):
            function(text, tiny)
