"""Rooms in memory: what every store does, when they end, and the setting EMBTOOLS_ROOMS."""

import sys

import pytest

from embtools.rooms import opening, store
from embtools.rooms.room import SECONDS
from embtools.rooms.store import PATIENCE, MemoryStore
from tests.rooms.contract import CAPITAL, StoreContract

# Rooms in memory: what every store does, and when they end


class TestMemory(StoreContract):
    @pytest.fixture
    def rooms(self):
        return MemoryStore()


@pytest.fixture
def clock():
    """A clock that a test sets: clock[0]."""
    return [0.0]


def test_a_room_ends_after_three_hours(clock):
    rooms = MemoryStore(lambda: clock[0])
    room, key = store.opened(rooms)
    rooms.join(room.code, "a")
    store.ask(rooms, room.code, key, CAPITAL)
    clock[0] = SECONDS - 1
    assert rooms.vote(room.code, "a", 1, 0) and rooms.seen(room.code, "a")
    clock[0] = SECONDS
    assert rooms.load(room.code) is None and rooms.seen(room.code, "a") is None
    assert not rooms.vote(room.code, "a", 1, 0) and rooms.join(room.code, "b") is None
    assert rooms.counts(room.code, 1) == {} and rooms.people(room.code) == 0
    store.opened(rooms)
    assert len(rooms._rooms) == 1  # its memory is free again


def test_a_server_full_of_rooms_refuses_until_one_is_empty_for_long(clock):
    rooms = MemoryStore(lambda: clock[0], most=2)
    used, _ = store.opened(rooms)
    rooms.join(used.code, "a")
    empty, _ = store.opened(rooms)
    clock[0] = PATIENCE - 1
    with pytest.raises(ValueError, match="Too many rooms are open"):
        store.opened(rooms)
    clock[0] = PATIENCE
    store.opened(rooms)
    assert rooms.load(used.code) and rooms.load(empty.code) is None


def test_a_change_that_never_succeeds_is_reported(monkeypatch):
    rooms = MemoryStore()
    room, key = store.opened(rooms)
    monkeypatch.setattr(rooms, "save", lambda room: False)
    with pytest.raises(ValueError, match="changed in another tab"):
        store.ask(rooms, room.code, key, CAPITAL)


def test_no_free_code_is_reported(monkeypatch):
    rooms = MemoryStore()
    monkeypatch.setattr(rooms, "create", lambda room: False)
    with pytest.raises(ValueError, match="No free code"):
        store.opened(rooms)


# The setting EMBTOOLS_ROOMS


@pytest.fixture(autouse=True)
def _own_store():
    before = list(opening._opened)
    opening.forget()
    yield
    opening.forget(*before)


@pytest.mark.parametrize("setting", ["", " memory "])
def test_rooms_are_in_memory_by_default(setting):
    assert isinstance(opening.store_of(setting), MemoryStore)


@pytest.mark.parametrize("setting", ["redis", "http://:secret@host", "redis://host:port"])
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
