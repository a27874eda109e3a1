"""Maps of words: projections against numpy and scikit-learn, what a map says of itself, two models, and the charts."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from sklearn.metrics import pairwise_distances

from embtools.charts import maps as charts
from embtools.clusters import lookup, maps, points, trust
from embtools.clusters import view as clusters_view
from embtools.clusters.map_result import Map
from embtools.clusters.points import Words
from embtools.clusters.trust import neighbour_count, preserved
from embtools.clusters.view import View
from embtools.statistics import tsne
from embtools.ui.clusters import inputs
from embtools.words import groups as words_groups
from tests.drawn import HOSTILE, shows_no_markup, texts

WORDS = Words(
    (("places", ("rome", "italy", "france", "paris", "bank", "river")), ("people", ("king", "queen", "man", "woman")))
)


def draw(words: Words, view: View, model) -> Map:
    return maps.compute(points.read(words, model), model, view=view)


def places(drawn: Map) -> np.ndarray:
    return drawn.points[[a for a in "xyz" if a in drawn.points]].to_numpy()


@pytest.mark.parametrize(
    ("words", "view", "message"),
    [
        (Words((("a", ("rome",)),)), View(), "There is only 1 word. A map needs at least 3; add words."),
        (Words((("a", ("rome", "italy", "king")),)), View("PCA", dimensions=3), "There are only 3 words. A map needs at least 4"),
        (Words((("a", ("rome", "italy", "king")),)), View("group means"), "The means of 1 group differ in fewer than 2"),
        (Words((("a", ("kings", "rome")),)), View(), "only 1 word, because kings cannot be used: it consists of several"),
        (Words((("a", ("kings", "unable")),)), View(), "There is no word, because kings and unable cannot be used: they consist"),
        (WORDS, View(perplexity=10), "choose 1 to 9"),
        (WORDS, View("UMAP"), "method"),
        (WORDS, View("axes", axes=("king - man",)), "Each of the 2 axes needs a formula"),
        (WORDS, View("axes", axes=("0.1*king + 0.2*king - 0.3*king", "rome")), "no length"),
        (WORDS, View("group means"), "fewer than 2 directions"),
        (replace(WORDS, formulas=("0.1*rome + 0.2*rome - 0.3*rome",)), View("PCA"), "zero vector"),
    ],
)  # fmt: skip
def test_views_that_cannot_be_drawn(tiny, words: Words, view: View, message: str):
    with pytest.raises(ValueError, match=message):
        draw(words, view, tiny)


def test_one_group_still_gives_a_map(tiny):
    words = Words(WORDS.groups[:1])
    drawn = maps.word_map(words, tiny, view=View("PCA"))
    assert drawn.neighbour_test is None and drawn.reason.startswith("There is only one group.")
    assert draw(words, View(perplexity=3), tiny).axes == ()  # t-SNE has no axes with titles


def test_a_projection_is_judged_by_the_distances_that_it_shows(bundled):
    """PCA shows Euclidean distances; a map of two dimensions that has them all is perfect, whatever the cosines are."""
    words = Words(words_groups.preset(words_groups.FIGURE_1))
    view = View("PCA")
    drawn, vectors = maps.word_map(words, bundled, view=view), points.read(words, bundled).vectors
    positions = drawn.points[["x", "y"]].to_numpy(float)
    k = neighbour_count(len(vectors))
    by = {metric: preserved(pairwise_distances(vectors, metric=metric), pairwise_distances(positions), k)
          for metric in ("cosine", "euclidean")}  # fmt: skip
    found = drawn.trust.set_index("measure").loc["neighbours kept", "value"]
    assert found == pytest.approx(by["euclidean"].mean()) != pytest.approx(by["cosine"].mean())
    assert drawn.points["neighbours_kept"].to_numpy() == pytest.approx(by["euclidean"])
    assert (view.shows, View().shows, View(metric="euclidean").shows) == ("euclidean", "cosine", "euclidean")


@pytest.mark.slow
def test_the_whole_vocabulary(bundled):
    drawn = draw(Words(None), View("PCA"), bundled)
    assert drawn.measured == maps.MEASURED < len(drawn.points) <= 30_000
    assert drawn.points["x"].dtype == np.float32 and "neighbours_kept" not in drawn.points
    with pytest.raises(ValueError, match="available for at most 2,000"):
        draw(Words(None), View(), bundled)


@pytest.mark.slow
def test_figure_1_stands_out_from_shuffled_labels(bundled):
    words = Words(words_groups.preset(words_groups.FIGURE_1))
    mixed = replace(words, shuffled=0)
    drawn, same = (maps.word_map(each, bundled) for each in (words, mixed))
    assert len(drawn) == 73 and drawn.left_out == () and (places(same) == places(drawn)).all()
    numbers, luck = maps.groups(words, bundled), maps.groups(mixed, bundled)
    assert (numbers["p_value"] < 0.05).all()
    assert (luck["value"] < numbers["value"]).all()
    nearest = numbers.set_index("measure").loc["nearest neighbour in own group"]
    assert (drawn.neighbour_test.share, drawn.neighbour_test.shuffled) == pytest.approx(
        (nearest["value"], nearest["shuffled"])
    )
    assert drawn.neighbour_test.p == nearest["p_value"] and same.neighbour_test.share < drawn.neighbour_test.share


@pytest.mark.parametrize("name", words_groups.PRESETS)
def test_every_list_in_its_sentence(bundled, name: str):
    words = Words(words_groups.preset(name), template=inputs.TEMPLATES[name].default, layer=bundled.layers)
    read = points.read(words, bundled)
    assert read.left_out == () and maps.compute(read, bundled, view=View("PCA")).neighbour_test is not None


def test_stability_is_for_tsne_only(tiny):
    frame = maps.stability(WORDS, tiny, view=View(perplexity=3))
    assert frame["stability"].between(0, 1).all() and len(frame) == 10
    with pytest.raises(ValueError, match="every time"):
        maps.stability(WORDS, tiny, view=View("PCA"))


def spread(words: Words, model) -> object:
    return maps.dimensions(words, model).dimensions


def test_dimensions_leave_out_formulas_and_a_word_alone_in_its_group(tiny):
    more = Words((*WORDS.groups, ("colours", ("red",))))
    assert spread(more, tiny).equals(spread(WORDS, tiny))
    assert spread(replace(WORDS, formulas=("rome - italy",)), tiny).equals(spread(WORDS, tiny))
    with pytest.raises(ValueError, match="No group has two words"):
        spread(Words((("a", ("red",)), ("b", ("king",)), ("c", ("rome",)))), tiny)


def test_a_map_is_placed_once_for_all_results(tiny, monkeypatch):
    words, view = Words((("a", ("red", "green", "blue")), ("b", ("rome", "paris")))), View(perplexity=50, seed=11)
    fits = []
    fit = tsne._fit
    monkeypatch.setattr(tsne, "_fit", lambda *given: (fits.append(given), fit(*given))[1])
    drawn = maps.word_map(words, tiny, view=view)
    maps.groups(words, tiny, view=view)
    lookup.nearest(("red",), tiny, words=words, view=view)
    assert maps.word_map(words, tiny, view=view) is drawn and len(fits) == 1
    assert drawn.view.perplexity == 1 and drawn.words == words  # 50 neighbours are too many for five points


def test_results_can_be_pickled_and_large_ones_do_not_store_their_vectors(tiny, bundled):
    assert maps.word_map(WORDS, tiny, view=View("PCA")).source is points.read(WORDS, tiny)
    assert maps.word_map(Words(None), bundled, view=View("PCA")).source is None
    drawn = draw(WORDS, View("PCA"), tiny)
    assert pickle.loads(pickle.dumps(drawn)).points.equals(drawn.points)


# The chart


def picture(drawn: Map, **named) -> go.Figure:
    return charts.word_map(drawn, **named).figure


def points_of(figure: go.Figure) -> dict[str, object]:
    return {trace.name: trace for trace in figure.data if trace.mode == "markers" and trace.customdata is not None}


@pytest.fixture(scope="module")
def figure_1(bundled) -> Map:
    return draw(Words(words_groups.preset(words_groups.FIGURE_1)), View(), bundled)


def test_fifteen_groups_have_fifteen_colours_and_names(figure_1):
    figure = picture(figure_1)
    groups = points_of(figure)
    assert len(groups) == 15 == len({trace.marker.color for trace in groups.values()})
    phone, projector, wide = [set(trace.text) for trace in figure.data if trace.mode == "markers+text"]
    assert {f"<b>{group}</b>" for group in groups} <= phone | projector | wide
    # The legend names exactly the groups whose names have no room on a projector.
    left = {group for group in groups if f"<b>{group}</b>" not in phone | projector}
    assert {trace.name for trace in figure.data if trace.showlegend} == left and len(left) <= 2
    # No word takes the room of a group's name.
    alone = picture(figure_1, label="group")
    assert {trace.name for trace in alone.data if trace.showlegend} == left
    # Without names, the legend explains the colours.
    shown = [trace.name for trace in picture(figure_1, label="nothing").data if trace.showlegend]
    assert shown == figure_1.points["group"].unique().tolist()


def test_selected_words_and_their_neighbours_are_not_faded(figure_1):
    highlight = charts.Highlight(picked=(4,), near=((4, 20), (4, 50)), hits=(7,))
    assert all(trace.marker.opacity is None for trace in points_of(picture(figure_1)).values())
    figure = picture(figure_1, highlight=highlight)
    bright = {
        int(custom[0])
        for trace in points_of(figure).values()
        for custom, opacity in zip(trace.customdata, trace.marker.opacity, strict=True)
        if opacity == 1
    }
    assert bright == {4, 20, 50, 7} == set(highlight.bright)
    (lines,) = [trace for trace in figure.data if trace.mode == "lines" and trace.fill is None]
    xs = figure_1.points["x"].astype(float)
    assert [x for x in lines.x if x is not None] == pytest.approx([xs[4], xs[20], xs[4], xs[50]])


def test_a_colour_scale_has_a_colour_bar(figure_1):
    figure = picture(figure_1, colour="neighbours kept")
    assert figure.layout.coloraxis.colorbar.title.text == "neighbours kept"
    without = picture(figure_1, colour="stability")  # a map without that column keeps its groups' colours
    assert without.layout.coloraxis.colorbar.title.text is None and without.data[-1] == picture(figure_1).data[-1]


def test_the_table_of_a_map_has_the_columns_that_it_shows(tiny):
    drawn = draw(WORDS, View("PCA"), tiny)
    clusters = tuple("ab" * 5)
    stable = pd.DataFrame({"word": drawn.points["word"], "stability": np.linspace(0, 1, 10)})
    chart = charts.word_map(drawn, colour="stability", label=charts.FOUND, clusters=clusters, stability=stable)
    assert chart.frame["cluster"].tolist() == list(clusters) and not {"kind", "edited_word"} & set(chart.frame)
    assert chart.frame["stability"].tolist() == stable["stability"].tolist()
    assert {"<b>a</b>", "<b>b</b>"} <= set(texts(chart.figure))
    edited = draw(replace(WORDS, formulas=("rome = rome - italy + france",)), View("PCA"), tiny)
    assert "edited_word" in charts.word_map(edited).frame


def test_two_maps_have_one_scale_of_frequency_ranks(tiny, figure_1):
    maps_of_two = [figure_1, draw(WORDS, View("PCA"), tiny)]
    assert charts.ends(maps_of_two[:1]) is None
    ends = charts.ends(maps_of_two)
    ranks = [rank for drawn in maps_of_two for rank in drawn.points["frequency_rank"].dropna()]
    assert ends == pytest.approx((np.log10(min(ranks)), np.log10(max(ranks))))
    for drawn in maps_of_two:
        axis = picture(drawn, colour="frequency rank", ends=ends).layout.coloraxis
        assert (axis.cmin, axis.cmax) == ends


@pytest.mark.slow
def test_only_large_maps_and_three_dimensions_need_webgl(figure_1, bundled):
    assert {type(trace) for trace in picture(figure_1).data} == {go.Scatter}
    large = draw(Words(None), View("PCA"), bundled)
    assert go.Scattergl in {type(trace) for trace in picture(large, label="nothing").data}
    assert charts.SVG_POINTS >= 1_000


def test_every_word_is_drawn_in_its_group_at_its_position(tiny):
    drawn = draw(replace(WORDS, formulas=("rome = rome - italy + france",)), View("PCA"), tiny)
    figure = picture(drawn, highlight=charts.Highlight(picked=(2,)))
    traces = points_of(figure)
    for name, group in drawn.points[drawn.points["kind"] == "word"].groupby("group", sort=False):
        np.testing.assert_allclose(traces[name].x, group["x"], atol=1e-6)
        assert list(traces[name].hovertext) == list(group["word"])
    assert traces["formula"].x[0] == pytest.approx(drawn.points["x"].iloc[-1], abs=1e-6)
    (ring,) = [trace for trace in figure.data if trace.marker.symbol == "circle-open"]
    assert ring.x[0] == pytest.approx(drawn.points["x"].iloc[2], abs=1e-6)
    words = Words((("a", ("rome", "unable", "italy", "king")),), pieces="mean")  # one of two tokens has no rank
    hover = points_of(picture(draw(words, View("PCA"), tiny)))["a"].hovertemplate
    assert ["frequency rank" in text for text in hover] == [True, False, True, True]
    # Each point carries its row, for selections.
    assert [row[0] for row in traces["places"].customdata] == list(range(6))


def test_a_map_in_three_dimensions_and_one_coloured_by_numbers(tiny):
    drawn = draw(WORDS, View("PCA", dimensions=3), tiny)
    assert {trace.type for trace in picture(drawn).data} == {"scatter3d"}
    flat = draw(WORDS, View("PCA"), tiny)
    figure = picture(flat, colour="neighbours kept", label="group")
    shown = [value for trace in points_of(figure).values() for value in trace.marker.color]
    np.testing.assert_allclose(shown, flat.points["neighbours_kept"], atol=1e-6)
    assert {"<b>places</b>", "<b>people</b>"} <= set(texts(figure))


def test_groups_and_words_are_not_read_as_markup(tiny):
    drawn = draw(Words(((HOSTILE, ("rome", "italy", "france")), ("b", ("king", "queen", "man")))), View("PCA"), tiny)
    points = drawn.points.assign(word=[HOSTILE, *drawn.points["word"][1:]])
    for label in ("word", "group", "nothing"):
        assert shows_no_markup(picture(replace(drawn, points=points), label=label))


def test_the_alt_text_of_a_map(tiny):
    drawn = draw(WORDS, View("PCA"), tiny)
    kept, message = drawn.trust.set_index("measure").loc["neighbours kept"], charts.word_map(drawn).alt
    assert message.startswith("PCA map of 10 words in 2 groups. The most compact group is ")
    shares = f"{kept['value']:.0%} of the nearest neighbours ({kept['shuffled']:.0%} on a shuffled map)."
    assert f"The map keeps {shares}" in message


def test_a_map_says_what_it_shows(tiny):
    drawn = maps.word_map(replace(WORDS, groups=(*WORDS.groups, ("more", ("kings",)))), tiny, view=View("PCA"))
    assert drawn.left_out == ("kings",) and drawn.several == () and len(drawn) == 10
    assert drawn.settings == (
        "10 points · static embeddings · not centred · not normalised · cosine distances · PCA · seed 0"
    )
    assert drawn.headline.endswith("which could be chance (48% with shuffled groups).") and drawn.reading.startswith(
        "On average, the map keeps "
    )
    mean = maps.word_map(Words((("a", ("rome", "paris", "kings")),), pieces="mean"), tiny, view=View("PCA"))
    assert mean.several == ("kings",) and mean.headline == "A map of 3 points"
    shuffled = maps.word_map(replace(WORDS, shuffled=0), tiny, view=View("PCA"))
    assert shuffled.headline.startswith("The groups are shuffled")
    assert drawn.reading == trust.reading(drawn.trust, 10)


def test_a_map_names_the_settings_of_its_method(tiny):
    words = replace(WORDS, template="the {word} is red", layer=1)
    view = View(perplexity=3, centre=True, normalise=True, metric="euclidean", start="random", seed=2)
    assert maps.word_map(words, tiny, view=view).settings == (
        "10 points · layer 1 in a sentence · centred · normalised · Euclidean distances"
        " · t-SNE, perplexity 3, start random · seed 2"
    )


def drawn_by(words: Words, view: View, model) -> Map:
    return maps.word_map(words, model, view=view)


def test_pca_is_the_singular_value_decomposition(tiny):
    drawn = drawn_by(WORDS, View("PCA", dimensions=3), tiny)
    x = np.stack([tiny.vector(w) for w in drawn.points["word"]]).astype(float)
    x -= x.mean(axis=0)
    u, s, _ = np.linalg.svd(x, full_matrices=False)
    assert np.abs(places(drawn)) == pytest.approx(np.abs(u[:, :3] * s[:3]), abs=1e-4)
    assert f"{s[0] ** 2 / (s**2).sum():.1%}" in drawn.axes[0]


@pytest.mark.parametrize("view", [View("PCA"), View("axes", axes=("king - man", "rome - paris"))])
def test_a_formula_is_placed_without_moving_the_words(tiny, view: View):
    more = drawn_by(replace(WORDS, formulas=("rome - italy + france",)), view, tiny)
    assert places(more)[:-1] == pytest.approx(places(drawn_by(WORDS, view, tiny)), abs=1e-5)


def test_axes_are_projections_on_unit_directions(tiny):
    drawn = drawn_by(WORDS, View("axes", axes=("king - man", "rome - paris"), normalise=True), tiny)
    direction = tiny.vector("king") - tiny.vector("man")
    word = tiny.vector("queen")
    expected = word @ direction / np.linalg.norm(word) / np.linalg.norm(direction)
    assert drawn.points.set_index("word").loc["queen", "x"] == pytest.approx(expected, abs=1e-5)
    assert drawn.axes == ("king - man", "rome - paris")


def test_group_means_follow_the_groups(tiny):
    groups = (("a", ("rome", "italy", "france")), ("b", ("king", "queen")), ("c", ("red", "green", "blue")))
    drawn = drawn_by(Words(groups), View("group means"), tiny)
    means = np.stack([np.mean([tiny.vector(w) for w in words], axis=0) for _, words in groups])
    shown = drawn.points.groupby("group", sort=False)[["x", "y"]].mean().to_numpy()
    # Three means span a plane: the map shows their distances as they are.
    for i, j in ((0, 1), (1, 2), (0, 2)):
        assert np.linalg.norm(shown[i] - shown[j]) == pytest.approx(np.linalg.norm(means[i] - means[j]), abs=1e-4)


def test_centred_and_normalised(tiny):
    raw = points.read(WORDS, tiny).vectors
    is_word = np.ones(len(raw), bool)
    done = clusters_view.prepared(raw, is_word, View(centre=True, normalise=True))
    assert np.linalg.norm(done, axis=1) == pytest.approx(np.ones(len(raw)), abs=1e-5)
    centred = clusters_view.prepared(raw, is_word, View(centre=True))
    assert centred.mean(axis=0) == pytest.approx(np.zeros(16), abs=1e-5)


def test_a_view_is_written_as_python_without_its_defaults():
    assert View().code == "View()"
    view = View("axes", axes=("king - man", "rome - paris"), centre=True)
    assert eval(view.code) == view and "metric" not in view.code
