"""The app without a browser: every page on its defaults, the menu, and a model that cannot be had."""

import subprocess
import sys
from pathlib import Path

import pytest

from embtools.ui import page as ui_page

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", ["", *(page.name for page in ui_page.PAGES)])
def test_every_page_opens_on_its_defaults(visit, name):
    page = visit(name)
    assert page.title and not page.problems
    assert page.field("model").value == "bundled"


def test_home_paints_before_it_loads_a_model():
    code = """
import sys
from streamlit.testing.v1 import AppTest
from embtools.ui import home
seen = []
home.first_result = lambda place, model: seen.append(sorted({name.partition('.')[0] for name in sys.modules}))
home.warm_examples = lambda model: None
test = AppTest.from_file("app.py", default_timeout=60).run()
assert not test.exception and len(seen) == 1
late = {"torch", "transformers", "sklearn", "umap", "tokenizers", "safetensors"} & set(seen[0])
assert not late, late
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_model_that_cannot_be_loaded_leaves_the_bundled_one(visit, cold, monkeypatch):
    from embtools.models import loading

    load = loading.load_model

    def unreachable(name="bundled"):
        if name != "bundled":
            raise ValueError(f"{name} could not be downloaded: the Hugging Face hub does not answer.")
        return load(name)

    monkeypatch.setattr(loading, "load_model", unreachable)
    page = visit("arithmetic", model="google-bert/bert-base-uncased")
    assert page.says("does not answer")
    assert {"Original", "Edited"} <= set(page.metrics)
