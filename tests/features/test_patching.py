"""A word replaced by its mix, against a hook on a private copy of the network; the random words; the sentences and the chart."""

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.optimize import nnls
from scipy.special import softmax

from embtools.charts import features as charts
from embtools.features import dictionary, patched, patching, results, targets
from embtools.features.dictionary import Dictionary
from embtools.features.parts import decompose
from embtools.features.patched import Patched, patch_formula, patch_word
from embtools.features.patching import (
    NOTHING,
    ORIGINAL,
    PARTS,
    RANDOM,
    PatchSite,
    patch_site,
    steps,
    summary,
)
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from tests.drawn import HOSTILE, shows_no_markup
from tests.hooked import logits_after

TEXT = "the king of [MASK] is unable as a man."


def by_hand(model, place: PatchSite, text: str, vector: np.ndarray) -> np.ndarray:
    """Probabilities (v,) of a copy of the whole network in which a hook exchanges the word's state."""
    shift = torch.tensor(vector - place.target.vector, dtype=torch.float32)

    def exchange(states):
        states[:, list(place.positions)] += shift
        return states

    ids = model.tokenize(text)["id"].to_numpy()
    return softmax(logits_after(model, ids, layer=place.layer, change=exchange)[place.mask].astype(float))


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
@pytest.mark.parametrize(("word", "layer"), [("king", None), ("king", 1), ("unable", 0)])
def test_the_network_goes_on_as_a_copy_with_a_hook_does(request, name, word, layer):
    model = request.getfixturevalue(name)
    place = patch_site(TEXT, model, word=word, layer=layer)
    vectors = np.random.default_rng(0).normal(size=(3, model.dimensions))
    found = softmax(patching.logits(place, model, vectors=vectors).astype(float), axis=1)
    for row, vector in zip(found, vectors, strict=True):
        np.testing.assert_allclose(row, by_hand(model, place, TEXT, vector), atol=1e-6)
    assert len(place.positions) == (2 if word == "unable" else 1)
    assert np.abs(found[0] - found[1]).max() > 1e-3


def test_the_vector_is_that_of_the_decomposition(tiny):
    for word in ("king", "unable"):
        target = targets.from_sentence(TEXT, tiny, word=word, combination="layer 1")
        mine = patch_site(TEXT, tiny, word=word, layer=1).target
        np.testing.assert_allclose(mine.vector, target.vector, atol=1e-6)
        assert (mine.start, mine.end, mine.words, mine.row) == (target.start, target.end, target.words, target.row)
    static = patch_site(TEXT, tiny, word="King", layer=None).target
    np.testing.assert_array_equal(static.vector, tiny.vector("king"))
    assert static.row == tiny.ids["king"]


def test_a_static_word_is_replaced_everywhere_and_an_occurrence_once(tiny):
    text = "king of king is [MASK]."
    assert patch_site(text, tiny, word="king", layer=None).positions == (1, 3)
    assert patch_site(text, tiny, word="king", layer=1).positions == (1,)


@pytest.fixture(scope="module", params=(None, 1), ids=str)
def asked(request, tiny, atoms, found):
    """A position and a dictionary; the penalty leaves several parts."""
    layer = request.param
    place = patch_site(TEXT, tiny, word="king", layer=layer)
    pool = dictionary.of_vocabulary(tiny) if layer is None else atoms  # of layer 2: as good as any other here
    return place, pool, decompose(place.target, pool, share=0.1)


def test_a_mix_that_is_exact_gives_the_answer_itself(tiny):
    place = patch_site(TEXT, tiny, word="king", layer=1)
    vector = place.target.vector
    side = np.random.default_rng(0).normal(size=vector.shape).astype(np.float32)
    vectors = np.array([vector + side, vector - side, -vector])
    words = np.array(["one", "two", "three"], object)
    nowhere = pd.DataFrame(-1, range(3), ["sentence", "start", "end"])
    pool = Dictionary(words, vectors, np.ones(3, bool), (), nowhere)
    parts = decompose(place.target, pool, share=0.02)
    runs = patching.patch(place, tiny, dictionary=pool, parts=parts)
    last = runs[runs["run"] == PARTS].iloc[-1]
    original = runs.iloc[0]
    assert last["k"] == 2 and last["same_answer"] and last["answer"] == original["answer"]
    assert last["probability"] == pytest.approx(original["probability"], abs=1e-5)
    assert last["kl_bits"] == pytest.approx(0, abs=1e-6) and last["cosine"] == pytest.approx(1, abs=1e-6)


def _answer(chances, model):
    return next(int(i) for i in np.argsort(-chances) if model.vocabulary[i] != "[UNK]")


def _patch(asked, model, **rules):
    place, pool, parts = asked
    return patching.patch(place, model, dictionary=pool, parts=parts, **rules)


@pytest.mark.parametrize("keep", [False, True])
def test_every_run_by_hand(tiny, asked, keep):
    place, pool, parts = asked
    runs = patching.patch(place, tiny, dictionary=pool, parts=parts, draws=3, keep_length=keep)
    n, y = len(parts.rows), place.target.vector.astype(float)
    assert n > 2
    original, zeros = (by_hand(tiny, place, TEXT, v) for v in (y, np.zeros_like(y)))
    best = _answer(original, tiny)
    rng = np.random.default_rng(0)
    allowed = np.flatnonzero(pool.allowed(place.target))
    orders = [parts.rows, *(rng.choice(allowed, min(n, len(allowed)), replace=False) for _ in range(3))]
    wanted = {(ORIGINAL, 0, 0): (original, y), (NOTHING, 0, 0): (zeros, 0 * y)}
    for draw, rows in enumerate(orders):
        for k in steps(n):
            x = pool.vectors[rows[:k]].astype(float)
            mixed = nnls(x.T, y)[0] @ x
            if keep and mixed.any():
                mixed *= np.linalg.norm(y) / np.linalg.norm(mixed)
            wanted[RANDOM if draw else PARTS, k, draw] = by_hand(tiny, place, TEXT, mixed), mixed
    assert [(r.run, r.k, r.draw) for r in runs.itertuples()] == list(wanted)
    for row, (chances, mixed) in zip(runs.itertuples(), wanted.values(), strict=True):
        assert row.probability == pytest.approx(chances[best], abs=1e-5)
        answer = _answer(chances, tiny)
        assert row.answer == tiny.vocabulary[answer] and row.same_answer == (answer == best)
        assert row.kl_bits == pytest.approx((original * np.log2(original / chances)).sum(), abs=1e-4)
        assert row.length == pytest.approx(np.linalg.norm(mixed) / np.linalg.norm(y), abs=1e-5)
        if mixed.any():
            assert row.cosine == pytest.approx(mixed @ y / np.linalg.norm(mixed) / np.linalg.norm(y), abs=1e-5)
    assert runs.loc[1 + len(steps(n)), "words"] == ", ".join(parts.table["word"])


def test_the_same_seed_gives_the_same_and_the_model_stays_as_it_is(tiny, asked):
    place, pool, parts = asked
    before = tiny.matrix.copy()
    one = patching.patch(place, tiny, dictionary=pool, parts=parts, seed=1)
    pd.testing.assert_frame_equal(one, patching.patch(place, tiny, dictionary=pool, parts=parts, seed=1))
    other = patching.patch(place, tiny, dictionary=pool, parts=parts, seed=2)
    assert not other["words"].equals(one["words"]) and other[other["run"] == PARTS].equals(one[one["run"] == PARTS])
    assert np.array_equal(before, tiny.matrix)


def test_a_summary_says_what_the_rows_say(tiny, asked):
    runs = _patch(asked, tiny, draws=4)
    line = summary(runs).set_index(["run", "k"]).loc[(RANDOM, 2)]
    rows = runs[(runs["run"] == RANDOM) & (runs["k"] == 2)]
    assert (line["draws"], line["same_answer"]) == (4, rows["same_answer"].mean())
    for measure in ("probability", "kl_bits"):
        drawn = line[measure], line[f"{measure}_lowest"], line[f"{measure}_highest"]
        assert drawn == pytest.approx((rows[measure].mean(), rows[measure].min(), rows[measure].max()))
    mixes = patching.by_number_of_words(runs)
    assert list(mixes["k"]) == list(steps(len(asked[2].rows))) and "draw" not in mixes
    assert list(mixes["kl_bits"]) == list(runs.loc[runs["run"] == PARTS, "kl_bits"])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"word": "[MASK]"}, "is a special token, not a word"),
        ({"layer": 2}, "Layer 2 cannot be patched. Choose 0 to 1: after the last layer"),
        ({"mask": 2}, "no mask 2"),
    ],
)
def test_what_cannot_be_asked_says_what_to_do(tiny, changed, message):
    with pytest.raises(ValueError, match=message):
        patch_site(TEXT, tiny, **{"word": "king", "layer": 1} | changed)


def test_nothing_and_too_many_draws_are_refused(tiny, asked):
    place, pool, parts = asked
    with pytest.raises(ValueError, match="Lower it"):
        patching.patch(place, tiny, dictionary=pool, parts=decompose(place.target, pool, share=1.0))
    for draws in (0, 51):
        with pytest.raises(ValueError, match="choose 1 to 50"):
            patching.patch(place, tiny, dictionary=pool, parts=parts, draws=draws)


@pytest.mark.parametrize("n", [1, 16, 17, 700])
def test_steps_begin_with_one_end_with_all_and_are_few(n):
    found = steps(n)
    assert (found[0], found[-1]) == (1, n) and list(found) == sorted(set(found)) and len(found) <= 16
    assert n <= 16 or found[:8] == tuple(range(1, 9))


def test_the_chart_has_the_numbers_of_the_summary(tiny, asked):
    place, _, parts = asked
    result = Patched(TEXT, "", False, place, parts, _patch(asked, tiny, draws=3))
    result.runs.loc[0, "answer"] = HOSTILE
    runs = result.summary
    for measure, title in zip(charts.MEASURES, (f"Probability of {HOSTILE}", "KL divergence (bits) "), strict=True):
        chart = charts.patched(result, measure)
        figure = chart.figure
        band, drawn, parts = figure.data
        for trace, run in ((drawn, RANDOM), (parts, PARTS)):
            rows = runs[runs["run"] == run]
            np.testing.assert_allclose(trace.y, rows[measure], rtol=1e-5)
            assert [not s.endswith("open") for s in trace.marker.symbol] == list(rows["same_answer"] > 0.5)
        rows = runs[runs["run"] == RANDOM]
        np.testing.assert_allclose(band.y, [*rows[f"{measure}_highest"], *rows[f"{measure}_lowest"][::-1]], rtol=1e-5)
        assert len(figure.layout.shapes) == (2 if measure == "probability" else 1)
        assert chart.frame is runs and (measure == "kl_bits" or shows_no_markup(figure))
        assert chart.alt.startswith(title) and " by number of parts. Strongest parts: " in chart.alt


def by_steps(model, text, word, layer, share, **rules):
    site = patching.patch_site(text, model, word=word, layer=layer)
    atoms = dictionary.of_vocabulary(model)
    if layer is not None:
        atoms = dictionary.of_occurrences(encode_corpus(built_in_corpus(), model, combination=f"layer {layer}"))
    parts = decompose(site.target, atoms, share=share, same_word=rules.get("same_word", False))
    return patching.patch(site, model, dictionary=atoms, parts=parts, **rules)


@pytest.mark.parametrize(("layer", "rules"), [(None, {"keep_length": True}), (1, {"same_word": True}), (0, {})])
def test_the_runs_are_those_of_the_steps(tiny, layer, rules):
    result = patch_word(TEXT, tiny, word="king", layer=layer, share=0.2, **rules)
    runs = by_steps(tiny, TEXT, "king", layer, 0.2, **rules)
    pd.testing.assert_frame_equal(result.runs, runs)
    pd.testing.assert_frame_equal(result.summary, patching.summary(runs))
    pd.testing.assert_frame_equal(result.by_number_of_words, patching.by_number_of_words(runs))
    assert result.headline == patched.finding("king", runs) and result.distance == patched.distance(runs)
    assert result.answer == runs["answer"][0] and (result.text, result.hidden) == (TEXT, "")


def test_the_last_word_of_a_sentence_without_a_mask_is_masked(tiny):
    result = patch_word("the king is a man.", tiny, word="king", share=0.2)
    assert (result.text, result.hidden) == ("the king is a [MASK].", "man")
    assert result.caption.startswith(
        "BERT read “the king is a [MASK].” The sentence had no mask, so “man” was masked. The vector is replaced at the"
        " input. The mix"
    )
    pd.testing.assert_frame_equal(result.runs, by_steps(tiny, result.text, "king", None, 0.2))


def test_the_caption_names_the_layer_the_tokens_and_the_length(tiny):
    twice = patch_word("king of king is [MASK].", tiny, word="king", share=0.2, keep_length=True).caption
    assert "The word occurs 2 times and is replaced everywhere." in twice
    assert " is scaled to the length of the vector; its cosine with the vector is " in twice
    several = patch_word(TEXT, tiny, word="unable", layer=1, share=0.2)
    assert "The vector is replaced after layer 1. The word has 2 tokens: their mean is decomposed" in several.caption
    whole = several.runs[several.runs["run"] == patching.PARTS].iloc[-1]
    assert f"is {results.percent(whole['length'])} as long as the vector; its cosine" in several.caption
    assert several.caption.endswith(f"{whole['cosine']:.2f}.") and not np.isnan(whole["cosine"])


def test_a_word_as_a_formula_gives_the_runs_of_the_word(tiny):
    word, formula = patch_word(TEXT, tiny, word="king", share=0.2), patch_formula("king", tiny, text=TEXT, share=0.2)
    pd.testing.assert_frame_equal(word.runs, formula.runs)
    assert (word.headline, word.distance, word.caption) == (formula.headline, formula.distance, formula.caption)


def test_the_result_of_a_formula_takes_the_place_of_its_first_word_in_the_sentence(tiny):
    result = patch_formula("queen - woman + king", tiny, text=TEXT, share=0.2)
    assert result.site.word == "king" and "The vector of “king” is the result of the formula." in result.caption
    site = patch_site(TEXT, tiny, word="king", layer=None)
    vector = targets.formula("queen - woman + king", tiny).vector
    chances = by_hand(tiny, site, TEXT, vector)
    original = result.runs.iloc[0]
    assert original["probability"] == pytest.approx(chances[tiny.ids[original["answer"]]], abs=1e-6)
    np.testing.assert_array_equal(result.site.target.vector, vector)


def test_without_a_sentence_a_formula_has_one_with_its_first_word(tiny):
    assert patch_formula("king - man", tiny, share=0.2).text == "The king is a [MASK]."
    with pytest.raises(ValueError, match="Write a sentence with queen or woman"):
        patch_formula("queen - woman", tiny, text=TEXT)
