"""The ten published tests: their run on a model, and the correction for their number."""

import pytest

from embtools.bias import association, published_tests, verdict
from embtools.words import word_sets


def test_battery_is_each_test_alone(bundled):
    tests = published_tests.battery(bundled)
    found = tests.frame
    assert len(found) == 10 and tests.clear == verdict.battery(found)
    for number in (6, 9):
        alone = association.weat(*word_sets.word_sets(number), bundled)
        row = found.iloc[number - 1]
        assert (row["effect"], row["p_value"], row["left_out"]) == (alone.effect, alone.p, len(alone.left_out))
    assert (found["p_adjusted"] >= found["p_value"]).all()
    assert (found["left_out"] <= found["words"]).all()


def test_tests_without_enough_words_have_no_numbers(tiny):
    found = published_tests.battery(tiny).frame
    assert found["effect"].isna().all() and (found["left_out"] == found["words"]).all()


def test_battery_reports_progress_and_refuses_an_unknown_reading(tiny):
    reported: list[float] = []
    published_tests.battery(tiny, progress=reported.append)
    assert reported == [n / 10 for n in range(1, 11)]
    with pytest.raises(ValueError, match="cannot be read as 'refuse' here"):
        published_tests.battery(tiny, pieces="refuse")
