"""The Similarity page as a visitor clicks it."""

from collections.abc import Callable
from urllib.parse import parse_qs, quote, urlparse

import pytest

from embtools.similarity import matrix
from embtools.similarity import pair as similarity_pair

WORDS = "rome, paris, madrid, red, green, blue"
LINK = (
    f"similarity?similarity_words={quote(WORDS)}&similarity_first=rome&similarity_second=green&similarity_linkage=ward"
)


def holds_pair(tab, first: str, second: str) -> None:  # type: ignore[no-untyped-def]
    """Wait until the two pickers hold these words."""
    tab.holds("One word", first)
    tab.holds("Another", second)


def click_cell(tab, row: int, column: int, n: int) -> str:  # type: ignore[no-untyped-def]
    """Click a cell of the first heatmap, once it can be hovered; returns what the hover says."""
    plot = tab.page.locator(".js-plotly-plot").first
    hover = plot.locator(".hovertext")
    for _ in range(30):  # while the page still grows, the plot moves away under the mouse
        plot.scroll_into_view_if_needed()
        x, y = plot.evaluate(
            """(plot, [row, column, n]) => {
                const {xaxis: x, yaxis: y} = plot._fullLayout, box = plot.getBoundingClientRect();
                return [box.left + x._offset + x._length * (column + 0.5) / n,
                        box.top + y._offset + y._length * (row + 0.5) / n];
            }""",
            [row, column, n],
        )
        tab.page.mouse.move(x - 3, y - 3)
        tab.page.mouse.move(x, y)
        tab.page.wait_for_timeout(500)
        if hover.count():
            said = hover.text_content()
            tab.page.mouse.click(x, y)
            tab.settle()
            return said.replace("\u2212", "-")
    raise AssertionError("the cell cannot be hovered")


def test_cold_deep_link_restores_everything(start: Callable[[], str], tab, bundled) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{start()}/{LINK}")
    tab.holds("Words, up to 150", WORDS)
    holds_pair(tab, "rome", "green")
    tab.holds("Clusters join by", "ward")
    pair = similarity_pair.pair("rome", "green", bundled)
    tab.shows(f"{pair.cosine:.3f}", f"{pair.rank_ab:,}")


def test_a_click_on_a_cell_opens_its_pair(server: str, tab, bundled) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/similarity?similarity_words={quote(WORDS)}")
    result = matrix.compare_words(tuple(WORDS.split(", ")), bundled)
    ordered = [result.words[i] for i in result.order]
    for row, column in ((4, 1), (0, 5)):
        said = click_cell(tab, row, column, 6)
        value = result.values[result.order[row], result.order[column]]
        assert said == f"{ordered[row]} – {ordered[column]}: {value:.3f}"
        holds_pair(tab, ordered[row], ordered[column])
        assert parse_qs(urlparse(tab.page.url).query)["similarity_second"] == [ordered[column]]


def test_the_picker_works_after_a_click_and_after_another_list(server: str, tab, bundled) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/similarity?similarity_words={quote(WORDS)}")
    result = matrix.compare_words(tuple(WORDS.split(", ")), bundled)
    ordered = [result.words[i] for i in result.order]
    click_cell(tab, 4, 1, 6)
    holds_pair(tab, ordered[4], ordered[1])
    tab.fill("One word", ordered[2])  # typing filters the options, Enter takes the first
    holds_pair(tab, ordered[2], ordered[1])
    tab.click("Family")
    best = matrix.pair_table(matrix.compare_words(matrix.preset("Family"), bundled)).iloc[0]
    holds_pair(tab, best["first"], best["second"])


def test_copied_link_reopens_the_same_page(server: str, tab, browser) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/{LINK}")
    again = type(tab)(browser.new_context().new_page()).open(tab.copied_link())
    again.holds("Words, up to 150", WORDS)
    holds_pair(again, "rome", "green")
    again.page.context.close()


def test_download_holds_every_pair(server: str, tab, bundled) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/{LINK}")
    rows = tab.rows("similarity")
    expected = matrix.pair_table(matrix.compare_words(tuple(WORDS.split(", ")), bundled))
    assert [(r["first"], r["second"]) for r in rows] == list(zip(expected["first"], expected["second"], strict=True))
    assert float(rows[0]["cosine"]) == pytest.approx(expected["cosine"][0])


@pytest.mark.parametrize(("name", "charts"), [("Does it follow sight?", 3), ("Two spaces", 3), ("Odd one out", 1)])
def test_tabs_stand_in_the_address(server: str, tab, name: str, charts: int) -> None:  # type: ignore[no-untyped-def]
    from playwright.sync_api import expect

    tab.open(f"{server}/similarity")
    tab.page.get_by_role("tab", name=name, exact=True).click()
    tab.settle()
    assert parse_qs(urlparse(tab.page.url).query)["similarity_tab"] == [name]
    for _ in range(2):
        expect(tab.page.locator(".js-plotly-plot:visible")).to_have_count(charts, timeout=30_000)
        tab.open(tab.page.url)


def test_hostile_words_stay_text(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    hostile = "<img src=x onerror=alert(1)>, ![x](http://127.0.0.1/x.png), **bold**, red"
    tab.open(f"{server}/similarity?similarity_words={quote(hostile)}&similarity_pieces=mean")
    tab.shows_no_markup()
    tab.shows("read as the mean of their pieces")


def test_phone_is_not_wider_than_its_screen(server: str, phone) -> None:  # type: ignore[no-untyped-def]
    for name in ("", "?similarity_tab=Two%20spaces"):
        phone.open(f"{server}/similarity{name}").fits_the_screen()
