"""Two models side by side in a browser: the switch, both charts, the link for another visitor, Back."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.slow


def test_the_switch_shows_a_second_model_next_to_the_first(fresh, phone):
    tab = fresh.open("similarity", similarity_words="red, green, blue, yellow").charts(2)
    tab.unfold("settings").pick("Compare with", "other").charts(4)
    first, second = (tab.chart(name).traces()[0]["z"] for name in ("similarity", "similarity-second"))
    assert len(first) == len(second) == 4 and first != second
    tab.chart("similarity").is_described("Pocket BERT: Heatmap of 4 words")
    tab.chart("similarity-second").is_described("other: Heatmap of 4 words")
    tab.chart("random-pairs").is_described("Pocket BERT: Histogram of the cosines")  # of the pair, in both models
    tab.chart("random-pairs-second").is_described("other: Histogram of the cosines")
    text = tab.shows("rankings of the pairs by").text().partition("rankings of the pairs")[2][:60]
    link = tab.page.url
    tab.asks(compare="other")
    assert text in phone.follow(link).charts(4).text()
    boxes = [phone.page.locator(f".st-key-chart-{name}").bounding_box() for name in ("similarity", "similarity-second")]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]  # on a phone one below the other
    phone.fits_the_screen()
    tab.back().charts(2)
    tab.asks(compare=None)
    tab.back(-1).charts(4).menu("Clusters").shows("nearest neighbours in Pocket BERT are also nearest in other")


def test_the_findings_of_both_models_are_read_aloud_after_their_titles(fresh):
    tab = fresh.open("similarity", similarity_words="red, green, blue", compare="other").charts(4)
    spoken = tab.page.locator('.read-aloud[role="status"]')
    before = tab.main.locator(".finding").all_inner_texts()
    assert len(before) == 2
    for title, finding in zip(("Pocket BERT", "other"), before, strict=True):
        expect(spoken).to_contain_text(f"{title}: {finding}")
    tab.fill("Words (comma-separated, up to 150)", "red, green, dog")
    after = tab.main.locator(".finding").all_inner_texts()
    assert len(after) == 2 and not set(after) & set(before)
    for title, finding in zip(("Pocket BERT", "other"), after, strict=True):
        expect(spoken).to_contain_text(f"{title}: {finding}")
    expect(spoken).not_to_contain_text(before[1])
