"""What is remembered: once for all who ask, up to a number of bytes, errors never."""

import threading
import time

import numpy as np
import pandas as pd
import pytest
from cachetools import LRUCache

from embtools.ui import cached


@pytest.fixture(autouse=True)
def _forget():
    cached.clear()
    yield
    cached.clear()


CALLS: list[object] = []


def slow(number: int, *, model: object, extra: str = "", progress: object = None) -> np.ndarray:
    """Counts its calls."""
    CALLS.append((number, extra))
    time.sleep(0.05)
    if number < 0:
        raise ValueError("below zero")
    return np.zeros(number, np.float32)


def ask(*arguments: object, **named: object) -> np.ndarray:
    CALLS.clear()
    return cached.compute(slow, "bundled", *arguments, **named)


@pytest.fixture(autouse=True)
def _no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached, "model", lambda name: name)


def test_the_same_question_is_answered_once() -> None:
    first = ask(3)
    assert ask(3) is first and not CALLS
    assert ask(3, extra="x") is not first and CALLS
    assert ask(3, extra="x", progress=print) is not None and not CALLS  # progress is no part of the question


def test_an_error_is_passed_on_and_not_remembered() -> None:
    for _ in range(2):
        with pytest.raises(ValueError, match="below zero"):
            ask(-1)
        assert CALLS == [(-1, "")]


def test_those_who_ask_the_same_wait_for_one_answer() -> None:
    CALLS.clear()
    threads = [threading.Thread(target=lambda: cached.compute(slow, "bundled", 7)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert CALLS == [(7, "")]


def test_those_who_ask_something_else_do_not_wait() -> None:
    gate = threading.Event()

    def held(*, model: object) -> int:
        gate.wait(10)
        return 1

    thread = threading.Thread(target=lambda: cached.compute(held, "bundled"))
    thread.start()
    try:
        assert len(cached.compute(slow, "bundled", 4)) == 4
        assert thread.is_alive()
    finally:
        gate.set()
        thread.join()


def test_results_are_kept_up_to_a_number_of_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    small = LRUCache(10_000, getsizeof=cached.size)
    monkeypatch.setattr(cached._computed, "cache", small)
    for number in (1000, 1001, 1002):
        ask(number)
    assert small.currsize <= 10_000 and len(small) == 2
    assert len(ask(10_000)) == 10_000  # larger than all: answered, not kept
    assert len(small) == 2


def test_what_was_asked_takes_its_room_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def length(text: str, *, model: object) -> int:
        return len(text)

    small = LRUCache(10_000, getsizeof=cached.size)
    monkeypatch.setattr(cached._computed, "cache", small)
    for letter in "abc":
        assert cached.compute(length, "bundled", letter * 4_000) == 4_000
    assert len(small) == 2


def test_sizes_follow_what_is_stored() -> None:
    frame = pd.DataFrame({"a": np.zeros(1000), "b": ["x" * 50] * 1000})
    assert cached.size(np.zeros((10, 10), np.float32)) == 400
    assert cached.size(frame) >= 8000 + 50_000
    assert cached.size({"a": frame, "b": (frame, frame)}) >= 3 * cached.size(frame)


def test_a_figure_is_drawn_once_for_equal_frames() -> None:
    import plotly.graph_objects as go

    def draw(frame: pd.DataFrame, title: str) -> go.Figure:
        CALLS.append(title)
        return go.Figure(go.Scatter(y=frame["a"]))

    CALLS.clear()
    one = cached.figure(draw, pd.DataFrame({"a": [1.0, 2.0]}), "t")
    assert cached.figure(draw, pd.DataFrame({"a": [1.0, 2.0]}), "t") is one
    assert cached.figure(draw, pd.DataFrame({"a": [1.0, 2.5]}), "t") is not one
    assert cached.figure(draw, pd.DataFrame({"b": [1.0, 2.0], "a": [1.0, 2.0]}), "t") is not one
    assert len(CALLS) == 3


def test_what_follows_from_a_result_is_remembered_by_what_the_result_was_asked() -> None:
    def total(value: np.ndarray, times: int) -> float:
        CALLS.append(times)
        return float(value.sum() * times)

    CALLS.clear()
    assert [cached.derive(total, np.ones(3), ("a model", 3), times) for times in (2, 2, 5)] == [6.0, 6.0, 15.0]
    assert CALLS == [2, 5]
    assert cached.derive(total, np.ones(4), ("a model", 4), 2) == 8.0


def test_whether_an_answer_is_known() -> None:
    assert not cached.known(slow, "bundled", 4, extra="y")
    ask(4, extra="y")
    assert cached.known(slow, "bundled", 4, extra="y") and not cached.known(slow, "other", 4, extra="y")
    cached.clear()
    assert not cached.known(slow, "bundled", 4, extra="y")
