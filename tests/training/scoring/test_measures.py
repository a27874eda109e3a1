"""Which words a model is tested on, and a row of the table."""

import pytest

import embtools
from embtools import wordlists
from training.scoring import capital_edits, cloze, suites
from training.scoring.measures import COLUMNS, row, spellings


def test_a_cased_model_is_asked_with_capitals_and_without_the_words_it_lacks(tiny_cased) -> None:
    assert [spellings(w, tiny_cased) for w in ("rome", "king", "paris", "london")] == [
        ["Rome"],
        ["king"],
        ["paris", "Paris"],
        [],
    ]
    frame = cloze.cloze_answers(tiny_cased)
    known = {w.lower() for w in tiny_cased.vocabulary}
    assert all(known & set(answers.split("|")) for answers in frame["answer"])
    assert 0 < len(frame) < len(wordlists.load("cloze")) / 10
    rome = frame[frame["sentence"] == "Rome is the capital of [MASK]."].iloc[0]
    best = embtools.fill_mask("Rome is the capital of [MASK].", tiny_cased, k=30)
    best = best[~best["token"].isin(tiny_cased.special)]
    assert rome["first"] == best["token"].iloc[0]
    assert rome["probability"] == pytest.approx(best.set_index("token")["probability"]["Italy"], rel=1e-4)
    assert set(capital_edits.edit_answers(tiny_cased)["capital"]) == {"Rome", "Paris", "Madrid"}
    words = wordlists.load("analogies")[["a", "b", "c", "expected"]]
    assert list(suites.analogies(tiny_cased)["n"]) == [words.isin(known).all(axis=1).sum()] * 3
    table = cloze.cloze(tiny_cased)
    assert "cloze: colours, first answer" not in set(table["measure"])
    assert (table["n"] > 0).all()


def test_a_suite_of_which_no_word_is_known_has_no_rows(tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiny, "ids", {"[MASK]": 4})
    for suite in (cloze.cloze, capital_edits.edits, suites.analogies, suites.senses):
        table = suite(tiny)
        assert table.empty
        assert list(table.columns) == COLUMNS


def test_a_line_holds_a_mean_and_its_interval_over_the_keys() -> None:
    line = row("x", [0.0, 0.0, 1.0, 1.0], ["a", "a", "b", "b"])
    assert list(line) == COLUMNS
    assert (line["measure"], line["value"], line["n"], line["unit"]) == ("x", 0.5, 4, "share")
    assert (line["low"], line["high"]) == (0.0, 1.0)
