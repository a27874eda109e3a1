"""Scores of single words: sentences with a blank, edits of capitals, which words a model is asked."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import embtools
from embtools import stored_scores, wordlists
from training.scoring import __main__ as command
from training.scoring import capital_edits, cloze, report, suites
from training.scoring.measures import COLUMNS, row, spellings

# Sentences with one blank, against answers typed by hand


@pytest.mark.slow
def test_cloze_agrees_with_fill_mask(bundled, monkeypatch: pytest.MonkeyPatch) -> None:
    every = wordlists.load("cloze")
    some = every[every["suite"].isin(["capitals_of", "facts"])].groupby("suite").head(8).reset_index(drop=True)
    monkeypatch.setattr(wordlists, "load", lambda name: some)
    frame = cloze.cloze_answers(bundled)
    for item in frame.itertuples():
        answers = list(embtools.fill_mask(item.sentence, bundled, k=5)["token"])
        right = set(item.answer.split("|"))
        assert item.first == answers[0]
        assert item.top1 == float(answers[0] in right)
        assert item.top5 == float(bool(right & set(answers)))
    table = cloze.cloze(bundled).set_index("measure")["value"]
    assert table["cloze: facts, top five"] >= table["cloze: facts, first answer"]
    assert table["cloze: all sentences, top five"] == pytest.approx(frame["top5"].mean())


@pytest.mark.slow
def test_a_template_of_your_own_asks_for_every_country(bundled, monkeypatch: pytest.MonkeyPatch) -> None:
    cities = wordlists.load("cloze").query("suite == 'capitals_of'").head(40).reset_index(drop=True)
    monkeypatch.setattr(wordlists, "load", lambda name: cities)
    template = "{capital} is the capital of [MASK]."
    whole = cloze.cloze(bundled).set_index("measure")
    own = cloze.capitals(bundled, [template]).set_index("measure")
    for label in ("first answer", "top five"):  # the template of the suite, as the suite scores it
        columns = ["value", "low", "high", "n"]
        expected = whole.loc[f"cloze: capitals_of, {label}", columns]
        assert (own.loc[f"capital → country, {template}, {label}", columns] == expected).all()
    two = cloze.capitals(bundled, [template, "{capital}, in [MASK]."]).set_index("measure")
    assert len(two) == 6
    assert two.loc["capital → country, all these templates, first answer", "n"] == 2 * own["n"].iloc[0]


def test_countries_are_written_with_their_article(tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(cloze, "cloze_answers", lambda model, frame: calls.extend(frame["sentence"]) or frame.head(0))
    assert cloze.capitals(tiny, ["In [MASK] lies {capital}."]).empty
    assert "In [MASK] lies Rome." in calls
    assert "In the [MASK] lies Amsterdam." in calls
    cloze.capitals(tiny, ["[MASK] has {capital} in it."])
    assert {"The [MASK] has Amsterdam in it.", "[MASK] has Rome in it."} <= set(calls)


@pytest.mark.parametrize("wrong", ["{capital} is old.", "[MASK] is old.", "{capital} [MASK] [MASK]"])
def test_a_template_without_its_two_slots_is_refused(tiny, wrong: str) -> None:
    with pytest.raises(ValueError, match=r"must contain \{capital\} and one \[MASK\]"):
        cloze.capitals(tiny, [wrong])


# The edit of the paper and its controls, against edits typed by hand


@pytest.mark.slow
def test_the_edit_suite_agrees_with_an_edit_typed_by_hand(bundled) -> None:
    frame = capital_edits.edit_answers(bundled, others=1)
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
        assert embtools.fill_mask(sentence, bundled, k=1, edits=[formula])["token"].iloc[0] == item.answer
    turned = frame.groupby("kind")["turned"].mean()
    assert turned["edit"] > turned["other country only added"] > turned["random difference"]
    assert turned["random difference"] < 0.05


# Which words a model is tested on, and a row of the table


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


# Analogies, senses and associations of the bundled model


def test_the_association_tests_are_those_of_the_bias_page(bundled) -> None:
    from embtools.bias.published_tests import battery

    table, expected = suites.associations(bundled), battery(bundled).frame
    assert list(table.columns) == COLUMNS
    assert list(table["value"]) == list(expected["effect"].dropna())
    assert table["measure"].iloc[0] == "WEAT 1. flowers and insects, pleasant and unpleasant (GloVe 1.50)"
    known = table["low"].notna()
    assert 0 < known.sum() < len(table), "groups of few words have no interval"
    np.testing.assert_array_equal(known, table["high"].notna())
    assert (table["low"] < table["value"])[known].all() and (table["value"] < table["high"])[known].all()


# The table of scores as Markdown


def test_the_table_as_markdown() -> None:
    table = pd.DataFrame(
        [
            ["edit: edit", 0.9, 0.85, 0.95, 1200, "share"],
            ["other", 2.0, 1.0, 3.0, 10, "nats"],
            ["one", 0.5, None, None, 1, "share"],
        ],
        columns=COLUMNS,
    )
    assert report.markdown(table).splitlines()[2:] == [
        "| edit: edit | 0.900 | 0.850 … 0.950 | 1,200 |",
        "| other (nats) | 2.000 | 1.000 … 3.000 | 10 |",
        "| one | 0.500 |  | 1 |",
    ]


# `python -m training.scoring`: the table it prints, the file it writes, its errors


@pytest.mark.thorough
def test_the_command_prints_the_table_and_writes_what_the_first_page_shows(
    bundled, text_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = wordlists.load
    short = {
        "cloze": whole("cloze").groupby("suite").head(6),
        "senses": whole("senses").head(10 * 8),
        "analogies": whole("analogies").head(40),
    }
    monkeypatch.setattr(wordlists, "load", lambda name: short[name] if name in short else whole(name))
    out = tmp_path / "scores.json"
    assert command.main(["bundled", "--text", str(text_file), "--count", "20", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    written = json.loads(out.read_text())
    assert written["checksum"] == bundled.checksum
    brief = written["scores"]
    assert [line["measure"] for line in brief] == list(stored_scores.SHORT.values())
    rows = dict(line.strip("| ").split(" | ", 1) for line in printed.splitlines() if line.startswith("| "))
    for line, measure in zip(brief, stored_scores.SHORT, strict=True):
        value, interval, count = rows[measure].split(" | ")
        assert float(value) == pytest.approx(line["value"], abs=6e-4)
        assert [float(end) for end in interval.split(" … ")] == pytest.approx([line["low"], line["high"]], abs=6e-4)
        assert count == f"{line['n']:,}"
    for suite in ("analogy first", "senses", "WEAT 10", "masked words: loss on these pairs (nats)"):
        assert suite in printed
    short |= {"senses": short["senses"].head(8), "analogies": short["analogies"].head(10)}
    monkeypatch.setattr(report, "associations", lambda model: pd.DataFrame(columns=COLUMNS))  # they have been told
    assert command.main(["bundled", "--out", str(tmp_path)]) == 1
    printed, error = capsys.readouterr()
    assert "| edit: edit |" in printed
    assert "Is a directory" in error


def test_the_command_line_reports_errors_in_one_sentence(text_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for wrong, message in (
        (["no/such/model"], "no/such/model"),
        (["bundled", "--text", f"{text_file}=0"], "no share"),
        (["bundled", "--text", "nowhere.txt"], "no text file"),
    ):
        assert command.main(wrong) == 1
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert message in error
