"""References to models: what is known about one without its weights, and its results from the cache."""

import pytest

from embtools import memory
from embtools.mask_filling.edits import Change
from embtools.models import loading
from embtools.spaces.space import CENTRED, Space
from embtools.ui.call import Call
from embtools.ui.shown import Model
from tests.visit import empty_caches

CALLS: list[object] = []


def pieces(word: str, model: object) -> tuple[str, object]:
    CALLS.append(word)
    return word, model


def length(word: str) -> int:
    CALLS.append(word)
    return len(word)


@pytest.fixture(autouse=True)
def _lent(tiny, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.setattr(loading, "load_model", lambda name="bundled": tiny)
    empty_caches()
    CALLS.clear()
    yield
    empty_caches()


def test_a_result_is_computed_once_for_each_model_and_space(tiny) -> None:
    model, query = Model("bundled"), Call(pieces, word="king")
    centred = model.within(Space(CENTRED))
    assert not model.has_computed(query)
    first = model.compute(query)
    assert first == ("king", tiny) and model.compute(query) is first and CALLS == ["king"]
    assert model.has_computed(query) and not centred.has_computed(query)
    assert centred.compute(query)[1] is not tiny and CALLS == ["king", "king"]
    memory.forget()
    assert not model.has_computed(query)


def test_a_result_without_a_model_is_shared_by_all() -> None:
    model, query = Model("bundled"), Call(length, word="king")
    assert model.compute(query) == 4 and not model.was_opened
    assert model.within(Space(CENTRED)).has_computed(query) and CALLS == ["king"]


def test_the_facts_are_those_of_the_model(tiny) -> None:
    model = Model("bundled")
    assert not model.was_opened and model.facts.layers == tiny.layers and model.was_opened
    assert model.checksum == tiny.checksum != model.within(Space(CENTRED)).checksum


def test_an_edited_model_has_the_checksum_and_the_space_of_what_it_opens(tiny) -> None:
    change = Change.of(["rome = italy"], "tied", 0.5)
    checksums = set()
    for own in (Model("bundled"), Model("bundled", change=change), Model("bundled", change=Change.of(["rome = king"]))):
        for model in (own, own.within(Space(CENTRED))):
            opened = model.open()
            assert model.checksum == opened.checksum and (opened.edited or not model.change.edits)
            assert model.change == own.change
            checksums.add(model.checksum)
    assert len(checksums) == 6
    assert (
        Model("bundled").title == "Pocket BERT" and Model("bundled", change=change).title == "Pocket BERT with the edit"
    )
    assert Model("bundled", change=change).facts == Model("bundled").facts


def test_the_names_of_models_in_copied_python() -> None:
    change = Change.of(["rome = italy"])
    models = Model("bundled"), Model("bundled", change=change), Model("another")
    assert [model.variable("bundled") for model in models] == ["model", "edited", "other"]


def test_opening_an_edited_model_stores_no_model() -> None:
    model = Model("bundled", change=Change.of(["rome = italy"]))
    model.open()
    assert model.open() is not model.open() and memory.used() == 0
