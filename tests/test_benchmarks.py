"""Every benchmark can be imported, and runs in its short form, whatever it measures, so that none can break unnoticed."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.own_words import QUERIES
from embtools.ui.menu import PAGES
from tests.browser.conftest import CHROMIUM, SHIPPED

ROOT = Path(__file__).parents[1]
PARTS = {"__init__", "measure", "own_words", "server"}  # what the others use
BROWSERS = {"click_to_result", "cold_start", "first_visits"}
ARGUMENTS = {"base_model": ["{tmp}/model"]}
SCRIPTS = sorted({path.stem for path in (ROOT / "benchmarks").glob("*.py")} - PARTS)


@pytest.mark.parametrize("name", SCRIPTS)
def test_it_can_be_imported_and_says_what_it_does(name: str) -> None:
    assert importlib.import_module(f"benchmarks.{name}").__doc__


def test_those_with_a_browser_exist() -> None:
    assert set(SCRIPTS) >= BROWSERS


@pytest.mark.slow
@pytest.mark.parametrize("name", SCRIPTS)
def test_it_runs(name: str, tmp_path: Path) -> None:
    if name in BROWSERS and CHROMIUM is None:
        pytest.skip("chromium is not installed")
    arguments = [argument.format(tmp=tmp_path) for argument in ARGUMENTS.get(name, [])]
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}", *arguments, "--short"],
        cwd=ROOT, env=os.environ | SHIPPED, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3_000:]
    assert done.stdout.strip()


def test_visitors_of_the_mixed_load_open_every_page():
    assert list(QUERIES) == [page.name for page in PAGES]
