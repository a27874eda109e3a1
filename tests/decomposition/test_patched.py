"""A word of a typed sentence replaced by its mix, against the steps; the sentences about it."""

import numpy as np
import pandas as pd
import pytest

from embtools.decomposition import dictionary, patching, verdict
from embtools.decomposition.parts import decompose
from embtools.decomposition.patched import patch_word
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus

TEXT = "the king of [MASK] is unable as a man."


def by_steps(model, text, word, layer, share, **rules):
    site = patching.patch_site(text, model, word=word, layer=layer)
    atoms = dictionary.of_vocabulary(model)
    if layer is not None:
        atoms = dictionary.of_occurrences(encode_corpus(built_in_corpus(), model, combination=f"layer {layer}"))
    parts = decompose(site.target, atoms, share=share, same_word=rules.get("same_word", False))
    return patching.patch(site, model, dictionary=atoms, parts=parts, **rules)


@pytest.mark.parametrize(
    ("layer", "rules"), [(None, {}), (None, {"keep_length": True}), (1, {"same_word": True}), (0, {})]
)
def test_the_runs_are_those_of_the_steps(tiny, layer, rules):
    result = patch_word(TEXT, tiny, word="king", layer=layer, share=0.2, **rules)
    runs = by_steps(tiny, TEXT, "king", layer, 0.2, **rules)
    pd.testing.assert_frame_equal(result.runs, runs)
    pd.testing.assert_frame_equal(result.summary, patching.summary(runs))
    pd.testing.assert_frame_equal(result.by_number_of_words, patching.by_number_of_words(runs))
    assert result.headline == verdict.patching_finding("king", runs) and result.distance == verdict.distance(runs)
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
    assert f"is {verdict.percent(whole['length'])} as long as the vector; its cosine" in several.caption
    assert several.caption.endswith(f"{whole['cosine']:.2f}.") and not np.isnan(whole["cosine"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"word": "queen"}, "is not a separate word in the sentence"),
        ({"word": "king", "layer": 2}, "Layer 2 cannot be patched"),
        ({"word": "king", "mask": 3}, "no mask 3"),
        ({"word": "king", "share": 1.0}, "Lower it"),
        ({"word": "king", "share": 0.0}, "too small for a sparse mix"),
    ],
)
def test_a_word_that_cannot_be_patched_is_refused(tiny, arguments, message):
    with pytest.raises(ValueError, match=message):
        patch_word(TEXT, tiny, **arguments)


def test_progress_rises_to_the_end(tiny):
    reported: list[float] = []
    patch_word(TEXT, tiny, word="king", layer=1, share=0.2, progress=reported.append)
    assert reported == sorted(reported) and reported[-1] == pytest.approx(1)
