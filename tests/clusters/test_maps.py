"""Maps of words: projections against numpy and scikit-learn, and their limits."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from embtools.charts.clusters import maps as charts
from embtools.clusters import maps
from embtools.clusters.points import Words
from embtools.clusters.view import View
from embtools.ui.clusters import examples
from embtools.words import groups as words_groups
from tests.drawn import HOSTILE, shows_no_markup, texts

WORDS = Words(
    (("places", ("rome", "italy", "france", "paris", "bank", "river")), ("people", ("king", "queen", "man", "woman")))
)


def places(drawn: maps.Map) -> np.ndarray:
    return drawn.points[[a for a in "xyz" if a in drawn.points]].to_numpy()


def test_pca_is_the_singular_value_decomposition(tiny):
    drawn = maps.compute(WORDS, View("PCA", dimensions=3), tiny)
    x = np.stack([tiny.vector(w) for w in drawn.points["word"]]).astype(float)
    x -= x.mean(axis=0)
    u, s, _ = np.linalg.svd(x, full_matrices=False)
    assert np.abs(places(drawn)) == pytest.approx(np.abs(u[:, :3] * s[:3]), abs=1e-4)
    assert f"{s[0] ** 2 / (s**2).sum():.1%}" in drawn.axes[0]


@pytest.mark.parametrize("view", [View("PCA"), View("axes", axes=("king - man", "rome - paris"))])
def test_a_formula_is_placed_without_moving_the_words(tiny, view: View):
    more = maps.compute(replace(WORDS, formulas=("rome - italy + france",)), view, tiny)
    assert places(more)[:-1] == pytest.approx(places(maps.compute(WORDS, view, tiny)), abs=1e-5)


def test_axes_are_projections_on_unit_directions(tiny):
    drawn = maps.compute(WORDS, View("axes", axes=("king - man", "rome - paris"), normalise=True), tiny)
    direction = tiny.vector("king") - tiny.vector("man")
    word = tiny.vector("queen")
    expected = word @ direction / np.linalg.norm(word) / np.linalg.norm(direction)
    assert drawn.points.set_index("word").loc["queen", "x"] == pytest.approx(expected, abs=1e-5)
    assert drawn.axes == ("king - man", "rome - paris")


def test_stability_tells_of_its_progress_within_a_fit(tiny):
    told: list[float] = []
    frame = maps.stability(WORDS, View(perplexity=3), tiny, told.append)
    assert frame.equals(maps.stability(WORDS, View(perplexity=3), tiny))
    assert told == sorted(told) and all(0 <= done <= 1 for done in told)


def test_group_means_follow_the_groups(tiny):
    groups = (("a", ("rome", "italy", "france")), ("b", ("king", "queen")), ("c", ("red", "green", "blue")))
    drawn = maps.compute(Words(groups), View("group means"), tiny)
    means = np.stack([np.mean([tiny.vector(w) for w in words], axis=0) for _, words in groups])
    shown = drawn.points.groupby("group", sort=False)[["x", "y"]].mean().to_numpy()
    # Three means span a plane: the map shows their distances as they are.
    for i, j in ((0, 1), (1, 2), (0, 2)):
        assert np.linalg.norm(shown[i] - shown[j]) == pytest.approx(np.linalg.norm(means[i] - means[j]), abs=1e-4)


@pytest.mark.parametrize(
    ("words", "view", "said"),
    [
        (Words((("a", ("rome",)),)), View(), "1 word makes no map"),
        (Words((("a", ("rome", "italy", "king")),)), View("PCA", dimensions=3), "Name at least 4"),
        (WORDS, View(perplexity=10), "choose 1 to 9"),
        (WORDS, View(perplexity=float("nan")), "choose 1 to 9"),
        (WORDS, View("UMAP"), "method"),
        (WORDS, View(dimensions=4), "dimensions"),
        (WORDS, View(metric="manhattan"), "metric"),
        (WORDS, View(seed=-1), "seed"),
        (WORDS, View("axes", axes=("king - man",)), "formula each"),
        (WORDS, View("axes", axes=("king - king", "rome")), "no length"),
        (WORDS, View("axes", axes=("0.1*king + 0.2*king - 0.3*king", "rome")), "no length"),
        (WORDS, View("axes", axes=(f"{10**30} * king - man", "rome")), "Use smaller numbers"),
        (WORDS, View("axes", axes=("kings - man", "rome")), "not one word piece"),
        (WORDS, View("group means"), "fewer than 2 directions"),
        (replace(WORDS, formulas=("rome - rome",)), View("PCA"), "zero vector"),
        (replace(WORDS, formulas=("0.1*rome + 0.2*rome - 0.3*rome",)), View("PCA"), "zero vector"),
    ],
)  # fmt: skip
def test_views_that_cannot_be_drawn(tiny, words: Words, view: View, said: str):
    with pytest.raises(ValueError, match=said):
        maps.compute(words, view, tiny)


def test_one_group_still_gives_a_map(tiny):
    drawn = maps.compute(Words(WORDS.groups[:1]), View("PCA"), tiny)
    assert drawn.groups is None and "one group" in drawn.no_groups


def test_the_whole_vocabulary(bundled):
    drawn = maps.compute(Words(None), View("PCA"), bundled)
    assert drawn.measured == maps.MEASURED < len(drawn.points) <= 30_000
    assert drawn.points["x"].dtype == np.float32 and "kept" not in drawn.points
    with pytest.raises(ValueError, match="at most 2,000"):
        maps.compute(Words(None), View(), bundled)


def test_figure_1_stands_out_from_shuffled_labels(bundled):
    words = Words(words_groups.preset(words_groups.FIGURE_1))
    drawn = maps.compute(words, View(), bundled)
    assert len(drawn.points) == 73 and drawn.left_out == ()
    assert (drawn.groups["p"] < 0.05).all()
    mixed = maps.compute(replace(words, shuffled=0), View(), bundled)
    assert (places(mixed) == places(drawn)).all()
    assert (mixed.groups["value"] < drawn.groups["value"]).all()


@pytest.mark.parametrize("name", words_groups.PRESETS)
def test_every_list_in_its_sentence(bundled, name: str):
    words = Words(words_groups.preset(name), template=examples.SENTENCES[name], layer=bundled.layers)
    drawn = maps.compute(words, View("PCA"), bundled)
    assert drawn.left_out == () and drawn.groups is not None


def test_stability_is_for_tsne_only(tiny):
    frame = maps.stability(WORDS, View(perplexity=3), tiny)
    assert frame["stable"].between(0, 1).all() and len(frame) == 10
    with pytest.raises(ValueError, match="every time"):
        maps.stability(WORDS, View("PCA"), tiny)


def test_carriers_leave_out_a_word_alone_in_its_group(tiny):
    more = Words((*WORDS.groups, ("colours", ("red",))))
    assert maps.group_dimensions(more, View(), tiny).dimensions.equals(
        maps.group_dimensions(WORDS, View(), tiny).dimensions
    )
    with pytest.raises(ValueError, match="one word only"):
        maps.group_dimensions(Words((("a", ("red",)), ("b", ("king",)), ("c", ("rome",)))), View(), tiny)


def test_carriers_leave_formulas_out(tiny):
    view = View()
    with_formula = maps.group_dimensions(replace(WORDS, formulas=("rome - italy",)), view, tiny)
    assert with_formula.dimensions.equals(maps.group_dimensions(WORDS, view, tiny).dimensions)


def test_results_can_be_remembered(tiny):
    drawn = maps.compute(WORDS, View("PCA"), tiny)
    assert pickle.loads(pickle.dumps(drawn)).points.equals(drawn.points)


# Charts


def by_name(figure):
    return {trace.name: trace for trace in figure.data if trace.name}


def test_every_word_stands_in_its_group_where_the_map_puts_it(tiny):
    drawn = maps.compute(replace(WORDS, formulas=("rome = rome - italy + france",)), View("PCA"), tiny)
    figure = charts.word_map(drawn, marked=(2,))
    traces = by_name(figure)
    for name, group in drawn.points[drawn.points["kind"] == "word"].groupby("group", sort=False):
        np.testing.assert_allclose(traces[name].x, group["x"], atol=1e-6)
        assert list(traces[name].hovertext) == list(group["word"])
    assert len({(traces[n].marker.color, traces[n].marker.symbol) for n in ("places", "people")}) == 2
    assert traces["formula"].x[0] == pytest.approx(drawn.points["x"].iloc[-1], abs=1e-6)
    assert traces["marked"].x[0] == pytest.approx(drawn.points["x"].iloc[2], abs=1e-6)
    # The row of each point travels with it, for selections.
    assert [row[0] for row in traces["places"].customdata] == list(range(6))


def test_a_map_in_space_and_one_coloured_by_a_number(tiny):
    drawn = maps.compute(WORDS, View("PCA", dimensions=3), tiny)
    assert {trace.type for trace in charts.word_map(drawn).data} == {"scatter3d"}
    flat = maps.compute(WORDS, View("PCA"), tiny)
    figure = charts.word_map(flat, colour="neighbours kept", label="group")
    shown = [value for trace in figure.data if trace.hovertext is not None for value in trace.marker.color]
    np.testing.assert_allclose(shown, flat.points["kept"], atol=1e-6)
    assert figure.layout.coloraxis.colorbar.tickformat == ".0%"
    assert {"<b>places</b>", "<b>people</b>"} <= set(texts(figure))


def test_a_visitors_groups_and_words_are_no_markup(tiny):
    words = Words(((HOSTILE, ("rome", "italy", "france")), ("b", ("king", "queen", "man"))))
    drawn = maps.compute(words, View("PCA"), tiny)
    drawn.points.loc[0, "word"] = HOSTILE
    for label in ("word", "group"):
        assert shows_no_markup(charts.word_map(drawn, label=label))


def test_the_map_in_two_sentences(tiny):
    drawn = maps.compute(WORDS, View("PCA"), tiny)
    kept = drawn.trust.set_index("measure").loc["neighbours kept"]
    said = charts.alt(drawn, "PCA")
    assert said.startswith("PCA map of 10 words in 2 groups. The tightest group is ")
    assert f"{kept['value']:.0%} of the nearest neighbours are kept ({kept['shuffled']:.0%} on a shuffled map)" in said
