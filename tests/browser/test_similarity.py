"""The Similarity page as a visitor clicks it."""

import pytest

from embtools.similarity import matrix
from embtools.similarity import pair as similarity_pair

WORDS = ("rome", "paris", "madrid", "red", "green", "blue")
ASKED = {
    "similarity_words": ", ".join(WORDS),
    "similarity_first": "rome",
    "similarity_second": "green",
    "similarity_linkage": "ward",
}


def holds_pair(tab, first: str, second: str) -> None:
    """Wait until the two pickers hold these words."""
    tab.holds("One word", first).holds("Another", second)


def test_a_link_restores_everything(tab, bundled):
    tab.open("similarity", **ASKED).holds("Words, up to 150", ", ".join(WORDS)).holds("Clusters join by", "ward")
    holds_pair(tab, "rome", "green")
    pair = similarity_pair.pair("rome", "green", bundled)
    tab.shows(f"{pair.cosine:.3f}", f"{pair.rank_ab:,}")


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


def test_copied_link_reopens_the_same_page(tab, visitor, server):
    again = visitor(server).follow(tab.open("similarity", **ASKED).copied_link())
    again.holds("Words, up to 150", ", ".join(WORDS))
    holds_pair(again, "rome", "green")


def test_download_holds_every_pair(tab, bundled):
    rows = tab.open("similarity", **ASKED).rows("similarity")
    expected = matrix.pair_table(matrix.compare_words(WORDS, bundled))
    assert [(r["first"], r["second"]) for r in rows] == list(zip(expected["first"], expected["second"], strict=True))
    assert float(rows[0]["cosine"]) == pytest.approx(expected["cosine"][0])


@pytest.mark.parametrize(("name", "charts"), [("Does it follow sight?", 3), ("Two spaces", 3), ("Odd one out", 1)])
def test_tabs_stand_in_the_address(tab, name: str, charts: int):
    tab.open("similarity").turn_to(name).charts(charts)
    assert tab.query["similarity_tab"] == [name]
    tab.follow(tab.page.url).charts(charts)


def test_hostile_words_stay_text(tab):
    hostile = "<img src=x onerror=alert(1)>, ![x](http://127.0.0.1/x.png), **bold**, red"
    tab.open("similarity", similarity_words=hostile, similarity_pieces="mean")
    tab.shows("read as the mean of their pieces").shows_no_markup()


def test_phone_is_not_wider_than_its_screen(phone):
    for query in ({}, {"similarity_tab": "Two spaces"}):
        phone.open("similarity", **query).fits_the_screen()
