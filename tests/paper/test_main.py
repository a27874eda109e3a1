"""`python -m embtools.paper`: one row per claim for any model, and the arguments that it refuses."""

import pytest

from embtools.paper import __main__ as command
from embtools.paper import claims, stored
from embtools.paper.measured import Measured


@pytest.mark.slow
def test_the_command_prints_one_row_per_claim_for_any_model(tiny_folder, capsys) -> None:  # type: ignore[no-untyped-def]
    assert command.main(["--model", str(tiny_folder)]) == 0
    printed = capsys.readouterr().out
    rows = [line for line in printed.splitlines() if line.startswith("| ") and line[2].isupper()]
    assert [row[2:4] for row in rows] == [claim.id for claim in claims.claims()]
    assert all(row.count("|") == 6 for row in rows)
    assert "Of 28 claims" in printed and "SHA-256" in printed
    assert any("undecided" in row and "This claim cannot be tested in this model" in row for row in rows)


def test_a_model_without_segments_and_head_is_asked_for_one_claim(tiny_distil_folder, capsys) -> None:  # type: ignore[no-untyped-def]
    assert command.main(["--model", str(tiny_distil_folder), "--claim", "D4", "--claim", "B2"]) == 0
    printed = capsys.readouterr().out
    assert "no next-sentence head" in printed and "no segment embeddings" in printed and "Of 27" not in printed


def test_writing_is_for_the_bundled_model_alone(bundled, tmp_path, monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "results.json"
    write = stored.write
    monkeypatch.setattr(stored, "write", lambda model, results: write(model, results=results, file=file))
    monkeypatch.setattr(command, "load_model", lambda name: bundled)
    monkeypatch.setattr(claims, "measure", lambda name, model, progress: Measured(name))
    assert command.main(["--write"]) == 0
    assert stored.read(bundled, file=file)["E1"] == Measured("E1")
    for wrong in (["--write", "--model", "elsewhere"], ["--write", "--claim", "A2"]):
        with pytest.raises(SystemExit):
            command.main(wrong)
    capsys.readouterr()


def test_errors_are_one_sentence(capsys) -> None:  # type: ignore[no-untyped-def]
    assert command.main(["--model", "no/such/model"]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "no/such/model" in error
