"""Every benchmark can be imported, and runs in its short form, whatever it measures, so that none can break unnoticed.

Those that start servers or browsers, or compute for a minute, run only with --benchmarks: before a release, and after a
change of a benchmark.
"""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.own_words import QUERIES
from embtools.ui.menu import PAGES
from tests.browser.conftest import CHROMIUM

ROOT = Path(__file__).parents[1]
PARTS = {"__init__", "measure", "own_words", "server"}  # what the others use
BROWSERS = {"click_to_result", "cold_start", "first_visits"}
ARGUMENTS = {"base_model": ["{tmp}/model"]}
LONG = {
    "a_class", "a_class_on_evidence", "a_room", "click_to_result", "cold_start", "corpus_batches", "every_page",
    "first_visits", "memory", "mixed_load", "small_host", "two_replicas", "visitors",
}  # fmt: skip
SCRIPTS = sorted({path.stem for path in (ROOT / "benchmarks").glob("*.py")} - PARTS)


@pytest.mark.parametrize("name", SCRIPTS)
def test_it_can_be_imported_and_says_what_it_does(name: str) -> None:
    assert importlib.import_module(f"benchmarks.{name}").__doc__


def test_long_ones_exist() -> None:
    assert set(SCRIPTS) >= LONG >= BROWSERS


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.benchmarks if name in LONG else ()) for name in SCRIPTS]
)
def test_it_runs(name: str, tmp_path: Path) -> None:
    if name in BROWSERS and CHROMIUM is None:
        pytest.skip("chromium is not installed")
    arguments = [argument.format(tmp=tmp_path) for argument in ARGUMENTS.get(name, [])]
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}", *arguments, "--short"],
        cwd=ROOT, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3_000:]
    assert done.stdout.strip()


def test_visitors_of_the_mixed_load_open_every_page():
    assert list(QUERIES) == [page.name for page in PAGES]
