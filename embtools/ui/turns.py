"""Visitors take turns: a few pages are drawn at the same time, and the others wait in the order in which they came.

Threads of Python cannot compute at the same time. Thirty pages that are drawn side by side take longer than one after
another, and all of them are ready only at the end.
"""

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

AT_ONCE = 2
"""How many pages are drawn at the same time: while one waits for numpy or torch, the other goes on."""

LONG = 0.5
"""Seconds after which a page no longer counts, so that nobody waits for another visitor's long computation."""


class Turns:
    """A queue for `at_once` places. Whoever has had a place for `long` seconds goes on drawing, but frees the place."""

    def __init__(self, at_once: int = AT_ONCE, long: float = LONG) -> None:
        self._at_once, self._long = at_once, long
        self._lock = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._began: dict[threading.Event, float] = {}  # when each turn that has not ended began
        self._threads: set[int] = set()  # those that have a turn or wait for one

    def waiting(self) -> int:
        """Return how many visitors wait for their turn."""
        return len(self._waiting)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn, which ends with the block. Blocks inside it belong to the same turn."""
        me, mine = threading.get_ident(), threading.Event()
        if me in self._threads:
            yield
            return
        with self._lock:
            self._threads.add(me)
            self._waiting.append(mine)
            self._let_in()
        try:
            while not mine.wait(self._long):  # until then, a page in front may have become a long one
                with self._lock:
                    self._let_in()
            yield
        finally:
            with self._lock:
                self._threads.remove(me)
                del self._began[mine]
                self._let_in()

    def _let_in(self) -> None:
        """Begin the turn of the first in the queue for each free place. Call it with the lock."""
        now = time.monotonic()
        taken = sum(now - began < self._long for began in self._began.values())
        for _ in range(min(self._at_once - taken, len(self._waiting))):
            first = self._waiting.popleft()
            self._began[first] = now
            first.set()


_turns = Turns()
turn, waiting = _turns.turn, _turns.waiting
