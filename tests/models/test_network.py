"""Without a network, only models that are on this machine are offered; when it is back, all of them are."""

import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
from huggingface_hub import constants

from embtools.models import network
from embtools.models.catalogue import BUNDLED, CATALOGUE
from embtools.ui import models as ui_models

BASE = "google-bert/bert-base-uncased"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """A hub on this machine that takes connections until it is closed; nobody has tried to reach it yet."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{listening.getsockname()[1]}")
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.delenv("EMBTOOLS_OFFLINE", raising=False)
        monkeypatch.setattr(network, "_away", [False])
        monkeypatch.setattr(network, "_looked", [float("-inf")])
        yield listening


def test_a_hub_that_answers_changes_nothing(hub: socket.socket) -> None:
    network.try_hub()
    assert not network.is_away() and network.available() == CATALOGUE


def test_without_the_hub_models_of_this_machine_are_offered_and_later_it_is_tried_again(
    hub: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = hub.getsockname()
    hub.close()
    network.try_hub()
    assert network.is_away() and BUNDLED in network.available() and BASE not in network.available()
    with socket.create_server(address):  # it is back
        assert network.is_away()  # not tried at each visit
        monkeypatch.setattr(network, "AGAIN", 0.0)
        until = time.monotonic() + 20
        while network.is_away():
            assert time.monotonic() < until
            time.sleep(0.01)
    assert network.available() == CATALOGUE


@pytest.mark.parametrize("decided", ["setting", "hub"])
def test_nothing_is_tried_if_the_host_has_decided(
    hub: socket.socket, monkeypatch: pytest.MonkeyPatch, decided: str
) -> None:
    if decided == "hub":
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    else:
        monkeypatch.setenv("EMBTOOLS_OFFLINE", "1")

    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket, "create_connection", never)
    network.try_hub()
    assert not network.is_away()


def test_a_visitor_is_offered_the_available_models_and_told_why_a_linked_one_is_missing(
    hub: socket.socket, visit: Any, cold: None
) -> None:
    hub.close()
    network.try_hub()
    shown = visit("similarity", open="settings", model=BASE)
    assert any(ui_models.AWAY in problem for problem in shown.problems)
    assert "Pocket BERT answers" in " ".join(shown.texts)
    titles = ui_models.titles()
    assert "Pocket BERT" in titles.values() and "BERT base" not in titles.values()
    assert "BERT base" in ui_models.titles(BASE).values()  # a field keeps what it holds
