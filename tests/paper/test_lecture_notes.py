"""The claims of the lecture notes about embeddings and masked words, and models that lack a part."""

from types import SimpleNamespace

import pytest

from embtools.paper import lecture_notes as claims
from embtools.progress import silent

SUN = "The [MASK] is bright today."


def test_one_matrix_is_both_input_and_output(bundled, pipelines) -> None:  # type: ignore[no-untyped-def]
    found = claims.one_matrix(bundled, progress=silent)
    answers = {a["token_str"]: (rank, a["score"]) for rank, a in enumerate(pipelines["bundled"](SUN), 1)}
    rank, score = answers["sun"]
    assert f"the probability of sun is {score:.1%} (rank {rank})" in found.answer
    assert all(c.holds for c in found.conditions)


def test_the_input_is_a_sum_of_three(bundled, tiny_distil) -> None:  # type: ignore[no-untyped-def]
    found = claims.sum_of_three(bundled, progress=silent)
    assert "position 6 in segment 1" in found.answer and all(c.holds for c in found.conditions)
    with pytest.raises(ValueError, match="only two terms"):
        claims.sum_of_three(tiny_distil, progress=silent)


def test_masked_words_name_the_one_that_fails(bundled, pipelines) -> None:  # type: ignore[no-untyped-def]
    found = claims.masked_words(bundled, progress=silent)
    assert [c.holds for c in found.conditions] == [True, False, False]
    sun, cat = (pipelines["bundled"](text)[0] for text in (SUN, "The cat sat on the [MASK]."))
    assert found.conditions[0].evidence.startswith(f"sun {sun['score']:.1%}.") and sun["token_str"] == "sun"
    assert f"{cat['token_str']} {cat['score']:.1%}; mat has" in found.conditions[1].evidence


@pytest.mark.parametrize(
    ("name", "holds"), [("bundled", False), ("google-bert/bert-base-uncased", True), ("/some/folder", None)]
)
def test_how_a_model_was_trained_is_documented_or_unknown(name, holds) -> None:  # type: ignore[no-untyped-def]
    """A thousand draws of the app's own masking rule, as before, say nothing about a model."""
    condition = claims.judge_masked_words([], name).conditions[-1]
    assert condition.holds is holds and "15%" in condition.statement


@pytest.mark.parametrize(
    ("layers", "dimensions", "heads", "millions", "verdict"),
    [
        (12, 768, 12, 109.5, "holds"),
        (24, 1024, 16, 335.2, "holds"),
        (12, 768, 12, 178.0, "fails"),
        (6, 384, 12, 22.9, "undecided"),
    ],
)
def test_sizes(layers, dimensions, heads, millions, verdict) -> None:  # type: ignore[no-untyped-def]
    model = SimpleNamespace(layers=layers, dimensions=dimensions, heads=heads, parameters=round(millions * 1e6))
    assert claims.sizes(model, progress=silent).verdict == verdict
