"""Edited capitals and their runs."""

import numpy as np
import pytest

from embtools import wordlists
from embtools.tracing import cases as tracing_cases
from embtools.tracing.cases import capital_cases

SENTENCE = "{capital} is the capital of [MASK]."


def test_every_case_has_four_runs_and_the_edit_of_its_formula(bundled, monkeypatch):
    seen = []
    states = tracing_cases._states
    monkeypatch.setattr(tracing_cases, "_states", lambda inputs, model: seen.append(inputs) or states(inputs, model))
    cases = capital_cases(SENTENCE, bundled, capitals=5, others=2)
    n, countries = len(cases.table), dict(wordlists.load("capitals")[["capital", "country"]].to_numpy())
    plain, edited, noise, other = seen[0].reshape(4, n, *seen[0].shape[1:])
    assert n == 10 and cases.states.shape[1] == 4 * n and cases.mask == 6
    for row in cases.table.itertuples():
        assert countries[row.capital] == row.country != row.other
        a, b, c = (bundled.vector(word) for word in (row.capital, row.country, row.other))
        np.testing.assert_allclose(plain[row.Index, 1], a)
        np.testing.assert_allclose(edited[row.Index, 1], a - b + c, atol=1e-5)
        np.testing.assert_allclose(other[row.Index, 4], bundled.vector("capital") - b + c, atol=1e-5)
        assert np.linalg.norm(noise[row.Index, 1] - a) == pytest.approx(np.linalg.norm(c - b), rel=1e-4)
        assert not np.allclose(noise[row.Index, 1], edited[row.Index, 1], atol=1e-3)
    for changed, place in ((edited, 1), (noise, 1), (other, 4)):  # nothing else differs
        rest = np.delete(np.arange(9), place)
        np.testing.assert_array_equal(changed[:, rest], plain[:, rest])
    np.testing.assert_allclose(
        cases.states[:, 0], bundled.hidden_states(f"{cases.table['capital'][0]} is the capital of [MASK]."), atol=2e-5
    )
    assert cases.roles[0] == cases.roles[1] == ((0,), (1,), (2, 3, 4, 5), (6,), (7, 8))
    assert cases.roles[2] == ((0, 1, 2, 3), (4,), (5,), (6,), (7, 8))


def test_the_same_seed_draws_the_same_cases(bundled):
    one, again, other = (capital_cases(SENTENCE, bundled, capitals=4, seed=seed).table for seed in (0, 0, 1))
    assert one.equals(again) and not one.equals(other)


def test_a_capital_that_the_sentence_names_too_is_not_edited(bundled):
    cases = capital_cases("Paris and {capital} are in [MASK].", bundled, capitals=60, others=1)
    assert "paris" in set(cases.table["capital"]) and cases.roles[0][1] == (3,)


def test_the_mask_may_come_first(bundled):
    cases = capital_cases("[MASK] has the capital {capital}.", bundled, capitals=4, others=1)
    assert cases.mask == 1 and cases.roles[0] == ((0,), (5,), (2, 3, 4), (1,), (6, 7))


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("Rome is the capital of [MASK].", "does not contain {capital} exactly once"),
        ("{capital} and {capital} [MASK].", "exactly once"),
        ("{capital} is the capital of Italy.", "no .MASK."),
        ("{capital} [MASK]", "no other word"),
        ("The non{capital} is [MASK].", "joined to other letters"),
    ],
)
def test_sentences_that_cannot_be_used_are_refused(sentence, words, bundled):
    with pytest.raises(ValueError, match=words):
        capital_cases(sentence, bundled, capitals=4)


def test_a_model_without_capitals_is_refused(tiny):
    with pytest.raises(ValueError, match="knows 2 of the capitals"):
        capital_cases(SENTENCE, tiny, capitals=4)
