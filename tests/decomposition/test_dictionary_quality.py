"""Sentences about the quality of a dictionary."""

import pandas as pd

from embtools.decomposition.dictionary_quality import COLUMNS, fit_sentence, look_sentence, table
from tests.features import QUALITY


def test_the_figures_are_named():
    frame = pd.DataFrame(QUALITY)
    fit = fit_sentence(frame, {"held_out": 1234})
    assert "On 1,234 held-out words, the features explain 80%" in fit and "random directions" in fit and "30%" in fit
    assert "change by 0.20 bits" in fit and "5.0%" in fit and "90% of 20 sentences" in fit
    look = look_sentence(frame)
    assert "3.4 different words" in look and "random directions: 6.2 words, similarity −0.05" in look


def test_a_file_without_figures_says_so():
    assert "does not say" in fit_sentence(pd.DataFrame(), {}) and "does not say" in look_sentence(pd.DataFrame())


def test_the_table_begins_with_the_name_and_keeps_every_figure():
    frame = table([dict(sorted(row.items())) for row in QUALITY])
    assert list(frame.columns) == [name for name in COLUMNS if any(name in row for row in QUALITY)]
    assert frame.columns[0] == "dictionary" and set(frame.columns) == {name for row in QUALITY for name in row}
    pd.testing.assert_frame_equal(frame, pd.DataFrame(QUALITY)[list(frame.columns)])
    assert table([]).empty
