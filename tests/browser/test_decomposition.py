"""The Decomposition page in a browser; what needs none is tested in tests/decomposition/test_page.py."""

import pytest
from playwright.sync_api import expect

from embtools.ui.decomposition import formula


@pytest.mark.slow
def test_the_link_of_an_example_shows_another_visitor_the_same(tab, visitor, server):
    name = list(formula.PRESETS)[1]  # tests/decomposition/test_page.py checks all of them
    headline = tab.open("decomposition", decomposition_tab="formula").press(name).finding.inner_text()
    other = visitor(server).follow(tab.page.url)
    expect(other.finding).to_have_text(headline)
    assert other.query == tab.query


def test_hostile_text_stays_text(tab):
    hostile = "**bold** <img src=x onerror=alert(1)> a cold ![x](http://127.0.0.1/x.png)"
    tab.open("decomposition", decomposition_sentence=hostile).shows("cold = ").shows_no_markup()
    tab.open("decomposition", decomposition_word="<img src=x>").shows_no_markup()
    fields = {"decomposition_tab": "patching", "decomposition_put_sentence": hostile}
    tab.open("decomposition", **fields).shows("cold replaced by the", "The sentence had no mask").shows_no_markup()
