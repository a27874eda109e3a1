"""What is stored of the bundled model is what it says; with other weights nothing is read."""

import json
import re

import pytest

from embtools.paper import claims, stored
from embtools.paper.measured import Condition, Figure, Measured

NUMBER = re.compile(r"−?\d[\d,]*\.?\d*(?:e-\d+)?")  # 4e-07 is one number: what rounding leaves on one processor


def words_and_numbers(text: str) -> tuple[str, list[float]]:
    return NUMBER.sub("#", text), [
        float(n.replace(",", "").replace("−", "-").rstrip(".")) for n in NUMBER.findall(text)
    ]


@pytest.mark.slow
def test_what_is_stored_is_what_the_model_says(bundled) -> None:  # type: ignore[no-untyped-def]
    """All claims, computed again; the only test that does so."""
    saved, found = stored.read(bundled), claims.measure_all(bundled)
    assert list(saved) == list(found) == [claim.id for claim in claims.claims()]
    for name, new in found.items():
        old = saved[name]
        assert old.verdict == new.verdict, name
        assert [(c.statement, c.holds) for c in old.conditions] == [(c.statement, c.holds) for c in new.conditions], (
            name
        )
        old_texts, new_texts = ([each.answer, *(c.evidence for c in each.conditions)] for each in (old, new))
        for one, other in zip(old_texts, new_texts, strict=True):
            (words, numbers), (others, found_numbers) = words_and_numbers(one), words_and_numbers(other)
            assert words == others and numbers == pytest.approx(found_numbers, rel=0.02, abs=0.02), name
        assert [f.name for f in old.figures] == [f.name for f in new.figures]
        assert [f.here for f in old.figures] == pytest.approx([f.here for f in new.figures], abs=2e-4)
        assert "cannot be asked" not in new.answer


def test_writing_and_reading_is_a_round_trip_for_the_same_weights_alone(tiny, tiny_distil, tmp_path) -> None:  # type: ignore[no-untyped-def]
    results = {
        "A2": Measured(
            "a", (Condition("b", True, "x"), Condition("c", None, "y")), (Figure("d", 0.5, 0.25, "cosine"),)
        ),
        "D7": Measured("e"),
    }
    file = tmp_path / "results.json"
    stored.write(tiny, results=results, file=file)
    assert stored.read(tiny, file=file) == results
    assert stored.read(tiny_distil, file=file) == {}
    assert json.loads(file.read_text())["checksum"] == tiny.checksum
    assert stored.read(tiny, file=tmp_path / "none.json") == {}
