"""What all charts share."""

import numpy as np
import pandas as pd
import pytest

from embtools.charts import style


@pytest.mark.parametrize(
    ("word", "shown"), [("<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"), ("a & b", "a &amp; b"), ("##ing", "##ing")]
)
def test_a_word_is_no_markup(word, shown):
    assert style.label(word) == shown


def test_numbers_travel_in_single_precision():
    found = style.floats(pd.Series([0.1, np.nan]))
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, np.array([0.1, np.nan], np.float32))
