"""The suites against answers typed by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import embtools
from embtools import wordlists
from embtools.scoring import suites
from embtools.scoring.suites import Passage

WORDS = "rome italy france paris king queen man woman he she red green blue the is a of capital bank river".split()


# Running text


def test_masked_words_agree_with_fill_mask(tiny) -> None:
    text = "rome is the capital of italy"
    table = suites.masked_words([Passage(text, None, False, "rome")], tiny).set_index("measure")
    words = text.split()
    place = int(np.random.default_rng([0, 0]).choice(np.arange(1, 7), 1, replace=False)[0]) - 1
    answer, words[place] = words[place], "[MASK]"
    chances = embtools.fill_mask(" ".join(words), tiny, k=30).set_index("token")["probability"]
    loss = table.loc["masked words: loss, 1–16 pieces", "value"]
    # fill_mask leaves special tokens out of the ranking, not out of the softmax.
    assert loss == pytest.approx(-np.log(chances[answer]), rel=1e-4)
    assert table.loc["masked words: inputs of 1–16 pieces", "value"] == float(chances.idxmax() == answer)


def test_masks_are_the_same_for_every_model_and_fifteen_percent(tiny) -> None:
    texts = [Passage(" ".join(WORDS), " ".join(WORDS[:10]), True, str(i)) for i in range(5)]
    table = suites.masked_words(texts, tiny)
    assert list(table.columns) == suites.COLUMNS
    assert set(table["n"]) == {5 * round(0.15 * 30)}
    pd.testing.assert_frame_equal(table, suites.masked_words(texts, tiny))


def test_next_sentence_counts_right_answers(monkeypatch) -> None:
    monkeypatch.setattr(suites, "follows", lambda first, second, model: 0.9 if first == second else 0.1)
    asked = [("a", "a", True), ("a", "b", False), ("a", "b", True), ("c", "c", False)]
    pairs = [Passage(*pair, document=str(i)) for i, pair in enumerate(asked)]
    line = suites.next_sentence(pairs, None, "letters").iloc[0]  # type: ignore[arg-type]
    assert (line["measure"], line["value"], line["n"]) == ("next sentence: letters", 0.5, 4)


def test_intervals_on_running_text_are_over_documents_not_passages(tiny, monkeypatch) -> None:
    monkeypatch.setattr(suites, "follows", lambda first, second, model: float(first == second))
    # Every document is wholly right or wholly wrong: 100 passages say no more than their ten documents.
    alone = [Passage("a", "a", i % 10 < 5, str(i)) for i in range(100)]
    shared = [replace(p, document=str(i % 10)) for i, p in enumerate(alone)]
    wide, narrow = (suites.next_sentence(p, tiny, "x").iloc[0] for p in (shared, alone))
    assert wide["high"] - wide["low"] > 2 * (narrow["high"] - narrow["low"])
    texts = [Passage(" ".join(WORDS), None, False, name) for name in "aaaaaa"]
    line = suites.masked_words(texts, tiny).iloc[0]
    assert line["low"] == line["value"] == line["high"]


# Suites


def test_a_cased_model_is_asked_with_capitals_and_without_the_words_it_lacks(tiny_cased) -> None:
    assert [suites.spellings(w, tiny_cased) for w in ("rome", "king", "paris", "london")] == [
        ["Rome"],
        ["king"],
        ["paris", "Paris"],
        [],
    ]
    frame = suites.cloze_answers(tiny_cased)
    known = {w.lower() for w in tiny_cased.vocabulary}
    assert all(known & set(answers.split("|")) for answers in frame["answer"])
    assert 0 < len(frame) < len(wordlists.load("cloze")) / 10
    rome = frame[frame["sentence"] == "Rome is the capital of [MASK]."].iloc[0]
    best = embtools.fill_mask("Rome is the capital of [MASK].", tiny_cased, 30)
    best = best[~best["token"].isin(tiny_cased.special)]
    assert rome["first"] == best["token"].iloc[0]
    assert rome["probability"] == pytest.approx(best.set_index("token")["probability"]["Italy"], rel=1e-4)
    assert set(suites.edit_answers(tiny_cased)["capital"]) == {"Rome", "Paris", "Madrid"}
    words = wordlists.load("analogies")[["a", "b", "c", "expected"]]
    assert list(suites.analogies(tiny_cased)["n"]) == [words.isin(known).all(axis=1).sum()] * 3
    table = suites.cloze(tiny_cased)
    assert "cloze: colours, first answer" not in set(table["measure"])
    assert (table["n"] > 0).all()


def test_a_suite_of_which_no_word_is_known_has_no_rows(tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiny, "ids", {"[MASK]": 4})
    for suite in (suites.cloze, suites.edits, suites.analogies, suites.senses):
        table = suite(tiny)
        assert table.empty
        assert list(table.columns) == suites.COLUMNS


# Suites, on the bundled model


def test_cloze_agrees_with_fill_mask(bundled, monkeypatch: pytest.MonkeyPatch) -> None:
    every = wordlists.load("cloze")
    some = every[every["suite"].isin(["capitals_of", "facts"])].groupby("suite").head(8).reset_index(drop=True)
    monkeypatch.setattr(wordlists, "load", lambda name: some)
    frame = suites.cloze_answers(bundled)
    for item in frame.itertuples():
        answers = list(embtools.fill_mask(item.sentence, bundled, 5)["token"])
        right = set(item.answer.split("|"))
        assert item.first == answers[0]
        assert item.top1 == float(answers[0] in right)
        assert item.top5 == float(bool(right & set(answers)))
    table = suites.cloze(bundled).set_index("measure")["value"]
    assert table["cloze: facts, top five"] >= table["cloze: facts, first answer"]
    assert table["cloze: all sentences, top five"] == pytest.approx(frame["top5"].mean())


def test_the_edit_suite_agrees_with_an_edit_typed_by_hand(bundled) -> None:
    frame = suites.edit_answers(bundled, others=1)
    assert set(frame["kind"]) == {
        "edit",
        "other country only added",
        "wrong country subtracted",
        "random difference",
    }
    assert not frame["country"].isin(["netherlands", "philippines"]).any()
    assert (frame["country"] != frame["other"]).all()
    for item in frame[frame["kind"] == "edit"].head(5).itertuples():
        formula = f"{item.capital} = {item.capital} - {item.country} + {item.other}"
        sentence = f"{item.capital} is the capital of [MASK]."
        assert embtools.fill_mask(sentence, bundled, 1, edits=[formula])["token"].iloc[0] == item.answer
    turned = frame.groupby("kind")["turned"].mean()
    assert turned["edit"] > turned["other country only added"] > turned["random difference"]
    assert turned["random difference"] < 0.05


def test_the_association_tests_are_those_of_the_bias_page(bundled) -> None:
    from embtools.bias.published_tests import battery

    table, expected = suites.associations(bundled), battery(bundled)
    assert list(table.columns) == suites.COLUMNS
    assert list(table["value"]) == list(expected["effect"].dropna())
    assert table["measure"].iloc[0] == "WEAT 1 flowers, insects: pleasant, unpleasant (GloVe 1.50)"
    assert (table["low"] < table["value"]).all()
    assert (table["value"] < table["high"]).all()


def test_senses_and_analogies_are_better_than_chance(bundled) -> None:
    assert (suites.senses(bundled)["value"] > 3 / 7).all()
    values = suites.analogies(bundled).set_index("measure")["value"]
    assert values["analogy first: inputs left out"] > values["analogy first: inputs kept"]
