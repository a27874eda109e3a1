"""The Similarity page as a visitor clicks it."""

import pytest

from embtools.similarity import matrix
from embtools.similarity import pair as similarity_pair
from embtools.ui.similarity import colours

WORDS = ("rome", "paris", "madrid", "red", "green", "blue")
ASKED = {
    "similarity_words": ", ".join(WORDS),
    "similarity_first": "rome",
    "similarity_second": "green",
    "similarity_linkage": "ward",
}
FIELD = "Words, up to 150, between commas"
HEROES = {
    "Heatmap and tree": ("similarity",),
    "Does it follow sight?": ("sight",),
    "Two spaces": ("similarity-first", "similarity-second"),
}


def holds_pair(tab, first: str, second: str) -> None:
    """Wait until the two pickers hold these words."""
    tab.holds("One word", first).holds("Another", second)


def finding(tab):
    """The headline."""
    return tab.main.locator("h2").first


# What an address opens, and what it says


def test_a_link_restores_everything(tab, bundled):
    tab.open("similarity", **ASKED, open="tree").holds(FIELD, ", ".join(WORDS)).shows("Settings: cosine, ward linkage")
    holds_pair(tab, "rome", "green")
    pair = similarity_pair.pair("rome", "green", bundled)
    tab.shows(f"{pair.cosine:.3f}", f"{pair.rank_ab:,}", "Clusters join by")


def test_the_link_of_an_example_shows_another_visitor_the_same(tab, visitor, server):
    tab.open("similarity", similarity_tab=colours.TAB)
    other, findings = visitor(server), set()
    for name in list(colours.PRESETS)[1:3]:  # of all of them tests/similarity/test_page.py asks it
        said = finding(tab.press(name)).inner_text()
        other.follow(tab.page.url)
        assert finding(other).inner_text() == said, name
        assert {f"{key}={value}" for key, value in other.query.items()} == {f"{k}={v}" for k, v in tab.query.items()}
        findings.add(said)
    assert len(findings) > 1


def test_copied_link_reopens_the_same_page(tab, visitor, server):
    again = visitor(server).follow(tab.open("similarity", **ASKED).copied_link())
    again.holds(FIELD, ", ".join(WORDS)).shows("ward linkage")
    holds_pair(again, "rome", "green")


# Clicks


def test_a_click_on_a_cell_opens_its_pair(tab, bundled):
    heatmap = tab.open("similarity", similarity_words=", ".join(WORDS)).chart("similarity")
    result = matrix.compare_words(WORDS, bundled)
    ordered = [result.words[i] for i in result.order]
    for row, column in ((4, 1), (0, 5)):
        value = result.values[result.order[row], result.order[column]]
        assert heatmap.click(column, row) == f"{ordered[row]} – {ordered[column]}: {value:.3f}"
        holds_pair(tab, ordered[row], ordered[column])
        assert tab.query["similarity_second"] == [ordered[column]]


def test_the_picker_works_after_a_click_and_after_another_list(tab, bundled):
    tab.open("similarity", similarity_words=", ".join(WORDS)).chart("similarity").click(1, 4)
    result = matrix.compare_words(WORDS, bundled)
    ordered = [result.words[i] for i in result.order]
    holds_pair(tab, ordered[4], ordered[1])
    tab.pick("One word", ordered[2])
    holds_pair(tab, ordered[2], ordered[1])
    tab.press("Family")
    best = matrix.pair_table(matrix.compare_words(matrix.preset("Family"), bundled)).iloc[0]
    holds_pair(tab, best["first"], best["second"])


def test_a_game_of_two_rounds(tab, visitor, server):
    tab.open("similarity", similarity_tab="Odd one out").charts(0).choose("guess", "guitar")
    tab.shows("Right: guitar.").charts(1).press("Next puzzle").shows("Round 2", "Which word does not belong?")
    visitor(server).follow(tab.page.url).shows("Round 2", "You: 1 of 1")
    tab.back().shows("Right: guitar.")


def test_download_holds_every_pair(tab, bundled):
    rows = tab.open("similarity", **ASKED).rows("similarity")
    expected = matrix.pair_table(matrix.compare_words(WORDS, bundled))
    assert [(r["first"], r["second"]) for r in rows] == list(zip(expected["first"], expected["second"], strict=True))
    assert float(rows[0]["cosine"]) == pytest.approx(expected["cosine"][0])


# What is seen at first sight


@pytest.mark.parametrize(("width", "height"), [(1280, 720)])  # the lower of the two screens that count
def test_finding_and_picture_stand_above_the_fold(visitor, server, width, height):
    tab = visitor(server, viewport={"width": width, "height": height})
    for name, charts in HEROES.items():
        tab.open("similarity", similarity_tab=name)
        tab.above_the_fold(finding(tab), *(tab.chart(chart).plot for chart in charts))


def test_on_a_phone_the_finding_of_every_tab_stands_above_the_fold(phone):
    for name in (*HEROES, "Odd one out"):
        phone.open("similarity", similarity_tab=name).above_the_fold(finding(phone)).fits_the_screen()


def test_hostile_words_stay_text(tab):
    hostile = "<img src=x onerror=alert(1)>, ![x](http://127.0.0.1/x.png), **bold**, red"
    tab.open("similarity", similarity_words=hostile, similarity_pieces="mean")
    tab.shows("read as the mean of their pieces").shows_no_markup()
