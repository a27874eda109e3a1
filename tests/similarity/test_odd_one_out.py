"""Odd one out: gensim's definition, and a fair quiz."""

import numpy as np
import pytest

from embtools.similarity import odd_one_out

# Odd one out


def test_odd_one_out_is_gensims_definition(bundled):
    words = ("breakfast", "lunch", "dinner", "guitar", "supper")
    frame = odd_one_out.odd_one_out(words, bundled)
    rows = np.stack([bundled.vector(w) for w in words]).astype(np.float64)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    expected = [words[i] for i in np.argsort(rows @ rows.mean(0))]
    assert list(frame["word"]) == expected
    assert frame["cosine"][0] == pytest.approx((rows @ rows[3]).sum() / 4 - 1 / 4, abs=1e-6)
    for i, word in enumerate(words):  # `kept`, the long way
        found = sum(
            odd_one_out.odd_one_out(words[:j] + words[j + 1 :], bundled)["word"][0] == word
            for j in range(len(words))
            if j != i
        )
        assert frame.set_index("word")["kept"][word] == found
    assert odd_one_out.odd_one_out(words[:3], bundled)["kept"].isna().all()
    with pytest.raises(ValueError, match="at least 3"):
        odd_one_out.odd_one_out(("red", "green"), bundled)


def test_quiz_is_fair(bundled):
    found = odd_one_out.quiz(bundled)
    assert 0 <= found.low < found.right / found.rounds < found.high <= 1 and found.rounds == 400
    assert found.low > 0.25  # a trained model is not guessing
    assert found == odd_one_out.quiz(bundled)
    with pytest.raises(ValueError, match="1 to 10,000"):
        odd_one_out.quiz(bundled, rounds=0)


# Two tables


def test_quiz_tells_of_its_progress_and_stops(bundled, tiny):
    told: list[float] = []
    assert odd_one_out.quiz(bundled, rounds=50, progress=told.append) == odd_one_out.quiz(bundled, rounds=50)
    assert told == sorted(told) and told[0] == 0 and 0.9 < told[-1] < 1

    def stop(done: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        odd_one_out.quiz(bundled, progress=stop)
    with pytest.raises(ValueError, match="too few words of the built-in lists"):
        odd_one_out.quiz(tiny)
