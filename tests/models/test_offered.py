"""Which models are offered: the catalogue, a server without a network, and what fits into memory."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from huggingface_hub import constants

from embtools.models import memory, network
from embtools.models.catalogue import BUNDLED, CATALOGUE, KNOWN, entry, offered
from embtools.ui import models as ui_models

# The catalogue: what is offered, and the sentence for what is not


def test_names_and_figures():
    assert next(iter(CATALOGUE)) == BUNDLED  # the default comes first in every picker
    for name, chosen in CATALOGUE.items():
        assert chosen.name == name
        assert chosen.title and chosen.licence and chosen.note.endswith(".")
        assert chosen.megabytes > 0


def test_an_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(
        ValueError, match=r"no model 'bert-base-uncased' .* Did you mean google-bert/bert-base-uncased\?"
    ):
        entry("bert-base-uncased")
    with pytest.raises(ValueError, match=r"no such folder\. Correct the path, or use bundled\."):
        entry("../../etc/passwd")
    with pytest.raises(ValueError) as error:
        entry("x" * 10_000)
    assert len(str(error.value)) < 200


def test_a_server_offers_what_its_setting_names(tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "model.safetensors").write_bytes(b"0" * 3_000_000)
    assert offered("") == offered(" , ") == KNOWN
    assert list(offered("bundled")) == [BUNDLED]
    found = offered(f"{mine}, distilbert/distilbert-base-uncased")
    assert list(found) == [BUNDLED, "mine", "distilbert/distilbert-base-uncased"]
    assert found["mine"].source == str(mine) and found["mine"].megabytes == 3


def test_an_impossible_setting_is_reported(tmp_path):
    with pytest.raises(ValueError, match="'bert-bse', which is neither a known model nor a folder"):
        offered("bert-bse")
    for name in ("x" * 10_000, "a/" * 5_000, "x\0y"):  # none of these can be a path
        with pytest.raises(ValueError, match="neither a known model nor a folder") as error:
            offered(name)
        assert len(str(error.value)) < 200 and "\0" not in str(error.value)
    for parent in ("a", "b"):
        (tmp_path / parent / "mine").mkdir(parents=True)
    with pytest.raises(ValueError, match="two folders 'mine'"):
        offered(f"{tmp_path}/a/mine,{tmp_path}/b/mine")


def test_offline_only_models_that_need_no_download_are_listed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    here = {"distilbert/distilbert-base-uncased": "/cache/model.safetensors"}
    monkeypatch.setattr("huggingface_hub.try_to_load_from_cache", lambda name, file: here.get(name))
    assert list(offered(offline=True)) == ["bundled", "distilbert/distilbert-base-uncased"]
    assert list(offered("google-bert/bert-base-uncased", offline=True)) == ["bundled"]
    assert list(offered(str(tmp_path), offline=True)) == ["bundled", tmp_path.name]
    assert len(offered()) > 5


# Without a network, only models that are on this machine are offered; when it is back, all of them are

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


# Does a model fit: what is free, in a container too, and the sentence when it does not


def test_the_machines_free_memory(tmp_path: Path) -> None:
    assert memory.available(tmp_path) == pytest.approx(psutil.virtual_memory().available / 1e6, rel=0.2)


@pytest.mark.parametrize(("limit", "used", "left"), [("300000000", "100000000", 200), ("100000000", "200000000", 0)])
def test_a_container_may_have_less(tmp_path: Path, limit: str, used: str, left: int) -> None:
    (tmp_path / "memory.max").write_text(f"{limit}\n")
    (tmp_path / "memory.current").write_text(f"{used}\n")
    assert memory.available(tmp_path) == left


def test_a_service_may_have_less_in_both_versions_of_control_groups(tmp_path: Path) -> None:
    membership = tmp_path / "cgroup"
    membership.write_text("0::/system.slice/app.service\n")
    own = tmp_path / "system.slice" / "app.service"
    own.mkdir(parents=True)
    (own / "memory.max").write_text("300000000\n")
    (own / "memory.current").write_text("100000000\n")
    assert memory.available(tmp_path, membership=membership) == 200
    membership.write_text("9:name=systemd:/\n4:memory:/jobs/app\n")
    own = tmp_path / "memory" / "jobs" / "app"
    own.mkdir(parents=True)
    (own / "memory.limit_in_bytes").write_text("250000000\n")
    (own / "memory.usage_in_bytes").write_text("100000000\n")
    assert memory.available(tmp_path, membership=membership) == 150
    assert memory.available(tmp_path, membership=tmp_path / "missing") > 200


def test_a_container_without_a_limit_has_the_machines(tmp_path: Path) -> None:
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("5\n")
    assert memory.available(tmp_path) > 0


def test_what_does_not_fit_is_refused_with_both_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 1_500)
    memory.check("BERT base", 750)
    text = r"BERT large needs about 2,018 MB of memory, but only 1,500 MB are free.* Choose a smaller model"
    with pytest.raises(ValueError, match=text):
        memory.check("BERT large", 1345)
