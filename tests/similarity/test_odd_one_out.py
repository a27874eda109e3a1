"""The odd one out by gensim's definition, the puzzles, a fair quiz, and the chart."""

import numpy as np
import pandas as pd
import pytest

from embtools.charts.similarity import odd_one_out as charts
from embtools.similarity import matrix, odd_one_out
from embtools.wordlists import load
from tests.drawn import HOSTILE, shows_no_markup


def test_odd_one_out_is_gensims_definition(bundled):
    words = ("breakfast", "lunch", "dinner", "guitar", "supper")
    frame = odd_one_out.odd_one_out(words, bundled)
    rows = np.stack([bundled.vector(w) for w in words]).astype(np.float64)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    expected = [words[i] for i in np.argsort(rows @ rows.mean(0))]
    assert list(frame["word"]) == expected
    assert frame["cosine"][0] == pytest.approx((rows @ rows[3]).sum() / 4 - 1 / 4, abs=1e-6)
    for i, word in enumerate(words):  # `times_odd` by repeated calls
        found = sum(
            odd_one_out.odd_one_out(words[:j] + words[j + 1 :], bundled)["word"][0] == word
            for j in range(len(words))
            if j != i
        )
        assert frame.set_index("word")["times_odd"][word] == found
    assert odd_one_out.odd_one_out(words[:3], bundled)["times_odd"].isna().all()
    with pytest.raises(ValueError, match="at least 3"):
        odd_one_out.odd_one_out(("red", "green"), bundled)


def test_a_game_starts_with_fixed_puzzles_and_continues_with_random_ones(bundled):
    game = odd_one_out.puzzles(bundled, n=60)
    listed = load("puzzles")
    assert [("|".join(p.words), p.odd) for p in game[: len(listed)]] == list(listed.itertuples(index=False, name=None))
    lists = [set(matrix.preset(name)) for name in matrix.PRESETS]
    for puzzle in game[len(listed) :]:
        others = set(puzzle.words) - {puzzle.odd}
        assert len(puzzle.words) == 4 and len(others) == 3
        (own,) = [words for words in lists if others <= words]
        assert puzzle.odd not in own and any(puzzle.odd in words for words in lists)
    assert len({puzzle.words.index(puzzle.odd) for puzzle in game[len(listed) :]}) == 4  # it is at every position
    assert game == odd_one_out.puzzles(bundled, n=60) and game[:3] == odd_one_out.puzzles(bundled, n=3)
    assert game != odd_one_out.puzzles(bundled, n=60, seed=1)
    with pytest.raises(ValueError, match="1 to 10,000"):
        odd_one_out.puzzles(bundled, n=0)


def test_the_random_puzzles_are_those_of_the_quiz(bundled):
    """Played one by one, they give the same number as the quiz."""
    ready = len(load("puzzles"))
    game = odd_one_out.puzzles(bundled, n=ready + 40)[ready:]
    right = sum(odd_one_out.odd_one_out(p.words, bundled)["word"][0] == p.odd for p in game)
    assert right == odd_one_out.quiz(bundled, rounds=40).right


def test_puzzles_that_a_model_cannot_read_are_left_out(bundled, monkeypatch):
    pieces = type(bundled).pieces
    monkeypatch.setattr(
        type(bundled), "pieces", lambda self, w: ("every", "##est") if w == "everest" else pieces(self, w)
    )
    game = odd_one_out.puzzles(bundled, n=20)
    assert len(game) == 20 and not any("everest" in puzzle.words for puzzle in game)


def test_a_puzzle_is_recognised_in_any_order(bundled):
    game = odd_one_out.puzzles(bundled, n=5)
    assert odd_one_out.intruder(("nile", "danube", "everest", "thames"), game) == "everest"
    assert odd_one_out.intruder(("nile", "danube", "everest"), game) is None


def test_rounds_that_were_played(bundled):
    game = odd_one_out.puzzles(bundled, n=5)
    table = odd_one_out.play(game, bundled, guesses=("guitar", "", "zinc"))
    assert list(table["round"]) == [1, 3] and list(table["odd"]) == ["guitar", "wood"]
    assert list(table["guess"]) == ["guitar", "zinc"]
    assert list(table["bert"]) == [odd_one_out.odd_one_out(game[i].words, bundled)["word"][0] for i in (0, 2)]
    layer = odd_one_out.play(game, bundled, guesses=("guitar",), layer=3, template="This is {word}.")
    expected = odd_one_out.odd_one_out(game[0].words, bundled, layer=3, template="This is {word}.")
    assert layer["bert"][0] == expected["word"][0]
    assert list(odd_one_out.play(game, bundled, guesses=()).columns) == list(table.columns)


def test_quiz_is_fair(bundled):
    found = odd_one_out.quiz(bundled)
    assert 0 <= found.low < found.right / found.rounds < found.high <= 1 and found.rounds == 400
    assert found.low > 0.25  # a trained model is better than chance
    assert found == odd_one_out.quiz(bundled)
    with pytest.raises(ValueError, match="1 to 10,000"):
        odd_one_out.quiz(bundled, rounds=0)


def test_the_quiz_reports_progress_and_can_stop(bundled, tiny):
    reported: list[float] = []
    assert odd_one_out.quiz(bundled, rounds=50, progress=reported.append) == odd_one_out.quiz(bundled, rounds=50)
    assert reported == sorted(reported) and reported[0] == 0 and 0.9 < reported[-1] < 1

    def stop(done: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        odd_one_out.quiz(bundled, progress=stop)
    with pytest.raises(ValueError, match="Too few words of the built-in lists"):
        odd_one_out.quiz(tiny)


def test_the_odd_one_out_is_hatched_and_notes_are_next_to_their_bars():
    frame = pd.DataFrame({"word": [HOSTILE, "b", "c"], "cosine": [0.1, 0.4, 0.5], "times_odd": [2, 0, 0]})
    (bars,) = (figure := charts.odd_one_out(frame, {"b": "  ← you"})).data
    assert list(bars.marker.pattern.shape) == ["/", "", ""] and shows_no_markup(figure)
    assert list(bars.text) == ["0.10", "0.40  ← you", "0.50"]
    np.testing.assert_allclose(bars.x, frame["cosine"])
