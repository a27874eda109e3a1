"""The Features page in a browser; what needs none is tested in tests/features/test_page.py."""

import pytest
from playwright.sync_api import expect


@pytest.mark.slow
def test_the_answers_with_a_clamped_feature_are_read_aloud_and_look_like_other_texts(tab):
    label, clamped = "Sentence (BERT fills in any [MASK])", "The probability of "
    tab.open("features", features_tab="learned")
    spoken = tab.page.locator('.read-aloud[role="status"]')
    first = tab.main.locator(".finding").filter(has_text=clamped).first.inner_text()
    expect(spoken).to_contain_text(first)
    tab.fill(label, "The opposite of hot is <b>very</b> [MASK].").shows_no_markup()
    second = tab.main.locator(".finding").filter(has_text=clamped).first.inner_text()
    assert second != first
    expect(spoken).to_contain_text(second)
    expect(spoken).not_to_contain_text(first)
    looks = """name => { const { color, font, whiteSpace, wordBreak, margin } = getComputedStyle(document.querySelector(
      `[data-testid="stMain"] ${name}`)); return [color, font, whiteSpace, wordBreak, margin]; }"""
    plain = tab.page.evaluate(looks, '[data-testid="stText"] > span')
    assert tab.page.evaluate(looks, ".finding") == plain
