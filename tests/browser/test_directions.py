"""The Directions page as a visitor sees it: what needs a browser; the rest is in tests/directions/test_page.py."""


def test_hostile_text_stays_text(tab):
    hostile = "**bold** <img src=x onerror=alert(1)> it ![x](http://127.0.0.1/x.png) [MASK]"
    tab.open("directions", directions_tab="erase", directions_masked=hostile).shows_no_markup()
