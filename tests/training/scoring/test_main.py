"""`python -m training.scoring`: the table it prints, the file it writes, its errors."""

import json
from pathlib import Path

import pandas as pd
import pytest

from embtools import stored_scores, wordlists
from training.scoring import __main__ as command
from training.scoring import report
from training.scoring.measures import COLUMNS


@pytest.mark.slow
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
