"""The setting EMBTOOLS_ROOMS."""

import sys

import pytest

from embtools.rooms import opening
from embtools.rooms.store import MemoryStore


@pytest.fixture(autouse=True)
def _own_store():
    before = list(opening._opened)
    opening.forget()
    yield
    opening.forget(*before)


@pytest.mark.parametrize("setting", ["", "memory", " memory "])
def test_rooms_are_in_memory_by_default(setting):
    assert isinstance(opening.store_of(setting), MemoryStore)


@pytest.mark.parametrize(
    "setting", ["memcached://host", "redis", "/var/lib", "http://:secret@host", "redis://host:port"]
)
def test_any_other_setting_is_refused_without_its_password(setting):
    with pytest.raises(ValueError, match="Correct it") as refused:
        opening.store_of(setting)
    assert "secret" not in str(refused.value)


def test_a_redis_server_is_not_asked_before_it_is_needed():
    pytest.importorskip("redis")
    assert opening.store_of("redis://:secret@127.0.0.1:1/0").blocking


def test_without_its_package_the_setting_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(ValueError, match=r"pip install embtools\[rooms\]"):
        opening.store_of("redis://localhost")


def test_all_visitors_share_one_store(monkeypatch):
    monkeypatch.setenv("EMBTOOLS_ROOMS", "memory")
    assert opening.store() is opening.store()
    own = MemoryStore()
    opening.forget(own)
    assert opening.store() is own
