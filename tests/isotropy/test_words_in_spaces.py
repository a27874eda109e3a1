"""Words in several spaces, against the vectors themselves."""

import numpy as np
import pytest

from embtools.isotropy.overview import with_controls
from embtools.isotropy.words_in_spaces import analogy_ranks, compare_groups, neighbours, odd_one_out, plane, rotated
from embtools.messages import column_name
from embtools.spaces.space import TOP, WHITENED, Space
from embtools.vectors import cosine, unit
from embtools.words.groups import read_groups

SPACES = with_controls(Space(TOP, 5))
WORDS = read_groups("colours: red, white, black\nseasons: winter, summer, spring\nnothing: xylophonist")


@pytest.fixture(scope="module")
def found(inside):
    return compare_groups(inside, WORDS, SPACES)


def test_neighbours_are_the_nearest_of_all(inside):
    table = neighbours(inside, "bank", SPACES, k=4)
    for name, space in SPACES.items():
        rows = inside.means(inside.fit(space).apply(inside.vectors), inside.owner)
        near = cosine(rows[inside.number("bank")], rows)[0]
        near[inside.number("bank")] = -2
        near[~inside.answers] = -2
        best = np.argsort(-near)[:4]
        assert list(table[column_name(name)]) == [inside.words[i] for i in best]
        np.testing.assert_allclose(table[column_name(f"{name} cosine")], near[best], atol=1e-6)


def test_groups_are_compared_in_every_space(found, inside):
    assert found.words == ("red", "white", "black", "winter", "summer", "spring") and found.left_out == ("xylophonist",)
    assert list(found.table["space"]) == list(SPACES)
    rows = inside.of([inside.number(word) for word in found.words], inside.fit(SPACES["processed"]))
    np.testing.assert_allclose(found.cosines["processed"], cosine(rows, rows), atol=1e-6)
    assert len(found.pairs) == 15 and found.pairs["same_group"].sum() == 6
    assert (found.pairs["processed"] - found.pairs["raw"]).abs().is_monotonic_decreasing


def test_the_plane_is_that_of_the_principal_components():
    from sklearn.decomposition import PCA

    rows = np.random.default_rng(0).normal(size=(20, 6))
    points, explained = plane(rows)
    pca = PCA(2, svd_solver="full").fit(unit(rows))
    np.testing.assert_allclose(np.abs(points), np.abs(pca.transform(unit(rows))), atol=1e-9)
    assert explained == pytest.approx(pca.explained_variance_ratio_.sum())
    np.testing.assert_allclose(plane(rows * 2)[0], points, atol=1e-9)


def test_a_map_that_is_turned_keeps_every_distance_and_comes_nearer():
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(12, 2)), rng.normal(size=(12, 2))
    moved = rotated(second, first)
    np.testing.assert_allclose(moved @ moved.T, second @ second.T, atol=1e-9)
    assert np.linalg.norm(moved - first) <= np.linalg.norm(second - first)
    np.testing.assert_allclose(rotated(first @ np.array([[0.0, 1.0], [1.0, 0.0]]), first), first, atol=1e-9)


def test_the_odd_one_out_has_the_least_mean_cosine(static):
    table = odd_one_out(static, ["red", "blue", "green", "horse"], with_controls(Space(WHITENED))).set_index("word")
    assert (table.idxmin() == "horse").all()
    rows = static.of([static.number(word) for word in table.index], static.fit(Space()))
    assert table.loc["red", "raw"] == pytest.approx((cosine(rows[:1], rows).sum() - 1) / 3, abs=1e-6)


def test_the_visitors_own_analogy(static):
    table = analogy_ranks(static, ["man", "king", "woman", "queen"], SPACES).set_index("space")
    assert table.loc["raw", "rank"] == 1 and table.loc["raw", "answer"] == "queen"
    rows = static.of(range(len(static.words)), static.fit(SPACES["raw"]))
    asked = [static.number(word) for word in ("man", "king", "woman")]
    for column, word in (("rank_by_b", "king"), ("rank_by_c", "woman")):
        scores = cosine(rows[static.number(word)], rows)[0]
        scores[~static.answers] = -np.inf
        scores[asked] = -np.inf
        assert table.loc["raw", column] == (scores > scores[static.number("queen")]).sum() + 1


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda p: neighbours(p, "bank", SPACES, k=0), "choose 1 to 50"),
        (lambda p: neighbours(p, "xylophonist", SPACES), "does not occur in the built-in sentences"),
        (
            lambda p: compare_groups(p, read_groups("a: red, white"), SPACES),
            "Only 2 of these words can be found in the built-in sentences, but at least three are needed",
        ),
        (
            lambda p: compare_groups(p, read_groups("a: " + ", ".join(f"w{i}" for i in range(61))), SPACES),
            "at most 60 can be compared. Remove 1.",
        ),
        (lambda p: odd_one_out(p, ["red", "red", "white"], SPACES), "3 to 60 different words"),
        (lambda p: odd_one_out(p, ["red", "white"], SPACES), "3 to 60 different words"),
        (lambda p: analogy_ranks(p, ["man", "king", "woman"], SPACES), "Enter four words"),
        (lambda p: analogy_ranks(p, ["man", "king", "woman", "king"], SPACES), "repeats one of the first three"),
    ],
)
def test_invalid_words_raise_an_error(inside, ask, message):
    with pytest.raises(ValueError, match=message):
        ask(inside)
