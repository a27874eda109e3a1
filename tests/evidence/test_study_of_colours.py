"""Rank correlations of colours against scipy, and with a known truth."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from embtools import wordlists
from embtools.evidence import study_of_colours as module
from embtools.evidence.study_of_colours import BOTH, LOOKS, MORE, USE, colour_uses, spearman


@pytest.fixture(scope="module")
def study(bundled):  # type: ignore[no-untyped-def]
    return colour_uses(bundled)


def test_correlations_are_scipys(study) -> None:  # type: ignore[no-untyped-def]
    items = study.items
    assert len(items) == 210
    expected = {
        USE: spearmanr(items["cosine"], items["use"]).statistic,
        LOOKS: -spearmanr(items["cosine"], items["difference"]).statistic,
        BOTH: -spearmanr(items["use"], items["difference"]).statistic,
    }
    for name, value in expected.items():
        row = study.row(name)
        assert row["value"] == pytest.approx(value, abs=1e-9) and row["low"] < value < row["high"]
    assert study.row(MORE)["value"] == pytest.approx(expected[USE] - expected[LOOKS])
    assert f"{expected[USE]:.2f}" in study.headline and "Mantel's test" in study.notes[0]


def test_use_is_that_of_the_list(study) -> None:  # type: ignore[no-untyped-def]
    listed = wordlists.load("colour_uses").set_index(["first", "second"])["similarity"]
    for row in study.items.head(20).itertuples():
        key = (row.first, row.second) if (row.first, row.second) in listed.index else (row.second, row.first)
        assert row.use == listed[key]


def test_colours_that_are_as_similar_as_their_uses_follow_use_alone(bundled, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """The truth is known: the uses are a rising function of the cosines."""

    def uses(words):  # type: ignore[no-untyped-def]
        vectors = np.stack([bundled.vector(word) for word in words]).astype(float)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.exp(vectors @ vectors.T)

    monkeypatch.setattr(module, "_use", uses)
    found = colour_uses(bundled)
    assert found.row(USE)["value"] == pytest.approx(1) and found.row(USE)["low"] > 0.99
    assert found.row(MORE)["value"] == pytest.approx(1 - found.row(LOOKS)["value"]) and found.row(MORE)["low"] > 0


def test_correlations_leave_out_rows() -> None:
    rng = np.random.default_rng(0)
    one, other = ((x + x.T) / 2 for x in rng.normal(size=(2, 9, 9)))
    rows = np.array([0, 2, 3, 5, 8])
    i, j = (rows[k] for k in np.triu_indices(5, 1))
    assert spearman(one, other, rows) == pytest.approx(spearmanr(one[i, j], other[i, j]).statistic)


def test_a_model_with_few_colours_is_refused(tiny) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="knows only 3 of the colour words"):
        colour_uses(tiny)
