"""The controls: against LASSO and non-negative least squares done by hand; and their chart."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import nnls
from scipy.stats import binomtest
from sklearn.linear_model import Lasso

from embtools.charts import decomposition as charts
from embtools.decomposition import controls, dictionary, targets
from embtools.decomposition.controls import (
    CLOUD,
    KINDS,
    NEAREST,
    NEAREST_WORDS,
    OTHERS,
    OWN,
    RANDOM_PARTS,
    SHUFFLED,
    TESTED,
    compare,
)
from embtools.decomposition.dictionary import Dictionary
from embtools.decomposition.parts import decompose
from embtools.decomposition.results import Controls
from embtools.decomposition.target import Target
from embtools.layer_combinations import SUM_FOUR
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus


@pytest.fixture(scope="module")
def planted():
    """A target that is a mix of three of 300 atoms in 40 dimensions."""
    rng = np.random.default_rng(3)
    vectors = (rng.normal(size=(300, 40)) + 0.3 * rng.normal(size=40)).astype(np.float32)
    words = np.array([f"w{i}" for i in range(300)], object)
    atoms = Dictionary(
        words, vectors, np.ones(300, bool), (), pd.DataFrame(-1, range(300), ["sentence", "start", "end"])
    )
    return Target("mix", 2 * vectors[5] + vectors[50] + vectors[200], ("mix",)), atoms


def test_planted_parts_are_found_and_beat_every_control(planted):
    target, atoms = planted
    parts = decompose(target, atoms)
    assert set(parts.rows) >= {5, 50, 200} and parts.explained > 0.99
    compared = compare(target, atoms, parts)
    assert compared["kind"].value_counts().to_dict() == {
        OWN: 1, NEAREST_WORDS: 1, OTHERS: controls.OTHER_WORDS, CLOUD: controls.DRAWS, SHUFFLED: controls.DRAWS,
        RANDOM_PARTS: controls.RANDOM_DRAWS,
    }  # fmt: skip
    assert list(compared["kind"].unique()) == [kind for kind in KINDS if kind != NEAREST]  # each word has one atom
    assert compared["explained"].iloc[0] == parts.explained
    assert compared["explained"].iloc[2:].max() < 0.8
    tests = controls.significance(compared)
    assert list(tests["kind"]) == list(TESTED) and (tests["reached"] == 0).all()
    assert tests["p_value"].tolist() == [1 / (1 + n) for n in tests["draws"]] and tests["p_value"].max() <= 0.05
    assert compared["explained"].between(0, 1).all()


def test_a_control_is_what_lasso_and_least_squares_give_by_hand(planted):
    target, atoms = planted
    parts = decompose(target, atoms)
    (row,) = compare(target, atoms, parts, draws=1, others=1).query("kind == @OTHERS").itertuples()
    number = int(row.vector[1:])
    x, y = np.delete(atoms.vectors.astype(float), number, 0), atoms.vectors[number].astype(float)
    share = parts.share
    while True:
        alpha = share * max(x @ y) / len(y)
        weights = Lasso(alpha, positive=True, fit_intercept=False, tol=1e-13, max_iter=100_000).fit(x.T, y).coef_
        if (weights > 1e-9).sum() >= len(parts.rows):
            break
        share *= 0.55
    chosen = np.argsort(-weights)[: len(parts.rows)]
    assert row.explained == pytest.approx(1 - nnls(x[chosen].T, y)[1] ** 2 / (y @ y), abs=1e-6)
    near = np.argsort(-(x @ y) / np.linalg.norm(x, axis=1))[: len(parts.rows)]
    assert row.nearest_explained == pytest.approx(1 - nnls(x[near].T, y)[1] ** 2 / (y @ y), abs=1e-6)


def test_the_nearest_words_and_occurrences_by_hand(found, atoms, tiny):
    """Of each word its nearest occurrence; or the nearest occurrences, however often a word is among them."""
    target = targets.occurrence(found, tiny, word="king")
    parts = decompose(target, atoms, share=0.1)
    k, y = len(parts.rows), target.vector.astype(float)
    rows = [
        row
        for row in sorted(
            range(len(atoms.words)),
            key=lambda row: -atoms.vectors[row].astype(float) @ y / np.linalg.norm(atoms.vectors[row]),
        )
        if atoms.words[row] != "king" and atoms.words[row].isalpha()
    ]
    words: dict[str, int] = {}
    for row in rows:
        words.setdefault(atoms.words[row], row)
    frame = controls.nearest(target, atoms, parts).set_index("kind")["explained"]
    for kind, chosen in ((NEAREST_WORDS, list(words.values())[:k]), (NEAREST, rows[:k])):
        x = atoms.vectors[chosen].astype(float)
        assert frame[kind] == pytest.approx(1 - nnls(x.T, y)[1] ** 2 / (y @ y), abs=1e-5)
    assert frame[OWN] == parts.explained
    whole = compare(target, atoms, parts, draws=2, others=2)
    pd.testing.assert_frame_equal(
        whole[whole["kind"].isin([OWN, NEAREST_WORDS, NEAREST])], controls.nearest(target, atoms, parts)
    )


@pytest.mark.slow
def test_cold_is_hardly_more_than_its_nearest_words(bundled):
    """The control that was missing: 77% by the mix, 69% by the nearest occurrences, 75% by the nearest words."""
    read = encode_corpus(built_in_corpus(), bundled, combination=SUM_FOUR)
    target, pool = targets.occurrence(read, bundled, word="cold"), dictionary.of_occurrences(read)
    frame = controls.nearest(target, pool, decompose(target, pool)).set_index("kind")["explained"]
    assert frame.round(2).to_dict() == {OWN: 0.77, NEAREST_WORDS: 0.75, NEAREST: 0.69}


def test_the_sign_test_is_scipys_over_this_word_and_the_others(planted):
    target, atoms = planted
    compared = compare(target, atoms, decompose(target, atoms), draws=1)
    more, differ, p = controls.against_nearest(compared)
    words = compared[compared["kind"].isin([OWN, OTHERS])]
    assert (
        differ == (words["explained"] != words["nearest_explained"]).sum()
        and more == (words["explained"] > words["nearest_explained"]).sum()
    )
    assert p == binomtest(more, differ, 0.5).pvalue
    equal = words.assign(nearest_explained=words["explained"])
    assert controls.against_nearest(equal) == (0, 0, 1.0)


@pytest.mark.slow
def test_the_test_holds_its_level_for_vectors_that_chance_made(planted):
    """Of 40 vectors from the random cloud about one in ten may be "better than" nine others of it at p = 0.1."""
    target, atoms = planted
    p = []
    for number, one in enumerate(controls._random_vectors(target, atoms, CLOUD, 40, np.random.default_rng(1))):
        compared = compare(one, atoms, decompose(one, atoms, share=0.5), draws=9, others=1, seed=number)
        p.append(float(controls.significance(compared).set_index("kind")["p_value"][CLOUD]))
    assert binomtest(sum(value <= 0.1 for value in p), len(p), 0.1, alternative="greater").pvalue > 0.01
    assert 0.3 < np.mean(p) < 0.8


def test_random_vectors_have_the_mean_and_spread_of_the_dictionary_and_the_length_of_the_target(planted):
    target, atoms = planted
    made = controls._random_vectors(target, atoms, CLOUD, 4_000, np.random.default_rng(0))
    vectors = np.array([one.vector for one in made])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), np.linalg.norm(target.vector), rtol=1e-5)
    mean = vectors.mean(0)
    assert np.corrcoef(mean, atoms.vectors.mean(0))[0, 1] > 0.99
    drawn = np.sort(np.linalg.eigvalsh(np.cov(vectors.T)))
    own = np.sort(np.linalg.eigvalsh(np.cov(atoms.vectors.T)))
    assert np.corrcoef(drawn, own)[0, 1] > 0.98
    (shuffled,) = controls._random_vectors(target, atoms, SHUFFLED, 1, np.random.default_rng(0))
    np.testing.assert_allclose(np.sort(shuffled.vector), np.sort(target.vector), rtol=1e-5)


def test_the_same_seed_gives_the_same_and_nothing_gives_nothing(found, atoms, tiny):
    target = targets.occurrence(found, tiny, word="king")
    parts = decompose(target, atoms)
    reported: list[float] = []
    one = compare(target, atoms, parts, seed=1, progress=reported.append)
    pd.testing.assert_frame_equal(one, compare(target, atoms, parts, seed=1))
    assert reported[-1] == 1 and reported == sorted(reported)
    for draw in (compare, controls.nearest):
        empty = draw(target, atoms, decompose(target, atoms, share=1.0))
        assert len(empty) == 0 and list(empty.columns) == controls.COLUMNS


def test_a_summary_has_one_row_per_kind(planted):
    target, atoms = planted
    compared = compare(target, atoms, decompose(target, atoms))
    summary = controls.summary(compared).set_index("kind")
    others = compared.query("kind == @OTHERS")["explained"]
    assert summary.loc[OTHERS].tolist() == pytest.approx([others.mean(), others.min(), others.max(), len(others)])
    assert list(summary.index) == [kind for kind in KINDS if kind != NEAREST]


def test_the_chart_has_every_draw_and_every_mean(planted):
    target, atoms = planted
    compared = compare(target, atoms, decompose(target, atoms))
    figure = charts.controls(Controls(compared)).figure
    assert [len(trace.x) for trace in figure.data] == [len(compared) - 1, len(KINDS) - 2, 1]
    assert figure.data[2].x[0] == pytest.approx(compared["explained"].iloc[0], abs=1e-6)
