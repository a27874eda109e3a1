"""The model in use: confirmed before a download, loaded once, the bundled one when all else fails."""

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest
from safetensors import safe_open

from benchmarks.base_model import write
from embtools.models import loading
from embtools.models.catalogue import CATALOGUE
from embtools.ui import cached, models
from embtools.ui.menu import PAGES

BASE, OTHER = "google-bert/bert-base-uncased", "distilbert/distilbert-base-uncased"


@pytest.fixture(autouse=True)
def _forgotten():
    models.forget()
    yield
    models.forget()


@pytest.fixture
def asked(monkeypatch, tiny, cold):
    """The calls to the hub and to the loader; the loader gives a tiny model under each name."""
    calls = []
    load = loading.load_model
    monkeypatch.setattr(
        loading, "load_model", lambda name: calls.append(name) or (tiny if name != "bundled" else load())
    )
    monkeypatch.setattr(loading, "fetch", lambda name, progress: calls.append(f"fetch {name}"))
    monkeypatch.setattr(loading, "is_here", lambda name: True)
    return calls


def test_a_model_whose_weights_may_be_missing_is_marked():
    (doubtful,) = (name for name, entry in CATALOGUE.items() if not entry.confirmed)
    assert "may not be available as safetensors" in models.described(doubtful)
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


def named(at, title):
    """Menu, link, citation and code name this model as the one that answers."""
    at.test.session_state["share-link"] = at.test.session_state["share-code"] = True
    link, citation, bibtex, _, code = (block.value for block in at.run().test.code)
    fold = next(f.label for f in at.test.sidebar.expander if "settings" in f.label)
    name = next(name for name, entry in CATALOGUE.items() if entry.title == title)
    assert fold.startswith(title) and f"Model: {title}" in citation and f"load_model({name!r})" in code
    assert parse_qs(urlparse(link).query).get("model", ["bundled"]) == [name] and link in citation and link in bibtex
    return True


@pytest.fixture
def unreachable(asked, monkeypatch):
    """No model is here, and none can be downloaded until this list is emptied."""
    reasons = ["The hub does not answer."]

    def fetch(name, progress):
        asked.append(f"fetch {name}")
        progress(0.1)
        if reasons:
            raise ValueError(reasons[0])

    monkeypatch.setattr(loading, "fetch", fetch)
    monkeypatch.setattr(loading, "is_here", lambda name: not reasons and f"fetch {name}" in asked)
    return reasons


def test_what_the_page_names_is_the_model_that_answers(visit, asked, unreachable):
    at = visit("arithmetic", model=BASE)
    assert named(at, "Pocket BERT") and at.test.query_params["wanted"] == BASE
    assert at.says("BERT base is not on this server yet. 440 MB, Apache-2.0; reads English.")
    assert at.says("Until then Pocket BERT answers.") and not {BASE, f"fetch {BASE}"} & set(asked)
    at.press("Download 440 MB")
    assert named(at, "Pocket BERT") and "model" not in at.test.query_params
    assert at.says("The hub does not answer.", "Until then Pocket BERT answers.")
    assert not [b for b in at.test.button if b.label == "Stop"] and not at.test.get("progress")
    fetched = len(asked)
    at.run()
    assert len(asked) == fetched  # not tried again at each run
    at.press("Try again")
    assert asked.count(f"fetch {BASE}") == 2 and at.says("The hub does not answer.")
    unreachable.clear()
    at.press("Try again")
    assert named(at, "BERT base") and at.test.query_params["model"] == BASE and asked.count(BASE) == 1
    assert "wanted" not in at.test.query_params and not at.problems and not at.says("Until then")


def test_a_missing_model_of_a_link_is_compared_with_the_bundled_one_after_the_download(visit, asked, unreachable):
    at = visit("bias", model=BASE, compare="bundled")
    assert len(at.charts) == 1 and "compare" not in visit("bias", **at.query_params).press("Not now").query_params
    unreachable.clear()
    at.press("Download 440 MB")
    assert len(at.charts) == 2 and at.query_params["compare"] == "bundled"


def test_a_model_of_a_link_that_came_later_waits_for_a_press(visit, asked, unreachable):
    """Whoever opens the link sees the numbers that were shown, though the model has arrived meanwhile."""
    at = visit("arithmetic", model=BASE)
    asked.append(f"fetch {BASE}")
    unreachable.clear()
    again = visit("arithmetic", **at.test.query_params)
    assert named(again, "Pocket BERT") and again.says("BERT base is on this server and can be used.")
    again.press("Use BERT base")
    assert named(again, "BERT base") and not again.says("Until then")


def test_a_wanted_model_can_be_left(visit, asked, unreachable):
    at = visit("arithmetic", open=["settings"]).put("model", BASE)
    assert at.field("model").value == "bundled" and at.says("BERT base is not available yet. See the top of the page.")
    at.press("Not now")
    assert not at.says("BERT base") and at.test.query_params.keys() == {"open", "tables", "weights"}


def test_home_offers_the_wanted_model_too_and_answers_with_the_bundled_one(visit, asked, unreachable):
    at = visit("", model=BASE, guess="Italy")
    assert at.says("BERT base is not on this server yet.", "BERT answers") and BASE not in asked and not at.problems


def test_a_second_model_that_cannot_be_downloaded_is_not_in_the_link(visit, asked, unreachable):
    at = visit("bias", compare=BASE)
    charts = len(at.charts)
    assert at.says("BERT base is not on this server yet.", "Until then there is nothing to compare.")
    at.press("Download 440 MB")
    assert at.says("The hub does not answer.", "Until then there is nothing to compare.") and "Try again" in [
        b.label for b in at.test.button
    ]
    assert "compare" not in at.test.query_params and len(at.charts) == charts and not at.test.get("progress")
    assert named(at, "Pocket BERT")


def test_the_second_space_names_the_model_that_answers(visit, asked, unreachable):
    at = visit("similarity", similarity_other=BASE, similarity_other_vectors="layer 1")
    assert at.says("BERT base is not on this server yet.", "Until then, nothing is compared.")
    assert at.test.query_params["similarity_other_wanted"] == BASE and "similarity_other" not in at.test.query_params


def test_of_the_larger_models_one_is_kept(asked):
    for name in ("bundled", BASE, BASE, OTHER, "bundled", BASE):
        cached.model(name)
    assert asked == ["bundled", BASE, OTHER, BASE]


@pytest.mark.thorough
@pytest.mark.long
def test_every_page_opens_with_a_model_as_wide_as_bert_base(tmp_path) -> None:
    """Four of its layers: `python -m benchmarks.every_page` takes all twelve."""
    folder = write(tmp_path / "random-base", num_hidden_layers=4)
    with safe_open(folder / "model.safetensors", "np") as weights:
        shapes = [weights.get_slice(key).get_shape() for key in weights.keys()]  # noqa: SIM118, it is no dict
    assert [30522, 768] in shapes and sum(shape == [3072, 768] for shape in shapes) == 4
    # A process of its own: the catalogue is made of EMBTOOLS_MODELS when it is imported.
    command = [sys.executable, "-m", "benchmarks.every_page", "--model", str(folder)]
    env = os.environ | {"HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        command, cwd=Path(__file__).parents[2], env=env, capture_output=True, text=True, timeout=540, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    assert all(f"{page.title}: " in done.stdout for page in PAGES)
