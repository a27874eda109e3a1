"""The claims of "BERT Embedding Math" beside the Hugging Face pipeline and NumPy."""

import numpy as np
import pytest

from embtools import load_model
from embtools.arithmetic import controls
from embtools.arithmetic.candidates import candidates
from embtools.mask_filling.answers import fill_mask
from embtools.mask_filling.edits import Change
from embtools.paper import embedding_math as claims
from embtools.progress import silent
from embtools.vectors import unit
from embtools.words import groups
from tests.conftest import CASED, make_tiny


def test_rome_is_what_the_authors_script_finds(bundled, pipelines) -> None:  # type: ignore[no-untyped-def]
    """It overwrites the word's row, which is tied to the output, and asks the pipeline."""
    import torch

    pipe, ids = pipelines["bundled"], bundled.ids
    weight = pipe.model.get_input_embeddings().weight
    row = weight[ids["rome"]].detach().clone()
    with torch.no_grad():
        try:
            weight[ids["rome"]] = row - weight[ids["italy"]] + weight[ids["france"]]
            first = pipe("Rome is the capital of [MASK].")[0]
        finally:
            weight[ids["rome"]] = row
    found = claims.rome(bundled, silent)
    assert first["token_str"] == "france" and found.answer.startswith("france, ")
    assert found.figures[0].here == pytest.approx(first["score"], abs=1e-4)
    assert [check.holds for check in found.checks] == [True, False]


def test_pakistan_leaves_its_own_name_out_and_keeps_asia_unchanged(bundled, pipelines) -> None:  # type: ignore[no-untyped-def]
    found = claims.pakistan(bundled, silent)
    answers = [a for a in pipelines["bundled"]("Pakistan is the south of [MASK].") if a["token_str"] != "pakistan"]
    assert f"Asia: {answers[0]['token_str']} {answers[0]['score']:.1%}" in found.answer
    assert len(found.figures) == 4


def test_formulas_stay_with_the_word_they_began_with(bundled) -> None:  # type: ignore[no-untyped-def]
    king, man, woman = (bundled.vector(word) for word in ("king", "man", "woman"))
    cosines = unit(bundled.matrix) @ unit((king - man + woman)[None])[0]
    assert bundled.vocabulary[int(np.where(bundled.rankable, cosines, -2).argmax())] == "king"
    found = claims.analogies(bundled, silent)
    assert f"king − man + woman: king {cosines.max():.2f}" in found.answer and all(c.holds for c in found.checks)


def test_pronouns_give_their_own_answers_first(bundled, pipelines) -> None:  # type: ignore[no-untyped-def]
    found = claims.pronouns(bundled, silent)
    for word in ("He", "She"):
        first = pipelines["bundled"](f"{word} works as a [MASK].")[0]
        assert f"{word}: {first['token_str']} {first['score']:.1%}" in found.answer
    assert len(found.figures) == 6


def test_colours_name_the_condition_that_fails(bundled) -> None:  # type: ignore[no-untyped-def]
    found = claims.colours(bundled, silent)
    assert [check.says for check in found.checks if not check.holds] == ["A sheep is rather black than white."]


def test_a_model_without_the_words_is_told(tiny) -> None:  # type: ignore[no-untyped-def]
    for measure in (claims.cities, claims.pakistan, claims.colours):
        with pytest.raises(ValueError, match=r".+"):
            measure(tiny, silent)
    assert claims.rome(tiny, silent).answer


@pytest.fixture(scope="module")
def cased(tmp_path_factory):  # type: ignore[no-untyped-def]
    """A tiny random BERT that knows the names of the claims with a capital alone."""
    cities = [word.capitalize() for _, words in groups.preset(groups.FIGURE_1) for word in words]
    names = "Pakistan Asia Africa Oceania Afghanistan Angola He She".split()
    words = "he she works as south lawyer teacher farmer model".split()
    every = dict.fromkeys([*CASED, *names, *words, *cities])
    return load_model(str(make_tiny(tmp_path_factory.mktemp("cased"), words=list(every), cased=True)))


def test_a_model_that_tells_capitals_is_asked_its_own_spelling(cased) -> None:  # type: ignore[no-untyped-def]
    rome = claims.rome(cased, silent)
    text, change = "Rome is the capital of [MASK].", Change.of(("Rome = Rome - Italy + France",), "tied")
    own = controls.experiment(text, change, model=cased)
    best = controls.leading(own.answers, 1, 0).iloc[0]
    assert rome.answer.startswith(f"{best['token']}, ") and "France" in rome.checks[0].says
    here = candidates(text, ["France"], change, model=cased)["probability"].iloc[0]
    assert rome.figures[0].here == pytest.approx(here)
    edit = ["Pakistan = Pakistan - Asia + Africa"]
    moved = fill_mask("Pakistan is the south of [MASK].", cased, k=2, edits=edit, scope="tied", leave_out=["Pakistan"])
    found = claims.pakistan(cased, silent)
    assert f"Africa: {moved['token'].iloc[0]} " in found.answer
    a, b = unit(np.stack([cased.vector("Pakistan"), cased.vector("Asia")]))
    assert f"of Pakistan and Asia {a @ b:.2f}." in found.answer
    change = Change.of(("He = (He + She) / 2",), "tied")
    here = candidates("He works as a [MASK].", ["lawyer"], change, model=cased)["probability"].iloc[0]
    figure = next(f for f in claims.pronouns(cased, silent).figures if f.name.startswith("average: lawyer"))
    assert figure.here == pytest.approx(here)


def test_the_cities_are_asked_with_their_capitals(cased, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    asked = []

    def read(words, model):  # type: ignore[no-untyped-def]
        asked.extend(words.groups)
        raise ValueError("enough")

    monkeypatch.setattr(claims.points, "read", read)
    with pytest.raises(ValueError, match="enough"):
        claims.cities(cased, silent)
    every = [word for _, words in asked for word in words]
    assert every == [word.capitalize() for _, words in groups.preset(groups.FIGURE_1) for word in words]
    assert all(word in cased.ids for word in every)
