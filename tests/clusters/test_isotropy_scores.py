"""Task scores in a space and of resampled words, against computations by hand and plain loops; the sentences follow them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.metrics import roc_auc_score

from embtools.clusters.isotropy import tasks, verdict
from embtools.clusters.isotropy.overview import Overview
from embtools.clusters.isotropy.tasks import (
    ANALOGIES,
    LISTS,
    Scores,
    Triplet,
    draw_triplets,
    interval,
    resamples,
    scores,
    senses,
    separation,
    separations,
    shares,
    solved,
)
from embtools.spaces.controls import AFTER, BEFORE, CENTRE, RANDOM, group_finding
from embtools.spaces.measures import Measures
from embtools.spaces.space import CENTRED, TOP, WHITENED, Space
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


def test_triplets_have_two_words_of_one_list_which_must_be_nearest_to_each_other():
    lists = np.repeat([0, 1, 2], [3, 4, 5])
    for drawn in draw_triplets((3, 4, 5), rounds=200, seed=3):
        assert drawn.first != drawn.second
        assert lists[drawn.first] == lists[drawn.second] != lists[drawn.odd]
    assert draw_triplets((3, 4, 5), rounds=200, seed=3) == draw_triplets((3, 4, 5), rounds=200, seed=3)
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


@pytest.mark.slow
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


def auc_by_hand(vectors: np.ndarray, labels: np.ndarray, drawn: np.ndarray) -> float:
    """All pairs of drawn words, each as often as it was drawn, compared one by one; ties count half."""
    words = np.repeat(np.arange(len(labels)), drawn)
    cosines = cosine(vectors, vectors)
    pairs = [(i, j) for n, i in enumerate(words) for j in words[n + 1 :] if i != j]
    same = np.array([cosines[min(p), max(p)] for p in pairs if labels[p[0]] == labels[p[1]]])
    apart = np.array([cosines[min(p), max(p)] for p in pairs if labels[p[0]] != labels[p[1]]])
    if not len(same) or not len(apart):
        return float("nan")
    return float(((same[:, None] > apart).mean() + (same[:, None] >= apart).mean()) / 2)


@given(st.integers(0, 1_000), st.lists(st.integers(1, 6), min_size=2, max_size=4), st.booleans())
def test_each_resample_is_the_auc_of_the_repeated_words(seed: int, sizes: list[int], ties: bool) -> None:
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(len(sizes)), sizes)
    vectors = rng.integers(-1, 2, (len(labels), 2)) + 0.5 if ties else rng.normal(size=(len(labels), 3))
    draws = resamples(sizes, rounds=4, seed=seed)
    found = separations(vectors, labels, draws)
    np.testing.assert_allclose(found, [auc_by_hand(vectors, labels, one) for one in draws], rtol=1e-6)


def test_the_same_number_of_words_is_drawn_from_each_list_and_the_same_ones_again() -> None:
    draws = resamples((5, 3), rounds=200, seed=4)
    assert (draws[:, :5].sum(1) == 5).all() and (draws[:, 5:].sum(1) == 3).all()
    np.testing.assert_array_equal(draws, resamples((5, 3), rounds=200, seed=4))
    assert draws.mean(0) == pytest.approx(np.ones(8), abs=0.25)


def test_a_triplet_counts_as_often_as_its_words_were_drawn() -> None:
    triplets = [Triplet(0, 1, 2), Triplet(1, 2, 0), Triplet(0, 2, 3)]
    words = np.array([(t.first, t.second, t.odd) for t in triplets])
    draws = np.array([[2, 1, 1, 0], [1, 1, 1, 3], [0, 0, 4, 0]])
    found = shares(np.array([True, False, True]), words, draws)
    assert found[:2] == pytest.approx([2 / 4, (1 + 3) / (1 + 1 + 3)]) and np.isnan(found[2])


def test_the_interval_holds_the_middle_95_per_cent() -> None:
    assert interval(np.arange(1_001) / 1_000) == pytest.approx((0.025, 0.975))
    assert interval(np.array([0.5, np.nan])) == (0.5, 0.5)
    assert np.isnan(interval(np.array([np.nan]))).all()


def test_it_is_as_wide_as_the_scores_of_new_words_are_scattered() -> None:
    """New samples of words from the population scatter about as much as the resamples of one sample."""
    rng = np.random.default_rng(1)
    centres = rng.normal(size=(3, 6))
    labels = np.repeat(np.arange(3), 25)

    def sample() -> np.ndarray:
        return centres[labels] + 2 * rng.normal(size=(75, 6))

    scattered = np.std([separation(sample(), labels)[0] for _ in range(200)])
    inside = np.mean([separations(sample(), labels, resamples((25,) * 3, seed=n)).std() for n in range(5)])
    assert inside == pytest.approx(scattered, rel=0.35)


BETTER = "The processed vectors are clearly better than the raw ones and all controls in "
NOT_BETTER = "There is no task in which the processed vectors are clearly better than the raw ones and all controls."


def look(space, cosine, right, auc=0.8):
    """A summary with a mean cosine, this many of 100 analogies right (the first ones), and an AUC of the lists.

    Over 400 resamples the AUC has a standard deviation of 0.02, of which all spaces share three quarters.
    """
    measures = Measures(10, cosine, 0.5, 0.5, np.ones(3), np.ones(3))
    table = pd.DataFrame({"task": [LISTS, ANALOGIES], "score": [auc, right / 100]})
    shared, own = np.random.default_rng(0).normal(size=400), np.random.default_rng(int(1e4 * auc)).normal(size=400)
    resampled = {LISTS: auc + 0.015 * shared + 0.013 * own}
    scores = Scores(table, {ANALOGIES: np.arange(100) < right}, resampled)
    return Overview(space, measures, np.zeros(3, np.float32), scores)


def looks(before=50, after=70, centre=50, random=50, aucs=(0.8, 0.8, 0.8, 0.8)):
    rows = zip((BEFORE, AFTER, CENTRE, RANDOM), (0.24, 0.001, -0.002, 0.002), (before, after, centre, random), aucs)  # noqa: B905
    return {name: look(Space(TOP), cosine, right, auc) for name, cosine, right, auc in rows}


def test_the_headline_includes_centring_alone():
    assert verdict.finding(looks()) == (
        "Two random words have a cosine of 0.24 on average. After all-but-the-top (k = 3), the average is 0.00; after"
        " centring alone, it is also 0.00."
    )
    raw = {BEFORE: look(Space(), 0.24, 50)}
    assert verdict.finding(raw).endswith("; in an isotropic space it would be 0.")
    assert "Choose a space" in verdict.task_finding(raw)
    centred = raw | {AFTER: look(Space(CENTRED), -0.02, 50)}
    assert verdict.finding(centred).endswith("After centring, the average is −0.02.")
    assert "After whitening (shrinkage 0.10), the average is 0.10." in verdict.finding(
        raw | {AFTER: look(Space(WHITENED, shrinkage=0.1), 0.1, 5)}
    )


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        (looks(), BETTER + "this task: analogies."),
        (looks(after=51), NOT_BETTER),
        (looks(centre=68), NOT_BETTER),  # centring does it alone
        (looks(random=70), NOT_BETTER),  # any directions do it
        (looks(after=30), NOT_BETTER + " They are clearly worse than the raw ones in this task: analogies."),
        (looks(after=56), BETTER + "this task: analogies."),  # 6 of 6: p = 0.016
        (looks(after=55), NOT_BETTER),  # 5 of 5: p = 0.031
        (looks(after=50, aucs=(0.8, 0.9, 0.85, 0.8)), BETTER + "this task: separating lists."),
        (looks(after=50, aucs=(0.8, 0.9, 0.9, 0.8)), NOT_BETTER),
        # More than the old margin of 0.01, but not more than other words of the same lists would change it.
        (looks(after=50, aucs=(0.8, 0.825, 0.8, 0.8)), NOT_BETTER),
        (
            looks(after=50, aucs=(0.9, 0.8, 0.9, 0.9)),
            NOT_BETTER + " They are clearly worse than the raw ones in this task: separating lists.",
        ),
    ],
)
def test_clearly_better_means_better_than_every_control(seen, said):
    assert verdict.task_finding(seen) == said


def test_the_controls_are_counted_and_one_group_cannot_be_compared():
    seen = looks()
    one = {name: seen[name] for name in (BEFORE, AFTER, RANDOM)}
    assert verdict.task_finding(one) == BETTER.replace("all controls", "the control") + "this task: analogies."
    none = {name: seen[name] for name in (BEFORE, AFTER)}
    assert verdict.task_finding(none) == BETTER.replace(" and all controls", "") + "this task: analogies."
    table = pd.DataFrame({"space": ["raw"], "auc": [float("nan")]})
    assert group_finding(table).startswith("To compare groups, enter at least two")
