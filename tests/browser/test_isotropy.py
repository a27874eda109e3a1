"""The Isotropy page as a visitor clicks it: what needs a browser; the rest is in tests/isotropy/test_page.py."""

from playwright.sync_api import expect


def finding(tab):
    """The headline."""
    return tab.main.locator("h2").first


def test_the_link_of_an_example_shows_another_visitor_the_same_and_back_returns(tab, visitor, server):
    tab.open("isotropy")
    first = finding(tab).inner_text()
    said = finding(tab.press("Whitening")).inner_text()
    assert said != first
    other = visitor(server)
    other.follow(tab.page.url)
    expect(finding(other)).to_have_text(said)
    tab.back()
    expect(finding(tab)).to_have_text(first)


def test_hostile_text_stays_text(tab):
    hostile = "**bold** <img src=x onerror=alert(1)>"
    tab.open("isotropy", isotropy_word=hostile).shows("Two random words").shows_no_markup()


def test_the_answer_stands_above_the_fold(visitor, server):
    seen = visitor(server, viewport={"width": 1280, "height": 720}).open("isotropy")
    for part in (finding(seen), *seen.main.locator(".js-plotly-plot").all()[:2]):
        box = part.bounding_box()
        assert box and box["y"] + box["height"] <= 720
    seen = visitor(server, viewport={"width": 390, "height": 844}).open("isotropy")
    box = finding(seen).bounding_box()
    assert box and box["y"] + box["height"] <= 844
