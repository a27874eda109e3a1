"""Heads that resolve *it*: the choice by hand and by brute force, the attention by the network itself."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import embtools
from embtools import wordlists
from training.scoring import pronouns
from training.scoring.measures import COLUMNS


def test_each_sentence_is_judged_by_the_head_that_the_other_half_chose() -> None:
    groups = np.array([0, 1, 2, 3])
    # On the first half (groups 0 and 2) head 0 is always right, on the second (1 and 3) head 1 is.
    gains = np.array([[0.3, -0.1, 0.1], [-0.2, 0.2, 0.1], [0.1, 0.0, -0.3], [-0.4, 0.1, -0.2]])
    assert pronouns.held_out(gains, groups).tolist() == [0.0, 0.0, 0.5, 0.0]
    # Heads that are right equally often: the larger mean gain wins.
    gains = np.array([[0.1, 0.2], [0.1, 0.2], [0.1, 0.2], [-0.1, 0.2]])
    assert pronouns.held_out(gains, groups).tolist() == [1.0, 1.0, 1.0, 1.0]


def test_the_choice_is_that_of_a_second_implementation() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        gains = rng.normal(size=(30, 5))
        groups = np.repeat(np.arange(15), 2)
        found = pronouns.held_out(gains, groups)
        for sentence in range(30):
            others = [i for i in range(30) if groups[i] % 2 != groups[sentence] % 2]
            best = max(range(5), key=lambda h: (sum(gains[i, h] > 0 for i in others), sum(gains[i, h] for i in others)))
            assert found[sentence] == float(gains[sentence, best] > 0)


def test_heads_without_any_skill_are_right_by_chance() -> None:
    rng = np.random.default_rng(3)
    shares = [pronouns.held_out(rng.normal(size=(60, 72)), np.arange(60)).mean() for _ in range(40)]
    assert np.mean(shares) == pytest.approx(0.5, abs=0.03)  # choosing the best of 72 does not flatter


def test_a_head_that_prefers_a_position_is_right_in_half_of_the_pairs() -> None:
    rng = np.random.default_rng(0)
    first = rng.random((20, 6))  # attention to the first noun minus that to the second; the second sentence turns it
    gains = np.stack([first, -first], axis=1).reshape(40, 6)
    assert pronouns.held_out(gains, np.repeat(np.arange(20), 2)).mean() == 0.5


@pytest.mark.slow
def test_the_table_agrees_with_the_attention_of_the_network(bundled, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    folder = Path(embtools.__file__).parent / "bundled"
    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModel.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()

    def attention(sentence: str, noun: str) -> np.ndarray:
        encoded = tokenizer(sentence, return_tensors="pt")
        tokens = tokenizer.convert_ids_to_tokens(encoded["input_ids"][0])
        with torch.no_grad():
            layers = network(**encoded, output_attentions=True).attentions
        return torch.cat([layer[0] for layer in layers])[:, tokens.index("it"), tokens.index(noun)].numpy()

    rows = wordlists.load("it_pairs").head(12)
    lists = {"referents": wordlists.load("referents").head(12), "it_pairs": rows}
    monkeypatch.setattr(wordlists, "load", lambda name: lists[name])
    table = pronouns.pronouns(bundled)
    assert list(table.columns) == COLUMNS
    values = table.set_index("measure")["value"]
    gains = np.array([attention(r.sentence, r.referent) - attention(r.sentence, r.other) for r in rows.itertuples()])
    expected = pronouns.held_out(gains, np.repeat(np.arange(6), 2)).mean()
    assert values["attention: “it” to its noun, best head, 12 sentences in pairs"] == expected
    tired, wide = (attention(pronouns.FIRST_VIEW.format(end), "animal") for end in ("tired", "wide"))
    assert values["attention: “it” to “animal” with “tired”, one head"] == pytest.approx(tired.max(), rel=1e-3)
    assert values["attention: “it” to “animal” with “wide”, one head"] == pytest.approx(wide[tired.argmax()], rel=1e-3)


def test_sentences_that_a_model_splits_otherwise_are_left_out(tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = pd.DataFrame({"sentence": ["The zyzzyva saw it."], "referent": ["zyzzyva"], "other": ["it"]})
    monkeypatch.setattr(wordlists, "load", lambda name: nothing)
    assert not any("its noun" in measure for measure in pronouns.pronouns(tiny)["measure"])
