"""Visitors take turns: how many draw at the same time, in which order, and that nobody waits for long work."""

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from embtools.ui import turns
from embtools.ui.turns import Turns

FOREVER = 60.0


def until(true: Callable[[], bool]) -> None:
    """Wait until this is true, at most ten seconds."""
    end = time.monotonic() + 10
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)


class Visitor:
    """A thread that takes a turn and draws until it is told to stop."""

    def __init__(self, turn: Callable[[], AbstractContextManager[None]]) -> None:
        self.drawing, self._leave, self._turn = False, threading.Event(), turn
        self._thread = threading.Thread(target=self._draw, daemon=True)
        self._thread.start()

    def _draw(self) -> None:
        with self._turn():
            self.drawing = True
            self._leave.wait(FOREVER)
            self.drawing = False

    def leave(self) -> None:
        """End the turn."""
        self._leave.set()
        self._thread.join(10)
        assert not self._thread.is_alive()


def test_two_draw_and_the_others_follow_in_the_order_in_which_they_came() -> None:
    queue, visitors = Turns(at_once=2, long=FOREVER), []
    for waiting in (0, 0, 1, 2, 3):
        visitors.append(Visitor(queue.turn))
        until(lambda waiting=waiting: queue.waiting() == waiting)
    for first, visitor in enumerate(visitors):
        expected = [first <= n < first + 2 for n in range(5)]
        until(lambda expected=expected: [v.drawing for v in visitors] == expected)
        visitor.leave()
    assert queue.waiting() == 0


def test_nobody_waits_for_a_long_turn() -> None:
    queue = Turns(at_once=1, long=0.2)
    slow, begun = Visitor(queue.turn), time.monotonic()
    until(lambda: slow.drawing)
    with queue.turn():
        assert slow.drawing and time.monotonic() - begun >= 0.2
    slow.leave()


def test_a_block_inside_belongs_to_the_same_turn() -> None:
    queue = Turns(at_once=1, long=FOREVER)
    with queue.turn(), queue.turn():
        other = Visitor(queue.turn)
        until(lambda: queue.waiting() == 1)
        with queue.turn():
            pass
        assert not other.drawing  # the turn has not ended with the block inside
    until(lambda: other.drawing)
    other.leave()


def test_a_turn_ends_with_an_error() -> None:
    queue = Turns(at_once=1, long=FOREVER)
    with pytest.raises(RuntimeError), queue.turn():
        raise RuntimeError
    with queue.turn():
        pass


def test_a_page_waits_for_its_turn_and_home_does_not(visit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns._turns, "_long", FOREVER)
    before = [Visitor(turns.turn) for _ in range(turns.AT_ONCE)]
    until(lambda: all(v.drawing for v in before))
    assert visit("").get("html")  # Home
    opened = []
    page = threading.Thread(target=lambda: opened.append(visit("similarity")), daemon=True)
    page.start()
    until(lambda: turns.waiting() == 1)
    assert not opened
    for visitor in before:
        visitor.leave()
    page.join(60)
    assert opened and opened[0].get("plotly_chart")
