"""The command `python -m embtools.corpus`: it encodes, checks and searches folders, and does not import too much."""

import subprocess
import sys
from pathlib import Path

import pytest

from embtools.corpus import __main__ as command
from embtools.corpus.search import Query, nearest
from embtools.occurrences.folder.reading import CorpusFolder

ROOT = Path(__file__).parents[2]
TEXT = "The bank of the river. A bank works in Paris.\nThe king is in France.\n\nThe queen of France works.\n"


@pytest.fixture
def text(tmp_path):
    (tmp_path / "text.txt").write_text(TEXT, encoding="utf-8")
    return str(tmp_path / "text.txt")


@pytest.fixture
def run(tiny, monkeypatch, capsys):
    """The command with the tiny model in place of the bundled one; what it returns and prints."""
    monkeypatch.setattr("embtools.occurrences.folder.encoder._loaded", lambda name, device="cpu": tiny)

    def call(*arguments):
        code = command.main([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return call


def test_from_a_text_to_a_folder(run, text, tmp_path):
    out = tmp_path / "out"
    code, output, line = run(text, "--out", out, "--layers", "2", "--shard", 8)
    assert code == 0 and output.splitlines()[0].startswith("Finished: 18 occurrences of")
    assert "tokens per second" in line and "left" in line and "part 2 of 2" in line and "bucket 1 of 1" in line
    folder = CorpusFolder.open(str(out))
    assert folder.count("bank") == 2 and folder.about["fingerprint"]["recipe"] == "layer 2"
    assert run("status", out)[1].startswith("Finished")
    assert run("pack", out)[0] == run(text, "--out", out, "--layers", "2", "--shard", 8)[0] == 0
    assert run("verify", out)[:2] == (0, f"{len(folder.about['files'])} files, 18 occurrences: complete.\n")
    (out / "sample.npy").write_bytes(b"")
    assert run("verify", out)[0] == 1


def test_a_folder_is_searched(run, text, tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("EMBTOOLS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("embtools.models.loading.load_model", lambda name: tiny)
    assert run(text, "--out", tmp_path / "out")[0] == 0
    code, output, line = run("search", tmp_path / "out", "bank", "--number", 2, "-k", 3)
    folder = CorpusFolder.open(str(tmp_path / "out"))
    found = nearest(folder, tiny, query=Query("bank", 2), k=3)
    first, second, *near = output.splitlines()
    assert code == 0 and (first, second) == (found.headline, found.compared) and "100%" not in output
    assert near == [f"{r.cosine:.3f}  {r.word}: {r.text}" for r in found.near.itertuples()] and "Searching" in line
    typed = run("search", tmp_path / "out", "bank", "--sentence", "A bank.", "--other-words")
    assert typed[0] == 0 and "  bank:" not in typed[1]
    code, _, error = run("search", tmp_path / "out", "queen", "--number", 9)
    assert code == 1 and "'queen' occurs once in this folder. Choose occurrence 1." in error


def test_errors_are_printed_as_a_sentence(run, text, tmp_path):
    out = tmp_path / "out"
    assert run(text, "--out", out, "--layers", "2")[0] == 0
    for arguments, message in [
        (
            (text, "--out", out, "--layers", "1"),
            "contains another corpus (different: layer combination). Name another folder as --out.",
        ),
        ((tmp_path / "no.txt", "--out", tmp_path / "b"), "no text file"),
        ((text, "--out", tmp_path / "b", "--layers", "12"), "no layer combination 'layer 12'"),
        (("status", tmp_path / "nothing"), "No encoding was started in "),
        (("verify", tmp_path / "nothing"), "not finished"),
        (("pack", tmp_path / "nothing"), "No encoding was started in "),
    ]:
        code, _, error = run(*arguments)
        assert code == 1 and message in error, error
    for arguments in ([], [text], [text, "--out", "x", "--shard", "0"], [text, "--out", "x", "--attempts", "0"]):
        with pytest.raises(SystemExit):
            command.main(arguments)


def test_an_interrupted_command_explains_how_to_resume(run, text, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(command.writing, "encode_texts", interrupted)
    code, _, error = run(text, "--out", tmp_path / "out")
    assert code == 130 and "Run the same command again to resume." in error


def test_neither_ray_nor_boto_nor_the_dashboard_is_imported(text, tmp_path):
    program = (
        "import sys; from embtools.corpus import __main__ as command; from tests.occurrences.folder.fake import Fake;"
        "command.ModelEncoder = lambda *_: Fake();"
        f"assert command.main([{text!r}, '--out', {str(tmp_path / 'out')!r}]) == 0;"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'ray', 'boto3', 'streamlit', 'plotly', 'torch'}))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


def test_the_progress_line_starts_again_with_each_stage(capsys, monkeypatch):
    clock = iter(range(0, 1_000, 10))
    monkeypatch.setattr(command.time, "monotonic", lambda: next(clock))
    line = command.ProgressLine()
    for done in (3, 4):
        line(done, 12, 500)
    shown = capsys.readouterr().err.split("\r")
    assert shown[1].strip() == "part 3 of 12 · 50 tokens per second · 90 s left".replace("90 s", "2 min")
    assert shown[2].strip() == "part 4 of 12 · 50 tokens per second · 80 s left"
