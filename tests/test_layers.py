"""Layers: recipes and pooling against the network itself, AUC, likeness and anisotropy against independent formulas."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cosine as scipy_cosine
from scipy.stats import bootstrap, rankdata
from sklearn.metrics import roc_auc_score

from embtools.layers import questions as layers_questions
from embtools.layers import recipes, survey
from embtools.layers import senses as layers_senses
from embtools.statistics import geometry
from embtools.words import occurrences

LINES = (
    "money | The bank works as a capital.",
    "money | A king works, a bank works.",
    "river | The river, a green bank.",
    "river | The blue bank of a red river!",
)
BANK = (
    "money, money, river | After stealing money from the bank vault, the bank robber was seen fishing on the"
    " Mississippi river bank.",
)


@pytest.fixture(scope="module")
def compared(tiny):
    return recipes.compare_word(LINES, "bank", tiny)


def network_states(folder, tiny, text, segment=0):
    """Hidden states straight from transformers: (l + 1, t, d)."""
    import torch
    from transformers import AutoTokenizer, BertModel

    encoding = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    encoding["token_type_ids"] = torch.full_like(encoding["token_type_ids"], segment)
    with torch.no_grad():
        return BertModel.from_pretrained(folder)(**encoding, output_hidden_states=True).hidden_states


# Recipes and pooling


def test_recipes_are_those_of_the_text(tiny, tiny_folder):
    import torch

    text = "The river, a green bank."
    hidden = network_states(tiny_folder, tiny, text)
    tokens = torch.stack(hidden).squeeze(1).permute(1, 0, 2)  # (t, l + 1, d), as in the text
    states = tiny.hidden_states(text)
    # The tiny model has two layers: its "last four" are both, and the embedding output stays out.
    expected = {
        "layer 0": hidden[0][0],
        "layer 2": hidden[2][0],
        "second-to-last layer": hidden[-2][0],
        "sum of last four": torch.stack([token[1:].sum(dim=0) for token in tokens]),
        "concatenation of last four": torch.stack([torch.cat((token[-1], token[-2]), dim=0) for token in tokens]),
        "sum of all layers": hidden[1][0] + hidden[2][0],
    }
    for recipe, value in expected.items():
        assert np.allclose(recipes.combine(states, recipe), value.numpy(), atol=1e-5), recipe


def test_last_four_of_a_deeper_model():
    states = np.random.default_rng(0).normal(size=(13, 22, 8)).astype(np.float32)
    assert np.allclose(recipes.combine(states, recipes.SUM_FOUR), states[9] + states[10] + states[11] + states[12])
    joined = recipes.combine(states, recipes.CONCAT_FOUR)
    assert joined.shape == (22, 32)
    assert np.array_equal(joined[:, :8], states[12]) and np.array_equal(joined[:, -8:], states[9])
    assert np.allclose(recipes.combine(states, recipes.SUM_ALL), states.sum(0) - states[0], atol=1e-5)


def test_sum_and_mean_have_the_same_cosine():
    states = np.random.default_rng(1).normal(size=(7, 5, 16))
    total, mean = recipes.combine(states, recipes.SUM_FOUR), states[-4:].mean(0)
    assert scipy_cosine(total[1], total[3]) == pytest.approx(scipy_cosine(mean[1], mean[3]))


@pytest.mark.parametrize("recipe", recipes.recipe_names(2))
@pytest.mark.parametrize("pooling", recipes.POOLINGS)
def test_cosines_are_scipys_of_the_networks_vectors(tiny, tiny_folder, compared, recipe, pooling):
    vectors = []
    for line, place in zip(LINES, compared.occurrences["position"], strict=True):
        states = np.stack([h[0].numpy() for h in network_states(tiny_folder, tiny, line.split(" | ")[1])])
        combined = recipes.combine(states, recipe)
        vectors.append(
            {
                "first piece": combined[place],
                "mean of pieces": combined[place],
                "sentence: cls": combined[0],
                "sentence: mean": combined.mean(0),
                "sentence: max": combined.max(0),
            }[pooling]
        )
    values = compared.cosines[compared.at(recipe, pooling)]
    for i, j in combinations(range(len(LINES)), 2):
        assert values[i, j] == pytest.approx(1 - scipy_cosine(vectors[i], vectors[j]), abs=1e-5)


def test_first_values_and_sizes(tiny, compared):
    place = compared.occurrences["position"].iloc[2]
    states = tiny.hidden_states("The river, a green bank.")
    assert np.allclose(
        compared.first_values[compared.at("sum of last four", "first piece")][2],
        (states[1] + states[2])[place, :5],
        atol=1e-5,
    )
    assert dict(zip(compared.recipes, compared.sizes, strict=True))["concatenation of last four"] == 32


def test_pieces_of_a_long_word(tiny):
    found = recipes.compare_word(("the unable king", "a unable man"), "unable", tiny)
    assert found.occurrences["pieces"].tolist() == [2, 2]
    states = [tiny.hidden_states(t)[2][2:4] for t in ("the unable king", "a unable man")]
    mean = found.cosines[found.at("layer 2", "mean of pieces")][0, 1]
    first = found.cosines[found.at("layer 2", "first piece")][0, 1]
    assert mean == pytest.approx(1 - scipy_cosine(states[0].mean(0), states[1].mean(0)), abs=1e-5)
    assert first == pytest.approx(1 - scipy_cosine(states[0][0], states[1][0]), abs=1e-5)
    assert mean != pytest.approx(first, abs=1e-3)


def test_segment_ids_as_in_the_text_and_as_the_standard(tiny, tiny_folder, tiny_distil):
    one, zero = (recipes.compare_word(LINES, "bank", tiny, segment=s) for s in (1, 0))
    assert set(one.tokens["segment"]) == {1} and set(zero.tokens["segment"]) == {0}
    place = one.at("layer 2", "first piece")
    vectors = [
        network_states(tiny_folder, tiny, LINES[i].split(" | ")[1], segment=1)[2][0][p].numpy()
        for i, p in ((0, one.occurrences["position"][0]), (1, one.occurrences["position"][1]))
    ]
    assert one.cosines[place][0, 1] == pytest.approx(1 - scipy_cosine(*vectors), abs=1e-5)
    assert np.abs(one.cosines[place] - zero.cosines[place]).max() > 1e-3
    assert np.allclose(zero.cosines, recipes.compare_word(LINES, "bank", tiny).cosines, atol=1e-5, equal_nan=True)
    for segment in (7, -1):
        with pytest.raises(ValueError, match=f"no segment {segment}. Choose 0"):
            recipes.compare_word(LINES, "bank", tiny, segment=segment)
    # A model without segments gives the same either way.
    one, zero = (recipes.compare_word(LINES, "bank", tiny_distil, segment=s) for s in (1, 0))
    assert np.allclose(one.cosines, zero.cosines, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("segment", [None, 1])
def test_progress_of_a_comparison_changes_nothing_and_can_stop(tiny, segment):
    told: list[float] = []
    lines = LINES * 2
    with_progress = recipes.compare_word(lines, "bank", tiny, segment=segment, progress=told.append)
    plain = recipes.compare_word(lines, "bank", tiny, segment=segment)
    assert np.array_equal(with_progress.cosines, plain.cosines, equal_nan=True)
    assert told == sorted(told) and len(told) == 8 and told[-1] == 1
    # The first report comes before everything is read.
    read: list[float] = []
    with pytest.raises(Stopped):
        recipes.compare_word(lines, "bank", tiny, segment=segment, progress=stopping(read, 3))
    assert read == told[:3]


class Stopped(Exception):
    pass


def stopping(told: list[float], after: int):
    """A progress that stops the work at its report of that number."""

    def progress(done: float) -> None:
        told.append(done)
        if len(told) == after:
            raise Stopped

    return progress


def test_shapes_are_live_numbers(bundled):
    found = recipes.compare_word(BANK, "bank", bundled)
    row = found.shapes.iloc[0]
    assert (row["layers"], row["batch"], row["tokens"], row["dimensions"]) == (
        bundled.layers + 1,
        1,
        22,
        bundled.dimensions,
    )
    assert row["values"] == (bundled.layers + 1) * 22 * bundled.dimensions
    # The positions of the text: 6, 10 and 19.
    assert found.occurrences["position"].tolist() == [6, 10, 19]
    assert found.occurrences["context"].tolist() == ["the bank vault", "the bank robber", "river bank"]
    assert found.tokens.loc[found.tokens["occurrence"] > 0, "token"].tolist() == ["bank"] * 3
    # One sentence cannot be compared with itself.
    assert np.isnan(found.cosines[:, 2:]).all() and not np.isnan(found.cosines[:, :2]).any()


def test_names_are_checked(compared):
    with pytest.raises(ValueError, match="no recipe 'layer 99'"):
        compared.at("layer 99", "first piece")
    with pytest.raises(ValueError, match="no pooling 'last piece'"):
        compared.at("layer 1", "last piece")
    with pytest.raises(ValueError, match="no recipe"):
        recipes.combine(np.zeros((3, 2, 4)), "layer 3")
    with pytest.raises(ValueError, match="no pooling"):
        recipes.pool(np.zeros((3, 2)), "median")


# Occurrences


@pytest.mark.parametrize(
    "line, expected",
    [
        ("a | b", (("a",), "b")),
        ("a, b ,c|d, e", (("a", "b", "c"), "d, e")),
        ("no bar, here", ((), "no bar, here")),
        (" | d | e", ((), "d | e")),
    ],
)
def test_split_line(line, expected):
    assert occurrences.split_line(line) == expected


def test_positions_want_the_whole_word():
    tokens = ["[CLS]", "work", "##ing", "work", "re", "##work", "work"]
    assert occurrences.positions(tokens, ["work"]) == [(3,), (6,)]
    assert occurrences.positions(tokens, ["work", "##ing"]) == [(1, 2)]


@pytest.mark.parametrize(
    "lines, word, message",
    [
        ((), "bank", "There are 0 sentences"),
        (("the bank",) * 21, "bank", "There are 21 sentences"),
        (("the bank", "the king"), "bank", "does not stand in sentence 2"),
        (("the bank", "the banks"), "bank", "does not stand in sentence 2"),
        (("the bank of rome",), "bank", "occurs once"),
        (("the bank", ""), "bank", "Sentence 2: The text is empty"),
        (("the bank " * 11, "the bank " * 11), "bank", "occurs 22 times"),
        (("bank bank | the bank",), "", "no word to look for"),
        (("the bank", "the bank"), "☃", "does not know"),
        (("the bank", "the bank"), "\u200b", "no word to look for"),
        (("a, b | the bank", "the bank"), "bank", "1 occurrences and 2 senses"),
        (("bank " * 70, "bank"), "bank", "Sentence 1: The text has 72 pieces"),
        (("the un" + "ing" * 8,) * 2, "un" + "ing" * 8, "is 9 pieces long"),
    ],
)
def test_bad_input_says_what_to_do(tiny, lines, word, message):
    with pytest.raises(ValueError, match=message):
        recipes.compare_word(lines, word, tiny)


def test_too_many_pieces_together(bundled):
    with pytest.raises(ValueError, match="pieces together; at most 1,000"):
        recipes.compare_word(("the bank and " + "very " * 300,) * 4, "bank", bundled)
    with pytest.raises(ValueError, match="Sentence 1: The text has 60[0-9] pieces"):
        recipes.compare_word(("bank " + "very " * 600, "the bank"), "bank", bundled)


# Sense separation


@pytest.mark.parametrize("seed", range(5))
def test_auc_is_sklearns(seed):
    rng = np.random.default_rng(seed)
    same, different = rng.integers(0, 6, 12) / 6, rng.integers(0, 6, 16) / 7  # with ties
    expected = roc_auc_score([1] * 12 + [0] * 16, [*same, *different])
    assert layers_senses.auc(same, different) == pytest.approx(expected)
    table = rng.normal(size=(3, 2, 12)), rng.normal(size=(3, 2, 16))
    assert layers_senses.auc(*table)[2, 1] == pytest.approx(
        roc_auc_score([1] * 12 + [0] * 16, [*table[0][2, 1], *table[1][2, 1]])
    )


def test_auc_leaves_out_what_is_not_known():
    assert layers_senses.auc(np.array([0.9, np.nan]), np.array([0.1, np.nan])) == 1
    assert np.isnan(layers_senses.auc(np.array([np.nan]), np.array([0.1])))
    assert np.isnan(layers_senses.auc(np.array([]), np.array([0.1])))
    # A difference in the last bits is a tie.
    assert layers_senses.auc(np.array([1.0]), np.array([1.0 - 1e-8])) == 0.5


def test_separation_of_every_cell(compared):
    frame = layers_senses.separation(compared).set_index(["recipe", "pooling"])
    assert len(frame) == 7 * 5
    same, different = [(0, 1), (2, 3)], [(0, 2), (0, 3), (1, 2), (1, 3)]
    for (recipe, pooling), row in frame.iterrows():
        values = compared.cosines[compared.at(recipe, pooling)].round(6)
        scores = [values[p] for p in same + different]
        assert row["auc"] == pytest.approx(roc_auc_score([1, 1, 0, 0, 0, 0], scores))
        assert row["same"] == pytest.approx(np.mean(scores[:2]), abs=1e-5)
        assert row["different"] == pytest.approx(np.mean(scores[2:]), abs=1e-5)


def test_kept_occurrences_and_missing_senses(tiny, compared):
    frame = layers_senses.pairs(compared, (1, 2, 4))
    assert frame[["first", "second"]].to_numpy().tolist() == [[1, 2], [1, 4], [2, 4]]
    assert frame["kind"].tolist() == ["same sense", "different senses", "different senses"]
    kept = layers_senses.separation(compared, (1, 2, 4)).iloc[5]
    values = compared.cosines[compared.at("layer 1", "first piece")].round(6)
    assert kept["auc"] == pytest.approx(roc_auc_score([1, 0, 0], [values[0, 1], values[0, 3], values[1, 3]]))
    without = recipes.compare_word(tuple(line.split(" | ")[1] for line in LINES), "bank", tiny)
    assert set(layers_senses.pairs(without)["kind"]) == {"no sense given"}
    assert layers_senses.separation(without)["auc"].isna().all()
    assert layers_senses.splits_as_good(without, "layer 1", "first piece") is None
    for keep, message in (((1,), "takes two"), ((1, 9), "numbered from 1")):
        with pytest.raises(ValueError, match=message):
            layers_senses.pairs(compared, keep)


def test_pair_lines_and_pair_cosines(compared):
    lines = layers_senses.pair_lines(compared, "mean of pieces")
    assert len(lines) == 6 * 3 and lines["layer"].max() == 2
    row = lines[(lines["first"] == 2) & (lines["second"] == 4) & (lines["layer"] == 1)].iloc[0]
    assert row["cosine"] == compared.cosines[compared.at("layer 1", "mean of pieces")][1, 3]
    best = layers_senses.pair_cosines(compared, "layer 1", "mean of pieces")
    assert best["cosine"].is_monotonic_decreasing


@pytest.mark.parametrize("keep", [(), (1, 2, 3)])
def test_splits_are_counted_one_by_one(compared, keep):
    chosen = [i - 1 for i in keep] or [0, 1, 2, 3]
    for recipe in compared.recipes:
        values = compared.cosines[compared.at(recipe, "first piece")].round(6)
        senses = compared.occurrences["sense"].to_numpy()[chosen]
        size = int((senses == senses[0]).sum())
        pairs = list(combinations(range(len(chosen)), 2))
        scores = [values[chosen[i], chosen[j]] for i, j in pairs]

        def score(group, pairs=pairs, scores=scores):
            return roc_auc_score([(i in group) == (j in group) for i, j in pairs], scores)

        groups = {
            frozenset([frozenset(g), frozenset(range(len(chosen))) - set(g)])
            for g in combinations(range(len(chosen)), size)
        }
        given = score({i for i, sense in enumerate(senses) if sense == senses[0]})
        good = sum(score(next(iter(g))) >= given - 1e-9 for g in groups)
        assert layers_senses.splits_as_good(compared, recipe, "first piece", keep) == (good, len(groups))


def test_shared_words():
    values = layers_senses.shared_words(["the red king", "the red king", "a green man"])
    assert values[0, 1] == pytest.approx(1) and values[0, 2] == 0


# Geometry


def by_hand(vectors: list[np.ndarray]) -> float:
    return float(np.mean([1 - scipy_cosine(a, b) for a, b in combinations(vectors, 2)]))


def test_self_similarity_and_anisotropy_pair_by_pair():
    rng = np.random.default_rng(3)
    words = [rng.normal(1, 1, (n, 2, 9)) for n in (6, 5, 2, 1)]  # occurrences × layers × dimensions
    sums = np.stack([(w / np.linalg.norm(w, axis=-1, keepdims=True)).sum(0) for w in words])
    counts = np.array([6, 5, 2, 1])
    for layer in range(2):
        often = np.mean([by_hand(list(w[:, layer])) for w in words[:2]])
        assert geometry.self_similarity(sums, counts)[layer] == pytest.approx(often)
        cross = np.mean(
            [
                np.mean([1 - scipy_cosine(a, b) for a in one[:, layer] for b in other[:, layer]])
                for one, other in combinations(words, 2)
            ]
        )
        assert geometry.anisotropy(sums, counts)[layer] == pytest.approx(cross)
    with pytest.raises(ValueError, match="No word occurs 7 times"):
        geometry.self_similarity(sums, counts, 7)
    with pytest.raises(ValueError, match="only one word"):
        geometry.anisotropy(sums[:1], counts[:1])


def song(k: np.ndarray, m: np.ndarray) -> float:
    """Unbiased HSIC, equation 5 of Song et al. 2012, term by term."""
    n = len(k)
    k, m = k - np.diag(np.diag(k)), m - np.diag(np.diag(m))
    one = np.ones(n)
    return (np.trace(k @ m) + one @ k @ one * (one @ m @ one) / (n - 1) / (n - 2) - 2 / (n - 2) * one @ k @ m @ one) / (
        n * (n - 3)
    )


def test_cka_is_songs_formula():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(40, 12))
    layers_ = np.stack([x, x @ rng.normal(size=(12, 12)), rng.normal(size=(40, 12))]).astype(np.float32)
    got = geometry.linear_cka(layers_)
    grams = [a.astype(np.float64) @ a.T.astype(np.float64) for a in layers_]
    for i in range(3):
        for j in range(3):
            expected = song(grams[i], grams[j]) / np.sqrt(song(grams[i], grams[i]) * song(grams[j], grams[j]))
            assert got[i, j] == pytest.approx(expected, abs=1e-5)
    assert np.allclose(np.diag(got), 1)


def test_cka_against_kornblith_and_its_promises():
    rng = np.random.default_rng(5)
    x, y = rng.normal(3, 1, size=(2, 3_000, 8))
    y = 0.7 * x + 0.3 * y
    rotated = x @ np.linalg.qr(rng.normal(size=(8, 8)))[0] * 5 + 2
    got = geometry.linear_cka(np.stack([x, y, rotated]).astype(np.float32))
    a, b = x - x.mean(0), y - y.mean(0)
    original = np.linalg.norm(b.T @ a) ** 2 / (np.linalg.norm(a.T @ a) * np.linalg.norm(b.T @ b))
    assert got[0, 1] == pytest.approx(original, abs=0.01)  # with many rows the two estimates meet
    assert got[0, 2] == pytest.approx(1, abs=1e-4)  # turning, scaling and shifting change nothing
    few = rng.normal(size=(2, 50, 400)).astype(np.float32)  # fewer rows than dimensions, nothing in common
    assert abs(geometry.linear_cka(few)[0, 1]) < 0.1
    with pytest.raises(ValueError, match="3 words"):
        geometry.linear_cka(few[:, :3])


# The fifty words


FOUR = pd.DataFrame(
    [
        (word, sense, text.format(word))
        for word in ("bank", "king", "red", "rome")
        for sense, text in (
            ("a", "The {} works as a man."),
            ("a", "She works as a {}!"),
            ("b", "The green {}, a blue river."),
            ("b", "A capital is the {} of paris."),
            ("b", "he is the {} of italy"),
        )
    ],
    columns=["word", "sense", "sentence"],
)


@pytest.fixture(scope="module")
def surveyed(tiny):
    seen: list[float] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(survey.wordlists, "load", lambda name: FOUR)
        result = survey.survey(model=tiny, progress=seen.append)
    assert seen == [0.25, 0.5, 0.75, 1.0]
    return result


def test_survey_scores_are_those_of_each_word(tiny, surveyed):
    for word, group in FOUR.groupby("word"):
        lines = tuple(f"{row.sense} | {row.sentence}" for row in group.itertuples())
        alone = layers_senses.separation(recipes.compare_word(lines, word, tiny))["auc"]
        assert np.allclose(surveyed.scores.loc[surveyed.scores["word"] == word, "auc"], alone)


def test_survey_geometry_over_all_words(tiny, surveyed):
    words: dict[str, list[np.ndarray]] = {}
    for text in FOUR["sentence"]:
        tokens, states = tiny.tokenize(text), tiny.hidden_states(text)
        for position, token in zip(tokens["position"], tokens["token"], strict=True):
            if token.isalpha():
                words.setdefault(token, []).append(states[2, position])
    assert surveyed.words == len(words) and surveyed.occurrences == sum(map(len, words.values()))
    last = surveyed.geometry.iloc[2]
    often = np.mean([by_hand(v) for v in words.values() if len(v) >= 5])
    assert last["self_similarity"] == pytest.approx(often, abs=1e-4)
    cross = np.mean(
        [
            np.mean([1 - scipy_cosine(a, b) for a in one for b in other])
            for one, other in combinations(words.values(), 2)
        ]
    )
    assert last["anisotropy"] == pytest.approx(cross, abs=1e-4)
    assert last["adjusted"] == pytest.approx(often - cross, abs=1e-4)
    assert surveyed.likeness.shape == (3, 3) and np.allclose(np.diag(surveyed.likeness), 1)


def test_stability_is_a_bootstrap_over_words(surveyed):
    frame = survey.stability(surveyed)
    assert len(frame) == 7 * 5 + 1 and frame["recipe"].iloc[-1] == layers_senses.CONTROL
    row = frame[(frame["recipe"] == "layer 2") & (frame["pooling"] == "first piece")].iloc[0]
    scores = surveyed.scores.query("recipe == 'layer 2' and pooling == 'first piece'")["auc"].to_numpy()
    assert row["auc"] == pytest.approx(scores.mean())
    expected = bootstrap((scores,), np.mean, n_resamples=5_000, method="percentile", rng=0).confidence_interval
    assert (row["low"], row["high"]) == pytest.approx(tuple(expected), abs=0.03)
    assert row["wins"] == (scores > 0.5).sum()
    assert frame["best"].iloc[:-1].max() > 0 and frame["best"].iloc[:-1].sum() >= 1 - 1e-9
    assert frame.equals(survey.stability(surveyed))
    # Equal recipes share the first place: the words here are one piece each.
    pooled = frame.pivot(index="recipe", columns="pooling", values="best")
    assert np.allclose(pooled["first piece"], pooled["mean of pieces"], equal_nan=True)


# Questions and answers


QUESTIONS = ("he is a king", "she is a queen", "the river is green")
KNOWN = ("a man of rome", "a woman of paris", "the red bank works")


def test_answers_are_ranked_by_cosine(tiny):
    result = layers_questions.compare_answers(QUESTIONS, KNOWN, tiny)
    frame = layers_questions.ranked(result, 1, "second-to-last layer", "sentence: mean")
    question = tiny.hidden_states(QUESTIONS[1])[-2].mean(0)
    expected = {a: 1 - scipy_cosine(question, tiny.hidden_states(a)[-2].mean(0)) for a in KNOWN}
    assert frame["answer"].tolist() == sorted(expected, key=expected.__getitem__, reverse=True)
    assert dict(zip(frame["answer"], frame["cosine"], strict=True)) == pytest.approx(expected, abs=1e-5)
    with pytest.raises(ValueError, match="no recipe"):
        layers_questions.ranked(result, 0, "layer 9", "sentence: mean")
    with pytest.raises(ValueError, match="no sentence pooling"):
        layers_questions.ranked(result, 0, "layer 1", "first piece")


def test_answers_tell_of_their_progress_and_stop(tiny):
    told: list[float] = []
    texts = (("the bank?",), ("a bank", "a king", "the river", "a green bank", "the blue river"))
    result = layers_questions.compare_answers(*texts, tiny, progress=told.append)
    assert np.array_equal(result.cosines, layers_questions.compare_answers(*texts, tiny).cosines)
    assert len(told) == 6 and told == sorted(told) and told[-1] == 1
    with pytest.raises(Stopped):
        layers_questions.compare_answers(*texts, tiny, progress=stopping([], 2))


def test_answers_that_share_no_word_are_in_no_order(tiny):
    result = layers_questions.compare_answers(("the king",), ("red king", "green", "blue"), tiny)
    frame = layers_questions.ranked(result, 0, "layer 1", "sentence: mean").set_index("answer")
    assert frame["control_rank"].to_dict() == {"red king": 1, "green": 2.5, "blue": 2.5}
    # Nothing to share at all: signs and single letters.
    result = layers_questions.compare_answers(("?",), ("a", "a a"), tiny)
    assert not result.control.any()
    assert layers_questions.ranked(result, 0, "layer 1", "sentence: mean")["control_rank"].tolist() == [1.5, 1.5]


def test_quality_is_scipys_rank(tiny):
    result = layers_questions.compare_answers(QUESTIONS, KNOWN, tiny)
    frame = layers_questions.quality(result).set_index(["recipe", "pooling"])
    for i, recipe in enumerate(result.recipes):
        for j, pooling in enumerate(recipes.SENTENCE_POOLINGS):
            ranks = np.diag(rankdata(-result.cosines[i, j].round(6), axis=1))  # equal cosines: their middle
            row = frame.loc[(recipe, pooling)]
            assert row["mrr"] == pytest.approx((1 / ranks).mean())
            assert (row["first"], row["mean_rank"]) == ((ranks == 1).mean(), ranks.mean())
    # Layer 0 knows no context: [CLS] is the same in every sentence, so nothing is ranked.
    assert frame.loc[("layer 0", "sentence: cls"), "mean_rank"] == 2
    with pytest.raises(ValueError, match="one answer for each"):
        layers_questions.quality(layers_questions.compare_answers(QUESTIONS[:1], KNOWN, tiny))


@pytest.mark.parametrize(
    "questions, known, message",
    [
        ((), KNOWN, "no question"),
        (QUESTIONS, KNOWN[:1], "at least two answers"),
        (QUESTIONS, KNOWN * 40, "at most 100"),
        (("",), KNOWN, "text is empty"),
        (("king " * 62,) * 49, ("king " * 30,) * 2, "pieces together"),
    ],
)
def test_answers_say_what_is_wrong(tiny, questions, known, message):
    with pytest.raises(ValueError, match=message):
        layers_questions.compare_answers(questions, known, tiny)


# The page


PAGE_PRESETS = ("bank", "The bank robber", "rock", "bat", "spring")
SENTENCES = ("money | The bank was robbed.", "money | He left the bank.", "river | The muddy bank of the river.")


@pytest.fixture(scope="module", autouse=True)
def fresh_caches():
    import streamlit as st

    st.cache_data.clear()
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()  # a survey of three words must not meet another test


def visit(**query: str):
    """The page, opened cold by its address."""
    from streamlit.testing.v1 import AppTest

    at = AppTest.from_file(str(Path(__file__).parents[1] / "app.py"), default_timeout=120)
    for key, value in {"tables": "true", **query}.items():
        at.query_params[key] = value
    return settled(at.switch_page("pages/layers.py").run())


def settled(at):
    assert not at.exception
    return at


def press(at, label: str):
    return settled(next(b for b in at.button if b.label == label).click().run())


def texts(at) -> str:
    return " ".join(e.value for e in (*at.text, *at.caption, *at.markdown))


def metrics(at) -> dict[str, str]:
    return {m.label: m.value for m in at.metric}


def shown(at, key: str) -> pd.DataFrame:
    return next(d.value for d in at.dataframe if key in d.value.columns)


def test_page_opens_with_a_result(bundled):
    at = visit()
    assert len(at.get("plotly_chart")) == 3
    comparison = recipes.compare_word(tuple(at.text_area(key="layers_lines").value.splitlines()), "bank", bundled)
    scores = layers_senses.separation(comparison).set_index(["recipe", "pooling"])["auc"]
    found = metrics(at)
    assert found["Senses apart (AUC)"] == f"{scores[('sum of last four', 'mean of pieces')]:.2f}"
    good, ways = layers_senses.splits_as_good(comparison, "sum of last four", "mean of pieces")
    assert found["Splits that do as well"] == f"{good} of {ways}" and ways == 35
    assert found["Hidden states of sentence 1"] == f"{bundled.layers + 1} × 1 × 14 × {bundled.dimensions}"


@pytest.mark.parametrize("name", PAGE_PRESETS)
def test_every_preset(name):
    at = press(visit(layers_lines="the bank\nthe bank"), name)
    assert len(at.get("plotly_chart")) == 3
    assert metrics(at)["Senses apart (AUC)"] != "–"


def test_the_bank_robber_beside_the_published_figures(bundled):
    at = press(visit(), "The bank robber")
    table = shown(at, "published")
    assert table["published"].dropna().tolist() == [0.94, 0.69]
    for column, segment in (("id 1 (the text)", 1), ("id 0 (BERT)", 0)):
        states = bundled.hidden_states(BANK[0].split(" | ")[1], segment=segment)[-4:].sum(0)
        expected = {pair: 1 - scipy_cosine(states[pair[0]], states[pair[1]]) for pair in ((6, 10), (6, 19), (10, 19))}
        assert sorted(table[column]) == pytest.approx(sorted(expected.values()), abs=1e-5)
    assert "13 × 1 × 22 × 768" in texts(at)
    # With another recipe the published figures do not belong beside the numbers.
    at.selectbox(key="layers_recipe").select("layer 1").run()
    assert not any("published" in d.value.columns for d in settled(at).dataframe)
    # Neither beside another word of the sentence, nor beside the sentence's own vectors.
    for query in ({"layers_word": "the"}, {"layers_word": "bank", "layers_pooling": "sentence: mean"}):
        at = visit(layers_lines=BANK[0], **query)
        assert not any("published" in d.value.columns for d in at.dataframe), query


def test_choosing_one_of_the_fifty_words():
    at = visit()
    assert len(at.selectbox(key="layers_choice").options) == 50
    at.selectbox(key="layers_choice").select("bat").run()
    assert settled(at).text_input(key="layers_word").value == "bat"
    assert at.text_area(key="layers_lines").value.count("\n") == 7


def test_occurrences_are_picked_by_clicking(bundled):
    at = visit(layers_word="bank", layers_lines="\n".join(SENTENCES))
    pills = next(p for p in at.pills if p.key == "layers_keep")
    pills.set_value([1, 3]).run()
    assert shown(settled(at), "cosine")["pair"].nunique() == 1
    pills.set_value([2]).run()
    assert "takes two occurrences" in texts(settled(at))
    # Without senses those of one sense are clicked together.
    at = visit(layers_word="bank", layers_lines="\n".join(line.split(" | ")[1] for line in SENTENCES))
    assert metrics(at)["Senses apart (AUC)"] == "–" and "two senses" in texts(at)
    next(p for p in at.pills if p.key == "layers_first").set_value([1, 2]).run()
    given = layers_senses.separation(recipes.compare_word(SENTENCES, "bank", bundled)).set_index(["recipe", "pooling"])
    expected = given.loc[("sum of last four", "mean of pieces"), "auc"]
    assert metrics(settled(at))["Senses apart (AUC)"] == f"{expected:.2f}"


@pytest.mark.parametrize(
    "word, lines, message",
    [
        ("bank", "the bank", "occurs once"),
        ("bank", "the bank\nthe king", "does not stand in sentence 2"),
        ("bank", "\n".join(["the bank"] * 21), "There are 21 sentences"),
        ("", "the bank\nthe bank", "no word to look for"),
        ("bank", "", "There are 0 sentences"),
        ("bank", "bank " + "very " * 600 + "\nthe bank", "Sentence 1: The text has 60"),
        ("qxz" * 9, "the bank\nthe bank", "pieces long; at most 8"),
        ("bank", "a, b | the bank\nthe bank", "1 occurrences and 2 senses"),
    ],
)
def test_bad_input_is_told_and_the_last_good_result_stays(word, lines, message):
    at = visit()
    before = metrics(at)
    at.text_input(key="layers_word").set_value(word)
    at.text_area(key="layers_lines").set_value(lines).run()
    assert message in texts(settled(at))
    assert metrics(at) == before and len(at.get("plotly_chart")) == 3
    # The same from a cold link: the first example stands in.
    cold = visit(layers_word=word or " ", layers_lines=lines or " ")
    assert message in texts(cold) and metrics(cold) == before


def test_recipe_and_pooling_in_the_address(bundled):
    at = visit(layers_recipe="layer 1", layers_pooling="sentence: max")
    scores = shown(at, "auc").set_index(["recipe", "pooling"])["auc"]
    assert metrics(at)["Senses apart (AUC)"] == f"{scores[('layer 1', 'sentence: max')]:.2f}"
    # A layer that this model does not have gives way to the default.
    assert visit(layers_recipe="layer 23").selectbox(key="layers_recipe").value == "sum of last four"


def test_a_word_of_several_pieces_wears_a_badge():
    at = visit(layers_word="embeddings", layers_lines="a | I want embeddings.\nb | Sell the embeddings now.")
    assert "pieces: first piece and mean differ" in " ".join(m.value for m in at.markdown)


def test_the_fifty_words_run_on_a_button_and_stop(monkeypatch, bundled):
    load = survey.wordlists.load
    few = load("senses").query("word in ['bank', 'bat', 'rock']")
    monkeypatch.setattr(survey.wordlists, "load", lambda name: few if name == "senses" else load(name))
    at = visit(layers_tab="Fifty words")
    assert not at.get("plotly_chart")
    at = press(at, "Score the fifty words")
    assert at.query_params["layers_run"] in ("1", ["1"])
    assert len(at.get("plotly_chart")) == 3
    assert {"Best recipe", "Mean AUC", "Not beaten in", "Control: shared words"} <= set(metrics(at))
    found = copied(at, bundled)
    scores = survey.stability(found["result"])
    assert scores.to_string() in found["printed"]
    assert metrics(at)["Mean AUC"] == f"{scores['auc'].iloc[:-1].max():.3f}"
    assert metrics(at)["Control: shared words"] == f"{scores['auc'].iloc[-1]:.3f}"
    pd.testing.assert_frame_equal(shown(at, "adjusted"), found["result"].geometry)
    published = shown(at, "named entities, F1 (published)")
    assert published.iloc[:, 1].tolist() == [91.0, 95.6, 94.9, 95.9, 96.1, 95.5]
    # Another visitor gets the same at once, without a second pass.
    monkeypatch.setattr(survey, "recipe_names", None)
    assert metrics(visit(layers_tab="Fifty words", layers_run="1")) == metrics(at)


def test_a_model_without_the_examples_words_says_so(tiny, monkeypatch):
    import streamlit as st

    from embtools.models import loading

    st.cache_data.clear()
    st.cache_resource.clear()
    monkeypatch.setattr(loading, "load_model", lambda name: tiny)
    try:
        at = visit(layers_word="vault", layers_lines="the vault\na vault")
        assert "does not know" in texts(at) and len(at.get("plotly_chart")) == 3  # the first example
        monkeypatch.setattr(recipes, "compare_word", unreadable)
        monkeypatch.setattr(layers_questions, "compare_answers", unreadable)
        for tab in ("One word", "Questions and answers"):
            at = visit(layers_tab=tab)
            assert "Nothing can be read." in texts(at) and not at.get("plotly_chart")
    finally:
        st.cache_data.clear()
        st.cache_resource.clear()


def unreadable(*_, **__):
    raise ValueError("Nothing can be read.")


def test_a_model_without_segments_says_so(tiny_distil, monkeypatch):
    import streamlit as st

    from embtools.models import loading

    st.cache_data.clear()
    st.cache_resource.clear()
    monkeypatch.setattr(loading, "load_model", lambda name: tiny_distil)
    try:
        at = visit(layers_recipe="layer 2")
        assert "no segment embeddings" in texts(at)
        assert metrics(at)["Hidden states of sentence 1"].startswith("3 × 1 ×")
        assert metrics(at)["Numbers in a vector"] == "16"
    finally:
        st.cache_data.clear()
        st.cache_resource.clear()


def test_lines_of_many_pairs_are_one_trace_with_gaps(tiny):
    from embtools.charts.layers import word as charts

    many = recipes.compare_word(LINES + LINES, "bank", tiny)
    lines = layers_senses.pair_lines(many, "first piece")
    figure = charts.pair_lines(lines)
    assert len(figure.data) == 4  # two kinds, each with its mean
    for trace, kind in zip(figure.data[::2], ("same sense", "different senses"), strict=True):
        group = lines[lines["kind"] == kind]
        assert np.allclose(np.array(trace.y)[~np.isnan(trace.y)], group["cosine"])
        assert [t for t, y in zip(trace.text, trace.y, strict=True) if not np.isnan(y)] == group["pair"].tolist()
    few = charts.pair_lines(layers_senses.pair_lines(many, "first piece", (1, 2, 3)))
    assert [t.name for t in few.data] == [
        "1 the bank works – 2 a bank works",
        "1 the bank works – 3 green bank",
        "2 a bank works – 3 green bank",
    ]


def test_questions_and_answers(bundled):
    at = press(visit(), "A question")
    assert len(at.get("plotly_chart")) == 2
    table = shown(at, "rank")
    question = at.text_input(key="layers_question").value
    vector = bundled.hidden_states(question)[-2].mean(0)
    best = table.iloc[0]
    assert best["cosine"] == pytest.approx(
        1 - scipy_cosine(vector, bundled.hidden_states(best["answer"])[-2].mean(0)), abs=1e-5
    )
    assert metrics(at)["The right answer is number"].endswith(" of 20")
    at.selectbox(key="layers_question_choice").select("Why is the sky blue?").run()
    assert settled(at).text_input(key="layers_question").value == "Why is the sky blue?"
    before = shown(at, "rank")
    at.text_input(key="layers_question").set_value("").run()
    assert "text is empty" in texts(settled(at)) and shown(at, "rank").equals(before)
    at.selectbox(key="layers_question_choice").select("Who wrote Hamlet?").run()
    assert metrics(settled(at))["By shared words alone"] == "10.5 of 20"  # it shares no word with any answer
    at.text_input(key="layers_question").set_value("Who?")
    at.text_area(key="layers_answers").set_value("one").run()
    assert "at least two answers" in texts(settled(at))


def test_reset_brings_the_first_example_back():
    at = visit(layers_word="rock", layers_lines="a rock\nthe rock", layers_pooling="first piece")
    at = press(at, "Reset")
    assert at.text_input(key="layers_word").value == "bank"
    assert at.selectbox(key="layers_pooling").value == "mean of pieces"


def copied(at, bundled) -> dict:
    """What the code that the page offers to copy leaves in its names; `printed`: what it prints."""
    code = next(c.value for c in at.code if "load_model" in c.value)
    printed: list = []
    names = {"bundled": bundled, "print": lambda *values, sep="": printed.extend(values)}
    exec(code.replace("embtools.load_model('bundled')", "bundled"), names)
    return names | {"printed": printed}


UNNAMED = "\n".join(line.split(" | ")[1] for line in SENTENCES)


@pytest.mark.parametrize(
    "query",
    [
        {"layers_recipe": "layer 2", "layers_pooling": "first piece"},
        {"layers_lines": BANK[0]},
        {"layers_lines": UNNAMED, "layers_first": ["1 The bank was", "2 the bank"]},
    ],
)
def test_copied_code_of_a_word_gives_every_number_shown(query, bundled):
    at = visit(**query)
    found = copied(at, bundled)
    same = ["recipe", "pooling", "auc"]
    assert found["scores"]["auc"].notna().any()
    pd.testing.assert_frame_equal(shown(at, "auc")[same], found["scores"][same])
    cell = found["scores"].set_index(["recipe", "pooling"]).loc[(found["recipe"], found["pooling"])]
    assert metrics(at)["Senses apart (AUC)"] == f"{cell['auc']:.2f}"
    assert metrics(at)["Splits that do as well"] == "{} of {}".format(
        *next(p for p in found["printed"] if isinstance(p, tuple))
    )
    tables = [d.value for d in at.dataframe]
    for mine in (found["over_layers"], found["pairs"], found["result"].tokens, found["result"].shapes):
        assert any(list(t.columns) == list(mine.columns) and np.array_equal(t, mine) for t in tables)
    # Segment ids: the loop of the code ends with 0, which it prints last.
    segments, first_values = shown(at, "id 0 (BERT)"), shown(at, "segment ids")
    assert sorted(segments["kind"]) == sorted(found["pairs"]["kind"])
    assert (
        found["printed"][-2]
        == layers_senses.pair_cosines(found["other"], found["recipe"], found["pooling"], found["keep"]).to_string()
    )
    cosines = layers_senses.pair_cosines(found["other"], found["recipe"], found["pooling"])["cosine"]
    assert sorted(segments["id 0 (BERT)"]) == pytest.approx(sorted(cosines))
    mine = first_values[first_values["segment ids"] == "id 0 (BERT)"][list("12345")]
    assert mine.to_numpy() == pytest.approx(found["printed"][-1])


def test_copied_code_of_an_answer_gives_every_number_shown(bundled):
    at = visit(layers_tab="Questions and answers")
    found = copied(at, bundled)
    pd.testing.assert_frame_equal(shown(at, "mrr"), found["scores"])
    assert shown(at, "rank").to_string() in found["printed"]


def test_a_model_that_cannot_read_the_fifty_words_says_so(monkeypatch):
    monkeypatch.setattr(survey, "survey", unreadable)
    at = visit(layers_tab="Fifty words", layers_run="1")
    assert "cannot read the built-in sentences. Nothing can be read." in texts(at)
    assert not at.get("plotly_chart")


def test_a_stopped_comparison_waits_for_its_button(monkeypatch):
    from embtools.ui import jobs

    stops, long_call = {}, jobs.long_call

    def remember(function, *arguments, stop=None, label="", **named):
        stops[label, named.get("segment")] = stop
        return long_call(function, *arguments, stop=stop, label=label, **named)

    monkeypatch.setattr(jobs, "long_call", remember)
    at = visit()
    before = metrics(at)
    at.text_area(key="layers_lines").set_value("\n".join(SENTENCES)).run()
    assert metrics(settled(at)) != before
    ((key, question),) = stops["Reading the sentences", None].args[0].items()
    at.session_state[key] = question
    at.run()
    assert "It was stopped" in texts(settled(at))
    press(at, "Begin again")
    assert "It was stopped" not in texts(at) and metrics(at) != before


def test_a_visitors_text_is_never_markup():
    nasty = "<b>x</b> ![y](http://example.org/z.png)"
    at = visit(layers_word="bank", layers_lines=f"{nasty} | the bank {nasty}\nthe bank")
    assert not any(nasty in m.value for m in (*at.markdown, *at.caption))
    figures = [p.proto.spec for p in at.get("plotly_chart")]
    assert not any("<b>x</b>" in f for f in figures)
