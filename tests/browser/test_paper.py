"""The Paper page as a visitor clicks it: what needs a browser; everything else is in tests/paper/test_page.py."""

import pytest
from playwright.sync_api import expect


def test_a_claim_is_computed_and_its_link_leads_to_the_page_and_back(tab):
    tab.open("paper", paper_text="Lecture notes").shows("neither of the two")
    card = tab.main.locator(".st-key-claim-D1")
    with tab.answer():
        card.get_by_role("button", name="Compute now").click()
    expect(card).to_contain_text("Computed on this server.")
    card.get_by_role("link").click()
    tab.shows("the same row gives it 17.1%")
    assert tab.query["inputs_tab"] == ["Look-up and way back"]
    tab.back()
    tab.shows("neither of the two")


def test_the_link_of_a_text_shows_the_same(tab, visitor, server):
    tab.open("paper")
    tab.chart("claims").click(8, 3)  # B8, in the second row of five from the top
    tab.shows("219,648")
    assert tab.query["paper_text"] == ["Word embeddings"]
    again = visitor(server).follow(tab.page.url)
    again.shows("219,648")
    assert again.main.locator(".st-key-claims").inner_text() == tab.main.locator(".st-key-claims").inner_text()


@pytest.mark.parametrize(("width", "height"), [(1280, 720)])  # the lower of the two screens that count
def test_the_answer_stands_above_the_fold(visitor, server, width, height):
    seen = visitor(server, viewport={"width": width, "height": height}).open("paper")
    finding = seen.main.locator("h2").first.bounding_box()
    charts = [chart.bounding_box() for chart in seen.main.locator(".js-plotly-plot").all()]
    assert finding and len(charts) == 2
    assert all(box and finding["y"] < box["y"] and box["y"] + box["height"] <= height for box in charts)


def test_on_a_phone_the_answer_stands_first_and_fits(phone):
    phone.open("paper").fits_the_screen()
    finding, chart = (phone.main.locator(name).first.bounding_box() for name in ("h2", ".js-plotly-plot"))
    assert finding and chart and finding["y"] + finding["height"] <= 844 and chart["y"] + chart["height"] <= 844
