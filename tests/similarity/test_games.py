"""Pairs of words and paths between them, and the odd one out."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest

from embtools.charts import similarity as charts
from embtools.models.vectors_as_model import Vectors
from embtools.similarity import matrix, odd_words
from embtools.similarity import word_pairs as similarity_pair
from embtools.similarity.nearest import nearest_words
from embtools.similarity.random_words import compare_with_random_words
from embtools.similarity.word_pairs import rows_between
from embtools.statistics.ranks import share_below
from embtools.wordlists import load

# Pairs of words, compared with plain computations


def _neighbours(model, word):  # type: ignore[no-untyped-def]
    """All candidates by cosine, computed directly."""
    allowed = [i for i in np.flatnonzero(similarity_pair.candidates(model)) if model.vocabulary[i] != word]
    rows = model.matrix[allowed] / np.linalg.norm(model.matrix[allowed], axis=1, keepdims=True)
    cosines = rows @ model.vector(word) / np.linalg.norm(model.vector(word))
    return [model.vocabulary[allowed[i]] for i in np.argsort(-cosines, kind="stable")]


def test_a_pair_equals_a_direct_computation(bundled):
    found = similarity_pair.pair("silver", "gold", bundled, k=15)
    near_silver, near_gold = (_neighbours(bundled, w) for w in ("silver", "gold"))
    assert found.rank_ab == near_silver.index("gold") + 1 and found.rank_ba == near_gold.index("silver") + 1
    assert found.shared == len(set(near_silver[:15]) & set(near_gold[:15]))
    frame = found.neighbours.set_index("token")
    assert set(frame.index) == set(near_silver[:15]) | set(near_gold[:15])
    assert frame["rank_a"].dropna().sort_values().index.tolist() == near_silver[:15]
    assert frame["rank_b"].dropna().sort_values().index.tolist() == near_gold[:15]
    both = frame["rank_a"].notna() & frame["rank_b"].notna()
    assert both.iloc[: found.shared].all() and not both.iloc[found.shared :].any()  # shared ones first
    assert found.cosine == pytest.approx(matrix.similarity_matrix(("silver", "gold"), bundled)[0, 1])
    assert found.candidates == len(near_silver)


def test_a_pair_with_a_word_of_several_tokens(tiny):
    found = similarity_pair.pair("red", "unable", tiny, k=5, pieces="mean")
    assert 1 <= found.rank_ab <= found.candidates + 1
    with pytest.raises(ValueError, match="not a single token"):
        similarity_pair.pair("red", "unable", tiny)
    with pytest.raises(ValueError, match="choose 1 to"):
        similarity_pair.pair("red", "green", tiny, k=0)


def test_a_share_and_a_histogram_of_cosines():
    from scipy.stats import percentileofscore

    cosines = np.sort(np.random.default_rng(0).normal(size=500)).astype(np.float32)
    for cosine in (-9.0, 0.1, float(cosines[7]), 9.0):
        expected = percentileofscore(cosines, np.float32(cosine), kind="mean") / 100  # ties count half
        assert share_below(np.array([cosine]), cosines) == pytest.approx([expected])
    frame = similarity_pair.histogram(cosines, bins=7)
    assert frame["count"].sum() == 500 and len(frame) == 7
    assert np.allclose(frame["bin_end"][:-1], frame["bin_start"][1:]) and frame["bin_start"][0] == pytest.approx(
        cosines[0]
    )
    row = frame.iloc[2]
    assert row["count"] == ((cosines >= row["bin_start"]) & (cosines < row["bin_end"])).sum()


def test_a_path_has_the_words_of_the_search_and_their_cosines(bundled):
    frame = similarity_pair.path("navy", "beige", bundled)
    unit = bundled.matrix * bundled.inverse_norms[:, None]
    allowed = similarity_pair.candidates(bundled)
    rows = rows_between(bundled.ids["navy"], bundled.ids["beige"], vectors=unit, allowed=allowed, k=20)
    assert frame["word"].tolist() == [bundled.vocabulary[row] for row in rows] and np.isnan(frame["cosine"][0])
    for step, pair in enumerate(itertools.pairwise(frame["word"]), 1):
        assert frame["cosine"][step] == pytest.approx(matrix.similarity_matrix(pair, bundled)[0, 1], abs=1e-5)


def test_words_that_no_path_joins_are_named(tiny, monkeypatch):
    monkeypatch.setattr(similarity_pair, "MAX_VISITED", 0)
    with pytest.raises(ValueError, match="There is no path from 'red' to 'green' by steps to one of the 1 nearest"):
        similarity_pair.path("red", "green", tiny, k=1)


# Charts


def drawn_pair(first: str, cosine: float, random: list[float]) -> similarity_pair.Pair:
    return similarity_pair.Pair(first, "b", cosine, 1, 1, 9, pd.DataFrame(), 0, np.array(random))


def test_a_pair_is_marked_in_the_histogram_of_random_pairs():
    random = [0.0, 0.03, 0.05, 0.17, 0.2]
    chart = charts.background(drawn_pair("<i>a</i>", 0.18, random))
    counts, _ = np.histogram(random, 60)
    (bars,) = chart.figure.data
    assert list(bars.y) == list(chart.frame["count"]) == list(counts)
    assert chart.figure.layout.shapes[0].x0 == 0.18
    (note,) = chart.figure.layout.annotations
    assert note.text == "&lt;i&gt;a&lt;/i&gt; – b 0.18" and note.xanchor == "right"  # inside the figure
    assert chart.alt == (
        "Histogram of the cosines of 5 random pairs of equally common words. Half of them are below 0.05; <i>a</i> and b"
        " have 0.18."
    )
    assert charts.background(drawn_pair("a", 0.02, random)).figure.layout.annotations[0].xanchor == "left"


def test_the_steps_of_a_path_are_drawn_in_order():
    path = pd.DataFrame({"word": ["a", "b", "c"], "cosine": [np.nan, 0.5, 0.25]})
    chart = charts.chain(path)
    (bars,) = chart.figure.data
    assert chart.alt.startswith("Path in 2 steps: a, ") and chart.frame is path
    assert list(bars.x) == [0.5, 0.25] and chart.y.names == ["1. a → b", "2. b → c"]


# A path of near rows, compared with networkx

N = 40


@pytest.fixture(scope="module")
def vectors():
    random = np.random.default_rng(0).normal(size=(N, 5))
    return (random / np.linalg.norm(random, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize(("k", "left_out"), [(2, ()), (3, (3, 17, 18, 30)), (6, ())])
def test_the_searches_meet_where_networkx_says(vectors, k, left_out):
    """They meet after the fewest rounds, in a graph of k nearest rows built by networkx."""
    import networkx

    allowed = ~np.isin(np.arange(N), left_out)
    cosines = vectors @ vectors.T
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(N))
    for row in range(N):
        near = [other for other in np.argsort(-cosines[row], kind="stable").tolist() if other != row and allowed[other]]
        graph.add_edges_from((row, other) for other in near[:k])
    met = 0
    for first, second in itertools.combinations(np.flatnonzero(allowed)[:12].tolist(), 2):
        chain = rows_between(first, second, vectors=vectors, allowed=allowed, k=k)
        a, b = (networkx.single_source_shortest_path_length(graph, end) for end in (first, second))
        common = a.keys() & b.keys()
        if not common:
            assert chain == []
            continue
        met += 1
        assert chain[0] == first and chain[-1] == second and len(set(chain)) == len(chain)
        assert not set(chain) & set(left_out)
        rounds = min(max(a[row], b[row]) for row in common)
        reached = [row for row in common if max(a[row], b[row]) == rounds]
        assert len(chain) - 1 == min(a[row] + b[row] for row in reached)
        assert set(chain) & {row for row in reached if a[row] + b[row] == len(chain) - 1}
        assert all(graph.has_edge(*pair) or graph.has_edge(*reversed(pair)) for pair in itertools.pairwise(chain))
    assert met > 30


def test_of_paths_of_equal_length_the_one_with_the_largest_smallest_cosine_is_taken():
    angles = np.deg2rad([0, 90, 45])
    plane = np.stack([np.cos(angles), np.sin(angles), np.zeros(3)], axis=1)
    tilted = np.array([0.5, 0.5, -np.sqrt(0.5)])  # farther from both ends than the row between them
    vectors = np.vstack([plane, tilted])
    assert rows_between(0, 1, vectors=vectors, allowed=np.ones(4, bool), k=2) == [0, 2, 1]


def test_a_search_ends_without_new_rows():
    """Two groups of three rows that are each other's nearest."""
    vectors = np.array([[1, 0, 0], [0.9, 0.1, 0], [0.9, 0, 0.1], [-1, 0, 0], [-0.9, 0.1, 0], [-0.9, 0, 0.1]])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert rows_between(0, 3, vectors=vectors, allowed=np.ones(6, bool), k=2) == []
    assert rows_between(0, 3, vectors=vectors, allowed=np.ones(6, bool), k=3) != []


# The odd one out by gensim's definition, the puzzles, a fair quiz, and the chart


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
    assert odd_words.intruder(("nile", "danube", "everest", "thames"), game) == "everest"  # in any order
    assert odd_words.intruder(("nile", "danube", "everest"), game) is None
    with pytest.raises(ValueError, match="1 to 10,000"):
        odd_words.puzzles(bundled, n=0)


def test_puzzles_that_a_model_cannot_read_are_left_out(bundled, monkeypatch):
    pieces = type(bundled).pieces
    monkeypatch.setattr(
        type(bundled), "pieces", lambda self, w: ("every", "##est") if w == "everest" else pieces(self, w)
    )
    game = odd_words.puzzles(bundled, n=20)
    assert len(game) == 20 and not any("everest" in puzzle.words for puzzle in game)


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


def test_quiz_is_fair(bundled, tiny):
    found = odd_words.quiz(bundled)
    assert 0.25 < found.low < found.right / found.rounds < found.high <= 1 and found.rounds == 400  # 0.25 is chance
    assert found == odd_words.quiz(bundled)
    with pytest.raises(ValueError, match="1 to 10,000"):
        odd_words.quiz(bundled, rounds=0)
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
    equal = charts.odd_one_out(odd_words.OddOneOut(table.assign(cosine=[0.1, 0.1, 0.5])), "c")
    assert equal.alt.endswith("2 words have the lowest, 0.10.") and equal.figure.data[0].text[0] == "0.10"


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
    told = odd_words.OddOneOut(frame, by_bert=False).guessed(guess, odd)
    assert told.count("The vectors ") + told.count("the vectors ") == 1 and not re.search("BERT|vectors [a-z]*s ", told)


def test_pairs_of_a_file_that_are_equally_similar():
    """Equal cosines are equal, whatever their rounding; and a file can have fewer words than a path has neighbours."""
    names = ("red", "green", "king", "blue", "she", "rome")
    one_hot, rows = Vectors(names, np.eye(6)), np.random.default_rng(0).normal(size=(3, 7))
    for metric in ("cosine", "euclidean"):
        found = compare_with_random_words(names, one_hot, metric=metric)
        assert (found.pairs["above"] == 0.5).all() and " (and 14 equal pairs) most similar" in found.headline
    twice = Vectors(names, np.repeat(rows, 2, axis=0))
    found = similarity_pair.pair("red", "green", twice)
    assert (found.rank_ab, found.rank_ba) == (1, 1) and found.below == 1 - 1.5 / 15  # one of three equal pairs
    assert nearest_words("red", twice).above == found.below
    assert compare_with_random_words(names[:2], twice).pairs["above"][0] == found.below
    assert similarity_pair.path("red", "king", twice)["word"].iloc[-1] == "king"
    found = odd_words.odd_one_out(names[:3], one_hot)
    assert not found.by_bert and found.guessed("king") == (
        "red, green and king are equally dissimilar to the others, so none of them is the odd one out. You picked king."
    )


# A question about the odd one out

ODD = ("red", "green", "king", "blue")
MANY = ("red", "green", "blue", "white", "black", "yellow", "king")


def test_the_words_are_the_choices_of_a_question_and_berts_pick_is_the_answer_also_of_many(bundled):
    question = odd_words.odd_one_out(ODD, bundled).question(words=ODD)
    pick = odd_words.odd_one_out(ODD, bundled).pick
    assert question.choices == ODD and question.answer == pick and question.context == "red, green, king, blue"
    assert question.choices[question.picked] == pick and question.shares == ()
    question = odd_words.odd_one_out(MANY, bundled).question(words=MANY)
    assert len(question.choices) == 5 and odd_words.odd_one_out(MANY, bundled).pick in question.choices
    assert list(question.choices) == [word for word in MANY if word in question.choices]
