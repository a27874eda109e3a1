"""Checkpoints are complete, in order, and need enough disk space."""

from pathlib import Path

import numpy as np
import pytest

from tests.training.recipe import settings
from training import checkpoints, loop


def test_an_incomplete_checkpoint_is_ignored_and_a_damaged_one_raises_an_error(tmp_path: Path) -> None:
    arrays = {"a": np.ones(3, np.float32)}
    checkpoints.write(tmp_path, 1, arrays, arrays, {}, keep=3)
    (tmp_path / "step-000002.partial").mkdir()
    found = checkpoints.found(tmp_path)
    assert [f.name for f in found] == ["step-000001"]
    (found[0] / "weights.safetensors").write_bytes(b"no")
    with pytest.raises(ValueError, match="damaged"):
        checkpoints.read(found[0])


def test_checkpoints_are_sorted_by_step(tmp_path: Path) -> None:
    for name in ("step-1000000", "step-999999", "step-000250", "step-000500.partial", "step-old"):
        (tmp_path / name).mkdir()
    found = [p.name for p in checkpoints.found(tmp_path)]
    assert found == ["step-000250", "step-999999", "step-1000000"]


def test_too_little_disk_space_raises_an_error_before_training(
    start: Path, text_file: Path, tmp_path: Path, monkeypatch
) -> None:
    usage = checkpoints.shutil._ntuple_diskusage(10, 10, 5)
    monkeypatch.setattr(checkpoints.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(ValueError, match=r"needs 0\.0 GB, but only"):
        loop.train(settings(start, text_file, tmp_path))
    assert not (tmp_path / "run").exists()
