"""Where rooms are stored: the operations that every store offers, and the store in the memory of one server."""

import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from embtools.rooms import codes
from embtools.rooms.question import Question
from embtools.rooms.room import MOST_PEOPLE, SECONDS, Room

MOST_ROOMS = 300
"""Maximum number of open rooms."""

PATIENCE = 15 * 60
"""Seconds after which a room that nobody has joined can make place for another one."""

_CLOSED, _NO_CODE = "This room is closed. Open another one.", "No free code was found. Try again."
_TRIES = 20  # of codes, and of changes that another tab of the teacher has overtaken


class Unavailable(ValueError):
    """The store cannot be reached now."""


@dataclass(frozen=True)
class Seen:
    """What one phone gets: the room's version, its face as JSON, and the number of the phone's own choice, if any."""

    version: int
    face: str
    choice: int | None


class Store(Protocol):
    """What a store does. Tokens and keys arrive here as digests; an unknown code and a closed room are the same."""

    blocking: bool
    """Whether an operation may wait for another machine."""

    def create(self, room: Room) -> bool:
        """Store a new room for `SECONDS`; returns False if its code is taken. ValueError if there are too many."""

    def load(self, code: str) -> Room | None:
        """Return a room."""

    def save(self, room: Room) -> bool:
        """Replace a room by its next version, without earlier votes; False if it is gone or was changed."""

    def freeze(self, code: str, number: int) -> dict[int, int]:
        """Take no more votes for a question; return how often each choice was chosen."""

    def remove(self, code: str) -> None:
        """Delete a room and all that belongs to it."""

    def join(self, code: str, token: str) -> bool | None:
        """Let a phone in; returns False if the room is full or locked, None if there is no such room."""

    def seen(self, code: str, token: str) -> Seen | None:
        """Return what a phone gets; None if there is no such room or the phone has not joined it."""

    def all_seen(self, code: str, tokens: Sequence[str]) -> list[Seen | None]:
        """Return what each of these phones gets, in one operation."""

    def vote(self, code: str, token: str, number: int, choice: int) -> bool:
        """Store or change the answer of a phone that has joined; returns False if the question is not open."""

    def counts(self, code: str, number: int) -> dict[int, int]:
        """Return how often each choice of a question was chosen so far."""

    def people(self, code: str) -> int:
        """Return how many phones have joined."""


def opened(store: Store, *, page: str = "") -> tuple[Room, str]:
    """Open a room that hands out a page; return the room and the teacher's key."""
    key = codes.new_secret()
    for _ in range(_TRIES):
        room = Room(codes.new_code(), codes.digest(key))
        room = room.hand_out(page) if page else room
        if store.create(room):
            return room, key
    raise ValueError(_NO_CODE)


def owned(store: Store, code: str, key: str) -> Room | None:
    """Return the room of that code if the key is its teacher's."""
    room = store.load(code)
    return room if room is not None and room.key == codes.digest(key) else None


def ask(store: Store, code: str, key: str, question: Question) -> Room:
    """Ask the class a question."""
    return _changed(store, code, key, lambda room: room.ask(question))


def hand_out(store: Store, code: str, key: str, page: str) -> Room:
    """Hand out a page of this app."""
    return _changed(store, code, key, lambda room: room.hand_out(page))


def reveal(store: Store, code: str, key: str, number: int) -> Room:
    """Close the question with this number and show its results on the phones; nothing happens if it is not open."""

    def change(room: Room) -> Room:
        question = room.question
        if not room.is_open or question is None or room.number != number:
            return room
        counts = store.freeze(code, room.number)
        return room.reveal([counts.get(choice, 0) for choice in range(len(question.choices))])

    return _changed(store, code, key, change)


def lock(store: Store, code: str, key: str, locked: bool) -> Room:
    """Let no more phones into the room, or let them in again."""
    return _changed(store, code, key, lambda room: room.lock(locked))


def move(store: Store, code: str, key: str) -> Room:
    """Give the room another code: its questions and results stay, and every phone must join again with that code, but
    the votes for an open question go, because those who do not belong to the class may have given some.
    """
    room = owned(store, code, key)
    if room is None:
        raise ValueError(_CLOSED)
    for _ in range(_TRIES):
        moved = room.move(codes.new_code())
        if store.create(moved):
            store.remove(code)
            return moved
    raise ValueError(_NO_CODE)


def close(store: Store, code: str, key: str) -> None:
    """Close a room and delete its questions and votes."""
    if owned(store, code, key):
        store.remove(code)


def _changed(store: Store, code: str, key: str, change: Callable[[Room], Room]) -> Room:
    for _ in range(_TRIES):
        room = owned(store, code, key)
        if room is None:
            raise ValueError(_CLOSED)
        new = change(room)
        if new is room or store.save(new):
            return new
    raise ValueError("The room is being changed in another tab. Try again.")


@dataclass
class _Held:
    """A room in memory with its votes: for each question, token → choice."""

    room: Room
    begun: float
    people: set[str] = field(default_factory=set)
    votes: dict[int, dict[str, int]] = field(default_factory=dict)
    frozen: int = 0  # the last question that takes no more votes
    face: str = ""

    def __post_init__(self) -> None:
        self.show(self.room)

    def show(self, room: Room) -> None:
        self.room, self.face = room, json.dumps(room.face, ensure_ascii=False)


class MemoryStore:
    """Rooms in the memory of this server; they end with it."""

    blocking = False

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = MOST_ROOMS) -> None:
        self._clock, self._most = clock, most
        self._rooms: dict[str, _Held] = {}
        self._lock = threading.Lock()

    def create(self, room: Room) -> bool:
        with self._lock:
            self._make_place()
            if room.code in self._rooms:
                return False
            self._rooms[room.code] = _Held(room, self._clock())
            return True

    def _make_place(self) -> None:
        now = self._clock()
        for code in [code for code, held in self._rooms.items() if now - held.begun >= SECONDS]:
            del self._rooms[code]
        if len(self._rooms) >= self._most:
            empty = [code for code, h in self._rooms.items() if not h.people and now - h.begun >= PATIENCE]
            if not empty:
                raise ValueError("Too many rooms are open on this server. Try again in a few minutes.")
            del self._rooms[empty[0]]

    def _held(self, code: str) -> _Held | None:
        held = self._rooms.get(code)
        return held if held is not None and self._clock() - held.begun < SECONDS else None

    def load(self, code: str) -> Room | None:
        held = self._held(code)
        return None if held is None else held.room

    def save(self, room: Room) -> bool:
        with self._lock:
            held = self._held(room.code)
            if held is None or held.room.version != room.version - 1:
                return False
            held.show(room)
            # The results have their counts.
            held.votes = {number: votes for number, votes in held.votes.items() if number >= room.number}
            return True

    def freeze(self, code: str, number: int) -> dict[int, int]:
        with self._lock:
            held = self._held(code)
            if held is not None:
                held.frozen = max(held.frozen, number)
        return self.counts(code, number)

    def remove(self, code: str) -> None:
        with self._lock:
            self._rooms.pop(code, None)

    def join(self, code: str, token: str) -> bool | None:
        with self._lock:
            held = self._held(code)
            if held is None:
                return None
            if token not in held.people and (held.room.locked or len(held.people) >= MOST_PEOPLE):
                return False
            held.people.add(token)
            return True

    def seen(self, code: str, token: str) -> Seen | None:
        held = self._held(code)
        if held is None or token not in held.people:
            return None
        room = held.room
        return Seen(room.version, held.face, held.votes.get(room.number, {}).get(token))

    def all_seen(self, code: str, tokens: Sequence[str]) -> list[Seen | None]:
        return [self.seen(code, token) for token in tokens]

    def vote(self, code: str, token: str, number: int, choice: int) -> bool:
        with self._lock:
            held = self._held(code)
            if held is None or token not in held.people:
                return False
            room = held.room
            if not room.is_open or room.question is None or number != room.number or number <= held.frozen:
                return False
            if not 0 <= choice < len(room.question.choices):
                return False
            held.votes.setdefault(number, {})[token] = choice
            return True

    def counts(self, code: str, number: int) -> dict[int, int]:
        with self._lock:
            held = self._held(code)
            given = list(held.votes.get(number, {}).values()) if held is not None else []
        return {choice: given.count(choice) for choice in set(given)}

    def people(self, code: str) -> int:
        held = self._held(code)
        return 0 if held is None else len(held.people)
