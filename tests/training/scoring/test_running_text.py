"""Masked words and next sentences against answers typed by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import embtools
from training.scoring import running_text
from training.scoring.measures import COLUMNS
from training.scoring.running_text import Passage

WORDS = "rome italy france paris king queen man woman he she red green blue the is a of capital bank river".split()


def test_masked_words_agree_with_fill_mask(tiny) -> None:
    text = "rome is the capital of italy"
    table = running_text.masked_words([Passage(text, None, False, "rome")], tiny).set_index("measure")
    words = text.split()
    place = int(np.random.default_rng([0, 0]).choice(np.arange(1, 7), 1, replace=False)[0]) - 1
    answer, words[place] = words[place], "[MASK]"
    chances = embtools.fill_mask(" ".join(words), tiny, k=30).set_index("token")["probability"]
    loss = table.loc["masked words: loss, 1–16 tokens", "value"]
    # fill_mask leaves special tokens out of the ranking, not out of the softmax.
    assert loss == pytest.approx(-np.log(chances[answer]), rel=1e-4)
    assert table.loc["masked words: inputs of 1–16 tokens", "value"] == float(chances.idxmax() == answer)


def test_masks_are_the_same_for_every_model_and_fifteen_percent(tiny) -> None:
    texts = [Passage(" ".join(WORDS), " ".join(WORDS[:10]), True, str(i)) for i in range(5)]
    table = running_text.masked_words(texts, tiny)
    assert list(table.columns) == COLUMNS
    assert set(table["n"]) == {5 * round(0.15 * 30)}
    pd.testing.assert_frame_equal(table, running_text.masked_words(texts, tiny))


def test_next_sentence_counts_right_answers(tiny, monkeypatch) -> None:
    monkeypatch.setattr(running_text, "follows", lambda first, second, model: 0.9 if first == second else 0.1)
    asked = [("a", "a", True), ("a", "b", False), ("a", "b", True), ("c", "c", False)]
    pairs = [Passage(*pair, document=str(i)) for i, pair in enumerate(asked)]
    line = running_text.next_sentence(pairs, tiny, "letters").iloc[0]
    assert (line["measure"], line["value"], line["n"]) == ("next sentence: letters", 0.5, 4)


def test_intervals_on_running_text_are_over_documents_not_passages(tiny, monkeypatch) -> None:
    monkeypatch.setattr(running_text, "follows", lambda first, second, model: float(first == second))
    # Every document is wholly right or wholly wrong: 100 passages say no more than their ten documents.
    alone = [Passage("a", "a", i % 10 < 5, str(i)) for i in range(100)]
    shared = [replace(p, document=str(i % 10)) for i, p in enumerate(alone)]
    wide, narrow = (running_text.next_sentence(p, tiny, "x").iloc[0] for p in (shared, alone))
    assert wide["high"] - wide["low"] > 2 * (narrow["high"] - narrow["low"])
    texts = [Passage(" ".join(WORDS), None, False, name) for name in "aaaaaa"]
    line = running_text.masked_words(texts, tiny).iloc[0]
    assert line["low"] == line["value"] == line["high"]
