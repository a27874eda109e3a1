import pytest

"""The Directions page as a visitor sees it: what needs a browser; the rest is in tests/directions/test_page.py."""


@pytest.mark.slow
def test_hostile_text_stays_text(tab):
    hostile = "**bold** <img src=x onerror=alert(1)> it ![x](http://127.0.0.1/x.png) [MASK]"
    tab.open("directions", concepts_tab="erase", concepts_masked=hostile).shows_no_markup()


@pytest.mark.slow
def test_a_text_that_is_too_long_is_cut_and_the_field_says_so(tab):
    tab.open("directions", concepts_tab="find", concepts_text="A good day.")
    tab.fill("Sentence to score", "A good day. " * 50)
    tab.holds("Sentence to score", ("A good day. " * 50)[:500]).shows(
        "The text had 600 characters; the first 500 are used."
    )
