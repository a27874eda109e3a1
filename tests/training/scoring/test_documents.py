"""Scores of running text, of heads that resolve *it*, and the calibration of answers."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import embtools
from embtools import wordlists
from embtools.documents import is_held_out
from tests.training.scoring.conftest import WORDS
from training.scoring import passages, pronouns, running_text
from training.scoring.calibration import BINS, calibration, expected_calibration_error
from training.scoring.measures import COLUMNS
from training.scoring.running_text import Passage

# Held-out pairs and middle sentences


@pytest.mark.slow
def test_pairs_come_from_held_out_documents_and_half_are_real(tiny, text_file: Path) -> None:
    sources = passages.held_out([(text_file, 1.0)], 60)
    held = {" ".join(d) for d in sources[0]}
    assert held <= {line for line in text_file.read_text().split("\n\n") if is_held_out([line])}
    for room, single in ((40, False), (30, True)):
        found = list(passages.pairs(sources, tiny, room, single=single))
        assert len(found) > 30
        real = [(p.first, p.second) for p in found if p.follows]
        assert 0.25 < len(real) / len(found) < 0.75
        assert all(any(f"{a} {b}" in d for d in held) for a, b in real)
        assert not any(f"{p.first} {p.second}" in d for p in found if not p.follows for d in held)
        assert max(len(tiny.tokenize(p.first, p.second)) for p in found) <= room
        assert single == all(p.first.count(".") == p.second.count(".") == 1 for p in found)
        owner = {d[0]: " ".join(d) for d in sources[0]}
        assert all(p.first in owner[p.document] for p in found)
    assert list(passages.pairs(sources, tiny, 40)) == list(passages.pairs(sources, tiny, 40))


def test_each_document_has_one_middle_sentence(tiny, text_file: Path) -> None:
    sources = passages.held_out([(text_file, 1.0)], 60)
    found = list(passages.middles(sources, tiny))
    assert len(found) == len({p.document for p in found}) == len({d[0] for d in sources[0]}) < len(sources[0])


def test_text_without_held_out_documents_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "one.txt"
    file.write_text("Rome is old.")
    with pytest.raises(ValueError, match="no held-out document"):
        passages.held_out([(file, 1.0)], 10)


def test_a_sentence_that_no_model_reads_is_left_out(tiny, text_file: Path) -> None:
    sources = passages.held_out([(text_file, 1.0)], 60)
    long = " ".join(["rome"] * 600) + "."
    for document in sources[0]:
        document[2] = long
    assert len(list(passages.pairs(sources, tiny, 40))) > 10
    assert not any(long in (p.first, p.second) for p in passages.pairs(sources, tiny, 40))
    assert not any(p.first == long for p in passages.middles([[["a", long, long]]], tiny))


# Masked words and next sentences against answers typed by hand


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


# Heads that resolve *it*: the choice by hand and by brute force, the attention by the network itself


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


# Calibration of the first answer: by hand, by a second implementation, and on answers that are calibrated by design


def _by_loops(confidence, right, bins: int) -> float:
    """The definition of Guo et al. (2017), equation 3, bin by bin."""
    total = 0.0
    for number in range(bins):
        low, high = number / bins, (number + 1) / bins
        inside = [i for i, p in enumerate(confidence) if low <= p < high or (p == 1 and number == bins - 1)]
        if inside:
            accuracy = sum(right[i] for i in inside) / len(inside)
            trust = sum(confidence[i] for i in inside) / len(inside)
            total += len(inside) / len(confidence) * abs(accuracy - trust)
    return total


def test_the_error_by_hand() -> None:
    # 0.1 and 0.15 share a bin (mean 0.125, one of two right), 0.95 and 1.0 another (mean 0.975, both right).
    error = expected_calibration_error([0.1, 0.15, 0.95, 1.0], [1, 0, 1, 1])
    assert error == pytest.approx((0.5 - 0.125) / 2 + (1 - 0.975) / 2)


@given(st.lists(st.tuples(st.integers(0, 64), st.booleans()), min_size=1, max_size=60), st.sampled_from([1, 2, 4, 8]))
def test_the_error_is_that_of_a_second_implementation(answers, bins: int) -> None:
    confidence, right = [n / 64 for n, _ in answers], [float(hit) for _, hit in answers]  # exact at the ends of bins
    error = expected_calibration_error(confidence, right, bins)
    assert error == pytest.approx(_by_loops(confidence, right, bins))
    assert abs(np.mean(confidence) - np.mean(right)) - 1e-9 <= error <= 1


def test_calibrated_answers_look_like_the_calibrated_model_and_overconfident_ones_do_not() -> None:
    rng = np.random.default_rng(1)
    confidence = rng.random(3000)
    good = (rng.random(3000) < confidence).astype(float)
    bad = (rng.random(3000) < confidence - 0.2).astype(float)
    documents = np.repeat(np.arange(300), 10)
    error, perfect, difference = calibration("answers", confidence, good, documents)
    assert error["value"] == expected_calibration_error(confidence, good)
    assert error["low"] <= error["value"] <= error["high"] < 0.05
    assert perfect["low"] < error["value"] < perfect["high"]
    assert difference["low"] < 0 < difference["high"]
    error, same, difference = calibration("answers", confidence, bad, documents)
    assert same["value"] == perfect["value"]  # it depends on the confidences alone
    assert error["low"] > perfect["high"]
    assert difference["value"] == pytest.approx(np.mean(confidence) - np.mean(bad))
    assert difference["low"] > 0.1
    assert {line["n"] for line in (error, perfect, difference)} == {3000}


def test_the_chance_level_is_the_expected_error_of_a_bin() -> None:
    # All confidences 0.5: the error of a calibrated model is |k / n - 0.5| with k binomial.
    from scipy.stats import binom

    expected = sum(abs(k / 20 - 0.5) * binom.pmf(k, 20, 0.5) for k in range(21))
    perfect = calibration("answers", [0.5] * 20, [1.0, 0.0] * 10, range(20))[1]
    assert perfect["value"] == pytest.approx(expected, abs=0.01)


@pytest.mark.slow
def test_the_interval_covers_the_error_of_more_answers() -> None:
    """Of 30 samples of overconfident answers about 28 intervals hold the error of the whole population."""
    rng = np.random.default_rng(0)
    bins = (np.arange(BINS) + 0.5) / BINS
    gap = 0.1  # in each bin the model is right less often by this much, so the population's error is the gap
    hits = 0
    for _ in range(30):
        confidence = rng.choice(bins[2:], 800)
        right = (rng.random(800) < confidence - gap).astype(float)
        error = calibration("answers", confidence, right, range(800))[0]
        hits += error["low"] <= gap <= error["high"]
    assert hits >= 25
