"""The Clusters page as a visitor clicks it."""

from playwright.sync_api import expect

from embtools.clusters import lookup, maps
from embtools.clusters.points import Words
from embtools.clusters.view import View
from embtools.words import groups

FORMULA = "rome = rome - italy + france"
CITIES = "cities of 15 countries"
ASKED = {
    "clusters_list": CITIES,
    "clusters_formulas": FORMULA,
    "clusters_method": "PCA",
    "clusters_seed": 7,
    "clusters_centre": True,
    "clusters_metric": "euclidean",
    "clusters_colour": "neighbours kept",
    "clusters_pick": "rome",
}


def test_a_link_restores_everything(tab, bundled):
    tab.open("clusters", **ASKED)
    tab.holds("Formulas as further points, one a line", FORMULA).holds("Seed", "7").holds("Look at", "rome")
    words = Words(groups.preset(CITIES), formulas=(FORMULA,))
    view = View("PCA", metric="euclidean", centre=True, seed=7)
    trust = maps.compute(words, view, bundled).trust["value"]
    tab.shows("122 points · static embeddings · centred · not normalised · euclidean distances · PCA · seed 7")
    tab.shows("1 selected", *(f"{value:.2f}" for value in trust))


def test_small_maps_need_no_webgl_and_are_described(tab):
    chart = tab.open("clusters").chart("map")
    expect(chart.place.locator(".scatterlayer path.point").nth(72)).to_be_attached()
    assert chart.place.locator("canvas").count() == 0
    chart.is_described("t-SNE map of 73 words")


def test_box_selection_gives_a_table_and_a_map_of_its_own(tab, bundled):
    tab.open("clusters", clusters_method="PCA").chart("map").select(0.01, 0.01, 0.99, 0.99)
    rows = tab.shows("73 selected").rows("selection")
    words = Words(groups.preset(groups.FIGURE_1))
    expected = lookup.nearest(("rome",), words, View("PCA", axes=()), bundled)
    assert next(r for r in rows if r["word"] == "rome")["nearest_here"] == expected["nearest_here"].item()
    # The link keeps it: the words stand in the field, and another visit shows the same rows.
    tab.follow(tab.copied_link()).shows("73 selected")
    assert set(tab.query["clusters_pick"][0].split(", ")) == {r["word"] for r in rows}
    assert tab.rows("selection") == rows


def test_what_is_selected_on_one_map_is_marked_on_the_other(tab):
    tab.open("clusters", clusters_method="PCA", clusters_beside="group means", clusters_density=True)
    first, second = tab.chart("map"), tab.chart("second-map")
    for here, there in ((first, second), (second, first)):
        before = tab.query.get("clusters_pick")
        here.select(0.45, 0.45, 0.55, 0.55)
        tab.shows("selected")
        there.marks("marked")
        assert any(t["selected"] or t["name"] == "marked" for t in here.traces())  # here too it is to be seen
        assert tab.query["clusters_pick"] != before
    picked = tab.query["clusters_pick"][0].split(", ")
    assert [row["word"] for row in tab.rows("selection")] == picked


def test_the_copied_link_holds_what_changed_without_a_full_run(tab):
    tab.open("clusters", clusters_method="PCA").pick("Colour by", "frequency rank")
    assert "clusters_colour=frequency+rank" in tab.copied_link()
    tab.page.keyboard.press("Escape")
    tab.settled().fill("Look at", "rome, paris").pick("Colour by", "neighbours kept")
    link = tab.copied_link()
    tab.page.keyboard.press("Escape")
    tab.settled()
    expect(tab.popover("Copy as Python").get_by_test_id("stCode")).to_contain_text("('rome', 'paris')")
    tab.follow(link).holds("Look at", "rome, paris").holds("Colour by", "neighbours kept").shows("2 selected")


def test_a_selection_mapped_alone_and_back(tab):
    tab.open("clusters", clusters_method="PCA", clusters_pick="rome, paris, madrid, berlin")
    tab.press("Map these 4 words alone").shows("4 points")
    assert tab.query["clusters_only"] == ["rome, paris, madrid, berlin"]
    tab.press("All words again").shows("73 points")
    assert "clusters_only" not in tab.query


def test_search_counts_and_marks(tab):
    tab.open("clusters").fill("Find", "l*")
    cities = [c for _, members in groups.preset(groups.FIGURE_1) for c in members]
    tab.shows(f"{sum(c.startswith('l') for c in cities)} of 73 match")
    assert tab.query["clusters_find"] == ["l*"]
    tab.chart("map").marks("marked")


def test_examples_and_reset(tab):
    tab.open("clusters").press("Work on two axes").holds("Axis across", "she - he")
    assert tab.query["clusters_list"] == ["professions"]
    tab.press("Reset").shows("73 points · static embeddings")
    assert "clusters_list" not in tab.query


def test_a_long_tsne_can_be_stopped(slow, bundled):
    words = [p for i, p in enumerate(bundled.vocabulary) if bundled.whole_words[i] and len(p) > 3][:1_800]
    slow.open("clusters", clusters_list="own words").fill("Groups, one a line", "a: " + ", ".join(words))
    slow.shows("Until then the map shows PCA")
    slow.page.get_by_role("button", name="Compute t-SNE of 1,800 points").click()
    slow.stop().shows("Until then the map shows PCA")


def test_found_clusters_and_a_second_map_can_be_stopped(slow):
    # Words in sentences: reading them reports its progress however fast the machine is.
    sentences = {"clusters_method": "PCA", "clusters_source": "in a sentence"}
    slow.open("clusters", **sentences)  # the first map is remembered
    for key, value in (("found", 5), ("beside", "group means")):
        slow.begin("clusters", **sentences, **{f"clusters_{key}": value}).stop()
        slow.shows("73 points").lacks("nobody named")
        assert f"clusters_{key}" not in slow.query
        assert slow.page.locator(".st-key-chart-second-map").count() == 0


def test_hostile_words_stay_text(tab):
    hostile = "a: <img src=x onerror=alert(1)>, ![x](http\\://y), dog, cat\n**b**: horse, cow, pig"
    own = {"clusters_list": "own words", "clusters_words_own_words": hostile, "clusters_pieces": "mean"}
    tab.open("clusters", **own, clusters_method="PCA", clusters_pick="dog", clusters_find="<img").shows_no_markup()


def test_phone_shows_the_map_before_the_settings(phone):
    phone.open("clusters").fits_the_screen()
    below = phone.page.get_by_label("Groups, one a line", exact=True).bounding_box()
    assert phone.chart("map").place.bounding_box()["y"] < below["y"]
