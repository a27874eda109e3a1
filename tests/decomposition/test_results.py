"""Results: their sentences and tables are those of the functions that make them."""

import pandas as pd
import pytest

from embtools.decomposition import controls, targets, verdict
from embtools.decomposition.parts import decompose
from embtools.decomposition.results import compared, decomposed


@pytest.mark.parametrize("rules", [{}, {"same_word": True}, {"same_sentence": False}])
def test_a_result_has_the_sentences_and_measures_of_its_parts(found, atoms, tiny, rules):
    target = targets.occurrence(found, tiny, word="king")
    result = decomposed(target, atoms, share=0.2, **rules, coverage="All of it.")
    parts = decompose(target, atoms, share=0.2, **rules)
    near = controls.nearest(target, atoms, parts, **rules)
    pd.testing.assert_frame_equal(result.parts.table, parts.table)
    assert result.headline == verdict.finding("king", parts, near) and result.optimum == verdict.optimum(parts)
    assert result.measure("sum of the weights") == pytest.approx(parts.table["weight"].sum())
    assert (result.sentences, result.count, result.coverage) == ((), 0, "All of it.")


def test_controls_have_their_summary_and_their_verdict(found, atoms, tiny):
    target = targets.occurrence(found, tiny, word="king")
    parts = decompose(target, atoms, share=0.2)
    reported: list[float] = []
    result = compared(target, atoms, parts, same_sentence=False, progress=reported.append)
    frame = controls.compare(target, atoms, parts, same_sentence=False)
    pd.testing.assert_frame_equal(result.frame, frame)
    pd.testing.assert_frame_equal(result.summary, controls.summary(frame))
    assert result.trust == verdict.trust(frame) and reported[-1] == 1
