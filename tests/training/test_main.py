"""`python -m training`: errors in one sentence."""

import argparse
import math
from pathlib import Path

import pytest

from training import __main__ as command
from training import text as pretrain_text


def test_the_command_line_reports_errors_in_one_sentence(start: Path, tmp_path: Path, capsys) -> None:
    usual = ["--run", str(tmp_path / "run"), "--out", str(tmp_path / "out"), "--steps", "1", "--threads", "1"]
    assert command.main(["--start", str(start), "--text", "nowhere.txt", *usual]) == 1
    assert "There is no text file nowhere.txt" in capsys.readouterr().err
    assert command.main(["--start", str(tmp_path / "gone"), "--text", "x.txt", *usual]) == 1
    assert "cannot be loaded" in capsys.readouterr().err
    assert pretrain_text.text_argument("a=b.txt=0.5") == (Path("a=b.txt"), 0.5)
    file = tmp_path / "file"
    file.write_text("")
    usual[1] = str(file)
    assert command.main(["--start", str(start), "--text", "x.txt", *usual]) == 1
    assert "File exists" in capsys.readouterr().err
    assert pretrain_text.text_argument("a.txt") == (Path("a.txt"), 1.0)
    assert command.blend_argument("a=0.25") == (Path("a"), 0.25)
    for wrong in ("folder", "a=1", "a=-1", "a=nan"):
        with pytest.raises(argparse.ArgumentTypeError, match="FOLDER=SHARE"):
            command.blend_argument(wrong)


def test_minutes_alone_set_no_number_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = []
    monkeypatch.setattr(command, "train", recorded.append)
    usual = ["--start", "x", "--text", "a.txt", "--run", "r", "--out", "o"]
    for given in ([], ["--steps", "7"], ["--minutes", "3"], ["--minutes", "3", "--steps", "7"]):
        assert command.main([*usual, *given]) == 0
    assert [(s.steps, s.minutes) for s in recorded] == [
        (10_000, math.inf), (7, math.inf), (command.MOST_STEPS, 3.0), (7, 3.0)
    ]  # fmt: skip
    assert recorded[0].at_once is None
