"""The Decomposition page as a visitor clicks it: what needs a browser; the rest is in tests/decomposition/test_page.py."""

import pytest
from playwright.sync_api import expect

from embtools.ui.decomposition import back, formula, word


def finding(tab):
    """The headline."""
    return tab.main.locator("h2").first


def test_the_link_of_an_example_shows_another_visitor_the_same(tab, visitor, server):
    tab.open("decomposition", decomposition_tab=formula.TAB)
    other, findings = visitor(server), set()
    for name in list(formula.PRESETS)[1:3]:  # of all of them tests/decomposition/test_page.py asks it
        said = finding(tab.press(name)).inner_text()
        other.follow(tab.page.url)
        expect(finding(other)).to_have_text(said)
        assert other.query == tab.query
        findings.add(said)
    assert len(findings) > 1


def test_hostile_text_stays_text(tab):
    hostile = "**bold** <img src=x onerror=alert(1)> a cold ![x](http://127.0.0.1/x.png)"
    tab.open("decomposition", decomposition_sentence=hostile).shows("cold = ").shows_no_markup()
    tab.open("decomposition", decomposition_word="<img src=x>").shows_no_markup()
    asked = {"decomposition_tab": back.TAB, "decomposition_put_sentence": hostile}
    tab.open("decomposition", **asked).shows("in the place of cold", "The sentence had no mask").shows_no_markup()


@pytest.mark.parametrize(("width", "height"), [(1280, 720)])  # the lower of the two screens that count
@pytest.mark.parametrize("panel", [word, formula, back], ids=lambda panel: panel.TAB)
def test_the_answer_stands_above_the_fold(visitor, server, width, height, panel):
    seen = visitor(server, viewport={"width": width, "height": height})
    seen.open("decomposition", decomposition_tab=panel.TAB)
    for part in (finding(seen), *seen.main.locator(".js-plotly-plot").all()[:1]):
        box = part.bounding_box()
        assert box and box["y"] + box["height"] <= height


def test_the_finding_stands_above_the_fold_of_a_phone(visitor, server):
    seen = visitor(server, viewport={"width": 390, "height": 844}).open("decomposition")
    box = finding(seen).bounding_box()
    assert box and box["y"] + box["height"] <= 844
