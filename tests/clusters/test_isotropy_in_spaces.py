"""Spaces and their controls: measures, scores, the tables that compare them, and a visitor's own words, against the vectors themselves."""

import time

import numpy as np
import pandas as pd
import pytest
import sklearn.cluster  # noqa: F401 - its import is not the work

from embtools.clusters.isotropy import overview, verdict, your_words
from embtools.clusters.isotropy.population import STATIC
from embtools.clusters.isotropy.solved import separate_senses, solve_analogies
from embtools.clusters.isotropy.spaces import measure_spaces, score_spaces, shrinkage
from embtools.clusters.isotropy.tasks import analogies, senses
from embtools.clusters.isotropy.your_words import analogy_ranks, own_analogy
from embtools.clusters.two_models import rotated
from embtools.spaces import measures
from embtools.spaces.controls import AFTER, BEFORE, CENTRE, RANDOM, with_controls
from embtools.spaces.measures import measure
from embtools.spaces.moments import ledoit_wolf
from embtools.spaces.space import BY_CLUSTER, CENTRED, RAW, TOP, WHITENED, Space
from embtools.vectors import cosine
from tests.clusters.conftest import overview_of


def test_a_space_is_compared_with_its_controls():
    assert list(with_controls(Space(TOP, 2))) == [BEFORE, AFTER, CENTRE, RANDOM]
    assert with_controls(Space(TOP, 2))[RANDOM] == Space(TOP, 2, shuffled=1)
    assert list(with_controls(Space(CENTRED))) == [BEFORE, AFTER, RANDOM]
    assert list(with_controls(Space(RAW))) == [BEFORE]


@pytest.mark.parametrize("space", [Space(TOP, 3), Space(BY_CLUSTER, 2, clusters=4)])
def test_an_overview_measures_the_processed_vectors(inside, space):
    """What is known from the raw moments is what the processed rows have."""
    found = overview_of(inside, space)
    rows = inside.fit(space).apply(inside.vectors)
    plain = measure(rows)
    for name in ("mean_cosine", "partition", "isoscore"):
        assert getattr(found.measures, name) == pytest.approx(getattr(plain, name), abs=2e-3)
    assert found.cosines.mean() == pytest.approx(plain.mean_cosine, abs=0.01)


def test_the_tables_hold_every_space(inside):
    seen = {name: overview_of(inside, space) for name, space in with_controls(Space(CENTRED)).items()}
    table = overview.measures_table(seen).set_index("measure")
    assert table.loc["mean cosine of random pairs", BEFORE] > 0.15
    assert abs(table.loc["mean cosine of random pairs", AFTER]) < 0.01
    assert table.loc["IsoScore", BEFORE] == pytest.approx(table.loc["IsoScore", AFTER])  # the mean does not count
    scores = overview.scores_table(seen)
    assert len(scores) == 3 * 4 and set(scores["space"]) == {BEFORE, AFTER, RANDOM}


LAYER = "layer 4"


@pytest.mark.slow("all-but-the-top")
@pytest.mark.parametrize("space", [Space(TOP, 2), Space(CENTRED), Space(RAW)], ids=lambda space: space.kind)
def test_measures_and_scores_of_every_space(inside, bundled, space):
    seen = {name: overview_of(inside, one) for name, one in with_controls(space).items()}
    measured = measure_spaces(LAYER, bundled, space=space)
    assert list(measured.spaces) == list(seen) and measured.headline == verdict.finding(seen)
    pd.testing.assert_frame_equal(measured.table, overview.measures_table(seen))
    pd.testing.assert_frame_equal(measured.directions, overview.directions(seen))
    pd.testing.assert_frame_equal(measured.dimensions, measures.dimensions_table(seen["raw"].measures))
    scored = score_spaces(LAYER, bundled, space=space)
    assert scored.headline == verdict.task_finding(seen)
    pd.testing.assert_frame_equal(scored.table, overview.scores_table(seen))


BY_CLUSTERS = Space(BY_CLUSTER, components=50, clusters=30)
"""The slowest space that the page offers."""


@pytest.mark.slow
@pytest.mark.parametrize("source", [STATIC, "layer 3"])
@pytest.mark.parametrize("function", [measure_spaces, score_spaces])
def test_the_slowest_space_reports_its_progress_often_enough_to_be_stopped(bundled, cold, function, source):
    """In processor time, so that a busy machine makes no difference; before, static embeddings reported nothing."""
    reported, times = [], [time.process_time()]

    def progress(done: float) -> None:
        reported.append(done)
        times.append(time.process_time())

    function(source, bundled, space=BY_CLUSTERS, progress=progress)
    times.append(time.process_time())
    assert reported == sorted(reported) and len(reported) > 30 and reported[-1] <= 1
    assert times[-1] - times[0] < 40 and max(np.diff(times)) < 5


def test_shrinkage_is_that_of_the_vectors(static, bundled):
    value = shrinkage(STATIC, bundled)
    assert value == pytest.approx(ledoit_wolf(static.vectors, static.known)) and 0 < value < 1 and np.isfinite(value)


def test_the_tables_compare_the_spaces(inside, bundled):
    rows = [inside.fit(Space(kind)).apply(inside.vectors) for kind in (RAW, CENTRED)]
    raw = analogies(inside, inside.means(rows[0], inside.owner))
    solved = solve_analogies(LAYER, bundled, space=Space(CENTRED))
    shares, table = solved.by_relation, solved.ranks
    assert (shares["raw"] * shares["n"]).sum() == (raw["rank"] == 1).sum() and shares["n"].sum() == len(raw)
    change = (table["processed"] - table["raw"]).abs()
    assert change.is_monotonic_decreasing and sorted(table["rank_by_c"]) == sorted(raw["rank_by_c"])
    results, beside = [senses(inside, own) for own in rows], separate_senses(LAYER, bundled, space=Space(CENTRED))
    np.testing.assert_array_equal(beside.table["processed"], results[1]["auc"])
    raw, centred = (one["correct"].sum() for one in results)
    assert f"{raw} of 400 cases (raw), {centred} (processed), " in beside.headline


TOP_FIVE = with_controls(Space(TOP, 5))


def test_a_map_that_is_turned_keeps_every_distance_and_comes_nearer():
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(12, 2)), rng.normal(size=(12, 2))
    moved = rotated(second, first)
    np.testing.assert_allclose(moved @ moved.T, second @ second.T, atol=1e-9)
    assert np.linalg.norm(moved - first) <= np.linalg.norm(second - first)
    np.testing.assert_allclose(rotated(first @ np.array([[0.0, 1.0], [1.0, 0.0]]), first), first, atol=1e-9)


def test_the_visitors_own_analogy(static):
    table = analogy_ranks(static, ["man", "king", "woman", "queen"], TOP_FIVE).set_index("space")
    assert table.loc["raw", "rank"] == 1 and table.loc["raw", "answer"] == "queen"
    rows = static.of(range(len(static.words)), static.fit(TOP_FIVE["raw"]))
    asked = [static.number(word) for word in ("man", "king", "woman")]
    for column, word in (("rank_by_b", "king"), ("rank_by_c", "woman")):
        scores = cosine(rows[static.number(word)], rows)[0]
        scores[~static.answers] = -np.inf
        scores[asked] = -np.inf
        assert table.loc["raw", column] == (scores > scores[static.number("queen")]).sum() + 1


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda p: analogy_ranks(p, ["man", "king", "woman"], TOP_FIVE), "Enter four words"),
        (lambda p: analogy_ranks(p, ["man", "king", "woman", "king"], TOP_FIVE), "repeats one of the first three"),
    ],
)
def test_invalid_words_raise_an_error(inside, ask, message):
    with pytest.raises(ValueError, match=message):
        ask(inside)


def test_own_words_in_every_space(static, inside, bundled):
    space = Space(WHITENED, shrinkage=0.2)
    spaces = with_controls(space)
    four = ("man", "king", "woman", "queen")
    own = own_analogy(four, bundled, space=space)
    pd.testing.assert_frame_equal(own.table, your_words.analogy_ranks(static, four, spaces))
    assert own.headline == verdict.analogy_finding(four, own.table)
