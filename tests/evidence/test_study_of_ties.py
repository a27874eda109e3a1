"""Cosines of capitals, countries and continents against a plain loop."""

import numpy as np
import pytest

from embtools.evidence.study_of_ties import (
    COSINES,
    EXCESSES,
    OTHER_CAPITAL,
    OTHER_CONTINENT,
    OWN_CAPITAL,
    OWN_CONTINENT,
    ties,
)
from embtools.mask_filling.cases import plan
from embtools.mask_filling.relations import relation


@pytest.fixture(scope="module")
def study(bundled):  # type: ignore[no-untyped-def]
    return ties(bundled)


def test_means_are_those_of_a_plain_loop(study, bundled) -> None:  # type: ignore[no-untyped-def]
    def cosine(one: int, other: int) -> float:
        a, b = (bundled.matrix[i].astype(float) for i in (one, other))
        return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    for key, own, other in (("capital", OWN_CAPITAL, OTHER_CAPITAL), ("continent", OWN_CONTINENT, OTHER_CONTINENT)):
        pairs = plan(relation(key).pairs, bundled).pairs
        right = [cosine(pair.a_id, pair.b_id) for pair in pairs]
        wrong = [cosine(pair.a_id, i) for pair in pairs for _, i in pair.others]
        assert study.row(own)["value"] == pytest.approx(np.mean(right)) and study.row(own)["n"] == len(right)
        assert study.row(other)["value"] == pytest.approx(np.mean(wrong)) and study.row(other)["n"] == len(wrong)
    value = {name: study.row(name)["value"] for name in (OWN_CAPITAL, OTHER_CAPITAL, OWN_CONTINENT, OTHER_CONTINENT)}
    assert study.row(COSINES)["value"] == pytest.approx(value[OWN_CAPITAL] - value[OWN_CONTINENT])
    excess = value[OWN_CAPITAL] - value[OTHER_CAPITAL] - value[OWN_CONTINENT] + value[OTHER_CONTINENT]
    assert study.row(EXCESSES)["value"] == pytest.approx(excess)


def test_intervals_hold_their_values_and_the_items_are_all_words(study) -> None:  # type: ignore[no-untyped-def]
    assert (study.rows["low"] < study.rows["value"]).all() and (study.rows["value"] < study.rows["high"]).all()
    assert study.items["relation"].value_counts().to_dict() == {"continent": 125, "capital": 68}
    rome = study.items.query("a == 'Rome'").iloc[0]
    assert rome["b"] == "Italy" and rome["cosine"] > rome["others"]
    assert f"{study.row(COSINES)['value']:.2f} (95% interval" in study.headline
    assert "There are only 4 different continents" in study.notes[1]


def test_words_that_belong_together_by_chance_have_no_excess(bundled, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """With shuffled countries and continents, the excess over other partners is about zero."""
    real = relation

    def shuffled(key: str):  # type: ignore[no-untyped-def]
        found = real(key)
        seconds = [b for _, b in found.pairs]
        order = np.random.default_rng(1).permutation(len(seconds))
        pairs = tuple((a, seconds[i]) for (a, _), i in zip(found.pairs, order, strict=True))
        return type(found)(found.key, found.title, pairs, found.sentences, found.must_stay, ())

    monkeypatch.setattr("embtools.evidence.study_of_ties.relation", shuffled)
    row = ties(bundled).row(EXCESSES)
    assert abs(row["value"]) < 0.05 and row["low"] < 0 < row["high"]
