"""Formulas: neighbours against float64 loops, gensim's formulas of analogies written out, the map, and edited vectors."""

import random

import numpy as np
import pandas as pd
import pytest

from embtools import evaluate, nearest, wordlists
from embtools.arithmetic import nearest_tokens
from embtools.arithmetic.formula import NearestWords, expected_rank, formula_vectors, nearest_words
from embtools.arithmetic.nearest_tokens import word_map
from embtools.arithmetic.vector_changes import edited_vectors
from embtools.arithmetic.word_finder import find_word
from embtools.charts import arithmetic as charts
from embtools.formula import expression
from embtools.mask_filling.edits import NO_CHANGE, Change
from embtools.models.vectors_as_model import Vectors
from embtools.vectors import unit


def random_formula(seed, model, words=4):
    """A weighted sum of random words, as text and as a float64 vector."""
    chance = random.Random(seed)
    names = [model.vocabulary[i] for i in chance.sample(list(np.flatnonzero(model.whole_words)), words)]
    weights = [round(chance.uniform(-2, 2), 2) or 1.0 for _ in names]
    text = " + ".join(f'({w} * "{n}")' for w, n in zip(weights, names, strict=True))
    rows = model.matrix.astype(np.float64)
    return text, sum(w * rows[model.ids[n]] for w, n in zip(weights, names, strict=True)), names


def brute_force(vector, model, metric, allowed):
    """(word, nearness) best first, one word at a time in float64."""
    rows = model.matrix.astype(np.float64)
    scores = {}
    for i in np.flatnonzero(allowed):
        row = rows[i]
        if metric == "cosine":
            scores[model.vocabulary[i]] = float(vector @ row / np.sqrt(vector @ vector) / np.sqrt(row @ row))
        else:
            scores[model.vocabulary[i]] = -float(np.sqrt(((vector - row) ** 2).sum()))
    return sorted(scores.items(), key=lambda pair: -pair[1])


def assert_same_ranking(frame, expected, column, sign, tolerance):
    """The same scores rank for rank, and the same words wherever float32 can distinguish their scores."""
    everyone = dict(expected)
    for rank, token, score in zip(frame["rank"], frame["token"], frame[column], strict=True):
        assert sign * score == pytest.approx(expected[rank - 1][1], abs=tolerance)
        assert sign * score == pytest.approx(everyone[token], abs=tolerance)
    assert frame["token"].is_unique and list(frame["rank"]) == list(range(1, len(frame) + 1))


@pytest.mark.parametrize(("metric", "seed"), [("cosine", 0), ("euclidean", 1)])
def test_nearest_is_the_float64_brute_force(tiny, metric, seed):
    text, vector, names = random_formula(seed, tiny)
    column, sign = ("cosine", 1) if metric == "cosine" else ("distance", -1)
    for whole_words in (False, True):
        for inputs, left_out in ((True, ()), (False, ("rome",))):
            allowed = (tiny.whole_words if whole_words else tiny.rankable).copy()
            if not inputs:
                allowed[[tiny.ids[n] for n in (*names, *left_out)]] = False
            named = {"inputs": inputs, "leave_out": left_out, "whole_words": whole_words}
            frame = nearest(text, tiny, k=10, metric=metric, **named)
            assert_same_ranking(frame, brute_force(vector, tiny, metric, allowed), column, sign, 2e-5)


def test_a_word_is_nearest_to_itself(bundled):
    assert nearest("rome", bundled, k=1)["cosine"].iloc[0] == pytest.approx(1, abs=1e-6)
    # A difference of large float32 squares: the distance of a vector to itself must still be distinguishable from its neighbours'.
    found = nearest("rome", bundled, k=2, metric="euclidean")
    assert found["token"].iloc[0] == "rome" and found["distance"].iloc[0] < 0.01 * found["distance"].iloc[1]


def test_refusals(tiny):
    with pytest.raises(ValueError, match="'unable' is not a single token"):
        nearest("king + unable", tiny)
    with pytest.raises(ValueError, match="Use smaller numbers"):
        evaluate("9" * 60 + " * king", tiny)


@pytest.mark.parametrize(
    "formula", ["1000*king - 999.9*king - 0.1*king", "(king + queen) / 3 * 3 - king - queen", "king - king"]
)
def test_what_rounding_leaves_has_no_direction(tiny, formula):
    for ask in (nearest, nearest_tokens.word_map):
        with pytest.raises(ValueError, match="zero vector, which has no direction.*Change the formula"):
            ask(formula, tiny)
    with pytest.raises(ValueError, match="direction has no length"):
        nearest(f"reject(rome, {formula})", tiny)
    assert nearest("0.001*king", tiny, k=1)["token"].tolist() == ["king"]  # short, and yet a direction


def test_components_are_every_number_of_the_formula_and_its_words(tiny):
    frame = nearest_tokens.components("king - man + woman", tiny)
    assert list(frame["vector"].unique()) == ["king - man + woman", "king", "man", "woman"]
    for name, group in frame.groupby("vector"):
        values = group.set_index("dimension")["value"]
        np.testing.assert_array_equal(values.sort_index(), evaluate(name, tiny))
        assert (values.abs().diff().dropna() <= 0).all()
    assert list(nearest_tokens.vectors_of('"the"', tiny)) == ["the"]


def analogy_by_hand(model, a, b, c, expected, whole_words):
    """Levy & Goldberg 2014, equations 2 and 4, one word at a time in float64: method → (best in, rank, best out, rank)."""
    rows = model.matrix.astype(np.float64)
    units = unit(rows)
    ids = ia, ib, ic = [model.ids[w] for w in (a, b, c)]
    value = rows[ib] - rows[ia] + rows[ic]
    kinds = {
        "3CosAdd": lambda i: value @ units[i] / np.linalg.norm(value),
        "3CosMul": lambda i: (
            ((units[i] @ units[ib] + 1) / 2)
            * ((units[i] @ units[ic] + 1) / 2)
            / ((units[i] @ units[ia] + 1) / 2 + 0.001)
        ),
        "euclidean": lambda i: -np.linalg.norm(value - rows[i]),
        f"nearest to {c} alone": lambda i: units[ic] @ units[i],
        f"nearest to {b} alone": lambda i: units[ib] @ units[i],
    }
    wanted = model.ids[expected]
    kept = {int(i) for i in np.flatnonzero(model.whole_words if whole_words else model.rankable)} | {wanted, *ids}
    out = {}
    for name, score in kinds.items():
        ranked_in = sorted(kept, key=lambda i: -score(i))
        ranked_out = [i for i in ranked_in if i not in ids]
        out[name] = (
            model.vocabulary[ranked_in[0]],
            ranked_in.index(wanted) + 1,
            model.vocabulary[ranked_out[0]],
            ranked_out.index(wanted) + 1 if wanted in ranked_out else None,
        )
    return out


@pytest.mark.parametrize(
    ("a", "b", "c", "expected", "whole_words"),
    [
        ("man", "king", "woman", "queen", True),
        ("italy", "rome", "france", "paris", False),
        ("he", "she", "red", "red", True),
        ("a", "the", "of", "##ing", True),
    ],
)
def test_analogies_are_the_papers_formulas(tiny, a, b, c, expected, whole_words):
    frame = nearest_tokens.analogy(f"{b} - {a} + {c}", tiny, expected=expected, whole_words=whole_words)
    by_hand = analogy_by_hand(tiny, a, b, c, expected, whole_words)
    assert list(frame["method"]) == list(by_hand)
    for row in frame.itertuples():
        rank_excluded = None if pd.isna(row.rank_excluded) else row.rank_excluded
        assert (row.top_kept, row.rank_kept, row.top_excluded, rank_excluded) == by_hand[row.method]


KEPT = "With the formula's own words excluded, queen ranks"


@pytest.mark.parametrize(
    ("formula", "alone", "said"),
    [
        # Found, and found by one word alone.
        ((2, 1), [(275, 273), (2, 1)], f"{KEPT} 1st (2nd if they are kept). But queen is also the word nearest to king alone, so no arithmetic is needed to find it."),
        # Found by the formula alone.
        ((2, 1), [(275, 273), (10, 8)], f"{KEPT} 1st (2nd if they are kept). By nearness to king alone, it ranks 8th."),
        # Not found, but near.
        ((9, 7), [(1275, 1273), (10, 8)], f"{KEPT} 7th (9th if they are kept). The formula comes close but does not find it. By nearness to king alone, it ranks 8th."),
        ((9, 7), [(5, 3), (10, 8)], f"{KEPT} 7th (9th if they are kept). The formula comes close but does not find it. By nearness to woman alone, it ranks higher (3rd)."),
        ((9, 7), [(9, 7), (10, 8)], f"{KEPT} 7th (9th if they are kept). The formula comes close but does not find it. By nearness to woman alone, it also ranks 7th."),
        # Far away: that one word alone is a little nearer says nothing.
        ((18695, 18693), [(729, 727), (9000, 8998)], f"{KEPT} 18,693rd (18,695th if they are kept). The formula does not lead to this word."),
        ((18695, 18693), [(2, 1), (9000, 8998)], f"{KEPT} 18,693rd (18,695th if they are kept). The formula does not lead to this word. By nearness to woman alone, it ranks higher (1st)."),
        ((1, None), [(5, None), (10, None)], "queen is one of the formula's own words, so it has no rank when these are excluded."),
    ],
)  # fmt: skip
def test_the_rank_by_one_word_alone_is_stated_only_if_it_is_informative(formula, alone, said):
    ranks = pd.DataFrame([formula, *alone], columns=["rank_kept", "rank_excluded"], dtype="Int64")
    ranks["method"] = ["3CosAdd", "nearest to woman alone", "nearest to king alone"]
    assert nearest_tokens.expectation(ranks, "queen") == said


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("man is to king as woman is to ?", "queen"),
        ("WOMAN + (King - man)", "queen"),
        ("queen - woman + man", "king"),  # another question of the same row
        ("king - man + 2 * woman", ""),
        ("unit(king) - man + woman", ""),
    ],
)
def test_the_expected_word_of_a_formula(formula, expected):
    assert nearest_tokens.expected_word(formula) == expected


def test_every_row_of_the_list_has_an_expected_word():
    for line in wordlists.load("analogies").itertuples():
        assert nearest_tokens.expected_word(f"{line.b} - {line.a} + {line.c}") == line.expected


def test_formulas_that_are_no_analogy_are_refused(tiny):
    for text in ("king + man", "king - man", "2*king - man + woman", "unit(king - man + woman)", "king"):
        with pytest.raises(ValueError, match=r"An analogy must have the form b - a \+ c"):
            nearest_tokens.analogy(text, tiny, expected="queen")
    with pytest.raises(ValueError, match="not a single token"):
        nearest_tokens.analogy("king - man + woman", tiny, expected="unable")


def test_the_map_keeps_what_two_axes_can_keep(tiny):
    """Its coordinates are those of a singular value decomposition, and its shares those of the singular values."""
    text = "king - man + woman"
    frame, shares = nearest_tokens.word_map(text, tiny)
    assert frame["label"].tolist()[:4] == ["king", "man", "woman", text]
    assert frame["kind"].tolist() == ["word", "word", "word", "result", "nearest"]
    assert frame["label"].iloc[-1] == nearest(text, tiny, k=1, inputs=False)["token"].iloc[0]
    rows = np.stack([evaluate(expression.Word(w) if w != text else w, tiny) for w in frame["label"]]).astype(np.float64)
    centred = rows - rows.mean(0)
    left, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    for axis, name in enumerate("xy"):
        expected = left[:, axis] * sizes[axis]
        found = frame[name].to_numpy()
        np.testing.assert_allclose(found * np.sign(found @ expected), expected, atol=1e-5)
        assert shares[axis] == pytest.approx(sizes[axis] ** 2 / (sizes**2).sum(), abs=1e-6)


def test_the_map_of_a_single_word_and_leaving_out_all_other_words(tiny):
    frame, shares = nearest_tokens.word_map("king", tiny)
    assert frame["kind"].tolist() == ["word", "result", "nearest"]
    assert shares[0] == pytest.approx(1) and np.isfinite(frame[["x", "y"]].to_numpy()).all()
    words = [w for w, i in tiny.ids.items() if tiny.whole_words[i]]
    assert len(nearest("king", tiny, k=50, whole_words=True)) == len(words)
    assert nearest("king", tiny, k=50, whole_words=True, leave_out=words[1:])["token"].tolist() == words[:1]


NEXT = "The nearest word not in the formula is queen (cosine 0.25)."


@pytest.mark.parametrize(
    ("formula", "kept", "left_out", "said"),
    [
        ("king - man + woman", "king", "queen", f"king (cosine 0.50), one of the formula's own words. {NEXT}"),
        ("2 * King", "king", "queen", f"king (cosine 0.50), the formula's only word. {NEXT}"),
        ("a - b", "c", "c", "c (cosine 0.50), which is not one of the formula's own words."),
    ],
)
def test_the_headline_states_whether_the_nearest_word_is_an_input(formula, kept, left_out, said):
    frames = (
        pd.DataFrame({"rank": [1], "token": [token], "cosine": [cosine]})
        for token, cosine in ((kept, 0.5), (left_out, 0.25))
    )
    assert NearestWords(formula, *frames).headline == f"The nearest word is {said}"


def test_the_formulas_own_words_are_known_however_they_are_typed(bundled):
    near = nearest_words("CAFE\u0301", bundled)
    assert near.own == ("cafe",) and "cafe (cosine 1.00), the formula's only word" in near.headline
    file = Vectors(("rome", "paris", "."), 50_000 * np.eye(3))
    assert nearest_words("rome + paris", file).headline.endswith(
        "The nearest word not in the formula is “.” (cosine 0.00)."
    )
    near = nearest_words("rome - paris + '.'", file)
    assert near.headline.endswith("one of the formula's own words. There are no other words.")
    points, share = word_map(near.expression, file)
    assert points["kind"].tolist() == ["word"] * 3 + ["result"]
    assert charts.word_map(points, share, near.weights).alt == "Map of the formula's words and its result."


def test_the_words_and_their_weights(tiny):
    named = {"k": 4, "metric": "euclidean", "whole_words": True}
    near = nearest_words("king - man + woman", tiny, **named)
    for frame, inputs in ((near.kept, True), (near.left_out, False)):
        pd.testing.assert_frame_equal(frame, nearest("king - man + woman", tiny, inputs=inputs, **named))
    assert near.words == ("king", "man", "woman") and near.weights == {"king": 1, "man": -1, "woman": 1}
    assert nearest_words("unit(king)", tiny).weights is None


def test_the_expected_word_has_its_ranks_and_a_sentence(tiny):
    found = expected_rank("king - man + woman", tiny, expected="queen", whole_words=False)
    ranks = nearest_tokens.analogy("king - man + woman", tiny, expected="queen", whole_words=False)
    pd.testing.assert_frame_equal(found.methods, ranks)
    assert found.comparison == nearest_tokens.expectation(ranks, "queen")
    with pytest.raises(ValueError, match="must have the form"):
        expected_rank("king", tiny, expected="queen")


def test_the_vectors_have_their_euclidean_lengths(tiny):
    found = formula_vectors("king - man", tiny)
    assert found.lengths["vector"].tolist() == list(found.vectors) == ["king - man", "king", "man"]
    expected = [np.sqrt((evaluate(text, tiny) ** 2).sum()) for text in found.vectors]
    np.testing.assert_allclose(found.lengths["length"], expected, rtol=1e-5)
    pd.testing.assert_frame_equal(found.numbers, nearest_tokens.components("king - man", tiny))


def test_neighbours_and_lengths_before_and_after(tiny):
    change = Change.of(("rome = rome - italy + france", "king = 0.5 * king"))
    lengths, near = edited_vectors(change, tiny, k=5)
    assert list(lengths["word"]) == ["rome", "king"]
    for word, formula in (("rome", "rome - italy + france"), ("king", "king")):
        for run, expected in (("original", word), ("edited", formula)):
            found = near[(near["word"] == word) & (near["run"] == run)][["rank", "token", "cosine"]]
            pd.testing.assert_frame_equal(found.reset_index(drop=True), nearest(expected, tiny, k=5), atol=1e-6)
    king = lengths.set_index("word").loc["king"]
    assert king["original"] == pytest.approx(np.linalg.norm(tiny.vector("king")))
    assert king["edited"] == pytest.approx(king["original"] / 2)


@pytest.mark.parametrize("zero", ["rome - rome", "0.1*rome + 0.2*rome - 0.3*rome"])
def test_a_vector_of_zeros_has_a_length_and_no_neighbours(tiny, zero):
    lengths, near = edited_vectors(Change.of((f"rome = {zero}",)), tiny)
    assert lengths["edited"].iloc[0] == pytest.approx(0, abs=1e-6)
    assert set(near["run"]) == {"original"}


def test_nothing_edited_is_two_empty_frames(tiny):
    lengths, near = edited_vectors(NO_CHANGE, tiny)
    assert lengths.empty and near.empty


def test_a_word_has_its_tokens_and_the_words_that_begin_like_it(bundled):
    found = find_word(" Lon", bundled)
    assert found.tokens == bundled.pieces("Lon")
    words = [word for i, word in enumerate(bundled.vocabulary) if bundled.whole_words[i]]
    assert list(found.similar) == [word for word in words if word.startswith("lon")][:12] and "london" in found.similar


def test_a_misspelled_word_has_words_with_a_similar_spelling(bundled, tiny):
    found = find_word("lodnon", bundled)
    assert found.headline == "3 tokens: lo ##d ##non" and found.similar[0] == "london"
    assert find_word("london", bundled).headline == "1 token: london"
    assert find_word("zzzzzzzz", tiny).similar == () and find_word("\u200b", bundled).headline == "0 tokens"
