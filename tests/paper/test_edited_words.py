"""The claims about edited words, compared with the Hugging Face pipeline on overwritten rows."""

import re

import numpy as np
import pytest

from embtools.arithmetic import controls
from embtools.arithmetic.candidate_words import candidates
from embtools.mask_filling.answers import fill_mask
from embtools.mask_filling.edits import Change
from embtools.mask_filling.forward import mask_probabilities
from embtools.paper import edited_words as claims
from embtools.progress import silent
from embtools.statistics.decimals import decimal
from embtools.vectors import unit
from embtools.words.kinds import same_kind

ROME = "Rome is the capital of [MASK]."


@pytest.fixture
def edited(bundled, pipelines):  # type: ignore[no-untyped-def]
    """Ask the pipeline with the row of a word overwritten, which is tied to the output, as the author's script does."""
    import torch

    pipe, ids = pipelines["bundled"], bundled.ids
    weight = pipe.model.get_input_embeddings().weight

    def ask(text: str, word: str, minus: str, plus: str, k: int = 5):  # type: ignore[no-untyped-def]
        row = weight[ids[word]].detach().clone()
        with torch.no_grad():
            try:
                weight[ids[word]] = row - weight[ids[minus]] + weight[ids[plus]]
                return pipe(text, top_k=k)
            finally:
                weight[ids[word]] = row

    return ask


@pytest.fixture(scope="module")
def rome(bundled):  # type: ignore[no-untyped-def]
    return claims.rome(bundled, progress=silent)


def test_rome_is_what_the_authors_script_finds(rome, edited) -> None:  # type: ignore[no-untyped-def]
    first = edited(ROME, "rome", "italy", "france")[0]
    assert first["token_str"] == "france" and rome.answer.startswith("france ")
    assert rome.figures[0].here == pytest.approx(first["score"], abs=1e-4)
    assert rome.conditions[0].holds


@pytest.mark.slow
def test_every_similar_word_is_subtracted_instead_not_five_of_them(rome, edited, bundled) -> None:  # type: ignore[no-untyped-def]
    """Thirty countries, the nearest first by NumPy; each edit by the author's script."""
    cosines = unit(bundled.matrix) @ unit(bundled.vector("italy")[None])[0]
    lands = sorted(same_kind(bundled.ids["italy"], bundled), key=lambda i: -cosines[i])
    words = [bundled.vocabulary[i] for i in lands if bundled.vocabulary[i] != "france"][:30]
    assert {"spain", "greece", "china"} <= set(words) and not {"italy", "rome"} & set(words)
    answers = [{row["token_str"]: row["score"] for row in edited(ROME, "rome", w, "france", k=500)} for w in words]
    shares = [answer["france"] for answer in answers]
    first = sum(max(answer, key=answer.get) == "france" for answer in answers)
    third = rome.conditions[2]
    reached = sum(share >= rome.figures[0].here for share in shares)
    assert (
        f"was subtracted instead. {reached or 'None'} of them {'reach' if reached > 1 else 'reaches'} "
        in third.evidence
    )
    assert f"france is the top answer with {first} of the words" in third.evidence
    assert (
        f"mean {np.mean(shares):.1%}, highest {max(shares):.1%} with {words[int(np.argmax(shares))]}" in third.evidence
    )
    assert third.holds is (reached == 0)
    assert third.evidence.endswith(f"Rank of the edit: {reached + 1} of 31.") and "p =" not in third.evidence


@pytest.mark.slow
def test_the_verdict_on_rome_does_not_depend_on_a_sample(rome, bundled, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """Six seeds gave two verdicts before. Other seeds for what is still drawn give the same one."""
    monkeypatch.setattr(claims, "SEEDS", range(100, 120))
    other = claims.rome(bundled, progress=silent)
    assert other.verdict == rome.verdict
    assert [c.holds for c in other.conditions] == [c.holds for c in rome.conditions]


def test_both_scopes_are_named(rome, bundled) -> None:  # type: ignore[no-untyped-def]
    change = Change.of(("rome = rome - italy + france",), "input")
    here = candidates(ROME, bundled, words=["france"], change=change)["probability_after"].iloc[0]
    assert f"only the vector that BERT reads is changed: france {here:.1%}." in rome.answer
    others = re.findall(
        r"With scope “input”, (none|\d+) of the \d+ words reach(?:es)? the probability of the edit \(mean ([\d.]+)%\)",
        rome.conditions[2].evidence,
    )
    own = controls.controls(ROME, bundled, change=change, draws=20, seed=0)
    shares = [
        float(next(mask_probabilities(ROME, bundled, patches=[run.patch]))[0, bundled.ids["france"]])
        for run in own
        if run.name == controls.OTHER_SUBTRACTED
    ]  # twenty of the thirty, as the Arithmetic page draws them
    assert int(others[0][0].replace("none", "0")) >= sum(share >= here for share in shares)
    assert abs(float(others[0][1]) / 100 - np.mean(shares)) < 0.06


def test_the_number_of_the_arithmetic_page_is_named_and_its_link_shows_that_of_the_card(rome, bundled) -> None:  # type: ignore[no-untyped-def]
    """By default the page subtracts five of the thirty words; the link of the claim asks for all of them."""
    from embtools.ui.paper.links import LINKS

    def mean(scope="tied", **options) -> float:  # type: ignore[no-untyped-def]
        change = Change.of(("rome = rome - italy + france",), scope)
        summary = controls.experiment(ROME, bundled, change=change, **options).summary.set_index("control")
        return summary.loc[controls.OTHER_SUBTRACTED, "mean"]

    evidence = rome.conditions[2].evidence
    default = f"by default (mean {mean():.1%}; with scope “input” {mean('input'):.1%})."
    assert f"The Arithmetic page subtracts 5 of them {default}" in evidence
    assert f"(mean {mean(draws=int(LINKS['A2'][1]['arithmetic_draws'])):.1%}, highest" in evidence


def test_pakistan_leaves_its_own_name_out_and_does_not_count_the_added_word(bundled, pipelines, edited) -> None:  # type: ignore[no-untyped-def]
    text = "Pakistan is the south of [MASK]."
    found = claims.pakistan(bundled, progress=silent)
    answers = [a for a in pipelines["bundled"](text) if a["token_str"] != "pakistan"]
    assert f"Asia: {answers[0]['token_str']} {answers[0]['score']:.1%}" in found.answer
    assert len(found.figures) == 4 and len(found.conditions) == 4
    for condition, continent in zip(found.conditions, ("africa", "europe", "oceania"), strict=False):
        texts = [a["token_str"] for a in edited(text, "pakistan", "asia", continent) if a["token_str"] != "pakistan"]
        assert condition.evidence.startswith(f"{texts[0]} ")
        if texts[0] == continent:
            assert condition.holds is False and f"; {texts[1]} ranks 2nd with " in condition.evidence
    assert [c.holds for c in found.conditions] == [True, False, True, True]  # europe is answered with asia


def test_a_model_without_the_words_is_refused(tiny) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=r".+"):
        claims.pakistan(tiny, progress=silent)
    assert claims.rome(tiny, progress=silent).answer


def test_a_cased_model_is_queried_in_its_own_spelling(cased) -> None:  # type: ignore[no-untyped-def]
    found = claims.rome(cased, progress=silent)
    change = Change.of(("Rome = Rome - Italy + France",), "tied")
    own = controls.experiment(ROME, cased, change=change)
    best = controls.leading(own.answers, 1, 0).iloc[0]
    assert best["token"] in found.answer.split(";")[0] and "France" in found.conditions[0].statement
    here = candidates(ROME, cased, words=["France"], change=change)["probability_after"].iloc[0]
    assert found.figures[0].here == pytest.approx(here)
    edit = ["Pakistan = Pakistan - Asia + Africa"]
    moved = fill_mask("Pakistan is the south of [MASK].", cased, k=2, edits=edit, scope="tied", leave_out=["Pakistan"])
    pakistan = claims.pakistan(cased, progress=silent)
    assert f"Africa: {moved['token'].iloc[0]} " in pakistan.answer
    a, b = unit(np.stack([cased.vector("Pakistan"), cased.vector("Asia")]))
    assert f"that of Pakistan and Asia {decimal(a @ b)}." in pakistan.answer
