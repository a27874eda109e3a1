"""The settings of a run and its learning rate."""

from dataclasses import replace
from pathlib import Path

import pytest

from embtools.pretrain import settings as pretrain_settings
from embtools.pretrain import training
from tests.pretrain.recipe import settings


def test_the_rate_rises_stays_and_falls_to_zero() -> None:
    run = pretrain_settings.Settings("", (), Path(), Path(), steps=100, decay=20, warmup=10, learning_rate=1.0)
    assert pretrain_settings.learning_rate(0, run) == pytest.approx(0.1)
    assert pretrain_settings.learning_rate(9, run) == pretrain_settings.learning_rate(80, run) == 1.0
    assert pretrain_settings.learning_rate(90, run) == pytest.approx(0.5)
    assert pretrain_settings.learning_rate(100, run) == 0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"mask_rate": 0.0}, "mask rate must lie"),
        ({"mask_rate": 1.0}, "mask rate must lie"),
        ({"copy_weight": -1.0}, "numbers of 0 or more"),
        ({"next_weight": -1.0}, "numbers of 0 or more"),
        ({"learning_rate": float("nan")}, "numbers of 0 or more"),
        ({"steps": 0}, "--steps is 0"),
        ({"save_every": 0}, "--save-every is 0"),
        ({"keep": 0}, "--keep is 0"),
        ({"average": 0}, "--average is 0"),
        ({"threads": 0}, "--threads is 0"),
        ({"texts": ()}, "no text to train on"),
        ({"texts": ((Path("a.txt"), 0.0),)}, "share of a.txt is 0"),
        ({"texts": ((Path("a.txt"), float("inf")),)}, "share of a.txt is inf"),
    ],
)
def test_settings_out_of_range_are_refused(start: Path, text_file: Path, tmp_path: Path, wrong, message) -> None:
    with pytest.raises(ValueError, match=message):
        training.train(replace(settings(start, text_file, tmp_path), **wrong))
    assert not (tmp_path / "run").exists()
