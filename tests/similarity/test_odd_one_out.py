"""The odd one out by gensim's definition, the puzzles, a fair quiz, and the chart."""

import numpy as np
import pandas as pd
import pytest

from embtools.charts import similarity as charts
from embtools.similarity import matrix, odd_words
from embtools.wordlists import load


def test_odd_one_out_is_gensims_definition(bundled):
    words = ("breakfast", "lunch", "dinner", "guitar", "supper")
    frame = odd_words.odd_one_out(words, bundled).table
    rows = np.stack([bundled.vector(w) for w in words]).astype(np.float64)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    expected = [words[i] for i in np.argsort(rows @ rows.mean(0))]
    assert list(frame["word"]) == expected
    assert frame["cosine"][0] == pytest.approx((rows @ rows[3]).sum() / 4 - 1 / 4, abs=1e-6)
    for i, word in enumerate(words):  # `times_odd` by repeated calls
        found = sum(
            odd_words.odd_one_out(words[:j] + words[j + 1 :], bundled).pick == word for j in range(len(words)) if j != i
        )
        assert frame.set_index("word")["times_odd"][word] == found
    assert odd_words.odd_one_out(words[:3], bundled).table["times_odd"].isna().all()
    with pytest.raises(ValueError, match="at least 3"):
        odd_words.odd_one_out(("red", "green"), bundled)


def test_a_game_starts_with_fixed_puzzles_and_continues_with_random_ones(bundled):
    game = odd_words.puzzles(bundled, n=60)
    listed = load("puzzles")
    assert [("|".join(p.words), p.odd) for p in game[: len(listed)]] == list(listed.itertuples(index=False, name=None))
    lists = [set(matrix.preset(name)) for name in matrix.PRESETS]
    for puzzle in game[len(listed) :]:
        others = set(puzzle.words) - {puzzle.odd}
        assert len(puzzle.words) == 4 and len(others) == 3
        (own,) = [words for words in lists if others <= words]
        assert puzzle.odd not in own and any(puzzle.odd in words for words in lists)
    assert len({puzzle.words.index(puzzle.odd) for puzzle in game[len(listed) :]}) == 4  # it is at every position
    assert game == odd_words.puzzles(bundled, n=60) and game[:3] == odd_words.puzzles(bundled, n=3)
    assert game != odd_words.puzzles(bundled, n=60, seed=1)
    with pytest.raises(ValueError, match="1 to 10,000"):
        odd_words.puzzles(bundled, n=0)


def test_the_random_puzzles_are_those_of_the_quiz(bundled):
    """Played one by one, they give the same number as the quiz."""
    ready = len(load("puzzles"))
    game = odd_words.puzzles(bundled, n=ready + 40)[ready:]
    right = sum(odd_words.odd_one_out(p.words, bundled).pick == p.odd for p in game)
    assert right == odd_words.quiz(bundled, rounds=40).right


def test_puzzles_that_a_model_cannot_read_are_left_out(bundled, monkeypatch):
    pieces = type(bundled).pieces
    monkeypatch.setattr(
        type(bundled), "pieces", lambda self, w: ("every", "##est") if w == "everest" else pieces(self, w)
    )
    game = odd_words.puzzles(bundled, n=20)
    assert len(game) == 20 and not any("everest" in puzzle.words for puzzle in game)


def test_a_puzzle_is_recognised_in_any_order(bundled):
    game = odd_words.puzzles(bundled, n=5)
    assert odd_words.intruder(("nile", "danube", "everest", "thames"), game) == "everest"
    assert odd_words.intruder(("nile", "danube", "everest"), game) is None


def test_rounds_that_were_played(bundled):
    game = odd_words.puzzles(bundled, n=5)
    table = odd_words.play(game, bundled, guesses=("guitar", "", "zinc"))
    assert list(table["round"]) == [1, 3] and list(table["odd"]) == ["guitar", "wood"]
    assert list(table["guess"]) == ["guitar", "zinc"]
    assert list(table["bert"]) == [odd_words.odd_one_out(game[i].words, bundled).pick for i in (0, 2)]
    layer = odd_words.play(game, bundled, guesses=("guitar",), layer=3, template="This is {word}.")
    expected = odd_words.odd_one_out(game[0].words, bundled, layer=3, template="This is {word}.")
    assert layer["bert"][0] == expected.pick
    assert list(odd_words.play(game, bundled, guesses=()).columns) == list(table.columns)


def test_quiz_is_fair(bundled):
    found = odd_words.quiz(bundled)
    assert 0 <= found.low < found.right / found.rounds < found.high <= 1 and found.rounds == 400
    assert found.low > 0.25  # a trained model is better than chance
    assert found == odd_words.quiz(bundled)
    with pytest.raises(ValueError, match="1 to 10,000"):
        odd_words.quiz(bundled, rounds=0)


def test_the_quiz_reports_progress_and_can_stop(bundled, tiny):
    reported: list[float] = []
    assert odd_words.quiz(bundled, rounds=50, progress=reported.append) == odd_words.quiz(bundled, rounds=50)
    assert reported == sorted(reported) and reported[0] == 0 and 0.9 < reported[-1] < 1

    def stop(done: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        odd_words.quiz(bundled, progress=stop)
    with pytest.raises(ValueError, match="Too few words of the built-in lists"):
        odd_words.quiz(tiny)


def test_the_odd_one_out_is_hatched_and_the_guess_is_marked():
    table = pd.DataFrame({"word": ["a", "b", "c"], "cosine": [0.1, 0.4, 0.5], "times_odd": [2, 0, 0]})
    one = odd_words.OddOneOut(table)
    chart = charts.odd_one_out(one, "b")
    (bars,) = chart.figure.data
    assert list(bars.marker.pattern.shape) == ["/", "", ""]
    assert list(bars.text) == ["0.10  ← BERT", "0.40  ← you", "0.50"]
    np.testing.assert_allclose(bars.x, one.table["cosine"])
    assert charts.odd_one_out(one, "a").figure.data[0].text[0] == "0.10  ← BERT, you"
    assert chart.alt.endswith("has the lowest, 0.10.") and chart.frame is one.table


@pytest.mark.parametrize(
    ("guess", "odd", "expected"),
    [
        ("a", None, "BERT picks a too."),
        ("b", None, "BERT picks a, and you picked b."),
        ("a", "a", "Right: a. BERT picks it too."),
        ("b", "b", "Right: b. BERT is wrong and picks a."),
        ("b", "a", "The odd one out is a, as BERT says. You picked b."),
        ("a", "c", "The odd one out is c. You and BERT both picked a."),
        ("b", "c", "The odd one out is c. You picked b, and BERT picked a."),
    ],
)
def test_a_guess_is_compared_with_berts_pick(guess, odd, expected):
    frame = pd.DataFrame({"word": ["a", "b", "c"], "cosine": [0.1, 0.2, 0.3]})
    assert odd_words.OddOneOut(frame).guessed(guess, odd) == expected


ODD = ("red", "green", "king", "blue")
MANY = ("red", "green", "blue", "white", "black", "yellow", "king")


def test_the_words_are_the_choices_of_a_question_and_berts_pick_is_the_answer(bundled):
    question = odd_words.odd_one_out(ODD, bundled).question(words=ODD)
    pick = odd_words.odd_one_out(ODD, bundled).pick
    assert question.choices == ODD and question.answer == pick
    assert question.context == "red, green, king, blue"
    assert question.choices[question.picked] == pick and question.shares == ()


def test_of_many_words_the_pick_is_always_a_choice(bundled):
    question = odd_words.odd_one_out(MANY, bundled).question(words=MANY)
    assert len(question.choices) == 5 and odd_words.odd_one_out(MANY, bundled).pick in question.choices
    assert list(question.choices) == [word for word in MANY if word in question.choices]
