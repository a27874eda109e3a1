"""Every benchmark can be imported, and runs in its short form, whatever it measures: some of each kind with --slow."""

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
ARGUMENTS = {"base_model": ["{tmp}/model"], "first_visits": ["pairs"]}
SCRIPTS = sorted({path.stem for path in (ROOT / "benchmarks").glob("*.py")} - PARTS)
ALWAYS = {
    "a_class", "base_model", "batches", "exact_search", "first_imports", "first_visits", "heatmap_payload", "visitors",
}  # fmt: skip
"""One or two of each kind: with a browser, with visitors of a server, of the model, of arithmetic."""


def test_each_can_be_imported_and_says_what_it_does() -> None:
    assert not [name for name in SCRIPTS if not importlib.import_module(f"benchmarks.{name}").__doc__]


@pytest.mark.slow
def test_threads_are_set_as_in_the_app_before_numpy_and_torch_are_imported() -> None:
    """Eight scripts measured with a thread for every core, which the app does not use."""
    code = """if True:
    import importlib.abc, os, sys
    seen = []
    class Look(importlib.abc.MetaPathFinder):
        def find_spec(self, name, *_):
            if name in ("numpy", "torch"):
                seen.append(name)
                assert {"OMP_NUM_THREADS", "OMP_WAIT_POLICY"} <= os.environ.keys(), name
    sys.meta_path.insert(0, Look())
    import benchmarks.batches
    assert seen == ["numpy", "torch"]
    from embtools.ui.host import SETTINGS
    assert all(os.environ[name] == value for name, value in SETTINGS.items() if name.startswith("OMP_"))
    """
    bare = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=bare, check=True, timeout=120)


@pytest.mark.slow
@pytest.mark.long(*BROWSERS)
@pytest.mark.thorough(*set(SCRIPTS) - ALWAYS)
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


def test_another_seed_reaches_a_query_and_its_arguments():
    from benchmarks.lesson_answers import seeded
    from embtools.clusters.maps import word_map
    from embtools.pairs.next_sentence import with_controls
    from embtools.ui.call import Call
    from embtools.ui.clusters import inputs

    assert seeded(Call(with_controls, first="A.", second="B.", seed=3), 2)["seed"] == 5
    view = inputs.View("PCA", 2, "cosine", False, False)
    assert seeded(Call(word_map, words=None, view=view), 2)["view"].seed == 2
