"""Isotropy on Clusters as a visitor clicks it: what needs a browser; the rest is in tests/clusters/test_isotropy_page.py."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.slow


@pytest.mark.thorough
def test_own_words_on_another_page_survive_its_opening_in_a_processed_space(tab):
    words = tab.main.locator(".st-key-similarity_words input")
    tab.open("similarity", similarity_words="oak, ash, elm, rose")
    tab.open("clusters", clusters_tab="isotropy", clusters_isotropy_space="whitened")
    with tab.answer():
        tab.main.get_by_role("link", name="Heatmap").click()
    tab.shows("Space: whitened")
    expect(words).to_have_value("oak, ash, elm, rose")
    tab.press("Use raw vectors").lacks("Space: whitened")
    expect(words).to_have_value("oak, ash, elm, rose")
    assert tab.query["similarity_words"] == ["oak, ash, elm, rose"] and "similarity_space" not in tab.query


def test_hostile_text_stays_text(tab):
    hostile = "**bold** <img src=x onerror=alert(1)>"
    tab.open(
        "clusters", clusters_tab="isotropy", clusters_isotropy_effect="analogies", clusters_isotropy_analogy=hostile
    ).shows("Two random words").shows_no_markup()
