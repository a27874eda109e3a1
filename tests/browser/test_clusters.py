"""The Clusters page as a visitor clicks it."""

import pytest
from playwright.sync_api import expect

from embtools.clusters import lookup, maps
from embtools.clusters.points import Words
from embtools.clusters.view import View
from embtools.words import groups
from tests.browser.tab import bottom

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
def test_words_move_from_map_to_map_unless_motion_is_turned_off(fresh):
    fresh.page.add_init_script(COUNT)
    for wanted, flies in (("no-preference", True), ("reduce", False)):
        fresh.page.emulate_media(reduced_motion=wanted)
        fresh.open("clusters").page.evaluate("window.__flown = 0")
        fresh.choose("clusters_method", "PCA").chart("map").is_described("PCA map").is_drawn_once()
        assert (fresh.page.evaluate("window.__flown") >= 73) == flies


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
def test_box_selection_gives_a_table_that_its_link_keeps(tab, fresh, bundled, figure_1):
    tab.open("clusters", clusters_method="pca").chart("map").select(0.01, 0.01, 0.99, 0.99)
    rows = tab.shows("73 selected").rows("selection")
    words, drawn = figure_1
    expected = lookup.nearest(tuple(drawn.points["word"]), bundled, words=words, view=View("PCA"))
    assert {(r["word"], r["neighbour"]) for r in rows} == set(zip(expected["word"], expected["neighbour"], strict=True))
    assert fresh.follow(tab.page.url).shows("73 selected").rows("selection") == rows


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


# Odd input and browsers


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
def test_a_browser_without_webgl_shows_a_map_in_space_as_a_flat_one(fresh):
    fresh.page.add_init_script(WITHOUT_WEBGL)
    tab = fresh.open("clusters", clusters_list="cities", clusters_dimensions="3", clusters_method="pca")
    tab.shows("This browser cannot draw WebGL")
    kinds = "() => document.querySelector('.st-key-chart-map .js-plotly-plot')._fullData.map(trace => trace.type)"
    tab.page.wait_for_function(f"() => !({kinds})().includes('scatter3d')")
    assert set(tab.page.evaluate(kinds)) == {"scatter"}
    tab.lacks("WebGL is not supported")
