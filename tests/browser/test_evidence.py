"""The Evidence page as a visitor clicks it: from a mark to its case, to Arithmetic, and back."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

ROME, ARITHMETIC = "Rome is the capital of [MASK].", re.compile(r"/arithmetic\?")
OWN = {
    "evidence_relation": "own",
    "evidence_pairs": "Rome, Italy\nParis, France\nBerlin, Germany",
    "evidence_others": "2",
}


def test_a_click_on_a_case_opens_it_on_arithmetic_and_back_shows_it(fresh):
    tab = fresh.open("evidence", **OWN)
    headline = tab.finding.inner_text()
    tab.shows("Click a cell to open its case on Arithmetic")
    chart = tab.chart("cases")
    trace = chart.traces()[1]  # the marks on the cells
    chart.click(float(trace["x"][0]), float(trace["y"][0]))
    expect(tab.page).to_have_url(ARITHMETIC)
    tab.settled().shows("Arithmetic")
    (edit,), (text,) = tab.query["arithmetic_edits"], tab.query.get("arithmetic_text", [ROME])
    a, b, c = re.fullmatch(r"(\w+) = \w+ - (\w+) \+ (\w+)", edit).groups()
    assert text == f"{a} is the capital of [MASK]."
    tab.main.get_by_text("Back to Evidence").click()
    tab.settled().shows("Selected case", f"{a}: {b} → {c}")
    assert tab.finding.inner_text() == headline
    tab.asks(evidence_case=f"{a}|{b}|{c}")
    tab.back()
    tab.settled().shows("Arithmetic")
    tab.back()
    tab.shows("Selected case", f"{a}: {b} → {c}").asks(evidence_case=f"{a}|{b}|{c}")
    assert tab.finding.inner_text() == headline
    with tab.answer():  # the same case once more: it is selected, and opens again
        tab.main.get_by_text("Open this case on Arithmetic").click()
    expect(tab.page).to_have_url(ARITHMETIC)


def test_on_a_touch_screen_a_tap_selects_a_case(phone):
    tab = phone.open("evidence", **OWN)
    with tab.answer():
        tab.main.locator(".st-key-chart-cases .points path").first.click(force=True)
    tab.shows("Selected case", "Open this case on Arithmetic")
    tab.page.wait_for_timeout(1000)
    assert not ARITHMETIC.search(tab.page.url) and tab.query["evidence_case"]


def test_a_number_outside_its_limits_is_replaced_and_reset_clears_it(fresh):
    tab = fresh.open("evidence", **OWN)
    tab.fill("New words", "0")
    tab.holds("New words", "1").shows("0 is not possible here, so 1 is used.")
    tab.asks(evidence_others="1")
    tab.press("Reset").lacks("is not possible here")
    tab.holds("New words", "5")
