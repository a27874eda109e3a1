"""t-SNE: scikit-learn's, the same every time, one at a time."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from sklearn.manifold import TSNE

from embtools.clusters import maps, tsne
from embtools.clusters.points import Words
from embtools.clusters.view import View

WORDS = Words(
    (("places", ("rome", "italy", "france", "paris", "bank", "river")), ("people", ("king", "queen", "man", "woman")))
)


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
    view = View(perplexity=3)
    assert (
        places(maps.compute(WORDS, view, tiny, lambda share: None)) == places(maps.compute(WORDS, view, tiny))
    ).all()


def test_stopped_fits_do_not_pile_up():
    class Stopped(Exception):
        pass

    def stop(done: float) -> None:
        raise Stopped

    finish, begun = threading.Event(), []

    def fit() -> None:
        begun.append(1)
        finish.wait(20)

    try:
        for _ in range(3):
            with pytest.raises(Stopped):
                tsne._timed(fit, 1, stop)
        assert len(begun) == 1
    finally:
        finish.set()
    assert tsne._timed(lambda: "next", 1, lambda done: None) == "next"
    assert tsne._timed(lambda: "and next", 1, None) == "and next"


def test_a_fit_whose_thread_cannot_start_blocks_no_other(monkeypatch):
    def full(*_):
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", full)
        with pytest.raises(RuntimeError, match="start new thread"):
            tsne._timed(lambda: "never", 1, lambda done: None)
    assert tsne._FIT.acquire(timeout=1)
    tsne._FIT.release()
