"""Rooms in a real Redis server: what every store does, that keys expire, and that two servers share a class."""

import shutil

import pytest

from embtools.rooms import store
from embtools.rooms.room import SECONDS
from embtools.rooms.store import PATIENCE, Unavailable
from tests.redis_server import RedisServer
from tests.rooms.contract import CAPITAL, StoreContract

redis = pytest.importorskip("redis", reason="redis-py is not installed: pip install embtools[rooms]")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("redis-server") is None, reason="redis-server is not installed"),
]


@pytest.fixture(scope="module")
def server():
    running = RedisServer()
    yield running
    running.stop()


class TestRedis(StoreContract):
    @pytest.fixture
    def rooms(self, server):
        from embtools.rooms.redis_store import RedisStore

        redis.Redis.from_url(server.url).flushall()
        return RedisStore(server.url)


@pytest.fixture
def two(server):
    """Two servers of the app, and a client that reads Redis directly."""
    from embtools.rooms.redis_store import RedisStore

    client = redis.Redis.from_url(server.url, decode_responses=True)
    client.flushall()
    return RedisStore(server.url), RedisStore(server.url), client


def test_two_servers_serve_one_class(two):
    one, other, _ = two
    room, key = store.opened(one)
    assert one.join(room.code, "a") and other.join(room.code, "b")
    store.ask(one, room.code, key, CAPITAL)
    assert other.vote(room.code, "a", 1, 1) and one.vote(room.code, "b", 1, 1)
    assert store.reveal(other, room.code, key, 1).results == ((0, 2, 0),)
    assert one.seen(room.code, "a").version == 2


def test_every_key_expires_with_the_room_and_none_stays_after_it_is_closed(two):
    one, _, client = two
    room, key = store.opened(one)
    store.ask(one, room.code, key, CAPITAL)
    one.join(room.code, "a")
    one.vote(room.code, "a", 1, 0)
    own = [name for name in client.keys("*") if room.code in name]
    assert len(own) == 3 and all(SECONDS - 60 < client.ttl(name) <= SECONDS for name in own)
    assert key not in str([client.hgetall(name) for name in own if client.type(name) == "hash"])
    store.close(one, room.code, key)
    assert not [name for name in client.keys("*") if room.code in name]
    assert client.zcard("embtools:rooms") == 0


def test_a_room_that_has_expired_takes_neither_phones_nor_votes_nor_changes(two):
    one, _, client = two
    room, key = store.opened(one)
    one.join(room.code, "a")
    store.ask(one, room.code, key, CAPITAL)
    client.delete(f"embtools:{{{room.code}}}:room")
    assert one.join(room.code, "b") is None and not one.vote(room.code, "a", 1, 0)
    assert one.seen(room.code, "a") is None and not one.save(room.hand_out("bias"))
    assert not client.exists(f"embtools:{{{room.code}}}:room")


def test_too_many_rooms_are_refused_until_some_have_ended(server, two):
    from embtools.rooms.redis_store import RedisStore

    client, small = two[2], RedisStore(server.url, most=1)
    store.opened(small)
    with pytest.raises(ValueError, match="Too many rooms are open"):
        store.opened(small)
    client.zadd("embtools:rooms", dict.fromkeys(client.zrange("embtools:rooms", 0, -1), 1))  # ended long ago
    store.opened(small)


def test_a_full_redis_replaces_a_room_that_nobody_has_joined_for_long(server, two):
    from embtools.rooms.redis_store import RedisStore

    client, small = two[2], RedisStore(server.url, most=2)
    used, _ = store.opened(small)
    small.join(used.code, "a")
    empty, _ = store.opened(small)
    for name in client.zrange("embtools:rooms", 0, -1):
        client.zincrby("embtools:rooms", 5 - PATIENCE, name)
    with pytest.raises(ValueError, match="Too many rooms are open"):
        store.opened(small)
    for name in client.zrange("embtools:rooms", 0, -1):
        client.zincrby("embtools:rooms", -5, name)
    store.opened(small)
    assert small.load(used.code) and small.load(empty.code) is None and client.zcard("embtools:rooms") == 2


def test_redis_gone_and_back(two):
    from embtools.rooms.redis_store import RedisStore

    own = RedisServer()
    try:
        rooms = RedisStore(own.url)
        room, key = store.opened(rooms)
        own.stop()
        for act in (
            lambda: rooms.load(room.code), lambda: rooms.vote(room.code, "a", 1, 0),
            lambda: rooms.people(room.code), lambda: store.ask(rooms, room.code, key, CAPITAL),
        ):  # fmt: skip
            with pytest.raises(Unavailable, match="cannot be reached now"):
                act()
        own.start()
        assert rooms.load(room.code) is None  # nothing was written to disk
        assert rooms.load(store.opened(rooms)[0].code)
    finally:
        own.stop()
