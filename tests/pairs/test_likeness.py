"""Two sentences beside random ones, against scipy."""

import numpy as np
import pytest
from scipy.spatial.distance import cosine as scipy_cosine
from scipy.stats import percentileofscore

from embtools import wordlists
from embtools.charts.pairs import likeness as charts
from embtools.pairs import likeness
from embtools.recipes import SENTENCE_POOLINGS

TWO = "The dog bit the man.", "The man bit the dog."
CELL = "second-to-last layer", "sentence: mean"


@pytest.fixture(scope="module")
def yard(bundled):
    return likeness.yardstick(bundled)


def test_the_yardstick_is_every_pair_of_the_drawn_sentences(yard, bundled):
    drawn = wordlists.load("corpus").groupby("topic", sort=False).sample(likeness.A_TOPIC, random_state=0)
    n, topics = len(drawn), drawn["topic"].nunique()
    same = topics * likeness.A_TOPIC * (likeness.A_TOPIC - 1) // 2
    assert yard.same.shape == (bundled.layers + 5, len(SENTENCE_POOLINGS), same)
    assert yard.others.shape[-1] == n * (n - 1) // 2 - same
    first, second = (bundled.hidden_states(text)[-2].astype(float).mean(0) for text in drawn["sentence"][:2])
    place = yard.recipes.index(CELL[0]), SENTENCE_POOLINGS.index(CELL[1])
    assert yard.same[place][0] == pytest.approx(1 - scipy_cosine(first, second), abs=1e-5)


def test_two_sentences_stand_among_the_random_pairs(yard, bundled):
    frame = likeness.likeness(*TWO, yard, bundled)
    assert len(frame) == len(yard.recipes) * len(SENTENCE_POOLINGS)
    found = frame.set_index(["recipe", "pooling"])
    first, second = (bundled.hidden_states(text).astype(float) for text in TWO)
    for recipe, pooling, vectors in (
        (*CELL, [first[-2].mean(0), second[-2].mean(0)]),
        ("layer 3", "sentence: max", [first[3].max(0), second[3].max(0)]),
        ("sum of last four", "sentence: cls", [first[-4:].sum(0)[0], second[-4:].sum(0)[0]]),
    ):
        row = found.loc[(recipe, pooling)]
        assert row["cosine"] == pytest.approx(1 - scipy_cosine(*vectors), abs=1e-5)
        others = yard.others[yard.recipes.index(recipe), SENTENCE_POOLINGS.index(pooling)]
        assert row["above"] == pytest.approx(percentileofscore(others, row["cosine"], "mean") / 100, abs=1e-3)
        assert row["random"] == pytest.approx(others.mean())
    # Every [CLS] is the same before the first layer: nothing is more alike than anything else.
    assert found.loc[("layer 0", "sentence: cls"), "above"] == 0.5
    assert (found["above"] > 0.9).mean() > 0.5  # the same words in another order: nearly the same to every recipe


def test_the_finding_names_what_random_pairs_reach(yard, bundled):
    frame = likeness.likeness(*TWO, yard, bundled)
    for above, said in ((0.999, "more alike than over 99% of"), (0.97, "more alike than 97% of"), (0.4, "Nothing special: 60%"), (0.02, "less alike than 98%")):  # fmt: skip
        assert said in likeness.finding(frame.assign(above=above), *CELL)
    row = frame.set_index(["recipe", "pooling"]).loc[CELL]
    assert f"(cosine {row['cosine']:.2f}, random pairs {row['random']:.2f} on average)" in likeness.finding(
        frame, *CELL
    )


def test_it_tells_of_its_progress_and_refuses_what_cannot_be_read(tiny):
    told: list[float] = []
    yard = likeness.yardstick(tiny, progress=told.append)
    assert told == sorted(told) and told[-1] == 1
    with pytest.raises(ValueError, match="empty"):
        likeness.likeness("", "a king", yard, tiny)


def test_the_spread_is_a_histogram_of_each_kind(yard):
    rows = likeness.of(yard, *CELL)
    figure = charts.spread(rows, 0.9)
    assert [trace.name for trace in figure.data] == ["random pairs, different topics", "random pairs, same topic"]
    for trace, kind in zip(figure.data, ("different topics", "same topic"), strict=True):
        assert trace.y.sum() == pytest.approx(1, abs=1e-5)
        mean = rows.loc[rows["pair"] == kind, "cosine"].mean()
        assert float(np.dot(trace.x, trace.y)) == pytest.approx(mean, abs=0.02)
    assert figure.layout.shapes[0].x0 == 0.9
    assert charts.alt(rows, 0.9).startswith("The two sentences have cosine 0.90. Random pairs, different topics: mean ")
