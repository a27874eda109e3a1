"""Phones that share a read of the store: each gets its own answer, and none that is older than its question."""

import asyncio
from contextlib import suppress

import pytest

from embtools.rooms.batches import Batches
from embtools.rooms.store import Seen, Unavailable
from tests.loops import run


class Room:
    """A store on another machine that takes a while; it notes which phones asked together."""

    def __init__(self, seconds=0.0):
        self.seconds, self.version, self.looks = seconds, 1, []

    async def look(self, code, tokens):
        self.looks.append((code, list(tokens)))
        version = self.version
        await asyncio.sleep(self.seconds)
        return [None if token == "stranger" else Seen(version, code, int(token)) for token in tokens]


def test_phones_that_ask_together_share_a_read_and_each_gets_its_own_answer():
    room = Room()

    async def ask():
        batches = Batches(room.look, 0.01)
        return await asyncio.gather(*(batches.seen("A", token) for token in ("3", "stranger", "1", "3")))

    assert run(ask()) == [Seen(1, "A", 3), None, Seen(1, "A", 1), Seen(1, "A", 3)]
    assert room.looks == [("A", ["3", "stranger", "1", "3"])]


def test_each_room_is_read_separately():
    room = Room()

    async def ask():
        batches = Batches(room.look, 0.01)
        return await asyncio.gather(batches.seen("A", "1"), batches.seen("B", "1"), batches.seen("A", "2"))

    assert [seen.face for seen in run(ask())] == ["A", "B", "A"]
    assert room.looks == [("A", ["1", "2"]), ("B", ["1"])]


def test_a_phone_that_asks_during_a_read_gets_an_answer_read_after_its_request():
    room = Room(seconds=0.05)

    async def ask():
        batches = Batches(room.look, 0.01)
        first = asyncio.create_task(batches.seen("A", "1"))
        while not room.looks:
            await asyncio.sleep(0.001)
        room.version = 2
        return await batches.seen("A", "2"), await first

    later, first = run(ask())
    assert (later.version, first.version) == (2, 1) and len(room.looks) == 2


def test_a_failed_read_is_reported_to_all_its_phones_and_the_next_one_works():
    room = Room()

    async def away(code, tokens):
        if not room.looks:
            room.looks.append((code, tokens))
            raise Unavailable("The store is away.")
        return await room.look(code, tokens)

    async def ask():
        batches = Batches(away, 0.01)
        failed = await asyncio.gather(*(batches.seen("A", str(n)) for n in range(3)), return_exceptions=True)
        return failed, await batches.seen("A", "1")

    failed, after = run(ask())
    assert len(failed) == 3 and all(isinstance(each, Unavailable) for each in failed) and after.choice == 1


@pytest.mark.parametrize("leaves", [0, 1], ids=["first", "second"])
def test_a_phone_that_goes_away_does_not_take_the_answer_of_the_others(leaves):
    room = Room(seconds=0.02)

    async def ask():
        batches = Batches(room.look, 0.01)
        tasks = [asyncio.create_task(batches.seen("A", str(n))) for n in range(3)]
        await asyncio.sleep(0)
        tasks[leaves].cancel()
        with suppress(asyncio.CancelledError):
            await tasks[leaves]
        return await asyncio.gather(*(each for n, each in enumerate(tasks) if n != leaves))

    assert [seen.choice for seen in run(ask())] == [n for n in range(3) if n != leaves]
    assert len(room.looks) == 1


def test_a_server_that_is_started_again_in_the_same_process_works():
    room = Room()
    batches = Batches(room.look, 0.01)
    for _ in range(2):  # each run has an event loop of its own
        assert run(batches.seen("A", "1")).choice == 1
    assert len(room.looks) == 2
