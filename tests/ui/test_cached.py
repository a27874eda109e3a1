"""What the app asks is computed once for all who ask; errors are not stored. The cache itself: tests/test_memory.py."""

import threading
import time
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from embtools.models import loading
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
    monkeypatch.setattr(cached, "model", lambda name: SimpleNamespace(checksum=f"of {name}"))


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


def test_the_checksum_is_computed_while_the_model_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads all weights, so a visitor's first query would wait for it."""
    monkeypatch.setattr(loading, "load_model", lambda name: SimpleNamespace(checksum=f"weights of {name}"))
    cached._load("bundled")
    monkeypatch.setattr(cached, "model", lambda name: pytest.fail("the model was opened again"))
    assert cached.checksum("bundled") == "weights of bundled"
