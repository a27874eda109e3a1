"""The list of claims: complete, in order, each with a measure; what a model says that cannot be asked."""

import pytest

from embtools.paper import claims
from embtools.paper.measured import CANNOT, Measured


def test_every_row_of_the_five_texts_is_a_claim_with_a_measure() -> None:
    counts = {"A": 6, "B": 8, "C": 5, "D": 7, "E": 1}
    assert [claim.id for claim in claims.claims()] == [f"{t}{i + 1}" for t, n in counts.items() for i in range(n)]
    assert set(claims.measures()) == {claim.id for claim in claims.claims()}
    assert len(claims.texts()) == 5


def test_a_model_without_a_part_says_so_instead_of_failing(tiny_distil) -> None:  # type: ignore[no-untyped-def]
    found = claims.measure_all(tiny_distil, ["B2", "D2", "D4"])
    for name, reason in (("B2", "segment"), ("D2", "segment"), ("D4", "next-sentence head")):
        assert found[name].verdict == CANNOT and reason in found[name].answer


def test_a_claim_that_is_not_there_is_refused(tiny) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="Z9.*A1, A2"):
        claims.measure("Z9", tiny)


def test_all_are_told_one_by_one_with_progress(tiny, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    def measure(model, progress):  # type: ignore[no-untyped-def]
        progress(1.0)
        return Measured("")

    monkeypatch.setattr(claims, "measures", lambda: dict.fromkeys([claim.id for claim in claims.claims()], measure))
    told, done = [], []
    claims.measure_all(tiny, tell=lambda claim, found: told.append(claim.id), progress=done.append)
    assert told == [claim.id for claim in claims.claims()]
    assert done == sorted(done) and done[-1] == pytest.approx(1)


def test_larger_models_take_longer(bundled, tiny) -> None:  # type: ignore[no-untyped-def]
    assert claims.effort("B7", bundled) == claims.effort("B7", tiny) > claims.effort("A2", bundled)
    large = type("Large", (), {"layers": 12, "dimensions": 768})()
    assert 2 < claims.effort("B7", large) / claims.effort("B7", bundled) < 8


def test_the_model_of_the_texts_must_give_their_very_numbers(bundled, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    assert len(claims.measure("A2", bundled).conditions) == 4
    monkeypatch.setattr(bundled, "name", claims.PUBLISHED_MODEL)
    last = claims.measure("A2", bundled).conditions[-1]
    assert "as printed" in last.statement and not last.holds and "0 of 1 numbers" in last.evidence
    assert claims.measure("A5", bundled).verdict == "holds"  # it prints no number
