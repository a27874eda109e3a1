"""The app without a browser: its settings, and a model that cannot be had. Every tab is opened in test_promised.py."""

import pytest

pytestmark = pytest.mark.usefixtures("as_shipped")


@pytest.mark.parametrize("name", ["", "pairs"])
def test_the_settings_begin_with_the_bundled_model(visit, name):
    page = visit(name).unfold("settings")
    assert page.title and not page.problems
    assert page.field("model").value == "bundled"


def test_a_model_that_cannot_be_loaded_leaves_the_bundled_one(visit, cold, monkeypatch):
    from embtools.models import loading

    load = loading.load_model

    def unreachable(name="bundled"):
        if name != "bundled":
            raise ValueError(f"{name} could not be downloaded: the Hugging Face hub does not answer.")
        return load(name)

    monkeypatch.setattr(loading, "load_model", unreachable)
    monkeypatch.setattr(loading, "is_here", lambda name: True)
    page = visit("arithmetic", model="google-bert/bert-base-uncased")
    assert page.says("does not answer")
    assert page.says("BERT now answers")
