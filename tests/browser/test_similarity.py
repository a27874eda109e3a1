"""The Similarity page as a visitor clicks it."""

import pytest
from playwright.sync_api import expect

from embtools.similarity import matrix
from embtools.similarity import word_pairs as similarity_pair
from embtools.similarity.random_words import compare_with_random_words

pytestmark = pytest.mark.slow

WORDS = ("rome", "paris", "madrid", "red", "green", "blue")
QUERY = {
    "similarity_words": ", ".join(WORDS),
    "similarity_first": "rome",
    "similarity_second": "green",
    "similarity_linkage": "ward",
}
FIELD = "Words (comma-separated, up to 150)"


def holds_pair(tab, first: str, second: str) -> None:
    """Wait until the two pickers hold these words."""
    tab.holds("First word", first).holds("Second word", second)


# What an address opens, and what it says


def test_a_link_restores_everything_and_so_does_its_copy(tab, fresh, bundled):
    tab.open("similarity", **QUERY, open="tree")
    pair = similarity_pair.pair("rome", "green", bundled)
    expected = compare_with_random_words(WORDS, bundled).pairs
    for again in (tab, fresh.follow(tab.copied_link())):
        again.holds(FIELD, ", ".join(WORDS)).shows("Settings: cosine, ward linkage", "Linkage")
        holds_pair(again, "rome", "green")
        again.shows(f"{pair.cosine:.3f}", f"{pair.rank_ab - 1:,} words are nearer than green")
        rows = again.rows("similarity")
        assert [(r["first"], r["second"]) for r in rows] == list(
            zip(expected["first"], expected["second"], strict=True)
        )
        assert [float(r["cosine"]) for r in rows] == pytest.approx(expected["cosine"].tolist(), abs=1e-5)


# Clicks


def test_a_click_on_a_cell_opens_its_pair_and_the_picker_and_another_list_work_after_it(tab, bundled):
    heatmap = tab.open("similarity", similarity_words=", ".join(WORDS)).chart("similarity")
    result = matrix.compare_words(WORDS, bundled)
    ordered = [result.words[i] for i in result.order]
    for row, column in ((4, 1), (0, 5)):
        value = result.values[result.order[row], result.order[column]]
        hover = heatmap.click(column, row)
        assert hover.startswith(f"{ordered[row]} – {ordered[column]}: {value:.3f}") and "of random pairs" in hover
        holds_pair(tab, ordered[row], ordered[column])
        tab.asks(similarity_second=ordered[column])
    tab.chart("random-pairs").is_drawn_once()
    tab.pick("First word", ordered[2])
    holds_pair(tab, ordered[2], ordered[5])
    tab.press("Family")
    best = compare_with_random_words(matrix.preset("Family"), bundled).pairs.iloc[0]
    holds_pair(tab, best["first"], best["second"])


def test_after_quick_clicks_pickers_address_and_pair_are_the_same(tab):
    """Two clicks within 300 ms are a double click to plotly, which takes back what the second one selected: this is sent
    while the server answers it, with the words that the pickers had before."""
    heatmap = tab.open("similarity", similarity_words=", ".join(WORDS)).chart("similarity")
    for places in (((1, 4), (5, 0)), ((3, 2), (4, 1)), ((0, 5), (2, 3))):
        for place in places:
            tab.page.mouse.click(*heatmap.pixel(*place))
            tab.page.wait_for_timeout(240)
        tab.page.wait_for_timeout(1_000)
        (first,), (second,) = (tab.query[f"similarity_{name}"] for name in ("first", "second"))
        holds_pair(tab, first, second)
        expect(tab.main.get_by_text(f"{first} and {second}: cosine")).to_be_visible()


def test_hostile_words_stay_text(tab):
    hostile = "<img src=x onerror=alert(1)>, ![x](http://127.0.0.1/x.png), **bold**, red"
    tab.open("similarity", similarity_words=hostile, similarity_pieces="mean")
    tab.shows("read as the mean of their tokens").shows_no_markup()


FRAMES = """
plot => {
  const {xaxis, yaxis} = plot._fullLayout, at = plot.getBoundingClientRect();
  const cell = [xaxis.d2p(1) - xaxis.d2p(0), yaxis.d2p(1) - yaxis.d2p(0)].map(Math.abs);
  return [...plot.querySelectorAll('.subplot.xy .points path')].filter(e => getComputedStyle(e).opacity === '1').map(e => {
    const box = e.getBoundingClientRect(), line = 2;
    const middle = [(box.x + box.width / 2 - at.x - xaxis._offset) / cell[0], (box.y + box.height / 2 - at.y - yaxis._offset) / cell[1]];
    return {column: Math.floor(middle[0]), row: Math.floor(middle[1]), off: middle.map(x => Math.abs(x % 1 - 0.5)),
            inside: box.width + line <= cell[0] && box.height + line <= cell[1]};
  });
}
"""


@pytest.mark.thorough("")
@pytest.mark.parametrize("words", ["red, green, blue, dog, cat", ""])
def test_the_frame_of_a_cell_is_inside_it_at_every_width(tab, words):
    tab.open("similarity", **({"similarity_words": words} if words else {}))
    size = tab.page.viewport_size
    try:
        for width, height in ((390, 844), (768, 1024), (820, 1180), (1280, 720), (1440, 900)):
            frames = tab.resize(width, height).plots.first.evaluate(FRAMES)
            assert len(frames) == 2 and frames[0]["row"] == frames[1]["column"]
            for frame in frames:
                assert frame["inside"] and max(frame["off"]) < 0.05, (width, frame)
    finally:
        tab.resize(**size)
