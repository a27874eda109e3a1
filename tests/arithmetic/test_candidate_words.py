"""Candidates: the pipeline's targets= for words of one piece, an explicit chain of pipeline calls for longer ones."""

import copy

import numpy as np
import pytest
import torch

from embtools import fill_mask
from embtools.arithmetic.candidate_words import candidates
from embtools.mask_filling.edits import Change

ROME = "Rome is the capital of [MASK]."
EDIT = "rome = rome - italy + france"


def chain(pipe, text, pieces):
    """Product of the pipeline's scores: n masks in place of one, filled from the left, one call per token."""
    product, rest = 1.0, ["[MASK]"] * len(pieces)
    for number, piece in enumerate(pieces):
        filled = text.replace("[MASK]", " ".join(rest))
        answers = pipe(filled, targets=[piece], top_k=1)
        first = answers[0] if isinstance(answers[0], dict) else answers[0][0]
        assert first["token_str"] == piece
        product *= first["score"]
        rest[number] = piece
    return product


def test_several_tokens_are_a_chain_of_pipeline_calls(tiny, pipelines):
    """Pieces written one by one into the text stay pieces: the tiny tokenizer reads red blue as two words."""
    text = "he works as [MASK] of rome."
    frame = candidates(text, tiny, words=["red blue", "the king of", "queen"]).set_index("word")
    for word, found in frame["probability_after"].items():
        assert found == pytest.approx(chain(pipelines["tiny"], text, word.split()), rel=1e-4)
    assert frame.loc["the king of", "tokens"] == "the king of"


def network_chain(network, model, ids, mask, pieces, matrix=None):
    """The same chain on the network itself, so that ##pieces and edited matrices can be fed."""
    network = copy.deepcopy(network)
    if matrix is not None:
        with torch.no_grad():
            network.get_input_embeddings().weight.copy_(torch.tensor(matrix))
    wide = [*ids[:mask], *[model.mask_id] * len(pieces), *ids[mask + 1 :]]
    product = 1.0
    for number, piece in enumerate(pieces):
        with torch.no_grad():
            scores = network(input_ids=torch.tensor([wide])).logits[0, mask + number].double()
        product *= float(scores.softmax(-1)[model.ids[piece]])
        wide[mask + number] = model.ids[piece]
    return product


@pytest.mark.parametrize("text", [ROME, "The [MASK] of rome, rome."])
def test_a_word_of_several_tokens_before_and_after_an_edit(tiny, pipelines, text):
    ids = tiny.tokenize(text)["id"].tolist()
    mask = ids.index(tiny.mask_id)
    edited = tiny.matrix.copy()
    row = tiny.ids["rome"]
    edited[row] = tiny.vector("rome") - tiny.vector("italy") + tiny.vector("france")
    named = {"words": ["unable", "kings", "unables"], "change": Change.of((EDIT,), "tied")}
    frame = candidates(text, tiny, **named).set_index("word")
    assert frame["tokens"].to_dict() == {"unable": "un ##able", "kings": "king ##s", "unables": "un ##able ##s"}
    network = pipelines["tiny"].model
    for word, line in frame.iterrows():
        pieces = line["tokens"].split()
        before = network_chain(network, tiny, ids, mask, pieces)
        after = network_chain(network, tiny, ids, mask, pieces, edited)
        assert line["probability_before"] == pytest.approx(before, rel=1e-4), word
        assert line["probability_after"] == pytest.approx(after, rel=1e-4), word
        assert line["change"] == pytest.approx(line["probability_after"] - line["probability_before"])
        assert line["ratio"] == pytest.approx(line["probability_after"] / line["probability_before"])


def test_a_chosen_occurrence_behind_the_mask_moves_with_the_wider_text(tiny):
    """Editing the second rome alone: the same as editing a word that occurs only there."""
    text = "rome [MASK] the rome."
    ids = tiny.tokenize(text)["id"].to_numpy()
    change = Change.of((EDIT,), positions=(4,))
    found = candidates(text, tiny, words=["unable"], change=change)["probability_after"].iloc[0]
    vector = tiny.vector("rome") - tiny.vector("italy") + tiny.vector("france")
    wide = np.array([*ids[:2], tiny.mask_id, tiny.mask_id, *ids[3:]])
    product = 1.0
    for step, piece in enumerate(["un", "##able"]):
        inputs = tiny.matrix[wide].copy()
        inputs[5] = vector
        state = tiny.encode(inputs[None])[-1, 0, [2 + step]]
        scores = tiny.logits(tiny.transform(state))[0].astype(np.float64)
        product *= np.exp(scores - scores.max())[tiny.ids[piece]] / np.exp(scores - scores.max()).sum()
        wide[2 + step] = tiny.ids[piece]
    assert found == pytest.approx(product, rel=1e-4)


def test_one_token_agrees_with_fill_mask(tiny):
    gap = ROME.replace("[MASK]", "___")
    for change in (Change.of((EDIT,)), Change.of((EDIT,), "tied", 0.5), Change.of((EDIT,), keep_length=True)):
        frame = candidates(gap, tiny, words=["france", " king ", "", "king"], change=change, temperature=1.5)
        assert sorted(frame["word"]) == ["france", "king"]
        named = {"scope": change.scope, "strength": change.strength, "keep_length": change.keep_length}
        answers = fill_mask(ROME, tiny, k=39, edits=[EDIT], temperature=1.5, **named).set_index("token")
        for line in frame.itertuples():
            assert line.probability_after == pytest.approx(answers.loc[line.word, "probability"], abs=1e-6)
            assert line.probability_before == pytest.approx(answers.loc[line.word, "probability_before"], abs=1e-6)


def test_a_run_has_a_limit_and_is_refused_before_anything_is_read(bundled, monkeypatch):
    """30 words of 8 tokens and 480 other words: 188 passes over 184,240 tokens when their beginnings differ."""
    starts = [w for i, w in enumerate(bundled.vocabulary) if bundled.whole_words[i]][2000:2030]
    words = [" ".join([start] + ["the"] * 7) for start in starts]
    monkeypatch.setattr(bundled, "_arguments", None)
    with pytest.raises(ValueError, match=r"tokens in total; at most 40,000 can be read at once"):
        candidates("the " * 480 + "[MASK]", bundled, words=words)


@pytest.mark.parametrize(
    ("text", "words", "sentence"),
    [
        (ROME, ["", "  "], "There are no words to score. Enter words separated by commas"),
        (ROME, [f"{'king ' * i}" for i in range(1, 40)], "at most 30 are scored. Remove some."),
        (ROME, ["zzz"], "'zzz' is not in the vocabulary. Use another word."),
        (ROME, ["king " * 9], "has 9 tokens; at most 8 are scored. Use a shorter word."),
        ("king " * 57 + "[MASK]", ["king " * 8], "at most 8 are scored"),
        (ROME, ["x" * 10_000], "characters; at most 5,000 are read"),
    ],
)
def test_refusals(tiny, text, words, sentence):
    with pytest.raises(ValueError) as error:
        candidates(text, tiny, words=words)
    assert sentence in str(error.value)
    assert len(str(error.value)) < 200
