"""Gains, costs and residual bias of all methods together."""

import pandas as pd
import pytest

from embtools import wordlists
from embtools.bias import methods, mitigation, residual, verdict
from embtools.bias.mitigated import METHODS

PAIRS = ("he", "man"), ("she", "woman")


@pytest.fixture(scope="module")
def found(bundled):
    return methods.compare_methods(*PAIRS, bundled, scope="input", per_side=50)


@pytest.mark.slow
def test_each_part_is_that_of_its_own_function(found, bundled):
    """The costs are computed again here for one method and sentence, and for all by their own function."""
    sides = {"first": PAIRS[0], "second": PAIRS[1], "scope": "input"}
    neutral = wordlists.load("neutral_sentences")
    costs = mitigation.cost(neutral["sentence"].tolist(), bundled, answers=neutral["answer"].tolist(), **sides)
    pd.testing.assert_frame_equal(found.costs, costs)
    pd.testing.assert_frame_equal(found.summary, mitigation.cost_summary(costs))
    pd.testing.assert_frame_equal(found.residuals, residual.residual_bias(*PAIRS, bundled, per_side=50))
    rows = wordlists.load("bias_templates").query("kind == 'fill_occupation' and slot == 'noun'")
    occupations = wordlists.load("occupations")["occupation"].tolist()
    gains = mitigation.gain(rows["template"].tolist(), bundled, occupations=occupations, **sides)
    pd.testing.assert_frame_equal(found.gains, gains)


@pytest.mark.slow
def test_sentences_and_tables_come_from_the_frames(found):
    assert found.pair == ("he", "she")
    sentences = verdict.mitigation(found.gains, found.summary, found.residuals, ("he", "she"))
    assert (found.headline, found.control) == sentences
    assert found.erasers == verdict.erasers(found.residuals)
    table = found.by_sentence
    assert list(table.columns) == ["sentence", *METHODS] and len(table) == len(wordlists.load("neutral_sentences"))
    row = found.costs.query("method == 'equalise'").iloc[3]
    assert table.set_index("sentence").loc[row["sentence"], "equalise"] == row["probability"]
    share = found.costs.query("method == 'none'")["top_acceptable"].mean()
    assert f"acceptable in {share:.0%} of the sentences before “project away”" in found.neutral
    probability = found.costs.query("method == 'project away'")["probability"].mean()
    assert found.neutral.endswith(f"of the probability before and {probability:.1%} after.")


def test_the_work_is_estimated_and_reported(tiny, bundled):
    assert 0 < methods.effort(bundled, per_side=50) < methods.effort(bundled, per_side=200)
    with pytest.raises(ValueError, match="need the same number of words, at least one"):
        methods.compare_methods((), (), tiny)

    def stop(done):
        raise KeyboardInterrupt(done)

    with pytest.raises(KeyboardInterrupt):
        methods.compare_methods(*PAIRS, bundled, per_side=50, progress=stop)
