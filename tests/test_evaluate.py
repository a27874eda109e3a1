"""The scores of a model: intervals, masks, pairs, suites and the table they end in."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import embtools
from embtools import wordlists
from embtools.pretrain.text import is_held_out
from embtools.scoring import __main__ as command
from embtools.scoring import passages, report, suites
from embtools.scoring.suites import Passage
from embtools.statistics import intervals

WORDS = "rome italy france paris king queen man woman he she red green blue the is a of capital bank river".split()


@pytest.fixture(scope="module")
def text_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """1,200 documents of six sentences, of which about one in a hundred is held out."""
    rng = np.random.default_rng(0)
    documents = [
        " ".join(" ".join(rng.choice(WORDS, rng.integers(4, 9))).capitalize() + "." for _ in range(6))
        for _ in range(1200)
    ]
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text("\n\n".join(documents))
    return path


# Intervals


def test_an_interval_holds_the_mean_and_repeats_with_its_seed() -> None:
    values = np.random.default_rng(0).random(200)
    mean, low, high = intervals.interval(values, range(200))
    assert low < mean < high
    assert mean == pytest.approx(values.mean())
    # The half-width of a bootstrap over independent values is about 1.96 standard errors.
    assert (high - low) / 2 == pytest.approx(1.96 * values.std() / np.sqrt(200), rel=0.15)
    assert intervals.interval(values, range(200)) == (mean, low, high)


def test_words_that_share_a_fate_make_the_interval_wider() -> None:
    values = np.repeat([0.0, 1.0], 50)
    by_value = intervals.interval(values, range(100))
    by_word = intervals.interval(values, np.repeat(range(10), 10))
    both = intervals.interval(values, np.repeat(range(10), 10), np.repeat(range(10), 10))
    assert by_word[2] - by_word[1] > 2 * (by_value[2] - by_value[1])
    assert both[2] - both[1] >= by_word[2] - by_word[1]
    with pytest.raises(ValueError, match="nothing to average"):
        intervals.interval([], [])


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


def test_next_sentence_counts_right_answers() -> None:
    class Model:
        def next_sentence_probability(self, first: str, second: str) -> float:
            return 0.9 if first == second else 0.1

    asked = [("a", "a", True), ("a", "b", False), ("a", "b", True), ("c", "c", False)]
    pairs = [Passage(*pair, document=str(i)) for i, pair in enumerate(asked)]
    line = suites.next_sentence(pairs, Model(), "letters").iloc[0]
    assert (line["measure"], line["value"], line["n"]) == ("next sentence: letters", 0.5, 4)


def test_intervals_on_running_text_are_over_documents_not_passages(tiny) -> None:
    class Model:
        def next_sentence_probability(self, first: str, second: str) -> float:
            return float(first == second)

    # Every document is wholly right or wholly wrong: 100 passages say no more than their ten documents.
    alone = [Passage("a", "a", i % 10 < 5, str(i)) for i in range(100)]
    shared = [replace(p, document=str(i % 10)) for i, p in enumerate(alone)]
    wide, narrow = (suites.next_sentence(p, Model(), "x").iloc[0] for p in (shared, alone))
    assert wide["high"] - wide["low"] > 2 * (narrow["high"] - narrow["low"])
    texts = [Passage(" ".join(WORDS), None, False, name) for name in "aaaaaa"]
    line = suites.masked_words(texts, tiny).iloc[0]
    assert line["low"] == line["value"] == line["high"]


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


# The table


def test_the_table_as_markdown_and_in_short() -> None:
    table = pd.DataFrame(
        [["edit: edit", 0.9, 0.85, 0.95, 1200, "share"], ["other", 2.0, 1.0, 3.0, 10, "nats"]], columns=suites.COLUMNS
    )
    assert report.markdown(table).splitlines()[2:] == [
        "| edit: edit | 0.900 | 0.850 … 0.950 | 1,200 |",
        "| other (nats) | 2.000 | 1.000 … 3.000 | 10 |",
    ]
    brief = report.short(table)
    assert json.loads(json.dumps(brief)) == [
        {"measure": "capital − country + other turns the answer", "value": 0.9, "low": 0.85, "high": 0.95, "n": 1200}
    ]


def test_the_command_prints_the_table_and_writes_what_the_first_page_shows(
    bundled, text_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    short = wordlists.load("cloze").groupby("suite").head(6)
    whole = wordlists.load
    monkeypatch.setattr(wordlists, "load", lambda name: short if name == "cloze" else whole(name))
    out = tmp_path / "scores.json"
    assert command.main(["bundled", "--text", str(text_file), "--count", "20", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    brief = json.loads(out.read_text())
    assert [line["measure"] for line in brief] == list(report.SHORT.values())
    rows = dict(line.strip("| ").split(" | ", 1) for line in printed.splitlines() if line.startswith("| "))
    for line, measure in zip(brief, report.SHORT, strict=True):
        value, interval, count = rows[measure].split(" | ")
        assert float(value) == pytest.approx(line["value"], abs=6e-4)
        assert [float(end) for end in interval.split(" … ")] == pytest.approx([line["low"], line["high"]], abs=6e-4)
        assert count == f"{line['n']:,}"
    for suite in ("analogy first", "senses", "WEAT 10", "masked words: loss on these pairs (nats)"):
        assert suite in printed
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
