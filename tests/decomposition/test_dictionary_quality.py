"""Sentences about the quality of a dictionary."""

import pandas as pd

from embtools.decomposition.dictionary_quality import fit_sentence, look_sentence
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
