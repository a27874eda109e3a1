"""The list of slow tests names tests that exist, and is read from what pytest prints."""

import ast
from functools import cache
from pathlib import Path

from tests import slow


@cache
def functions(file: str) -> set[str]:
    """The names of the test functions in a file."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_listed_test_exists(monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[1])
    for name in slow.listed():
        file, _, function = name.partition("::")
        assert function.partition("[")[0] in functions(file), f"{name} is gone: take it out of tests/slow.txt"


def test_the_list_is_written_from_durations(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(slow, "LISTED", tmp_path / "slow.txt")
    lines = [
        "3.50s call     tests/a.py::test_b[c d]",
        "9.00s setup    tests/a.py::test_e",
        "3.49s call     tests/a.py::test_f",
    ]
    (tmp_path / "durations.txt").write_text("\n".join(lines))
    assert slow.main([str(tmp_path / "durations.txt")]) == 0 and "1 slow tests" in capsys.readouterr().out
    assert slow.listed() == {"tests/a.py::test_b[c d]"}
    assert slow.main([]) == 2 and "--durations=0" in capsys.readouterr().out
