"""The Clusters page as a visitor clicks it."""

from collections.abc import Callable
from urllib.parse import parse_qs, quote, urlencode, urlparse

from embtools.clusters import lookup, maps
from embtools.clusters.points import Words
from embtools.clusters.view import View
from embtools.words import groups

FORMULA = "rome = rome - italy + france"
CITIES = "cities of 15 countries"
LINK = "clusters?" + urlencode(
    {
        "clusters_list": CITIES,
        "clusters_formulas": FORMULA,
        "clusters_method": "PCA",
        "clusters_seed": 7,
        "clusters_centre": "true",
        "clusters_metric": "euclidean",
        "clusters_colour": "neighbours kept",
        "clusters_pick": "rome",
    }
)
MAP = '[data-testid="stPlotlyChart"]'


def query(tab) -> dict[str, list[str]]:  # type: ignore[no-untyped-def]
    return parse_qs(urlparse(tab.page.url).query)


def test_cold_deep_link_restores_everything(start: Callable[[], str], tab, bundled) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{start()}/{LINK}")
    tab.holds("Formulas as further points, one a line", FORMULA)
    tab.holds("Seed", "7")
    tab.holds("Look at", "rome")
    words = Words(groups.preset(CITIES), formulas=(FORMULA,))
    view = View("PCA", metric="euclidean", centre=True, seed=7)
    trust = maps.compute(words, view, bundled).trust["value"]
    text = tab.text()
    assert "122 points · static embeddings · centred · not normalised · euclidean distances · PCA · seed 7" in text
    assert all(f"{value:.2f}" in text for value in trust)
    assert "1 selected" in text


def test_small_maps_need_no_webgl(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/clusters")
    first = tab.page.locator(MAP).first
    assert first.locator(".scatterlayer path.point").count() >= 73
    assert first.locator("canvas").count() == 0
    assert (
        first.get_by_role("img").count() or first.get_attribute("aria-label") or first.locator("[aria-label]").count()
    )


def test_box_selection_gives_a_table_and_a_map_of_its_own(server: str, tab, bundled) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/clusters?clusters_method=PCA")
    chart = tab.page.locator(MAP).first
    chart.scroll_into_view_if_needed()
    chart.hover()
    chart.locator('[data-title="Box Select"]').click()
    area = chart.locator(".nsewdrag").first.bounding_box()
    tab.page.mouse.move(area["x"] + 5, area["y"] + 5)
    tab.page.mouse.down()
    tab.page.mouse.move(area["x"] + area["width"] / 2, area["y"] + area["height"] / 2, steps=8)
    tab.page.mouse.move(area["x"] + area["width"] - 5, area["y"] + area["height"] - 5, steps=8)
    tab.page.mouse.up()
    tab.settle()
    tab.shows("73 selected")
    rows = tab.rows("selection")
    words = Words(groups.preset(groups.FIGURE_1))
    expected = lookup.nearest(("rome",), words, View("PCA", axes=()), bundled)
    assert next(r for r in rows if r["word"] == "rome")["nearest_here"] == expected["nearest_here"].item()
    # The link keeps it: the words stand in the field, and another tab shows the same rows.
    link = tab.copied_link()
    assert set(parse_qs(urlparse(link).query)["clusters_pick"][0].split(", ")) == {r["word"] for r in rows}
    tab.open(link)
    tab.shows("73 selected")
    assert tab.rows("selection") == rows


def test_what_is_selected_on_one_map_is_marked_on_the_other(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    from playwright.sync_api import expect

    tab.open(f"{server}/clusters?clusters_method=PCA&clusters_beside=group+means&clusters_density=true")
    first, second = (tab.page.locator(f".st-key-chart-{name}") for name in ("map", "second-map"))
    for here, there in ((first, second), (second, first)):
        before = query(tab).get("clusters_pick")
        here.scroll_into_view_if_needed()
        here.hover()
        here.locator('[data-title="Box Select"]').click()
        area = here.locator(".nsewdrag").first.bounding_box()
        middle, depth = area["x"] + area["width"] / 2, area["y"] + area["height"] / 2
        tab.page.mouse.move(middle - 25, depth - 25)
        tab.page.mouse.down()
        tab.page.mouse.move(middle, depth, steps=6)
        tab.page.mouse.move(middle + 25, depth + 25, steps=6)
        tab.page.mouse.up()
        tab.settle().shows("selected")
        expect(there.locator(".legendtext", has_text="marked")).to_have_count(1, timeout=15_000)
        kept = here.locator(".js-plotly-plot").evaluate("plot => plot.data.some(trace => trace.selectedpoints?.length)")
        assert kept or here.locator(".legendtext", has_text="marked").count() == 1  # here too it is to be seen
        assert query(tab)["clusters_pick"] != before
    picked = query(tab)["clusters_pick"][0].split(", ")
    assert [row["word"] for row in tab.rows("selection")] == picked


def test_the_copied_link_holds_what_changed_without_a_full_run(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/clusters?clusters_method=PCA").fill("Colour by", "frequency rank")
    first = tab.copied_link()
    assert parse_qs(urlparse(first).query)["clusters_colour"] == ["frequency rank"]
    tab.page.keyboard.press("Escape")
    tab.settle().fill("Look at", "rome, paris").fill("Colour by", "neighbours kept")
    second = tab.copied_link()
    assert parse_qs(urlparse(second).query)["clusters_pick"] == ["rome, paris"]
    tab.page.keyboard.press("Escape")
    tab.settle().page.get_by_text("Copy as Python").click()
    code = tab.page.get_by_test_id("stPopoverBody").get_by_test_id("stCode")
    code.get_by_text("('rome', 'paris')").wait_for(timeout=15_000)
    tab.open(second)
    tab.holds("Look at", "rome, paris")
    tab.holds("Colour by", "neighbours kept")
    tab.shows("2 selected")


def test_a_selection_mapped_alone_and_back(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/clusters?clusters_method=PCA&clusters_pick={quote('rome, paris, madrid, berlin')}")
    tab.click("Map these 4 words alone")
    assert query(tab)["clusters_only"] == ["rome, paris, madrid, berlin"]
    tab.shows("4 points")
    tab.click("All words again")
    tab.shows("73 points")
    assert "clusters_only" not in query(tab)


def test_search_counts_and_marks(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/clusters").fill("Find", "l*")
    cities = [c for _, members in groups.preset(groups.FIGURE_1) for c in members]
    tab.shows(f"{sum(c.startswith('l') for c in cities)} of 73 match")
    assert query(tab)["clusters_find"] == ["l*"]
    from playwright.sync_api import expect

    expect(tab.page.locator(f"{MAP} .legend").first).to_contain_text("marked", timeout=15_000)


def test_examples_and_reset(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/clusters").click("Work on two axes")
    tab.holds("Axis across", "she - he")
    assert query(tab)["clusters_list"] == ["professions"]
    tab.click("Reset")
    tab.shows("73 points · static embeddings")
    assert "clusters_list" not in query(tab)


def test_a_long_tsne_can_be_stopped(slow_server: str, tab, bundled) -> None:  # type: ignore[no-untyped-def]
    words = [p for i, p in enumerate(bundled.vocabulary) if bundled.whole_words[i] and len(p) > 3][:1_800]
    tab.open(f"{slow_server}/clusters?clusters_list=own+words").fill("Groups, one a line", "a: " + ", ".join(words))
    tab.shows("Until then the map shows PCA")
    tab.page.get_by_role("button", name="Compute t-SNE of 1,800 points").click()
    tab.stop()
    tab.shows("Until then the map shows PCA")


def test_found_clusters_and_a_second_map_can_be_stopped(slow_server: str, tab) -> None:  # type: ignore[no-untyped-def]
    # Words in sentences: reading them reports its progress however fast the machine is.
    page = f"{slow_server}/clusters?clusters_method=PCA&clusters_source=in+a+sentence"
    tab.open(page)  # the first map is remembered
    for key, value in (("found", "5"), ("beside", "group+means")):
        tab.page.goto(f"{page}&clusters_{key}={value}")
        tab.stop().shows("73 points")
        assert f"clusters_{key}" not in query(tab)
        assert tab.page.locator(".st-key-chart-second-map").count() == 0 and "nobody named" not in tab.text()


def test_hostile_words_stay_text(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    hostile = "a: <img src=x onerror=alert(1)>, ![x](http\\://y), dog, cat\n**b**: horse, cow, pig"
    link = f"clusters?clusters_list=own+words&clusters_method=PCA&clusters_pieces=mean&clusters_words_own_words={quote(hostile)}"
    tab.open(f"{server}/{link}&clusters_pick=dog&clusters_find={quote('<img')}")
    tab.shows_no_markup()


def test_phone_shows_the_map_before_the_settings(server: str, phone) -> None:  # type: ignore[no-untyped-def]
    phone.open(f"{server}/clusters").fits_the_screen()
    map_top = phone.page.locator(MAP).first.bounding_box()["y"]
    assert map_top < phone.page.get_by_label("Groups, one a line", exact=True).bounding_box()["y"]
