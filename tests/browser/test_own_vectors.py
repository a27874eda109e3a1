"""A file of vectors from a visitor's computer; the rest is in tests/clusters/test_sources.py."""

import pytest
from playwright.sync_api import expect

WORDS = ("red", "green", "blue", "dog", "cat", "horse")
CSV = "word,a,b,c,kind\n" + "\n".join(
    f"{word},{i % 3 + 1},{i // 3},{0.5 * i},{'colour' if i < 3 else 'animal'}" for i, word in enumerate(WORDS)
)


@pytest.mark.slow
def test_a_file_is_mapped_from_the_menu_with_its_badge_and_survives_a_change_of_page(tab):
    tab.open("similarity")
    with tab.answer():
        tab.page.get_by_role("link", name="Your vectors", exact=True).first.click()
    tab.shows("Upload a file. Until then")
    with tab.answer():
        tab.page.locator("input[type=file]").first.set_input_files(
            {"name": "mine.csv", "mimeType": "text/csv", "buffer": CSV.encode()}
        )
    tab.shows("mine.csv: 6 words, 3 numbers each", "Not this model’s")
    tab.chart("map").is_described("t-SNE map of 6 words in 2 groups.")
    with tab.answer():
        tab.page.get_by_role("link", name="Similarity", exact=True).first.click()
    with tab.answer():
        tab.page.get_by_role("link", name="Your vectors", exact=True).first.click()
    tab.shows("mine.csv: 6 words, 3 numbers each")
    expect(tab.page.locator("text=⚠")).to_have_count(0)
