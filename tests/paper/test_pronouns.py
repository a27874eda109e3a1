"""The claim about the average of he and she, compared with the Hugging Face pipeline."""

import pytest
from scipy.spatial.distance import jensenshannon

from embtools.arithmetic.candidate_words import candidates
from embtools.mask_filling.edits import Change
from embtools.mask_filling.forward import mask_probabilities
from embtools.paper import pronouns as claims
from embtools.progress import silent


@pytest.mark.slow
def test_pronouns_give_their_own_answers_first(bundled, pipelines) -> None:  # type: ignore[no-untyped-def]
    found = claims.pronouns(bundled, progress=silent)
    for word in ("He", "She"):
        first = pipelines["bundled"](f"{word} works as a [MASK].")[0]
        assert f"{word}: {first['token_str']} {first['score']:.1%}" in found.answer
    assert len(found.figures) == 6
    (he,), (she,) = (next(mask_probabilities(f"{word} works as a [MASK].", bundled)) for word in ("He", "She"))
    apart = float(jensenshannon(he, she, base=2)) ** 2
    assert f"he and she differ by {apart:.3f} bits" in found.conditions[1].evidence


@pytest.mark.slow
def test_twenty_draws_of_unrelated_words_agree(bundled) -> None:  # type: ignore[no-untyped-def]
    found = claims.pronouns(bundled, progress=silent)
    assert found.conditions[2].holds and found.conditions[2].evidence.endswith("All 20 random draws agree.")


def test_a_cased_model_is_queried_in_its_own_spelling(cased) -> None:  # type: ignore[no-untyped-def]
    change = Change.of(("He = (He + She) / 2",), "tied")
    here = candidates("He works as a [MASK].", cased, words=["lawyer"], change=change)["probability_after"].iloc[0]
    figure = next(f for f in claims.pronouns(cased, progress=silent).figures if f.name.startswith("average: lawyer"))
    assert figure.here == pytest.approx(here)
