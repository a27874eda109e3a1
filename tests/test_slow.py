"""The marks of slow and long tests: with all cases, with named ones, with a name that is gone; and what begins first."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import LongFirst

ROOT = Path(__file__).parents[1]
TESTS = """
import pytest

@pytest.mark.slow
def test_long(): ...

@pytest.mark.slow("two words-1", "b-2")
@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("word", ["two words", "b"])
def test_some(word, number): ...

@pytest.mark.parametrize("number", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_one(number): ...

@pytest.mark.thorough("2")
@pytest.mark.parametrize("number", [1, 2])
def test_most(number): ...

def test_short(): ...
"""
SLOW = ["test_long", "test_some[two words-1]", "test_some[b-2]", "test_one[2]", "test_most[2]"]


def test_a_mark_is_for_all_cases_or_for_those_that_it_names(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(TESTS)
    (tmp_path / "test_b.py").write_text(TESTS.replace('["two words", "b"]', '["two words"]'))
    command = [sys.executable, "-m", "pytest", "-p", "tests.slow", "-c", "/dev/null", "--rootdir", str(tmp_path)]
    command += ["-m", "slow", "--collect-only", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    own = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    lines = subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True).stdout.splitlines()
    assert [line.removeprefix("test_a.py::") for line in lines if line.startswith("test_a.py::")] == SLOW
    assert any("5/10 tests collected (5 deselected), 1 error" in line for line in lines)
    assert "test_some is marked slow for cases that are gone: ['b-2']" in "\n".join(lines)


def test_long_tests_begin_first_on_every_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    items = [SimpleNamespace(name=name, get_closest_marker=lambda _, name=name: name.isupper()) for name in "aBcdEfGh"]
    monkeypatch.setenv("PYTEST_XDIST_WORKER_COUNT", "2")
    LongFirst().pytest_collection_modifyitems(items)  # type: ignore[arg-type]
    assert "".join(item.name for item in items) == "BGacEdfh"
