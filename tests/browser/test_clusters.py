"""The Clusters page as a visitor clicks it."""

import pytest
from playwright.sync_api import expect

from embtools.clusters import lookup, maps
from embtools.clusters.points import Words
from embtools.clusters.view import View
from embtools.ui.clusters import examples
from embtools.words import groups
from tests.browser.resting import resting
from tests.browser.tab import bottom

FORMULA = "rome = rome - italy + france"
CITIES = "cities of 15 countries"
QUERY = {
    "clusters_list": "cities",
    "clusters_formulas": FORMULA,
    "clusters_method": "pca",
    "clusters_seed": 7,
    "clusters_centre": True,
    "clusters_metric": "euclidean",
    "clusters_colour": "kept",
    "clusters_pick": "rome",
    "clusters_panel": "selected",
}
# Counts the calls of Element.animate: how many marks were animated.
COUNT = """
(() => {
  const animate = Element.prototype.animate;
  window.__flown = 0;
  Element.prototype.animate = function (...given) { window.__flown += 1; return animate.apply(this, given); };
})();
"""
# Whether this number of points of a map is ringed.
RINGED = """
([name, count]) => document.querySelector(`.st-key-chart-${name} .js-plotly-plot`)._fullData
  .some(trace => trace.marker?.symbol === 'circle-open' && trace.x.length === count)
"""


@pytest.fixture(scope="module")
def figure_1(bundled):
    """The words of Figure 1, and their map by PCA."""
    words = Words(groups.preset(groups.FIGURE_1))
    return words, maps.word_map(words, bundled, view=View("PCA"))


def shown_texts(tab):
    """The headline and the line that says what was computed, without waiting."""
    lines = tab.main.inner_text().splitlines()
    return tab.finding.inner_text(), next(line for line in lines if " points · " in line)


# What an address opens


@pytest.mark.slow
def test_a_link_restores_everything(tab, bundled):
    tab.open("clusters", **QUERY).holds("Select words", "rome")
    view = View("PCA", metric="euclidean", centre=True, seed=7)
    drawn = maps.word_map(Words(groups.preset(CITIES), formulas=(FORMULA,)), bundled, view=view)
    tab.shows("122 points · static embeddings · centred · not normalised · Euclidean distances · PCA · seed 7")
    tab.shows(*(f"{value:.2f}" for value in drawn.trust["value"]))
    tab.turn_to("Words").holds("Formulas as additional points (one per line)", FORMULA)
    tab.turn_to("Settings").holds("Seed", "7")


@pytest.mark.thorough
def test_each_step_is_one_entry_and_back_forward_and_another_browser_show_what_the_address_says(fresh, visitor, server):
    tab = fresh.open("clusters")
    begun, seen = tab.entries, [(tab.page.url, shown_texts(tab))]
    for step in (
        lambda: tab.choose("clusters_method", "PCA"),
        lambda: tab.turn_to("Settings"),
        *(lambda name=name: tab.press(name) for name in list(examples.PRESETS)[1:4]),
    ):
        step()
        seen.append((tab.page.url, shown_texts(tab)))
        assert tab.entries == begun + len(seen) - 1
    assert len({url for url, _ in seen}) == len(seen)
    for url, expected in reversed(seen[:-1]):
        tab.back()
        assert (tab.page.url, shown_texts(tab)) == (url, expected)
    tab.back(-1)
    assert (tab.page.url, shown_texts(tab)) == seen[1]
    url, expected = seen[3]  # of every example AppTest asks it
    assert shown_texts(visitor(server).follow(url)) == expected


# The chart


@pytest.mark.slow
def test_on_a_phone_the_settings_are_below_the_map(phone):
    plot = phone.open("clusters").chart("map").plot
    assert phone.page.get_by_label("Groups (one per line)", exact=True).bounding_box()["y"] > bottom(plot)


@pytest.mark.slow
def test_small_maps_need_no_webgl_fill_their_height_and_are_described(tab):
    chart = tab.open("clusters").chart("map")
    expect(chart.place.locator(".scatterlayer path.point").nth(72)).to_be_attached()
    assert chart.place.locator("canvas").count() == 0
    chart.is_described("t-SNE map of 73 words").is_drawn_once()
    marks = [mark.bounding_box()["y"] for mark in chart.place.locator(".scatterlayer path.point").all()]
    assert max(marks) - min(marks) > 0.7 * chart.plot.bounding_box()["height"]


@pytest.mark.slow
def test_words_move_from_map_to_map_unless_motion_is_turned_off(visitor, server):
    for wanted, flies in (("no-preference", True), ("reduce", False)):
        tab = visitor(server, reduced_motion=wanted)
        tab.page.add_init_script(COUNT)
        tab.open("clusters").page.evaluate("window.__flown = 0")
        tab.choose("clusters_method", "PCA").chart("map").is_described("PCA map").is_drawn_once()
        assert (tab.page.evaluate("window.__flown") >= 73) == flies


# Clicks


@pytest.mark.slow
def test_a_click_on_a_word_shows_its_neighbours_and_a_second_one_clears_it(tab, bundled, figure_1):
    words, drawn = figure_1
    for word in ("paris", "zurich"):
        tab.open("clusters", clusters_method="pca")
        place = drawn.points.set_index("word").loc[word]
        assert word in tab.chart("map").click(float(place["x"]), float(place["y"]))
        tab.asks(clusters_pick=word, clusters_panel="selected")
        tab.holds("Select words", word)
        expected = lookup.nearest((word,), bundled, words=words, view=View("PCA"))
        assert [row["neighbour"] for row in tab.rows("selection")] == expected["neighbour"].tolist()
    tab.chart("map").click(float(place["x"]), float(place["y"]))
    tab.holds("Select words", "")
    tab.asks(clusters_pick=None)


@pytest.mark.slow
def test_box_selection_gives_a_table_that_its_link_keeps(tab, visitor, server, bundled, figure_1):
    tab.open("clusters", clusters_method="pca").chart("map").select(0.01, 0.01, 0.99, 0.99)
    rows = tab.shows("73 selected").rows("selection")
    words, drawn = figure_1
    expected = lookup.nearest(tuple(drawn.points["word"]), bundled, words=words, view=View("PCA"))
    assert {(r["word"], r["neighbour"]) for r in rows} == set(zip(expected["word"], expected["neighbour"], strict=True))
    again = visitor(server).follow(tab.page.url).shows("73 selected")
    assert again.rows("selection") == rows


@pytest.mark.slow
def test_a_selection_on_one_map_is_marked_on_the_other(tab):
    tab.open("clusters", clusters_method="pca", clusters_beside="means")
    for here, there in (("map", "second-map"), ("second-map", "map")):
        before = tab.query.get("clusters_pick")
        tab.chart(here).select(0.4, 0.4, 0.6, 0.6)
        tab.shows("selected")
        picked = tab.query["clusters_pick"]
        assert picked != before
        count = len(picked[0].split(", "))
        for name in (here, there):
            tab.page.wait_for_function(RINGED, arg=[name, count])


# Long work


@pytest.mark.slow
def test_a_long_tsne_can_be_stopped(fresh, bundled):
    words = [p for i, p in enumerate(bundled.vocabulary) if bundled.whole_words[i] and len(p) > 3][:1_300]
    fresh.open("clusters", clusters_list="own").fill("Groups (one per line)", "a: " + ", ".join(words))
    fresh.shows("Until then, the map shows PCA")
    with resting(words[0]):
        fresh.page.get_by_role("button", name="Compute t-SNE of 1,300 points").click()
        fresh.stop().shows("Drawing the map was stopped.")


@pytest.mark.slow
def test_hostile_words_stay_text(tab):
    hostile = "a: <img src=x onerror=alert(1)>, ![x](http\\://y), dog, cat\n**b**: horse, cow, pig"
    own = {"clusters_list": "own", "clusters_words_own": hostile, "clusters_pieces": "mean"}
    picked = {"clusters_pick": "dog", "clusters_find": "<img", "clusters_panel": "selected"}
    tab.open("clusters", **own, clusters_method="pca", **picked).shows_no_markup()


WITHOUT_WEBGL = """
(() => {
  const get = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
    return kind.includes('webgl') ? null : get.call(this, kind, ...more);
  };
})();
"""


@pytest.mark.slow
def test_a_browser_without_webgl_shows_a_map_in_space_as_a_flat_one(visitor, server):
    tab = visitor(server)
    tab.page.add_init_script(WITHOUT_WEBGL)
    tab.open("clusters", clusters_list="cities", clusters_dimensions="3", clusters_method="pca")
    tab.shows("This browser cannot draw WebGL")
    kinds = "() => document.querySelector('.st-key-chart-map .js-plotly-plot')._fullData.map(trace => trace.type)"
    tab.page.wait_for_function(f"() => !({kinds})().includes('scatter3d')")
    assert set(tab.page.evaluate(kinds)) == {"scatter"}
    tab.lacks("WebGL is not supported")
