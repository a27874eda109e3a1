"""The model in use: asked for before a download, loaded once, the bundled one when all else fails."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from safetensors import safe_open

from benchmarks.base_model import write
from embtools.models import loading
from embtools.models.catalogue import CATALOGUE
from embtools.ui import cached, models
from embtools.ui.page import PAGES

BASE, OTHER = "google-bert/bert-base-uncased", "distilbert/distilbert-base-uncased"


@pytest.fixture(autouse=True)
def _forgotten():
    models.forget()
    yield
    models.forget()


@pytest.fixture
def asked(monkeypatch, tiny, cold):
    """What the hub and the loader are asked; the loader gives a tiny model under each name."""
    calls = []
    load = loading.load_model
    monkeypatch.setattr(
        loading, "load_model", lambda name: calls.append(name) or (tiny if name != "bundled" else load())
    )
    monkeypatch.setattr(loading, "fetch", lambda name, progress: calls.append(f"fetch {name}"))
    monkeypatch.setattr(loading, "is_here", lambda name: True)
    return calls


def test_a_model_of_the_hub_is_asked_for_before_it_is_downloaded(visit, asked, monkeypatch):
    monkeypatch.setattr(loading, "is_here", lambda name: f"fetch {name}" in asked)
    page = visit("arithmetic", model=BASE)
    assert page.says("BERT base is not on this server yet. 440 MB, Apache-2.0; reads English.")
    assert BASE not in asked and f"fetch {BASE}" not in asked
    page.press("Download 440 MB")
    assert asked.count(f"fetch {BASE}") == asked.count(BASE) == 1
    assert not page.says("is not on this server yet")


def test_a_model_whose_weights_may_be_missing_is_marked():
    (doubtful,) = (name for name, entry in CATALOGUE.items() if not entry.confirmed)
    assert "may be missing as safetensors" in models.described(doubtful)
    assert "missing" not in models.described(BASE)


def test_a_failed_load_is_tried_again_only_when_asked(visit, asked, monkeypatch):
    def fail(name):
        asked.append(name)
        raise ValueError("The hub does not answer.")

    work = loading.load_model
    monkeypatch.setattr(loading, "load_model", lambda name: work(name) if name == "bundled" else fail(name))
    page = visit("arithmetic", model=BASE)
    assert page.says("The hub does not answer.") and asked.count(BASE) == 1
    page.test.run()
    assert page.says("The hub does not answer.") and asked.count(BASE) == 1
    page.press("Try again")
    assert asked.count(BASE) == 2


def test_of_the_larger_models_one_is_kept(asked):
    for name in ("bundled", BASE, BASE, OTHER, "bundled", BASE):
        cached.model(name)
    assert asked == ["bundled", BASE, OTHER, BASE]


@pytest.mark.slow
def test_every_page_opens_with_a_model_in_the_size_of_bert_base(tmp_path) -> None:
    folder = write(tmp_path / "random-base")
    with safe_open(folder / "model.safetensors", "np") as weights:
        shapes = [weights.get_slice(key).get_shape() for key in weights.keys()]  # noqa: SIM118, it is no dict
    assert [30522, 768] in shapes and sum(shape == [3072, 768] for shape in shapes) == 12
    # A process of its own: the catalogue is made of EMBTOOLS_MODELS when it is imported.
    command = [sys.executable, "-m", "benchmarks.every_page", "--model", str(folder)]
    env = os.environ | {"HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        command, cwd=Path(__file__).parents[2], env=env, capture_output=True, text=True, timeout=540, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    assert all(f"{page.title}: " in done.stdout for page in PAGES)
