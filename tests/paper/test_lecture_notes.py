"""The claims of the lecture notes, and what a model says that lacks a part."""

from types import SimpleNamespace

import pytest

from embtools.paper import lecture_notes as claims
from embtools.progress import silent


def test_one_matrix_leads_in_and_out(bundled, pipelines) -> None:  # type: ignore[no-untyped-def]
    found = claims.one_matrix(bundled, silent)
    first = pipelines["bundled"]("The [MASK] is bright today.")[0]
    assert f"gives {first['token_str']} {first['score']:.1%}" in found.answer
    assert all(check.holds for check in found.checks)


def test_what_enters_is_a_sum_of_three(bundled, tiny_distil) -> None:  # type: ignore[no-untyped-def]
    found = claims.sum_of_three(bundled, silent)
    assert "position 6, segment 1" in found.answer and all(check.holds for check in found.checks)
    with pytest.raises(ValueError, match="two terms"):
        claims.sum_of_three(tiny_distil, silent)


def test_masked_words_name_the_one_that_fails(bundled) -> None:  # type: ignore[no-untyped-def]
    found = claims.masked_words(bundled, silent)
    assert [check.holds for check in found.checks] == [True, False, True]
    assert "mat" in found.checks[1].says and "table" in found.answer


def test_next_sentence_needs_its_head(bundled, tiny_distil) -> None:  # type: ignore[no-untyped-def]
    assert "BERT gives 75%" in claims.next_sentence(bundled, silent).answer
    with pytest.raises(ValueError, match="no next-sentence head"):
        claims.next_sentence(tiny_distil, silent)


@pytest.mark.parametrize(
    ("layers", "dimensions", "heads", "millions", "verdict"),
    [
        (12, 768, 12, 109.5, "stands"),
        (24, 1024, 16, 335.2, "stands"),
        (12, 768, 12, 178.0, "stands in part"),
        (6, 384, 12, 22.9, "cannot be told here"),
    ],
)
def test_sizes(layers, dimensions, heads, millions, verdict) -> None:  # type: ignore[no-untyped-def]
    model = SimpleNamespace(layers=layers, dimensions=dimensions, heads=heads, parameters=round(millions * 1e6))
    assert claims.sizes(model, silent).verdict == verdict
