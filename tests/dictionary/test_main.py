"""The command line: excerpt, random weights, learning, an interruption and wrong input."""

import pytest

from embtools.dictionary import training
from embtools.dictionary.__main__ import main
from embtools.features.learned import about_file

SMALL = ["--features", "32", "--k", "3", "--steps", "30", "--batch", "64", "--save-every", "10"]


def test_an_interrupted_command_resumes_and_writes_the_same_file(folders, tmp_path, monkeypatch, capsys):
    folder = folders[0][0].uri
    whole, parts = tmp_path / "whole.safetensors", tmp_path / "parts.safetensors"
    assert main([folder, "--out", str(whole), *SMALL]) == 0
    assert "learned: explained" in capsys.readouterr().out
    step, taken = training._step, []

    def stopping(*arguments):
        taken.append(arguments[-1])
        if len(taken) == 25:
            raise KeyboardInterrupt
        step(*arguments)

    monkeypatch.setattr(training, "_step", stopping)
    assert main([folder, "--out", str(parts), *SMALL]) == 130
    assert "Run the same command again" in capsys.readouterr().err and not parts.exists()
    assert main([folder, "--out", str(parts), *SMALL]) == 0
    assert taken[24:26] == [24, 20] and len(taken) == 35  # it resumes at step 20
    assert parts.read_bytes() == whole.read_bytes()


def test_excerpts_and_random_models_are_written(texts, tiny_folder, tmp_path, capsys):
    out = tmp_path / "excerpt.txt"
    assert main(["excerpt", str(texts), "--out", str(out), "--words", "50"]) == 0
    assert 50 <= len(out.read_text().split()) < 60 and "paragraphs" in capsys.readouterr().out
    assert main(["excerpt", str(texts), "--out", str(out), "--held-out"]) == 1
    assert "No document of these texts is held out" in capsys.readouterr().err
    assert main(["random", str(tiny_folder), "--out", str(tmp_path / "random")]) == 0
    assert (tmp_path / "random" / "model.safetensors").is_file()


def test_the_control_is_measured(folders, tmp_path):
    (own, _), (control, _) = folders
    out = tmp_path / "one.safetensors"
    assert main([own.uri, "--control", control.uri, "--out", str(out), *SMALL]) == 0
    assert "model with random weights" in [row["dictionary"] for row in about_file(out)["quality"]]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["missing", "--out", "x"], "no corpus.json"),
        (["excerpt", "missing.txt", "--out", "x"], "no text file"),
        (["random", "missing", "--out", "x"], "not a folder of a model"),
    ],
)
def test_wrong_input_is_reported(given, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(given) == 1
    assert message in capsys.readouterr().err
