"""t-SNE: scikit-learn's, the same every time, one at a time."""

import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from sklearn.manifold import TSNE

from embtools.clusters import maps
from embtools.clusters.points import Words
from embtools.clusters.view import View

WORDS = Words(
    (("places", ("rome", "italy", "france", "paris", "bank", "river")), ("people", ("king", "queen", "man", "woman")))
)
VIEW = View(perplexity=3)


def places(drawn: maps.Map) -> np.ndarray:
    return drawn.points[[a for a in "xyz" if a in drawn.points]].to_numpy()


def test_tsne_is_that_of_scikit_learn_and_the_same_every_time(tiny):
    view = View(perplexity=3, metric="euclidean", start="random", seed=7)
    once, again = maps.compute(WORDS, view, tiny), maps.compute(WORDS, view, tiny)
    assert (places(once) == places(again)).all()
    x = np.stack([tiny.vector(w) for w in once.points["word"]])
    assert (places(once) == TSNE(2, perplexity=3, init="random", random_state=7).fit_transform(x)).all()
    assert (places(maps.compute(WORDS, replace(view, seed=8), tiny)) != places(once)).any()


def test_progress_changes_nothing(tiny):
    assert (
        places(maps.compute(WORDS, VIEW, tiny, lambda share: None)) == places(maps.compute(WORDS, VIEW, tiny))
    ).all()


class Stopped(Exception):
    pass


def test_stopped_fits_do_not_pile_up(tiny, monkeypatch):
    finish, begun = threading.Event(), []

    def fit(self, vectors):
        begun.append(1)
        finish.wait(20)
        return np.arange(2.0 * len(vectors)).reshape(-1, 2)

    def stop(done: float) -> None:
        if begun:
            raise Stopped

    monkeypatch.setattr(TSNE, "fit_transform", fit)
    try:
        for _ in range(3):
            with pytest.raises(Stopped):
                maps.compute(WORDS, VIEW, tiny, stop)
        assert len(begun) == 1
    finally:
        finish.set()
    for progress in (lambda done: None, None):
        assert places(maps.compute(WORDS, VIEW, tiny, progress))[1].tolist() == [2, 3]


def test_a_fit_whose_thread_cannot_start_blocks_no_other(tiny, monkeypatch):
    def full(*_):
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", full)
        with pytest.raises(RuntimeError, match="start new thread"):
            maps.compute(WORDS, VIEW, tiny, lambda done: None)
    begun = time.monotonic()

    def patient(done: float) -> None:
        assert time.monotonic() - begun < 60, "the next map waits for the one that never began"

    assert len(maps.compute(WORDS, VIEW, tiny, patient)) == 10
