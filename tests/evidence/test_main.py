"""`python -m embtools.evidence`: the same cases as the library, resumed after an interruption."""

from pathlib import Path

import pandas as pd
import pytest

from embtools import files
from embtools.evidence import __main__ as command
from embtools.evidence import batteries as module
from embtools.evidence.batteries import battery
from embtools.mask_filling.cases import MAX_SENTENCES
from embtools.mask_filling.pairs import MAX_PAIRS
from embtools.mask_filling.relations import EDIT
from tests.evidence.made import over

PAIRS = (("rome", "italy"), ("paris", "france"), ("king", "man"), ("queen", "woman"))
SENTENCE, STAY = "the {a} is in [MASK] .", "{a} is a [MASK] ."


@pytest.fixture
def arguments(tmp_path: Path, tiny_folder: Path) -> list[str]:
    (tmp_path / "pairs.csv").write_text("a,b\n" + "\n".join(map(",".join, PAIRS)))
    source = ["--pairs", str(tmp_path / "pairs.csv"), "--model", str(tiny_folder)]
    return [*source, "--sentence", SENTENCE, "--must-stay", STAY, "--others", "2"]


@pytest.mark.parametrize("name", ["cases.csv", "cases.parquet"])
def test_it_resumes_after_an_interruption(arguments, tmp_path: Path, monkeypatch, capsys, name) -> None:  # type: ignore[no-untyped-def]
    out = ["--out", str(tmp_path / name)]
    whole = ["--out", str(tmp_path / f"whole-{name}")]
    assert command.main([*arguments, *whole]) == 0
    monkeypatch.setattr(command, "BLOCK", 1)
    calls: list[int] = []

    def interrupted(*arguments, **named):  # type: ignore[no-untyped-def]
        if len(calls) == 2:
            raise KeyboardInterrupt
        calls.append(named["skip"])
        return battery(*arguments, **named)

    monkeypatch.setattr(command, "battery", interrupted)
    assert command.main([*arguments, *out]) == 1 and calls == [0, 1]
    assert "The same command resumes" in capsys.readouterr().err
    calls.clear()
    assert command.main([*arguments, *out]) == 0 and calls == [2, 3]
    monkeypatch.setattr(command, "battery", None)  # nothing is left to do
    assert command.main([*arguments, *out]) == 0
    one, other = (files.read(tmp_path / each)[0] for each in (name, f"whole-{name}"))
    pd.testing.assert_frame_equal(one, other, check_dtype=False, rtol=1e-4, atol=1e-4)
    assert len(one) > 0


def test_a_table_has_the_cases_of_the_library_and_can_have_more_rows_than_one_call_computes(
    arguments, tmp_path, tiny, monkeypatch, capsys
) -> None:  # type: ignore[no-untyped-def]
    whole = over(battery, PAIRS, tiny, edit=EDIT, sentences=[SENTENCE], must_stay=[STAY], others=2)
    assert len(whole.cases) == 4 * 2 * 2 * 6
    monkeypatch.setattr(module, "MAX_RUNS", 30)  # one pair has 2 * 2 * 6, all have 96
    monkeypatch.setattr(command, "_BLOCK_RUNS", 30)
    assert command.main([*arguments, "--out", str(tmp_path / "cases.parquet")]) == 0
    frame, described = files.read(tmp_path / "cases.parquet")
    assert described["model_checksum"] == tiny.checksum
    pd.testing.assert_frame_equal(frame, whole.cases, check_dtype=False, rtol=1e-4, atol=1e-4)
    printed = capsys.readouterr()
    assert [line.split(" of ")[0] for line in printed.err.splitlines()] == ["1", "2", "3", "4"]
    assert printed.out.startswith(whole.headline) and "specificity" in printed.out and "2 of the 4" not in printed.out


def test_a_block_never_has_more_runs_than_one_call_computes() -> None:
    """A pair with all other words of the largest list, in the most sentences, fits into one call."""
    most = (MAX_PAIRS - 1) * 2 * MAX_SENTENCES * module.CONDITIONS
    assert most <= module.MAX_RUNS and command._BLOCK_RUNS <= module.MAX_RUNS
    assert MAX_PAIRS * (MAX_PAIRS - 1) * module.CONDITIONS <= command.MAX_ROWS


def test_a_table_that_is_too_large_is_refused_before_the_first_pair(arguments, tmp_path, monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(command, "MAX_ROWS", 95)
    monkeypatch.setattr(command, "battery", None)
    assert command.main([*arguments, "--out", str(tmp_path / "cases.parquet")]) == 1
    text = "The table would have 96 rows; at most 95 are possible. Choose fewer --others"
    assert text in capsys.readouterr().err and not (tmp_path / "cases.parquet").exists()


def test_errors_are_one_sentence(arguments, tmp_path: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    out = ["--out", str(tmp_path / "cases.csv")]
    assert command.main([*arguments, *out]) == 0
    assert command.main([*arguments, *out, "--seed", "1"]) == 1
    assert "has the cases of another run (query)" in capsys.readouterr().err
    assert command.main([*arguments, "--out", str(tmp_path / "cases.txt")]) == 1
    assert "must end in .parquet or .csv" in capsys.readouterr().err
    assert command.main([*arguments[:4], *out]) == 1
    assert "at least one --sentence" in capsys.readouterr().err
    assert command.main(["--pairs", str(tmp_path / "missing.csv"), *arguments[2:], *out]) == 1
    assert "missing.csv" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        command.main(["--relation", "city", *out])


def test_a_relation_brings_its_sentences() -> None:
    chosen = command._parser().parse_args(["--relation", "capital", "--out", "x.csv"])
    pairs, sentences, must_stay = command._asked(chosen)
    assert ("Rome", "Italy") in pairs and len(sentences) >= 2 and must_stay
