"""The log of a run."""

import json
from pathlib import Path

import pytest

from training import progress
from training.progress import Progress, summary


def test_the_losses_of_each_shape_are_averaged_separately() -> None:
    found = summary([("pair", [4.0, 0.2, 0.5, 0.0]), ("brief", [5.0, 0.1, 0.0, 0.3]), ("pair", [2.0, 0.4, 0.7, 0.0])])
    assert found == {
        "brief_loss": 5.0, "brief_accuracy": 0.1, "brief_copy": 0.3,
        "pair_loss": 3.0, "pair_accuracy": 0.3, "pair_next": 0.6,
    }  # fmt: skip
    assert summary([]) == {}


def test_a_line_reports_speed_and_waiting_time_and_resets_the_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(progress.time, "perf_counter", lambda: now[0])
    said = Progress(tmp_path / "log.jsonl", began=now[0])
    assert not said.due()
    said.losses.append(("pair", [4.0, 0.2, 0.5, 0.0]))
    said.pieces, said.waited = 8000, 15.0
    now[0] = 160.0
    assert said.due()
    first = said.write({"step": 2})
    assert (first["pieces_per_second"], first["waiting"], first["pair_loss"]) == (133, 0.25, 4.0)
    assert not said.due()
    now[0] = 161.0
    second = said.write({"step": 3})
    assert (second["pieces_per_second"], second["waiting"]) == (0, 0.0)
    assert [json.loads(line) for line in said.log.read_text().splitlines()] == [first, second]
