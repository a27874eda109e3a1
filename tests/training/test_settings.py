"""The settings of a run and its learning rate."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.training.recipe import settings
from training import loop
from training.settings import Settings, learning_rate


def test_the_learning_rate_rises_stays_constant_and_falls_to_zero() -> None:
    run = Settings("", (), Path(), Path(), steps=100, decay=0.2, warmup=10, learning_rate=1.0)
    assert learning_rate(0, run) == pytest.approx(0.1)
    assert learning_rate(9, run) == learning_rate(79, run) == 1.0
    assert learning_rate(90, run) == pytest.approx(0.5)
    assert learning_rate(100, run) == 0
    assert learning_rate(80, replace(run, decay=0)) == learning_rate(0, replace(run, warmup=0)) == 1.0


def test_the_learning_rate_falls_by_time_or_by_steps_whichever_ends_first() -> None:
    run = Settings("", (), Path(), Path(), steps=100, decay=0.5, warmup=1, learning_rate=1.0)
    assert learning_rate(10, run, time_left=0.6) == 1.0
    assert learning_rate(10, run, time_left=0.25) == pytest.approx(0.5)
    assert learning_rate(75, run, time_left=0.9) == pytest.approx(0.5)
    assert learning_rate(10, run, time_left=-0.1) == 0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"mask_rate": 0.0}, "mask rate must be between 0 and 1"),
        ({"mask_rate": 1.0}, "mask rate must be between 0 and 1"),
        ({"copy_weight": -1.0}, "numbers of 0 or more"),
        ({"next_weight": -1.0}, "numbers of 0 or more"),
        ({"learning_rate": float("nan")}, "numbers of 0 or more"),
        ({"steps": 0}, "--steps is 0"),
        ({"save_every": 0}, "--save-every is 0"),
        ({"keep": 0}, "--keep is 0"),
        ({"average": 0}, "--average is 0"),
        ({"threads": 0}, "--threads is 0"),
        ({"workers": -1}, "--workers must be 0 or more"),
        ({"decay": 1.1}, "decay is a share"),
        ({"decay": float("nan")}, "decay is a share"),
        ({"minutes": -1.0}, "--minutes must be 0 or more"),
        ({"minutes": float("nan")}, "--minutes must be 0 or more"),
        ({"save_minutes": 0.0}, "--save-minutes more than 0"),
        ({"pieces": 4000}, "--pieces is 4000. Give a multiple of 4096"),
        ({"pieces": 0}, "--pieces is 0"),
        ({"at_once": 5000}, "--at-once is 5000"),
        ({"texts": ()}, "no text to train on"),
        ({"texts": ((Path("a.txt"), 0.0),)}, "share of a.txt is 0"),
        ({"texts": ((Path("a.txt"), float("inf")),)}, "share of a.txt is inf"),
        ({"sentence_texts": ((Path("b.txt"), 0.0),)}, "share of b.txt is 0"),
    ],
)
def test_settings_out_of_range_are_refused(start: Path, text_file: Path, tmp_path: Path, wrong, message) -> None:
    with pytest.raises(ValueError, match=message):
        loop.train(replace(settings(start, text_file, tmp_path), **wrong))
    assert not (tmp_path / "run").exists()
