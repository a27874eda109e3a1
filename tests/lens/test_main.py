"""The command line: fitting, and wrong input."""

from shutil import copytree

import pytest

from embtools import load_model
from embtools.lens.__main__ import main
from embtools.models.tuned_lens import FILE, lens_of


def test_a_fitted_lens_is_found_in_the_folder_of_its_model(folder, tiny_folder, tmp_path, capsys):
    model = copytree(tiny_folder, tmp_path / "model")
    small = ["--masks", "60", "--steps", "2", "--batch", "8"]
    assert main([str(folder), "--model", str(model), "--out", str(model / FILE), *small]) == 0
    printed = capsys.readouterr()
    assert (
        "tuned_lens" in printed.out and "Mean answer of all masks:" in printed.out and "fitting … 100%" in printed.err
    )
    assert lens_of(load_model(str(model))) is not None


@pytest.mark.parametrize(
    ("given", "message"),
    [(["missing"], "no corpus.json"), (["FOLDER", "--masks", "0"], "0 masks were asked for")],
)
def test_wrong_input_is_reported(given, message, folder, tiny_folder, tmp_path, capsys):
    given = [str(folder) if part == "FOLDER" else part for part in given]
    assert main([*given, "--model", str(tiny_folder), "--out", str(tmp_path / "x")]) == 1
    assert message in capsys.readouterr().err
