"""t-SNE equals that of scikit-learn, is deterministic, and runs one small and one large map at a time."""

import threading
import time

import numpy as np
import pytest
from sklearn.manifold import TSNE

from embtools.progress import silent
from embtools.statistics import tsne
from tests.stopping import Stopped

FEW = {"perplexity": 3.0}


@pytest.fixture(scope="module")
def vectors(tiny) -> np.ndarray:
    return np.stack([tiny.vector(w) for w in "rome italy france paris bank river king queen man woman".split()])


def test_it_equals_scikit_learn_and_is_deterministic(vectors):
    view = {"perplexity": 3.0, "metric": "euclidean", "start": "random", "seed": 7}
    once, again = tsne.positions(vectors, **view), tsne.positions(vectors, **view)
    assert (once == again).all()
    assert (once == TSNE(2, perplexity=3, init="random", random_state=7).fit_transform(vectors)).all()
    assert (tsne.positions(vectors, **view | {"seed": 8}) != once).any()


def test_progress_changes_nothing(vectors):
    assert (tsne.positions(vectors, progress=lambda share: None, **FEW) == tsne.positions(vectors, **FEW)).all()


@pytest.mark.parametrize("progress", [lambda done: None, silent])
def test_a_small_map_does_not_wait_for_a_large_one(progress):
    finish, begun = threading.Event(), threading.Event()

    def large() -> None:
        begun.set()
        finish.wait(20)

    try:
        other = threading.Thread(target=lambda: tsne._timed(large, 60, progress))
        other.start()
        assert begun.wait(10)
        assert tsne._timed(lambda: "small", tsne.seconds(73), progress) == "small"
        assert not finish.is_set() and other.is_alive()
    finally:
        finish.set()
        other.join()


def test_large_maps_are_computed_one_at_a_time():
    running, most, lock = [0], [0], threading.Lock()

    def large() -> None:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        time.sleep(0.1)
        with lock:
            running[0] -= 1

    others = [threading.Thread(target=lambda: tsne._timed(large, 60, silent)) for _ in range(3)]
    for other in others:
        other.start()
    for other in others:
        other.join()
    assert most == [1]


def test_stopped_fits_do_not_pile_up(vectors, monkeypatch):
    finish, begun = threading.Event(), []

    def fit(self, x):
        begun.append(1)
        finish.wait(20)
        return np.arange(2.0 * len(x)).reshape(-1, 2)

    def stop(done: float) -> None:
        if begun:
            raise Stopped

    monkeypatch.setattr(TSNE, "fit_transform", fit)
    try:
        for _ in range(3):
            with pytest.raises(Stopped):
                tsne.positions(vectors, progress=stop, **FEW)
        assert len(begun) == 1
    finally:
        finish.set()
    for progress in (lambda done: None, silent):
        assert tsne.positions(vectors, progress=progress, **FEW)[1].tolist() == [2, 3]


def test_a_fit_whose_thread_cannot_start_does_not_block_the_next(vectors, monkeypatch):
    def full(*_):
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", full)
        with pytest.raises(RuntimeError, match="start new thread"):
            tsne.positions(vectors, progress=lambda done: None, **FEW)
    begun = time.monotonic()

    def patient(done: float) -> None:
        assert time.monotonic() - begun < 60, "the next map waits for one that never started"

    assert len(tsne.positions(vectors, progress=patient, **FEW)) == 10
