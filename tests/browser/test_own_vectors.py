"""The Your vectors page as a visitor uses it: a file from their computer; the rest is in tests/own_vectors/test_page.py."""

import pytest
from playwright.sync_api import expect

WORDS = ("red", "green", "blue", "dog", "cat", "horse")
CSV = "word,a,b,c,kind\n" + "\n".join(
    f"{word},{i % 3 + 1},{i // 3},{0.5 * i},{'colour' if i < 3 else 'animal'}" for i, word in enumerate(WORDS)
)


@pytest.mark.slow
def test_a_file_is_shown_on_every_tab_with_its_badge_and_survives_a_change_of_page(tab):
    tab.open("own_vectors", own_vectors_source="own", open="own-vectors")
    tab.shows("Upload a file. Until then")
    with tab.answer():
        tab.page.locator("input[type=file]").first.set_input_files(
            {"name": "mine.csv", "mimeType": "text/csv", "buffer": CSV.encode()}
        )
    tab.shows("mine.csv: 6 words, 3 numbers each", "Not this model's")
    tab.chart("own-map").is_described("Map of 6 words.")
    with tab.answer():
        tab.page.get_by_role("tab", name="Isotropy").click()
    tab.chart("own-isotropy").is_described("Histogram of the cosines of random pairs.")
    with tab.answer():
        tab.page.get_by_role("link", name="Similarity", exact=True).first.click()
    with tab.answer():
        tab.page.get_by_role("link", name="Your vectors", exact=True).first.click()
    tab.shows("mine.csv: 6 words, 3 numbers each")
    expect(tab.page.locator("text=⚠")).to_have_count(0)


def test_a_bad_file_is_named_next_to_its_field(tab):
    tab.open("own_vectors", own_vectors_source="own", open="own-vectors")
    with tab.answer():
        tab.page.locator("input[type=file]").first.set_input_files(
            {"name": "mine.csv", "mimeType": "text/csv", "buffer": b"word,a,b\nred,1,2\nblue,x,2\ngreen,1,1\n"}
        )
    expect(tab.page.locator("text=⚠").locator("visible=true").first).to_contain_text(
        "Left out, because a value is missing, infinite or not a number: line 3 (blue)."
    )
