"""Every benchmark runs, in its short form and without looking at its thresholds, so that none can break unnoticed."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.mixed_load import QUERIES
from embtools.ui.page import PAGES
from tests.browser.conftest import CHROMIUM

ROOT = Path(__file__).parents[1]
PARTS = {"__init__", "measure", "server"}  # what the others use
BROWSERS = {"click_to_result", "cold_start"}
ARGUMENTS = {"base_model": ["{tmp}/model"]}
SCRIPTS = sorted({path.stem for path in (ROOT / "benchmarks").glob("*.py")} - PARTS)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCRIPTS)
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
