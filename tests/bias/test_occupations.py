"""Scores of occupations with their projections, from the functions that compute each of them alone."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from embtools.bias import directions, leanings, likelihood, occupations, verdict
from embtools.bias.occupations import ENDS

WORDS = ("nurse", "judge", "poet", "baker", "dancer")
TEMPLATES = ("{group} is the {occupation}.", "The {occupation} met {group}.")
PAIRS = (("he", "she"), ("man", "woman"), ("king", "queen"))


@pytest.fixture(scope="module")
def found(bundled):
    return occupations.score_occupations(
        WORDS, bundled, templates=TEMPLATES, first=("he", "him", "man"), second=("she",)
    )


def test_scores_and_projections_are_those_of_their_own_functions(found, bundled):
    scores = likelihood.template_scores(
        TEMPLATES, bundled, occupations=WORDS, first=("he", "him", "man"), second=("she",)
    )
    pd.testing.assert_frame_equal(found.scores, scores)
    pd.testing.assert_frame_equal(found.summary, likelihood.summary(scores))
    axis = bundled.vector("she") - np.mean([bundled.vector(w) for w in ("he", "him", "man")], axis=0)
    axis /= np.linalg.norm(axis)
    vectors = np.array([bundled.vector(word) for word in found.both["occupation"]])
    cosines = vectors @ axis / np.linalg.norm(vectors, axis=1)
    np.testing.assert_allclose(found.both["dot_product"], vectors @ axis, atol=1e-5)
    np.testing.assert_allclose(found.both["projection"], cosines - cosines.mean(), atol=1e-5)
    assert found.fit[0] == pytest.approx(spearmanr(found.both["projection"], found.both["score"]).statistic)
    assert found.names == ("he, him …", "she")


def test_sentences_come_from_the_summary(found):
    assert found.headline == leanings.headline(found.summary, *found.names)
    assert found.one_sided == leanings.one_sided(found.summary)
    assert found.agreement == verdict.agreement(found.fit)
    assert found.size == pytest.approx(np.abs(found.summary["score"]).mean())


def test_the_direction_can_come_from_pairs(bundled):
    sides = {"templates": TEMPLATES, "first": ("he",), "second": ("she",)}
    found = occupations.score_occupations(WORDS, bundled, **sides, pairs=PAIRS)
    axis = directions.direction(*zip(*PAIRS, strict=True), bundled, how="pca")
    along = directions.projections(tuple(found.both["occupation"]), bundled, axis=axis)
    np.testing.assert_allclose(found.both["projection"], along["cosine"] - along["cosine"].mean())
    assert (found.both["projection"] > 0).any() and (found.both["projection"] < 0).any()  # 0 divides the words
    single = occupations.score_occupations(("nurse",), bundled, **sides)
    assert single.fit is None and single.agreement == ""


def test_few_words_are_all_ends_and_of_many_those_at_both_ends(found):
    assert found.ends is found.summary
    many = pd.DataFrame({"occupation": [str(n) for n in range(30)], "score": np.linspace(-1, 1, 30)})
    ends = occupations.Occupations(("a", "b"), many, many, many).ends
    assert list(ends["occupation"]) == [*map(str, range(ENDS)), *map(str, range(30 - ENDS, 30))]


def test_indirect_bias_leaves_out_the_reference_word(bundled):
    sides = {"first": ("he",), "second": ("she",)}
    found = occupations.indirect_bias(WORDS, bundled, reference="dancer", **sides)
    axis = directions.direction(("he",), ("she",), bundled)
    others = [word for word in WORDS if word != "dancer"]
    expected = directions.indirect_bias(others, bundled, reference="dancer", axis=axis).set_index("word")
    assert sorted(found["word"]) == sorted(others) and found["cosine"].is_monotonic_decreasing
    np.testing.assert_allclose(found["beta"], expected.loc[found["word"], "beta"])


def test_errors_come_before_the_long_run(bundled):
    with pytest.raises(ValueError, match="not a single token"):
        occupations.score_occupations(
            ("nurse", "zzqq"), bundled, templates=TEMPLATES, first=("he",), second=("she",), progress=_never
        )
    with pytest.raises(ValueError, match="not a single token"):
        occupations.score_occupations(
            WORDS, bundled, templates=TEMPLATES, first=("lakisha",), second=("she",), progress=_never
        )


def _never(done):
    raise AssertionError(done)
