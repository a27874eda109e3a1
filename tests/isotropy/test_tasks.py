"""Task scores in a space, against computations by hand and plain loops."""

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.metrics import roc_auc_score

from embtools.isotropy import tasks
from embtools.isotropy.resampling import resamples, separations
from embtools.isotropy.tasks import Triplet, draw_triplets, scores, senses, separation, solved
from embtools.spaces.space import CENTRED, Space
from embtools.vectors import cosine


def test_separation_is_the_area_under_the_curve():
    rng = np.random.default_rng(0)
    vectors, labels = rng.normal(size=(30, 5)), rng.integers(0, 3, 30)
    i, j = np.triu_indices(30, 1)
    values, same = cosine(vectors, vectors)[i, j], labels[i] == labels[j]
    auc, within, between = separation(vectors, labels)
    assert auc == pytest.approx(roc_auc_score(same, values))
    assert within == pytest.approx(values[same].mean()) and between == pytest.approx(values[~same].mean())
    assert all(np.isnan(separation(vectors, np.zeros(30, int))))


def test_triplets_have_two_words_of_one_list_and_one_of_another():
    lists = np.repeat([0, 1, 2], [3, 4, 5])
    for drawn in draw_triplets((3, 4, 5), rounds=200, seed=3):
        assert drawn.first != drawn.second
        assert lists[drawn.first] == lists[drawn.second] != lists[drawn.odd]
    assert draw_triplets((3, 4, 5), rounds=200, seed=3) == draw_triplets((3, 4, 5), rounds=200, seed=3)


def test_a_triplet_is_solved_when_the_two_are_nearest_to_each_other():
    cosines = np.array([[1, 0.5, 0.4], [0.5, 1, 0.6], [0.4, 0.6, 1]])
    assert solved(cosines, [Triplet(0, 1, 2), Triplet(1, 2, 0)]).tolist() == [False, True]


def test_no_word_is_in_two_lists(static):
    lists = tasks.known_lists(static)
    words = [word for own in lists.values() for word in own]
    assert len(words) == len(set(words)) > 300 and set(lists) >= {"colours", "countries", "days"}


def test_analogies_are_ranked_as_a_plain_loop_ranks_them(static):
    rows = static.vectors
    table = tasks.analogies(static, rows)
    assert len(table) > 60
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    for row in table.iloc[::20].itertuples():
        a, b, c, expected = (static.numbers[word] for word in (row.a, row.b, row.c, row.expected))
        near = units @ (units[b] - units[a] + units[c])
        others = [i for i in range(len(rows)) if static.answers[i] and i not in (a, b, c, expected)]
        assert row.rank == 1 + sum(near[i] > near[expected] for i in others)
        best = max([*others, expected], key=lambda i: near[i])
        assert row.answer == static.words[best]


def test_senses_are_counted_by_the_nearest_other_occurrence(inside):
    table = senses(inside, inside.vectors).set_index("word")
    read = inside.read.table
    own = read[(read["word"] == "bank") & (read["sense"] != "")]
    vectors, labels = inside.vectors[own.index], own["sense"].to_numpy()
    near = cosine(vectors, vectors) - 2 * np.eye(len(own))
    assert table.loc["bank", "correct"] == (labels == labels[near.argmax(1)]).sum()
    assert table.loc["bank", "chance"] == pytest.approx(len(own) * 3 / 7)  # four of each: 3 of the 7 others
    assert len(table) == 50 and (table["correct"] <= table["occurrences"]).all()


def test_static_embeddings_have_no_senses(static):
    assert senses(static, static.vectors).empty
    assert list(scores(static, static.vectors).table["task"]) == ["separating lists", "odd one out", "analogies"]


@pytest.mark.slow
def test_shuffled_words_score_at_chance_level(inside):
    """The scores come from the vectors: with those of other words nothing is left."""
    rows = inside.fit(Space(CENTRED)).apply(inside.vectors)
    own, shuffled = (
        scores(inside, some).table.set_index("task") for some in (rows, np.random.default_rng(0).permutation(rows))
    )
    assert (own["score"] > own["chance"] + 0.1).all() and list(own.index) == list(tasks.TASKS)
    for task in ("separating lists", "odd one out", "matching senses"):
        assert shuffled.loc[task, "score"] == pytest.approx(own.loc[task, "chance"], abs=0.1)


def test_scores_are_the_shares_of_right_answers(inside):
    found = scores(inside, inside.vectors)
    table = found.table.set_index("task")
    assert set(found.right) == {"odd one out", "analogies", "matching senses"}
    for task, answers in found.right.items():
        assert table.loc[task, "score"] == pytest.approx(answers.mean()) and table.loc[task, "n"] == len(answers)
        assert table.loc[task, "low"] < table.loc[task, "score"] < table.loc[task, "high"]
    found = senses(inside, inside.vectors)
    assert table.loc["matching senses", "score"] == pytest.approx(found["correct"].sum() / found["occurrences"].sum())
    assert table.loc["matching senses", "chance"] == pytest.approx(found["chance"].sum() / found["occurrences"].sum())


def test_lists_and_triplets_have_intervals_from_resampled_words(static):
    """Wider than triplets would have if each were a trial of its own; the same words are drawn in every space."""
    raw, centred = (scores(static, static.fit(space).apply(static.vectors)) for space in (Space(), Space(CENTRED)))
    table = raw.table.set_index("task")
    for task in ("separating lists", "odd one out"):
        low, high = np.quantile(raw.resampled[task], [0.025, 0.975])
        assert (table.loc[task, "low"], table.loc[task, "high"]) == pytest.approx((low, high))
        assert low < table.loc[task, "score"] < high
    lists = tasks.known_lists(static)
    sizes = [len(words) for words in lists.values()]
    numbers = [static.numbers[word] for words in lists.values() for word in words]
    for seen, space in ((raw, Space()), (centred, Space(CENTRED))):
        rows = static.fit(space).apply(static.vectors)[numbers]
        again = separations(rows, np.repeat(np.arange(len(sizes)), sizes), resamples(sizes))
        np.testing.assert_allclose(seen.resampled["separating lists"], again)
    row = table.loc["odd one out"]
    wilson = binomtest(int(row["score"] * row["n"]), int(row["n"])).proportion_ci(method="wilson")
    assert row["high"] - row["low"] > wilson.high - wilson.low
    assert 0.018 < table.loc["separating lists", "high"] - table.loc["separating lists", "low"] < 0.08


def test_a_space_is_better_by_the_questions_that_it_alone_answers():
    yes, no = np.ones(1, bool), np.zeros(1, bool)
    first = np.concatenate([np.repeat(yes, 500), np.repeat(yes, 8), np.repeat(no, 2)])
    second = np.concatenate([np.repeat(yes, 500), np.repeat(no, 8), np.repeat(yes, 2)])
    assert tasks.better(first, second) == pytest.approx(sum([45, 10, 1]) / 1024)  # 8, 9 or 10 of 10 coins
    assert tasks.better(first, first) == 1.0 and tasks.better(second, first) > 0.9
