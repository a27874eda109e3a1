"""The ten published tests: their sizes, their run on a model, and the correction for their number."""

import pytest

from embtools.bias import association, published_tests

# Words in X, Y, A and B: Caliskan et al. 2017, table 1.
SIZES = {
    1: (25, 25),
    2: (25, 25),
    3: (32, 25),
    4: (16, 25),
    5: (16, 8),
    6: (8, 8),
    7: (8, 8),
    8: (8, 8),
    9: (6, 7),
    10: (8, 8),
}


@pytest.mark.parametrize("number", SIZES)
def test_sets_have_their_published_sizes(number):
    targets, attributes = SIZES[number]
    assert [len(s) for s in published_tests.word_sets(number)] == [targets, targets, attributes, attributes]
    assert len(published_tests.set_names(number)) == 4
    assert number in published_tests.SHORT and number in published_tests.GLOVE


def test_an_unknown_test_is_refused():
    with pytest.raises(ValueError, match="choose 1 to 10"):
        published_tests.word_sets(11)


def test_battery_is_each_test_alone(bundled):
    found = published_tests.battery(bundled)
    assert len(found) == 10
    for number in (6, 9):
        alone = association.weat(*published_tests.word_sets(number), bundled)
        row = found.iloc[number - 1]
        assert (row["effect"], row["p_value"], row["left_out"]) == (alone.effect, alone.p, len(alone.left_out))
    assert (found["p_adjusted"] >= found["p_value"]).all()
    assert (found["left_out"] <= found["words"]).all()


def test_tests_without_enough_words_have_no_numbers(tiny):
    found = published_tests.battery(tiny)
    assert found["effect"].isna().all() and (found["left_out"] == found["words"]).all()


def test_battery_reports_progress_and_refuses_an_unknown_reading(tiny):
    reported: list[float] = []
    published_tests.battery(tiny, progress=reported.append)
    assert reported == [n / 10 for n in range(1, 11)]
    with pytest.raises(ValueError, match="cannot be read as 'refuse' here"):
        published_tests.battery(tiny, pieces="refuse")
